"""What recollect asks of whatever reads files: only below roots the caller configured, and never more than a limit.

Never: follows a link out of a root, opens a device, or raises for a file that cannot be read: a refusal is an answer.
Spec: rulings 7 and 19.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from recollect.core.read.files import FileText


class Files(Protocol):
    """Files below roots."""

    @property
    def has_roots(self) -> bool:
        """Whether anything may be read at all."""
        ...

    def read(self, path: str, limit_bytes: int) -> FileText:
        """One file by its path below a root, or a `FileText` with the code of why not."""
        ...

    def mtime_ms(self, path: str) -> int:
        """When a file was last changed, in milliseconds; -1 where it is not there to be read."""
        ...

    def find(self, pattern: str, limit: int) -> Sequence[str]:
        """The paths below the roots that a pattern with * and ? names, sorted, at most so many."""
        ...
