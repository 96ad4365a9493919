"""The exact search index of one place: which documents a question's words lead to.

Statistics are the place's own; what another owner stores cannot move a score. The same documents give the same
answers in whatever order they were added.

Never: stores anything durable. It is built from a store and can be thrown away.
Spec: architecture "Isolated"; ruling 17.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.core.item import MemoryItem
from recollect.core.policy import Ranking
from recollect.core.values import ItemRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A document and why the index proposes it: its score in millionths of the best, the terms that matched,
    and the parts of the score in thousandths of a standard deviation."""

    ref: ItemRef
    score: int
    terms: tuple[str, ...]
    parts: tuple[tuple[str, int], ...] = ()


class PlaceIndex(Protocol):
    """The searchable documents of one place."""

    seq: int

    def add(self, item: MemoryItem) -> None:
        """Put a document in, or replace it."""

    def remove(self, ref: ItemRef) -> None:
        """Take a document out; unknown ones are ignored."""

    def search(self, query: str, limit: int, ranking: Ranking, *, is_quarantined: bool = False) -> Sequence[Hit]:
        """The best documents for a question by these weights, best first, ties to the newer one."""

    def size_bytes(self) -> int:
        """About how much memory it holds."""

    def __len__(self) -> int: ...
