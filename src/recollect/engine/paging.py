"""Walks something page by page, and insists that every page moves on.

On a damaged file a page can give back what was asked to be left behind; without this check a walk would never end.

Never: reads a page twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from recollect.errors import StoreDamaged

T = TypeVar("T")


def walk(read: Callable[[Any], Sequence[T]], key: Callable[[T], Any], start: Any) -> Iterator[T]:
    """Everything `read` gives after `start`, page by page; `key` says where an entry stands."""
    after = start
    while page := read(after):
        for entry in page:
            here = key(entry)
            if after is not None and here <= after:
                raise StoreDamaged("The database gives its rows in a wrong order.", hint="Restore it from a copy.")
            after = here
            yield entry
