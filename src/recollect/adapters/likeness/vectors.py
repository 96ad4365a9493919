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

    def compare(self, question: str, texts: Sequence[str]) -> tuple[list[int], list[list[int]]]:
        """One embedding of everything, then integers."""
        if not texts:
            return [], []
        rows = self._rows([question, *texts])
        products, lengths = (rows @ rows.T).tolist(), _lengths(rows)
        first, rest = lengths[0], lengths[1:]
        asked = [
            _share(product, first, length, 1_000_000) for product, length in zip(products[0][1:], rest, strict=True)
        ]
        table = [
            [_share(product, own, length, 100) for product, length in zip(row[1:], rest, strict=True)]
            for own, row in zip(rest, products[1:], strict=True)
        ]
        return asked, table

    def _rows(self, texts: Sequence[str]) -> npt.NDArray[np.int64]:
        packed = self._embed([text[:READ_CHARACTERS] for text in texts])
        return np.stack([np.frombuffer(vector, dtype=np.int8) for vector in packed]).astype(np.int64)


def _lengths(rows: npt.NDArray[np.int64]) -> list[int]:
    return [math.isqrt(square) for square in (rows * rows).sum(axis=1).tolist()]


def _share(product: int, one: int, other: int, scale: int) -> int:
    return max(0, product) * scale // (one * other) if one and other else 0
