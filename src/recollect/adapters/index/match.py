"""How well each row matches a question's words and its meaning: BM25 over a neighbourhood, and exact int8 similarity.

    words       BM25 over a turn and, weaker, the turns around it in the same session, in millionths
    similar     the dot product of two int8 vectors, one whole number

Never: weighs one against the other, reads a store, or lets rounding decide.
Spec: retrieval.md (k1 0.9, b 0.4, neighbours as fields); dependencies.md (exact vector search).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from recollect.adapters.dots import dots
from recollect.adapters.index.rows import ACTIVE, GONE, Ints, Numbers, Rows
from recollect.core.integers import ln_micro

K1_MILLI, B_MILLI = 900, 400
# How much of a neighbour's words a turn is credited with, in thousandths: one, two, three turns before and after.
BACK_MILLI = (500, 300, 180)
FORWARD_MILLI = (300, 200, 100)
COMMON_SHARE = 10
# A turn that says "it" or "she" is credited with this much more of what was said before it, in thousandths.
REFERS_MILLI = 1_800
WINDOW_WORDS = 60  # a turn longer than this needs its neighbours less


Places = npt.NDArray[np.intp]


class Scale(NamedTuple):
    """What is usual among the living rows: where a value stands is told in thousandths of a standard deviation."""

    mean: int
    deviation: int

    def standard(self, values: Numbers) -> Ints:
        """Thousandths of a standard deviation above the mean."""
        if not self.deviation:
            return np.zeros(len(values), dtype=np.int64)
        apart = (values.astype(np.int64) - self.mean) >> _COARSE
        return apart * 1_000 // self.deviation

    def value_at(self, deviations: int) -> int:
        """The least value that lies this many standard deviations above the mean."""
        return self.mean + (deviations * self.deviation << _COARSE)


# Values are compared in steps of 64: squares of any score, added over any place, then fit 64 bits.
_COARSE = 6


def scale_of(values: Numbers, alive: npt.NDArray[np.bool_] | None) -> Scale:
    """Mean and deviation over the living rows; None says that all of them live."""
    living = values if alive is None else values[alive]
    return _scale(living, len(living), 0)


def sparse_scale(values: Numbers, touched: Numbers, alive: npt.NDArray[np.bool_] | None, count: int) -> Scale:
    """The same, of values that are zero but for the touched rows; `count` rows live."""
    living = values[touched] if alive is None else values[touched[alive[touched]]]
    return _scale(living, count, count - len(living))


def _scale(values: Numbers, count: int, zeros: int) -> Scale:
    count = max(1, count)
    mean = int(values.sum(dtype=np.int64)) // count
    squares = _squares((values - mean) >> _COARSE) + zeros * (-mean >> _COARSE) ** 2
    return Scale(mean, math.isqrt(squares // count))


def _squares(values: Numbers) -> int:
    """The sum of squares, exactly."""
    most = max(abs(int(values.max())), abs(int(values.min()))) if len(values) else 0
    if most * most * len(values) < 1 << 53:
        # Whole numbers this small are added exactly as doubles, in whatever order, and twice as fast.
        small = values.astype(np.float64)
        return int(np.einsum("i,i->", small, small))
    large = values.astype(np.int64)
    return int(np.dot(large, large))


class _Fields(NamedTuple):
    """How much each row needs its neighbours, in thousandths (None: all of them wholly), how much more those before it
    (None: no more), and how soon it is sated."""

    need: Numbers | None
    lean: Numbers | None
    saturation: npt.NDArray[np.float64]


def _fields(rows: Rows) -> _Fields:
    found = rows.keep("fields", lambda: _make_fields(rows))
    assert isinstance(found, _Fields)
    return found


def _make_fields(rows: Rows) -> _Fields:
    need = np.minimum(1_000, WINDOW_WORDS * 1_000 // np.maximum(1, rows.column("words"))).astype(np.int32)
    length = rows.column("length")
    lengths = length * np.int64(1_000)
    for hops, weights in ((rows.before, BACK_MILLI), (rows.after, FORWARD_MILLI)):
        for neighbours, weight in zip(hops, weights, strict=True):
            near = np.where(neighbours >= 0, length[neighbours], 0)
            lengths += near.astype(np.int64) * weight * need // 1_000
    alive = rows.column("state") == ACTIVE
    mean = max(1, int(lengths[alive].sum()) // max(1, rows.live))
    saturation = K1_MILLI * ((1_000 - B_MILLI) + B_MILLI * lengths // mean) // 1_000
    refers = rows.column("refers") > 0
    lean = np.where(refers, REFERS_MILLI, 1_000).astype(np.int32) if bool(refers.any()) else None
    return _Fields(None if bool((need == 1_000).all()) else need, lean, saturation.astype(np.float64))


class Words(NamedTuple):
    """BM25 in millionths of every row, and which rows have any."""

    values: Numbers
    touched: Numbers


def words(rows: Rows, known: Sequence[int]) -> Words:
    """How well each row with its neighbourhood matches these terms."""
    fields = _fields(rows)
    # One slot more than there are rows: what reaches beyond a session's edge lands there, at -1.
    scores = np.zeros(rows.count + 1, dtype=np.int32)
    credit = np.zeros(rows.count + 1, dtype=np.int32)
    for term in known:
        _add_word(rows, term, fields, credit, scores)
    values = scores[:-1]
    return Words(values, np.flatnonzero(values).astype(np.int32))


def _add_word(rows: Rows, term: int, fields: _Fields, credit: Numbers, scores: Numbers) -> None:
    held, repeated = rows.documents(term), rows.repeated(term)
    frequency = rows.frequency(held)
    # numpy turns every index into this type first; once is enough.
    documents: Places = held.astype(np.intp)
    if not rows.is_whole:
        documents = documents[rows.column("state")[documents] != GONE]
    credit[documents] = 1_000
    if repeated is not None:
        holders, more = repeated
        # Those that are gone have no credit yet, and get none.
        credit[holders] += np.where(credit[holders] > 0, more * 1_000, 0)
    # A word that stands in every tenth turn says nothing about the turns around it.
    is_rare = frequency * COMMON_SHARE <= rows.live or rows.live < COMMON_SHARE * 10
    touched = _lend(rows, documents, fields, credit, is_single=repeated is None) if is_rare else documents
    amount = credit[touched]
    credit[touched] = 0
    rarity = max(1, ln_micro(2 * rows.live + 2) - ln_micro(2 * frequency + 1))
    # Whole numbers divided as doubles: IEEE 754 rounds a quotient the same way on every machine, and it is
    # cut to a whole number at once. Dividing 64-bit integers would take most of the search's time.
    top = amount * float(rarity * (1_000 + K1_MILLI) // 1_000)
    top /= amount + fields.saturation[touched]
    # A row that is named twice here gets the same sum twice, which is once.
    scores[touched] = scores[touched] + top.astype(np.int32)


# A turn's words reach the turns after it by their "back" weights, and those before it by "forward".
_REACH = np.array([*FORWARD_MILLI, *BACK_MILLI], dtype=np.int32)[:, None]


def _lend(rows: Rows, documents: Places, fields: _Fields, credit: Numbers, *, is_single: bool) -> Places:
    """Credit, weaker, the rows around those that hold a word; all that have any credit now, some named twice."""
    found = rows.links().take(documents, axis=1)
    worth = np.empty(found.shape, dtype=np.int32)
    worth[:] = _REACH if fields.need is None else _REACH * fields.need[found] // 1_000
    if not is_single:
        worth *= credit[documents] // 1_000
    if fields.lean is not None:
        # The rows after a word are those that may refer back to it.
        forward = len(FORWARD_MILLI)
        worth[forward:] = worth[forward:] * fields.lean[found[forward:]] // 1_000
    reached: Places = found.ravel().astype(np.intp)
    np.add.at(credit, reached, worth.ravel())
    credit[-1] = 0
    if FEW * len(reached) < len(credit):
        return np.concatenate([documents, reached])
    return np.flatnonzero(credit)


# Where a word reaches more than one row in so many, all are looked through.
FEW = 4


def kinds_named(rows: Rows, things: Sequence[Sequence[int]]) -> Numbers:
    """For each row, in millionths, how rare it is to name a thing of these kinds; rows that name none have 0."""
    values = np.zeros(rows.count, dtype=np.int32)
    for numbers in things:
        documents = np.unique(np.concatenate([rows.documents(number) for number in numbers]))
        frequency = rows.frequency(documents)
        values[documents] += max(0, ln_micro(2 * rows.live + 2) - ln_micro(2 * frequency + 1))
    return values


def similarities(vectors: npt.NDArray[np.int8], vector: bytes) -> Numbers:
    """The dot product of a question's vector with every row's."""
    query = np.frombuffer(vector, dtype=np.int8).reshape(1, -1)
    found: Numbers = dots(query, vectors)[0].astype(np.int32)
    return found
