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
Mask = npt.NDArray[np.bool_]


class Scale(NamedTuple):
    """What is usual among the living rows: where a value stands is told in thousandths of a standard deviation."""

    mean: int
    deviation: int

    def standard(self, values: Numbers) -> Ints:
        """Thousandths of a standard deviation above the mean."""
        if not self.deviation:
            return np.zeros(len(values), dtype=np.int64)
        apart = values.astype(np.int64)
        apart -= self.mean
        apart >>= _COARSE
        apart *= 1_000
        apart //= self.deviation
        return apart

    def standard_of(self, value: int) -> int:
        """The same of one value."""
        return ((value - self.mean) >> _COARSE) * 1_000 // self.deviation if self.deviation else 0

    def value_at(self, deviations: int) -> int:
        """The least value that lies this many standard deviations above the mean."""
        return self.mean + (deviations * self.deviation << _COARSE)


# Values are compared in steps of 64: squares of any score, added over any place, then fit 64 bits.
_COARSE = 6


def scale_of(values: Numbers, alive: Mask | None, reach: int) -> Scale:
    """Mean and deviation over the living rows; None says that all of them live. None is further from 0 than `reach`."""
    living = values if alive is None else values[alive]
    return _scale(living, len(living), 0, 2 * reach >> _COARSE)


def sparse_scale(values: Numbers, touched: Mask, alive: Mask | None, count: int) -> Scale:
    """The same, of values that are zero but for the touched rows; `count` rows live."""
    living = values.take((touched if alive is None else touched & alive).nonzero()[0])
    return _scale(living, count, count - len(living), MOST)


# A 32-bit number in steps of 64.
MOST = 1 << 25


