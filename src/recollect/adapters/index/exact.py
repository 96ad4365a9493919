"""The exact search index of one place: who is proposed, in which order, and why.

    rows.py     the structure: documents, words, vectors, neighbours
    match.py    how well every row matches the question's words and its meaning
    blend.py    what makes a proposed row a good answer, with its weights

A row is proposed if it shares a word with the question, itself or through its neighbours, or if it is much more similar
than usual. Only what is proposed is weighed.

Never: reads a store, lets rounding decide, or counts a quarantined document among the statistics.
Spec: ports/index.py; retrieval.md.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from recollect.adapters.index.blend import Matches, blend
from recollect.adapters.index.match import Scale, scale_of, similarities, words
from recollect.adapters.index.rows import ACTIVE, QUARANTINED, Embed, Ints, Rows
from recollect.adapters.index.terms import terms
from recollect.core.item import MemoryItem
from recollect.core.read.query import understand
from recollect.core.values import ItemRef
from recollect.ports.index import Hit

QUERY_TERMS = 48
# What a document must show to be proposed at all: a shared word, or this many deviations more similarity than usual.
SIMILAR_ENOUGH = 2


class ExactIndex:
    """The searchable documents of one place."""

    def __init__(self, embed: Embed | None = None, dimensions: int = 0) -> None:
        self.seq = 0
        self._embed = embed
        self._rows = Rows(embed, dimensions)

    def __len__(self) -> int:
        return self._rows.live

    def size_bytes(self) -> int:
        return self._rows.bytes

    def add(self, item: MemoryItem) -> None:
        self._rows.add(item)

    def remove(self, ref: ItemRef) -> None:
        self._rows.remove(ref)

    def search(self, query: str, limit: int, *, is_quarantined: bool = False) -> Sequence[Hit]:
        rows = self._rows
        if limit <= 0 or not (rows.quarantined if is_quarantined else rows.live):
            return []
        asked = understand(query, rows.names())
        wanted = list(dict.fromkeys(terms(asked.text)))[:QUERY_TERMS]
        known = [(term, rows.vocabulary[term]) for term in wanted if term in rows.vocabulary]
        view = rows.view()
        alive = view.state == (QUARANTINED if is_quarantined else ACTIVE)
        matches = self._match(known, asked.text, alive)
        proposed = matches.words > 0
        if matches.similar is not None and matches.similar_scale.deviation:
            proposed |= matches.similar >= matches.similar_scale.value_at(SIMILAR_ENOUGH)
        found = np.flatnonzero(alive & proposed)
        if not len(found):
            return []
        return self._best(found, blend(asked, view, rows.speakers, matches, found), limit, known)

    def _match(self, known: list[tuple[str, int]], text: str, alive: npt.NDArray[np.bool_]) -> Matches:
        matched = words(self._rows, known)
        similar = similarities(self._rows, self._embed([text])[0]) if self._embed is not None else None
        return Matches(
            words=matched,
            words_scale=scale_of(matched, alive),
            similar=similar,
            similar_scale=scale_of(similar, alive) if similar is not None else Scale(0, 0),
        )

    def _best(self, found: Ints, parts: dict[str, Ints], limit: int, known: list[tuple[str, int]]) -> list[Hit]:
        score: Ints = sum(parts.values(), start=np.zeros(len(found), dtype=np.int64))
        chosen = np.arange(len(found))
        if len(found) > limit:
            threshold = np.partition(score, len(found) - limit)[len(found) - limit]
            chosen = np.flatnonzero(score >= threshold)
        # Two documents of one place never share a tick, so this order has no ties.
        ticks = self._rows.view().column("tick")[found[chosen]]
        ranked = chosen[np.lexsort((-ticks, -score[chosen]))[:limit]].tolist()
        top = max(1, int(score[ranked[0]]))
        shared = {at: self._rows.holds(int(found[at]), known) for at in ranked}
        # Below the average of the place and without a word of its own is no match, unless there is nothing better.
        ranked = [at for at in ranked if score[at] > 0 or shared[at]] or ranked[:1]
        return [
            Hit(
                ref=self._rows.refs[found[at]],
                score=max(0, int(score[at])) * 1_000_000 // top,
                terms=shared[at],
                parts=tuple((name, int(values[at]) // 100) for name, values in parts.items() if values[at]),
            )
            for at in ranked
        ]
