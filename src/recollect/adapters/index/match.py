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

from recollect.adapters.index.rows import ACTIVE, GONE, Ints, Rows, View
from recollect.core.integers import ln_micro

try:
    from simsimd import cdist
except ImportError:  # a platform without its wheel: slower, and just as exact
    cdist = None  # type: ignore[assignment]

K1_MILLI, B_MILLI = 900, 400
# How much of a neighbour's words a turn is credited with, in thousandths: one, two, three turns before and after.
BACK_MILLI = (500, 300, 180)
FORWARD_MILLI = (300, 200, 100)
COMMON_SHARE = 10
WINDOW_WORDS = 60  # a turn longer than this needs its neighbours less


class Scale(NamedTuple):
    """What is usual among the living rows: where a value stands is told in thousandths of a standard deviation."""

    mean: int
    deviation: int

    def standard(self, values: Ints) -> Ints:
        """Thousandths of a standard deviation above the mean."""
        apart = (values - self.mean) >> 6
        return apart * 1_000 // self.deviation if self.deviation else np.zeros_like(values)

    def value_at(self, deviations: int) -> int:
        """The least value that lies this many standard deviations above the mean."""
        return self.mean + (deviations * self.deviation << 6)


def scale_of(values: Ints, alive: npt.NDArray[np.bool_]) -> Scale:
    """Mean and deviation over the living rows."""
    count = max(1, int(np.count_nonzero(alive)))
    is_whole = count == len(values)
    mean = int((values if is_whole else values[alive]).sum()) // count
    # Kept small enough that squares of any score fit 64 bits.
    apart = (values - mean) >> 6
    living = apart if is_whole else apart[alive]
    return Scale(mean, math.isqrt(int(np.dot(living, living)) // count))


class _Fields:
    """What the words of a row are worth to the rows around it, and how long each row is with its neighbourhood."""

    def __init__(self, view: View) -> None:
        need = np.minimum(1_000, WINDOW_WORDS * 1_000 // np.maximum(1, view.column("words")))
        edge = len(view)
        # A turn's words reach the turns after it by their "back" weights, and those before it by "forward": for each
        # row where it reaches, and what a word of it is worth there.
        self.reach: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]] = []
        for hops, weights in ((view.after, BACK_MILLI), (view.before, FORWARD_MILLI)):
            for neighbours, weight in zip(hops, weights, strict=True):
                targets = np.where(neighbours >= 0, neighbours, edge).astype(np.int32)
                worth = np.where(neighbours >= 0, weight * need[neighbours] // 1_000, 0).astype(np.int32)
                self.reach.append((targets, worth))
        lengths = view.column("length") * 1_000
        for hops, weights in ((view.before, BACK_MILLI), (view.after, FORWARD_MILLI)):
            for neighbours, weight in zip(hops, weights, strict=True):
                near = np.where(neighbours >= 0, view.column("length")[neighbours], 0)
                lengths = lengths + near * weight * need // 1_000
        alive = view.state == ACTIVE
        mean = max(1, int(lengths[alive].sum()) // max(1, int(alive.sum())))
        saturation = K1_MILLI * ((1_000 - B_MILLI) + B_MILLI * lengths // mean) // 1_000
        self.saturation = saturation.astype(np.float64)


def _fields(view: View) -> _Fields:
    fields = view.kept.get("fields")
    if not isinstance(fields, _Fields):
        fields = view.kept["fields"] = _Fields(view)
    return fields


def words(rows: Rows, known: Sequence[tuple[str, int]]) -> Ints:
    """BM25 in millionths of each row with its neighbourhood."""
    view = rows.view()
    fields = _fields(view)
    scores = np.zeros(len(view), dtype=np.int64)
    # One slot more than there are rows: what reaches beyond a session's edge lands there.
    credit = np.zeros(len(view) + 1, dtype=np.int32)
    for _, term in known:
        documents, counts = rows.postings(term)
        if not view.is_whole:
            live = view.state[documents] != GONE
            documents, counts = documents[live], counts[live]
        credit[documents] += counts * 1_000
        frequency = rows.frequency(term)
        # A word that stands in every tenth turn says nothing about the turns around it.
        is_rare = frequency * COMMON_SHARE <= rows.live or rows.live < COMMON_SHARE * 10
        for targets, worth in fields.reach if is_rare else ():
            found = targets[documents]
            credit[found] += counts * worth[documents]
        credit[-1] = 0
        touched = np.flatnonzero(credit)
        amount = credit[touched]
        rarity = max(1, ln_micro(2 * rows.live + 2) - ln_micro(2 * frequency + 1))
        # Whole numbers divided as doubles: IEEE 754 rounds a quotient the same way on every machine, and it is
        # cut to a whole number at once. Dividing 64-bit integers would take most of the search's time.
        top = amount * float(rarity * (1_000 + K1_MILLI) // 1_000)
        scores[touched] += (top / (amount + fields.saturation[touched])).astype(np.int64)
        credit[touched] = 0
    return scores


def similarities(rows: Rows, vector: bytes) -> Ints:
    """The dot product of a question's vector with every row's."""
    query = np.frombuffer(vector, dtype=np.int8).reshape(1, -1)
    vectors = rows.vectors()
    if cdist is not None:
        found: Ints = np.asarray(cdist(query, vectors, "dot"))[0].astype(np.int64)
        return found
    # Sums of whole numbers below 2**24 are exact in float32 too.
    return np.rint(vectors.astype(np.float32) @ query[0].astype(np.float32)).astype(np.int64)
