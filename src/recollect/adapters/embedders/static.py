"""The embedder that ships with recollect: a table of int8 rows, one per word piece, summed.

What a vector is, in full, so that anybody can recompute it:

    s = Σ row(p) over the text's distinct word pieces p  exact
    r = isqrt(2³² · Σᵢ sᵢ²)                              the length of s with 16 fractional bits, rounded down
    vᵢ = clip(round(SCALE · 2¹⁶ · sᵢ / r), ±127)         a quotient of integers, halves to even

Nothing in it is a float, so no CPU, compiler, thread count or BLAS can change a bit, and the dot product of two
vectors is SCALE² times their cosine as one integer. A text without a known word piece is the zero vector, which is
as far from everything as from nothing.

The table was distilled from all-MiniLM-L6-v2 by scripts/distil_static_embedder.py; licence and provenance lie beside
it in data/embedder. It is read on first use, checked against its digest, and shared by the whole process.

Never: downloads, guesses, or depends on the order or number of texts embedded together.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from recollect.adapters.embedders.wordpiece import WordPieces
from recollect.errors import RecollectError

# Rows are rotated so that a unit vector's components spread evenly (about 1/16 each at 256 dimensions): 448 keeps
# 28 steps per standard deviation and clips only beyond four and a half of them.
SCALE: Final = 448
_FRACTION_BITS: Final = 16
_LIMIT: Final = 127
# Enough texts at a time to make numpy cheap, few enough to keep a large import small.
_BLOCK_TEXTS: Final = 256
_SHIPPED: Final = Path(__file__).parents[2] / "data" / "embedder"


Sums = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What the packed table says about itself."""

    name: str
    version: str
    digest: str
    dimensions: int
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A loaded table: one int8 row per word piece."""

    pieces: WordPieces
    rows: npt.NDArray[np.int8]


class StaticEmbedder:
    """The default embedder: numpy only, about 0.02 ms a sentence, the same bytes everywhere."""

    __slots__ = ("_directory",)

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = _SHIPPED if directory is None else directory

    @property
    def name(self) -> str:
        """Which model this is."""
        return _card(self._directory).name

    @property
    def version(self) -> str:
        """The version of the recipe and of the formula at the head of this file."""
        return _card(self._directory).version

    @property
    def digest(self) -> str:
        """sha256 over the vocabulary and the table."""
        return _card(self._directory).digest

    @property
    def is_quick(self) -> bool:
        """A table look-up: it cannot wait for anything."""
        return True

    @property
    def dimensions(self) -> int:
        """Bytes per vector."""
        return _card(self._directory).dimensions

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector per text, in order."""
        table = _table(self._directory)
        vectors: list[bytes] = []
        for start in range(0, len(texts), _BLOCK_TEXTS):
            found = [_sum_of(table, text) for text in texts[start : start + _BLOCK_TEXTS]]
            # A question is one text.
            sums = found[0][None] if len(found) == 1 else np.array(found)
            vectors += [vector.tobytes() for vector in quantise(sums)]
        return vectors


def quantise(sums: Sums) -> npt.NDArray[np.int8]:
    """Sums of rows as vectors of fixed length: the formula at the head of this file, in integers only."""
    squares: list[int] = (sums * sums).sum(axis=1).tolist()
    # A zero sum stays zero whatever it is divided by.
    roots = [math.isqrt(square << (2 * _FRACTION_BITS)) or 1 for square in squares]
    halves = np.array(roots, dtype=np.int64)[:, None]
    # floor(x + 1/2) rounds halves up; a remainder of zero is exactly a half, and an odd result then steps down to even.
    rounded, rest = np.divmod(sums * (SCALE << (_FRACTION_BITS + 1)) + halves, 2 * halves)
    if not rest.all():
        rounded -= (rest == 0) & (rounded & 1 == 1)
    return np.minimum(np.maximum(rounded, -_LIMIT), _LIMIT).astype(np.int8)


def _sum_of(table: Table, text: str) -> Sums:
    known = table.pieces.rows(text)
    if not known:
        return np.zeros(table.rows.shape[1], dtype=np.int64)
    summed: Sums = np.add.reduce(table.rows.take(known, axis=0), axis=0, dtype=np.int64)
    return summed


def digest_of(vocabulary: bytes, rows: bytes) -> str:
    """The digest recorded with every vector."""
    return hashlib.sha256(vocabulary + b"\0" + rows).hexdigest()


@cache
def _card(directory: Path) -> Card:
    try:
        return Card(**json.loads((directory / "card.json").read_bytes()))
    except (OSError, ValueError, TypeError) as error:
        raise _damaged() from error


@cache
def _table(directory: Path) -> Table:
    card = _card(directory)
    try:
        vocabulary, packed = ((directory / name).read_bytes() for name in ("vocabulary.txt", "table.i8"))
    except OSError as error:
        raise _damaged() from error
    if digest_of(vocabulary, packed) != card.digest or len(packed) != card.rows * card.dimensions:
        raise _damaged()
    rows = np.frombuffer(packed, dtype=np.int8).reshape(card.rows, card.dimensions)
    return Table(pieces=WordPieces(vocabulary.decode().split("\n")), rows=rows)


def _damaged() -> RecollectError:
    return RecollectError(
        "The embedder's table is missing or is not the one its card describes.",
        hint="Install recollect again.",
        reason="embedder_damaged",
    )
