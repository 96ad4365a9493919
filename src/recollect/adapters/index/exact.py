"""The exact search index of one place: who is proposed, in which order, and why.

    rows.py     the structure: documents, words, vectors, neighbours
    match.py    how well every row matches the question's words and its meaning
    blend.py    what makes a proposed row a good answer, with its weights

A row is proposed if it shares a word with the question, itself or through its neighbours, or if it is among the most
similar ones. Only what is proposed is weighed, by the weights of the policy.

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
from recollect.core.policy import Ranking
from recollect.core.read.query import understand
from recollect.core.values import ItemRef
from recollect.ports.index import Hit

QUERY_TERMS = 48
# What a document must show to be proposed at all: a shared word, or this many deviations more similarity than usual.
SIMILAR_ENOUGH = 2
# Where that proposes few, the most similar ones above the mean are proposed as well: a question often shares no word
# with its answer. A place with hardly any rows has no "usual", and one this large has enough beyond two deviations.
NEAREST, FEWEST_ROWS, MOST_ROWS = 256, 20, 16_384


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

    def search(self, query: str, limit: int, ranking: Ranking, *, is_quarantined: bool = False) -> Sequence[Hit]:
        rows = self._rows
        if limit <= 0 or not (rows.quarantined if is_quarantined else rows.live):
            return []
        asked = understand(query, rows.names())
        known, names = self._known(asked.text), self._known(asked.names)
        view = rows.view()
        alive = view.state == (QUARANTINED if is_quarantined else ACTIVE)
        # A question that holds nothing but a name asks for the name.
        matches = self._match(known or names, asked.text if known else query, alive)
        matches.named[rows.holding([number for _, number in names])] = True
        found = np.flatnonzero(alive & (matches.named | (matches.words > 0) | self._near(matches, alive)))
        if not len(found):
            return []
        parts = blend(asked, view, rows.speakers, matches, found, ranking)
        return self._best(found, parts, limit, [*known, *names])

    def _known(self, text: str) -> list[tuple[str, int]]:
        """The words of a text that stand somewhere in this place, in order, once each."""
        vocabulary = self._rows.vocabulary
        wanted = list(dict.fromkeys(terms(text)))[:QUERY_TERMS]
        return [(term, vocabulary[term]) for term in wanted if term in vocabulary]

    def _match(self, known: list[tuple[str, int]], text: str, alive: npt.NDArray[np.bool_]) -> Matches:
        matched = words(self._rows, known)
        similar = similarities(self._rows, self._embed([text])[0]) if self._embed is not None else None
        return Matches(
            words=matched,
            words_scale=scale_of(matched, alive),
            similar=similar,
            similar_scale=scale_of(similar, alive) if similar is not None else Scale(0, 0),
            named=np.zeros(len(matched), dtype=np.bool_),
        )

    def _near(self, matches: Matches, alive: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Who is proposed for being similar alone."""
        similar, scale = matches.similar, matches.similar_scale
        if similar is None or not scale.deviation:
            return np.zeros(len(alive), dtype=np.bool_)
        bar = scale.value_at(SIMILAR_ENOUGH)
        # Counted without the dead rows: an index that followed the log answers as a fresh one does.
        count = int(np.count_nonzero(alive))
        if FEWEST_ROWS <= count <= MOST_ROWS:
            rest = max(0, count - NEAREST)
            bar = min(bar, max(int(np.partition(similar[alive], rest)[rest]), scale.mean + 1))
        return similar >= bar

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
        return [
            Hit(
                ref=self._rows.refs[found[at]],
                score=max(0, int(score[at])) * 1_000_000 // top,
                terms=shared[at],
                parts=tuple((name, int(values[at]) // 100) for name, values in parts.items() if values[at]),
            )
            for at in ranked
        ]
