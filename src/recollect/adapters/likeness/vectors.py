"""Likeness by int8 vectors: one exact integer product, scaled by whole-number lengths.

Never: rounds differently on another machine. The embedder comes in as a function.
Spec: ports/likeness.py; ruling 2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Embed = Callable[[Sequence[str]], list[bytes]]
READ_CHARACTERS = 2_000


class VectorLikeness:
    """Cosines in whole numbers."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    def to_question(self, question: str, texts: Sequence[str]) -> list[int]:
        """Millionths, by the integer length of both."""
        if not texts:
            return []
        rows = self._rows([question, *texts])
        products, lengths = (rows[1:] @ rows[0]).tolist(), _lengths(rows)
        return [_share(p, lengths[0], lengths[n + 1], 1_000_000) for n, p in enumerate(products)]

    def to_each_other(self, texts: Sequence[str]) -> list[list[int]]:
        """Percents."""
        if not texts:
            return []
        rows = self._rows(texts)
        products, lengths = (rows @ rows.T).tolist(), _lengths(rows)
        return [
            [_share(p, lengths[one], lengths[other], 100) for other, p in enumerate(row)]
            for one, row in enumerate(products)
        ]

    def _rows(self, texts: Sequence[str]) -> npt.NDArray[np.int64]:
        packed = self._embed([text[:READ_CHARACTERS] for text in texts])
        return np.stack([np.frombuffer(vector, dtype=np.int8) for vector in packed]).astype(np.int64)


def _lengths(rows: npt.NDArray[np.int64]) -> list[int]:
    return [math.isqrt(square) for square in (rows * rows).sum(axis=1).tolist()]


def _share(product: int, one: int, other: int, scale: int) -> int:
    return max(0, product) * scale // (one * other) if one and other else 0
