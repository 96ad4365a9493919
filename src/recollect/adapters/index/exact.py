"""The exact search index of one place: who is proposed, in which order, and why.

    cards.py    what is read from an item
    rows.py     the structure: documents, words, vectors, neighbours
    match.py    how well every row matches the question's words and its meaning
    blend.py    what makes a proposed row a good answer, with its weights

A row is proposed if it shares a word with the question, itself or through its neighbours, or if it is among the most
similar ones. Only what is proposed is weighed, by the weights of the policy.

Never: reads a store, lets rounding decide, or counts a quarantined document among the statistics.
Spec: ports/index.py; retrieval.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from recollect.adapters.index.blend import Matches, Parts, blend, zero_point
from recollect.adapters.index.cards import RECIPE, card, read_cards
from recollect.adapters.index.match import (
    Mask,
    Places,
    Scale,
    kinds_named,
    scale_of,
    similarities,
    sparse_scale,
    words,
)
from recollect.adapters.index.rows import ACTIVE, QUARANTINED, Ints, Numbers, Rows
from recollect.adapters.index.terms import terms
from recollect.core.item import MemoryItem
from recollect.core.policy import Ranking
from recollect.core.read.kinds import read_kinds
from recollect.core.read.query import Asked, understand
from recollect.core.values import ItemRef, Place
from recollect.ports.index import Asking, Document, Hit

QUERY_TERMS = 48
_TABLE = Path(__file__).parents[2] / "data" / "words" / "categories.tsv"
# What a document must show to be proposed at all: a shared word, or this many deviations more similarity than usual.
SIMILAR_ENOUGH = 2
# Where that proposes few, the most similar ones above the mean are proposed as well: a question often shares no word
# with its answer. A place with hardly any rows has no "usual", and one this large has enough beyond two deviations.
NEAREST, FEWEST_ROWS, MOST_ROWS = 256, 20, 16_384


class Read(NamedTuple):
    """A question, read against a place: what it asks, which of its words and of the things it may mean stand here, and
    what to embed of it."""

    asked: Asked
    known: tuple[tuple[str, int], ...]
    names: tuple[tuple[str, int], ...]
    things: tuple[tuple[int, ...], ...]
    text: str


class ExactIndexes:
    """Makes cards and indexes; `dimensions` is 0 where nothing is embedded."""

    def __init__(self, dimensions: int = 0) -> None:
        self._dimensions = dimensions

    @property
    def recipe(self) -> str:
        return RECIPE

    def card(self, item: MemoryItem) -> bytes:
        return card(item)

    def make(self, light_for: str | None = None) -> ExactIndex:
        return ExactIndex(self._dimensions, None if light_for is None else _needed(light_for))


class ExactIndex:
    """The searchable documents of one place; with `only`, as far as these words need it."""

    def __init__(self, dimensions: int = 0, only: frozenset[str] | None = None) -> None:
        self.seq = 0
        self._rows = Rows(dimensions if only is None else 0, only)
        self._has_vectors = dimensions > 0
        self._is_light = only is not None
        self._compared: list[Numbers] = []

    def __len__(self) -> int:
        return self._rows.live

    def size_bytes(self) -> int:
        return self._rows.size_bytes()

    def fill(self, place: Place, documents: Sequence[Document]) -> None:
        if documents:
            addresses = [(d.kind, d.n, d.is_active, d.tick) for d in documents]
            cards = read_cards([d.card for d in documents])
            self._rows.fill(place, addresses, cards, [d.vector for d in documents])

    def remove(self, ref: ItemRef) -> None:
        self._rows.remove(ref)

    def without_vector(self) -> list[ItemRef]:
        return self._rows.without_vector() if self._has_vectors else []

    def place_vector(self, ref: ItemRef, vector: bytes) -> None:
        self._rows.place_vector(ref, vector)

    def compare(self, vector: bytes, vectors: Sequence[bytes]) -> None:
        nothing = bytes(len(vector))
        joined = b"".join([one or nothing for one in vectors])
        matrix = np.frombuffer(joined, dtype=np.int8).reshape(-1, len(vector))
        self._compared.append(similarities(matrix, vector))

    def holds(self, *, is_quarantined: bool) -> bool:
        return bool(self._rows.quarantined if is_quarantined else self._rows.live)

    def ask(self, query: str) -> Read:
        asked = understand(query, self._rows.names())
        said = _terms(asked.text)
        known, names = self._known(said), self._known(_terms(asked.names)) if asked.names else ()
        # A question that holds nothing but a name asks for the name.
        return Read(asked, known or names, names, self._things(said), asked.text if known else query)

    def _things(self, said: list[str]) -> tuple[tuple[int, ...], ...]:
        """For each word that names a kind of thing: the words for such things that stand here."""
        vocabulary, kinds = self._rows.vocabulary, _kinds()
        found = [[vocabulary[t] for t in kinds[kind] if t in vocabulary] for kind in said if kind in kinds]
        return tuple(tuple(numbers) for numbers in found if numbers)

    def search(
        self, asking: Asking, limit: int, ranking: Ranking, vector: bytes, *, is_quarantined: bool = False
    ) -> Sequence[Hit]:
        rows = self._rows
        if limit <= 0 or not self.holds(is_quarantined=is_quarantined):
            return []
        assert isinstance(asking, Read)
        # None says that all live, which is the usual case and the quick one.
        state = QUARANTINED if is_quarantined else ACTIVE
        living = None if rows.live == rows.count and not is_quarantined else rows.column("state") == state
        held = {term: rows.documents(number) for term, number in (*asking.known, *asking.names)}
        matches = self._match(asking, held, vector, living)
        found = self._proposed(matches, living)
        if not len(found):
            return []
        parts = blend(asking.asked, rows, matches, found, ranking)
        return self._best(found, parts, limit, zero_point(matches, ranking), held)

    def _known(self, said: list[str]) -> tuple[tuple[str, int], ...]:
        """The words that stand somewhere in this place, in order."""
        vocabulary = self._rows.vocabulary
        return tuple([(term, vocabulary[term]) for term in said if term in vocabulary])

    def _match(self, read: Read, held: Mapping[str, Numbers], vector: bytes, living: Mask | None) -> Matches:
        rows = self._rows
        count = rows.count if living is None else int(np.count_nonzero(living))
        matched = words(rows, [(number, held[term]) for term, number in read.known])
        similar = self._similar(vector)
        named = None
        if read.asked.names:
            named = np.zeros(rows.count, dtype=np.bool_)
            for term, _ in read.names:
                named[held[term]] = True
        return Matches(
            words=matched.values,
            touched=matched.touched,
            words_scale=sparse_scale(matched.values, matched.touched, living, count),
            similar=similar,
            similar_scale=scale_of(similar, living, len(vector) << 14) if similar is not None else Scale(0, 0),
            named=named,
            kinds=kinds_named(rows, read.things),
        )

    def _proposed(self, matches: Matches, living: Mask | None) -> Places:
        """Which rows are weighed at all."""
        proposed = matches.touched
        for more in (
            matches.named,
            matches.kinds > 0 if matches.kinds is not None else None,
            self._near(matches, living),
        ):
            if more is not None:
                proposed = proposed | more
        return (proposed if living is None else proposed & living).nonzero()[0]

    def _similar(self, vector: bytes) -> Numbers | None:
        if not self._has_vectors or not vector:
            return None
        return np.concatenate(self._compared) if self._is_light else similarities(self._rows.vectors(), vector)

    def _near(self, matches: Matches, living: Mask | None) -> Mask | None:
        """Who is proposed for being similar alone."""
        similar, scale = matches.similar, matches.similar_scale
        if similar is None or not scale.deviation:
            return None
        bar = scale.value_at(SIMILAR_ENOUGH)
        # Counted without the dead rows: an index that followed the log answers as a fresh one does.
        here = similar if living is None else similar[living]
        if FEWEST_ROWS <= len(here) <= MOST_ROWS:
            bar = min(bar, max(_nearest(here, scale), scale.mean + 1))
        return similar >= bar

    def _best(self, found: Places, parts: Parts, limit: int, zero: int, held: Mapping[str, Numbers]) -> list[Hit]:
        values = parts.values
        score: Ints = np.add.reduce(values, axis=0)
        if len(found) > limit:
            ordered = score.copy()
            ordered.partition(len(found) - limit)
            chosen = (score >= ordered[len(found) - limit]).nonzero()[0]
            found, score, values = found.take(chosen), score.take(chosen), values.take(chosen, axis=1)
        # Two documents of one place never share a tick, so this order has no ties.
        ranked = np.lexsort((-self._rows.column("tick").take(found), -score))[:limit]
        rows, totals = found.take(ranked), score.take(ranked).tolist()
        top = max(1, totals[0] - zero)
        names = parts.names
        return [
            Hit(
                ref,
                max(0, total - zero) * 1_000_000 // top,
                tuple(terms_here),
                tuple([(name, value // 100) for name, value in zip(names, row, strict=True) if value]),
                vector,
            )
            for ref, total, terms_here, row, vector in zip(
                self._rows.refs(rows),
                totals,
                _shared(rows, held),
                values.take(ranked, axis=1).T.tolist(),
                self._vectors(rows),
                strict=True,
            )
        ]

    def _vectors(self, rows: Places) -> list[bytes]:
        if self._is_light or not self._has_vectors:
            return [b""] * len(rows)
        return [vector.tobytes() for vector in self._rows.vectors().take(rows, axis=0)]


def _shared(rows: Places, held: Mapping[str, Numbers]) -> list[list[str]]:
    """Which of the question's words each of these rows holds itself."""
    shared: list[list[str]] = [[] for _ in rows]
    for term, documents in held.items():
        at = documents.searchsorted(rows)
        for index in (documents.take(at, mode="clip") == rows).nonzero()[0].tolist():
            shared[index].append(term)
    return shared


def _nearest(similar: Numbers, scale: Scale) -> int:
    """The value of the last of the NEAREST most similar rows."""
    # They are nearly always among those above a deviation and a half, or above one, which are few to sort.
    for bar in (scale.value_at(3) + scale.mean >> 1, scale.value_at(1)):
        high = similar.take((similar >= bar).nonzero()[0])
        if len(high) >= NEAREST:
            break
    else:
        high = similar.copy()
    rest = max(0, len(high) - NEAREST)
    high.partition(rest)
    return int(high[rest])


def _needed(text: str) -> frozenset[str]:
    """Every term that a question can lead to."""
    # All of its words: which of them are names, and do not count among the first, is known only later.
    found, kinds = terms(text), _kinds()
    return frozenset([*found, *(thing for term in found for thing in kinds.get(term, ()))])


@cache
def _kinds() -> Mapping[str, tuple[str, ...]]:
    return read_kinds(_TABLE.read_text(encoding="utf-8"), terms)


def _terms(text: str) -> list[str]:
    return list(dict.fromkeys(terms(text)))[:QUERY_TERMS]
