"""The exact term index of one place: BM25 in whole numbers, with the place's own statistics.

1. Documents are numbered as they come; a removed one is only switched off, and the next build forgets it.
2. Statistics count live documents only, so the answer does not depend on the order in which things were added.
3. A posting is two arrays, document and count; a query adds integers over them.

Never: reads a store, or counts a quarantined document among the statistics.
Spec: ports/index.py; retrieval.md (k1 0.9, b 0.4).
"""

from __future__ import annotations

import threading
from array import array
from collections import Counter
from collections.abc import Sequence

import numpy as np
import Stemmer

from recollect.core.integers import ln_micro
from recollect.core.item import MemoryItem
from recollect.core.policy import Ranking
from recollect.core.values import ItemRef, Status
from recollect.core.words import words
from recollect.ports.index import Hit

K1_MILLI = 900
B_MILLI = 400
QUERY_TERMS = 64
_ACTIVE, _QUARANTINED, _GONE = 1, 2, 0
_STEMS: dict[str, str] = {}
_STEMS_KEPT = 200_000
_STEMMER_LOCK = threading.Lock()
_STEMMER = Stemmer.Stemmer("english", 0)


def terms(text: str) -> list[str]:
    """The stemmed words of a text."""
    found = words(text)
    stems = _STEMS
    try:
        return [stems[word] for word in found]
    except KeyError:
        return [_stem(word) for word in found]


def _stem(word: str) -> str:
    stem = _STEMS.get(word)
    if stem is None:
        if len(_STEMS) >= _STEMS_KEPT:
            _STEMS.clear()
        with _STEMMER_LOCK:
            stem = _STEMMER.stemWord(word) if len(word) <= 64 else word[:64]
        _STEMS[word] = stem
    return stem


class TermIndex:
    """The searchable documents of one place."""

    def __init__(self) -> None:
        self.seq = 0
        self._refs: list[ItemRef] = []
        self._numbers: dict[ItemRef, int] = {}
        self._lengths = array("i")
        self._states = array("b")
        self._ticks = array("q")
        self._documents: list[array[int]] = []
        self._vocabulary: dict[str, int] = {}
        self._postings: list[tuple[array[int], array[int]]] = []
        self._frequencies = array("i")
        self._live = 0
        self._quarantined = 0
        self._total_length = 0
        self._bytes = 0

    def __len__(self) -> int:
        return self._live

    def add(self, item: MemoryItem) -> None:
        self.remove(item.ref)
        number = len(self._refs)
        counted = Counter(terms(item.text))
        term_numbers = array("i", [self._term(term) for term in counted])
        for term, count in zip(term_numbers, counted.values(), strict=True):
            documents, counts = self._postings[term]
            documents.append(number)
            counts.append(count)
        state = _ACTIVE if item.status is Status.ACTIVE else _QUARANTINED
        self._refs.append(item.ref)
        self._numbers[item.ref] = number
        self._lengths.append(sum(counted.values()))
        self._states.append(state)
        self._ticks.append(item.created_at)
        self._documents.append(term_numbers)
        self._bytes += 420 + 20 * len(term_numbers)
        if state == _ACTIVE:
            self._count(number, 1)
        else:
            self._quarantined += 1

    def remove(self, ref: ItemRef) -> None:
        number = self._numbers.pop(ref, None)
        if number is None:
            return
        if self._states[number] == _ACTIVE:
            self._count(number, -1)
        else:
            self._quarantined -= 1
        self._states[number] = _GONE

    def search(self, query: str, limit: int, ranking: Ranking, *, is_quarantined: bool = False) -> Sequence[Hit]:
        wanted = list(dict.fromkeys(terms(query)))[:QUERY_TERMS]
        known = [(term, self._vocabulary[term]) for term in wanted if term in self._vocabulary]
        searchable = self._quarantined if is_quarantined else self._live
        if not known or not searchable or limit <= 0:
            return []
        scores = np.zeros(len(self._refs), dtype=np.int64)
        lengths = np.frombuffer(self._lengths, dtype=np.int32)
        for _, term in known:
            documents = np.frombuffer(self._postings[term][0], dtype=np.int32)
            counts = np.frombuffer(self._postings[term][1], dtype=np.int32).astype(np.int64)
            scores[documents] += self._weights(term, counts, lengths[documents])
        states = np.frombuffer(self._states, dtype=np.int8)
        scores *= states == (_QUARANTINED if is_quarantined else _ACTIVE)
        return self._best(scores, limit, known)

    def size_bytes(self) -> int:
        return self._bytes

    def _weights(self, term: int, counts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """BM25 of one term in each of its documents, in millionths."""
        live = max(1, self._live)
        frequency = self._frequencies[term]
        rarity = max(1, ln_micro(2 * live + 2) - ln_micro(2 * frequency + 1))
        relative = lengths.astype(np.int64) * (1000 * live) // max(1, self._total_length)
        saturation = K1_MILLI * ((1000 - B_MILLI) * 1000 + B_MILLI * relative) // 1_000_000
        return rarity * counts * (1000 + K1_MILLI) // (counts * 1000 + saturation)

    def _best(self, scores: np.ndarray, limit: int, known: list[tuple[str, int]]) -> list[Hit]:
        found = np.flatnonzero(scores)
        if not len(found):
            return []
        if len(found) > limit:
            threshold = np.partition(scores[found], len(found) - limit)[len(found) - limit]
            found = found[scores[found] >= threshold]
        # Two documents of one place never share a tick, so this order has no ties.
        ticks = np.frombuffer(self._ticks, dtype=np.int64)[found]
        ranked = found[np.lexsort((-ticks, -scores[found]))[:limit]].tolist()
        top = int(scores[ranked[0]])
        return [
            Hit(ref=self._refs[d], score=int(scores[d]) * 1_000_000 // top, terms=self._matched(d, known))
            for d in ranked
        ]

    def _matched(self, document: int, known: list[tuple[str, int]]) -> tuple[str, ...]:
        held = self._documents[document]
        return tuple(term for term, number in known if number in held)

    def _term(self, term: str) -> int:
        number = self._vocabulary.get(term)
        if number is None:
            number = self._vocabulary[term] = len(self._postings)
            self._postings.append((array("i"), array("i")))
            self._frequencies.append(0)
            self._bytes += 260
        return number

    def _count(self, number: int, change: int) -> None:
        self._live += change
        self._total_length += change * self._lengths[number]
        for term in self._documents[number]:
            self._frequencies[term] += change