def _scale(values: Numbers, count: int, zeros: int, most: int) -> Scale:
    count = max(1, count)
    mean = int(np.add.reduce(values, dtype=np.int64)) // count
    apart = values - mean
    apart >>= _COARSE
    squares = _squares(apart, most) + zeros * (-mean >> _COARSE) ** 2
    return Scale(mean, math.isqrt(squares // count))


def _squares(values: Numbers, most: int) -> int:
    """The sum of squares, exactly; no value is larger than `most`."""
    if most * most * len(values) >= 1 << 62:
        most = max(abs(int(values.max())), abs(int(values.min())))
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
    touched: Mask


class _Word(NamedTuple):
    """A word of the question: who holds it, how often each in thousandths (None: all once), and its rarity."""

    documents: Places
    credit: Numbers | None
    rarity: int


def words(rows: Rows, known: Sequence[tuple[int, Numbers]]) -> Words:
    """How well each row with its neighbourhood matches these terms, given each with the rows that hold it."""
    fields = _fields(rows)
    # One slot more than there are rows: what reaches beyond a session's edge lands there, at -1.
    scores = np.zeros(rows.count + 1, dtype=np.int32)
    rare: list[_Word] = []
    for term, held in known:
        frequency = rows.frequency(held)
        word = _word(rows, term, held, frequency)
        # A word that stands in every tenth turn says nothing about the turns around it.
        if frequency * COMMON_SHARE <= rows.live or rows.live < COMMON_SHARE * 10:
            rare.append(word)
        else:
            _add_common(word, fields, scores)
    together = max(1, LANES // len(scores))
    for start in range(0, len(rare), together):
        _add_rare(rows, rare[start : start + together], fields, scores)
    values = scores[:-1]
    return Words(values, values > 0)


def _word(rows: Rows, term: int, held: Numbers, frequency: int) -> _Word:
    repeated, credit = rows.repeated(term), None
    # numpy turns every index into this type first; once is enough.
    documents: Places = held.astype(np.intp)
    if not rows.is_whole:
        documents = documents[rows.column("state").take(documents) != GONE]
    if repeated is not None and len(documents):
        credit = np.full(len(documents), 1_000, dtype=np.int32)
        holders, more = repeated
        at = documents.searchsorted(holders)
        # Those that are gone are not among them any more.
        is_there = documents.take(at, mode="clip") == holders
        credit[at[is_there]] += more[is_there] * 1_000
    return _Word(documents, credit, max(1, ln_micro(2 * rows.live + 2) - ln_micro(2 * frequency + 1)))


def _add_common(word: _Word, fields: _Fields, scores: Numbers) -> None:
    amount = np.full(len(word.documents), 1_000, dtype=np.int32) if word.credit is None else word.credit
    worth = float(word.rarity * (1_000 + K1_MILLI) // 1_000)
    scores[word.documents] += _saturated(amount, worth, fields.saturation.take(word.documents))


def _saturated(amount: Numbers, worth: float | npt.NDArray[np.float64], saturation: npt.NDArray[np.float64]) -> Numbers:
    """What an amount of a word is worth: ever less for more of it."""
    # Whole numbers divided as doubles: IEEE 754 rounds a quotient the same way on every machine, and it is
    # cut to a whole number at once. Dividing 64-bit integers would take most of the search's time.
    top = amount * worth
    saturation += amount
    top /= saturation
    return top.astype(np.int32)


# A turn's words count in it, reach the turns after it by their "back" weights, and those before it by "forward".
_REACH = np.array([1_000, *FORWARD_MILLI, *BACK_MILLI], dtype=np.int32)[:, None]
_AFTER = 1 + len(FORWARD_MILLI)
# Where a word reaches more than one row in so many, all are looked through.
FEW = 4
# Words are added together as long as all their lanes of one number a row stay this short: a call costs more than
# a few rows do.
LANES = 1 << 17


def _add_rare(rows: Rows, words: Sequence[_Word], fields: _Fields, scores: Numbers) -> None:
    """Add some words to the rows that hold them and, weaker, to those around. Each word has a lane of its own."""
    lengths = [len(word.documents) for word in words]
    documents = words[0].documents if len(words) == 1 else np.concatenate([word.documents for word in words])
    near = np.empty((len(_REACH), len(documents)), dtype=np.intp)
    near[0] = documents
    near[1:] = rows.links().take(documents, axis=1)
    worth = _reach(words, lengths, near, fields)
    span, lane = len(scores), near
    rarities: list[float] = [float(word.rarity * (1_000 + K1_MILLI) // 1_000) for word in words]
    rarity: float | npt.NDArray[np.float64] = rarities[0]
    if len(words) > 1:
        # Beyond a session's edge, at -1, is the last slot of the lane before.
        lane = near + np.repeat(np.arange(0, len(words) * span, span), lengths)
        rarity = np.repeat(rarities, lengths)
    credit = np.zeros(len(words) * span, dtype=np.int32)
    np.add.at(credit, lane.ravel(), worth.ravel())
    credit[span - 1 :: span] = 0
    if len(words) > 1:
        added = np.zeros_like(credit)
        added[lane] = _saturated(credit.take(lane, mode="wrap"), rarity, fields.saturation.take(near, mode="wrap"))
        scores += added.reshape(len(words), span).sum(axis=0, dtype=np.int32)
    else:
        touched = near if FEW * near.size < span else credit.nonzero()[0]
        gained = _saturated(credit.take(touched, mode="wrap"), rarity, fields.saturation.take(touched, mode="wrap"))
        # A row that is named twice here gets the same sum twice, which is once.
        scores[touched] = scores.take(touched, mode="wrap") + gained


def _reach(words: Sequence[_Word], lengths: Sequence[int], near: Places, fields: _Fields) -> Numbers:
    """How much of a word each of these rows is credited with, in thousandths."""
    worth = np.empty(near.shape, dtype=np.int32)
    worth[:] = _REACH
    if fields.need is not None:
        worth[1:] = worth[1:] * fields.need.take(near[1:], mode="wrap") // 1_000
    if any(word.credit is not None for word in words):
        ones = [
            np.full(n, 1_000, dtype=np.int32) if w.credit is None else w.credit
            for w, n in zip(words, lengths, strict=True)
        ]
        worth *= np.concatenate(ones) // 1_000
    if fields.lean is not None:
        # The rows after a word are those that may refer back to it.
        worth[_AFTER:] = worth[_AFTER:] * fields.lean.take(near[_AFTER:], mode="wrap") // 1_000
    return worth


def kinds_named(rows: Rows, things: Sequence[Sequence[int]]) -> Numbers | None:
    """For each row, in millionths, how rare it is to name a thing of these kinds; rows that name none have 0.
    None where no kind is asked about."""
    if not things:
        return None
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
