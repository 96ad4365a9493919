"""The exact search index of one place: which documents a question's words and its meaning lead to.

Statistics are the place's own; what another owner stores cannot move a score. The same documents give the same
answers in whatever order they were added.

1. An index reads an item once, onto a card; cards are stored, and an index is filled from them.
2. A vector comes from outside: an index says what of a question should be embedded, and compares what it is given.
3. A light index keeps only what one question needs, for places too large to hold: the same answer, looked up anew.

Never: stores anything durable, calls an embedder. It is built from a store and can be thrown away.
Spec: architecture "Isolated"; ruling 17.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from recollect.core.item import MemoryItem
from recollect.core.policy import Ranking
from recollect.core.values import ItemRef, Place


class Hit(NamedTuple):
    """A document and why the index proposes it: its score in millionths of the best, the terms that matched,
    and the parts of the score in thousandths of a standard deviation; with its vector, where the index holds that."""

    ref: ItemRef
    score: int
    terms: tuple[str, ...]
    parts: tuple[tuple[str, int], ...] = ()
    vector: bytes = b""


class Document(NamedTuple):
    """What an index takes in: where an item is, how it stands, its card, and its vector if there is one."""

    kind: int
    n: int
    is_active: bool
    tick: int
    card: bytes
    vector: bytes


class Asking(Protocol):
    """A question as one index has read it."""

    @property
    def text(self) -> str:
        """What of it should be embedded."""
        ...


class PlaceIndex(Protocol):
    """The searchable documents of one place."""

    seq: int

    def fill(self, place: Place, documents: Sequence[Document]) -> None:
        """Put documents in, or replace them."""

    def remove(self, ref: ItemRef) -> None:
        """Take a document out; unknown ones are ignored."""

    def without_vector(self) -> list[ItemRef]:
        """Documents whose vector is still to come."""

    def place_vector(self, ref: ItemRef, vector: bytes) -> None:
        """Give a document the vector that came later; unknown ones are ignored."""

    def holds(self, *, is_quarantined: bool) -> bool:
        """Whether any document stands here, or stands apart: if none does, nobody need be asked."""
        ...

    def ask(self, query: str) -> Asking:
        """Read a question against what is known here."""

    def compare(self, vector: bytes, vectors: Sequence[bytes]) -> None:
        """For a light index: compare the question with the next documents' vectors, in the order they were put in."""

    def search(
        self, asking: Asking, limit: int, ranking: Ranking, vector: bytes, *, is_quarantined: bool = False
    ) -> Sequence[Hit]:
        """The best documents for a question by these weights, best first, ties to the newer one.

        Without a vector (b"") the words alone decide.
        """

    def size_bytes(self) -> int:
        """About how much memory it holds."""

    def __len__(self) -> int: ...


class IndexMaker(Protocol):
    """Reads items for indexes, and makes indexes."""

    @property
    def recipe(self) -> str:
        """The name of exactly how cards are made."""
        ...

    def card(self, item: MemoryItem) -> bytes:
        """What an index needs to know of an item."""

    def make(self, light_for: str | None = None) -> PlaceIndex:
        """An empty index; or a light one, for one question only."""
