"""Plain BM25, one document a turn: the baseline that everybody knows, for the quality bench."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from recollect.adapters.index.terms import stems

K1, B = 0.9, 0.4


class Bm25:
    """Okapi BM25 over stemmed words."""

    def __init__(self, texts: list[str]) -> None:
        counted = [Counter(stems(text)) for text in texts]
        self._lengths = np.array([sum(counts.values()) for counts in counted], dtype=np.float64)
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for number, counts in enumerate(counted):
            for term, count in counts.items():
                self._postings.setdefault(term, []).append((number, count))

    def rank(self, question: str, depth: int) -> list[int]:
        """The numbers of the best texts, best first, the newer of two equals first."""
        scores = np.zeros(len(self._lengths))
        norms = K1 * (1 - B + B * self._lengths / max(1.0, float(self._lengths.mean())))
        for term in dict.fromkeys(stems(question)):
            found = self._postings.get(term, [])
            if found:
                rarity = math.log((2 * len(scores) + 2) / (2 * len(found) + 1))
                numbers, counts = (np.array(column) for column in zip(*found, strict=True))
                scores[numbers] += rarity * counts * (1 + K1) / (counts + norms[numbers])
        order = np.lexsort((-np.arange(len(scores)), -scores))[:depth]
        return [int(number) for number in order if scores[number] > 0]
