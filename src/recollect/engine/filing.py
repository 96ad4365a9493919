"""Makes the sheets of items: what search needs of them, from the index's own reading and from the embedder.

1. A quick embedder's vectors are made with the item and committed with it, in one transaction.
2. A slow one (a large model, a server) is asked after the commit, outside every lock and transaction, and only about
   what is stored, so never about a secret that was cut out. Until its vectors are there, words alone find the item.
3. Vectors of another model are never compared with ours: that is an error which says what to do.
4. A sheet is sealed: a sum over its card, its vector, its model's name and its number ends the card. A sheet that does
   not add up any more is as good as none: it is made again from its item, and misleads nobody meanwhile.

Never: decides, and never holds a transaction while it waits for an embedder that is not quick.
Spec: ports/embedder.py, ports/index.py; "a changed model is a clear error".
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property, lru_cache

from recollect.core.events import kind_code
from recollect.core.item import MemoryItem
from recollect.core.places import is_ledger
from recollect.core.values import ItemRef, Kind
from recollect.errors import EmbedderChanged, EmbedderFailed
from recollect.ports.embedder import Embedder
from recollect.ports.index import IndexMaker
from recollect.ports.store import Sheet

BATCH_TEXTS = 512
SEAL_BYTES = 4


class Fit(StrEnum):
    """How far a sheet can be used: wholly; its card alone; not its card, which is of another recipe; not at all,
    because it is not as it was made; or not its vector, which is another model's."""

    RIGHT = "right"
    BARE = "bare"
    OUTDATED = "outdated"
    DAMAGED = "damaged"
    FOREIGN = "foreign"


class Filing:
    """One memory's way of reading items for search."""

    def __init__(self, maker: IndexMaker, embedder: Embedder | None) -> None:
        self.maker = maker
        self.embedder = embedder
        self.is_quick = embedder is None or embedder.is_quick
        self.is_slow = not self.is_quick

    @cached_property
    def recipe(self) -> str:
        """What makes our cards, and that they are sealed."""
        return f"{self.maker.recipe} sealed"

    @cached_property
    def model(self) -> str:
        """What makes our vectors: name, version and hash; '' for nothing."""
        return model_name(self.embedder) if self.embedder is not None else ""

    def sheets(self, items: Iterable[MemoryItem]) -> dict[ItemRef, Sheet]:
        """The sheets to commit with new items."""
        # Nobody searches the window or a ledger.
        filed = [item for item in items if item.kind is not Kind.SHORT_TERM and not is_ledger(item.ref.place)]
        if not filed:
            return {}
        if self.embedder is None or not self.is_quick:
            return {item.ref: self.sheet(item) for item in filed}
        vectors = self.vectors([item.text for item in filed])
        return {item.ref: self.sheet(item, vector) for item, vector in zip(filed, vectors, strict=True)}

    def sheet(self, item: MemoryItem, vector: bytes = b"") -> Sheet:
        """The sheet of one item, sealed."""
        card, model = self.maker.card(item), self.model if vector else ""
        seal = seal_of(first_sum(model), kind_code(item.kind), item.ref.n, card, vector)
        return Sheet(self.recipe, card + seal, model, vector)

    def vectors(self, texts: Sequence[str]) -> list[bytes]:
        """One vector per text, checked to be what the embedder promised."""
        embedder = self.embedder
        assert embedder is not None
        found: list[bytes] = []
        for start in range(0, len(texts), BATCH_TEXTS):
            found += embedder.embed(texts[start : start + BATCH_TEXTS])
        length = embedder.dimensions
        if len(found) != len(texts) or any(len(vector) != length for vector in found):
            raise EmbedderFailed(
                "The embedder gave another number or length of vectors than it promised.",
                hint="Look at the embedder; nothing of its answer was used.",
                reason="embedder_lied",
            )
        return found

    def judge(self, kind: int, n: int, sheet: Sheet) -> Fit:
        """How far the sheet of an item can be used."""
        is_ours = sheet.recipe == self.recipe
        if is_ours and unsealed(first_sum(sheet.model), kind, n, sheet.card, sheet.vector) is None:
            return Fit.DAMAGED
        if self.embedder is not None and sheet.model not in {"", self.model}:
            return Fit.FOREIGN
        if not is_ours:
            return Fit.OUTDATED
        return Fit.RIGHT if self.embedder is None or len(sheet.vector) == self.embedder.dimensions else Fit.BARE

    def fresh(self, ref: ItemRef, sheet: Sheet) -> tuple[bytes, bytes]:
        """The card and the vector of a sheet as far as they are ours to use; empty where they must be made."""
        fit = self.judge(kind_code(ref.kind), ref.n, sheet)
        if fit is Fit.DAMAGED:
            return b"", b""
        if fit is Fit.FOREIGN:
            raise changed(sheet.model, self.model)
        has_vector = self.embedder is not None and len(sheet.vector) == self.embedder.dimensions
        return b"" if fit is Fit.OUTDATED else sheet.card[:-SEAL_BYTES], sheet.vector if has_vector else b""

    def complete(
        self, items: Sequence[MemoryItem], sheets: Mapping[ItemRef, Sheet]
    ) -> list[tuple[MemoryItem, bytes, bytes]]:
        """Each item with its card and its vector: stored ones where they are ours, else made now if that is quick."""
        known = {item.ref: self.fresh(item.ref, sheets.get(item.ref, Sheet())) for item in items}
        missing = [item for item in items if not known[item.ref][1]] if self.embedder is not None else []
        made: dict[ItemRef, bytes] = {}
        if missing and self.is_quick:
            vectors = self.vectors([item.text for item in missing])
            made = {item.ref: vector for item, vector in zip(missing, vectors, strict=True)}
        return [
            (item, known[item.ref][0] or self.maker.card(item), known[item.ref][1] or made.get(item.ref, b""))
            for item in items
        ]


@lru_cache(maxsize=64)
def first_sum(model: str) -> int:
    """Where the sum of a sheet begins: with the name of its model."""
    return zlib.crc32(model.encode())


def seal_of(first: int, kind: int, n: int, card: bytes, vector: bytes) -> bytes:
    """What ends a card: a sum over the whole sheet and over where it belongs."""
    return zlib.crc32(vector, zlib.crc32(card, (first ^ kind << 28 ^ n) & 0xFFFFFFFF)).to_bytes(SEAL_BYTES, "little")


def unsealed(first: int, kind: int, n: int, sealed: bytes, vector: bytes) -> bytes | None:
    """The card of a sheet, or None where its seal says that the sheet is not as it was made."""
    card = sealed[:-SEAL_BYTES]
    return card if card and seal_of(first, kind, n, card, vector) == sealed[-SEAL_BYTES:] else None


def model_name(embedder: Embedder) -> str:
    """How a model is recorded with every vector it made."""
    return f"{embedder.name} {embedder.version} {embedder.digest}"


def changed(stored: str, ours: str) -> EmbedderChanged:
    """The error of a memory whose vectors were made by another model."""
    return EmbedderChanged(
        f"This memory's vectors were made by {short(stored)!r}, and it was opened with {short(ours)!r}.",
        hint="Open it with the embedder it was made with, or run `recollect reindex` to make them anew.",
    )


def short(model: str) -> str:
    """A model's name with the first digits of its hash."""
    name, _, digest = model.rpartition(" ")
    return f"{name} {digest[:12]}".strip()
