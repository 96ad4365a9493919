"""Likeness by int8 vectors: one exact integer product, scaled by whole-number lengths.

Never: rounds differently on another machine. The embedder comes in as a function.
Spec: ports/likeness.py; ruling 2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from recollect.adapters.dots import dots
from recollect.core.canonical import short_key

Embed = Callable[[Sequence[str]], list[bytes]]
READ_CHARACTERS = 2_000
VECTORS_KEPT = 4_096


class VectorLikeness:
    """Cosines in whole numbers."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        # By a short hash of the text, never by the text: what is erased must not live on here.
        self._kept: dict[bytes, bytes] = {}

    def compare(self, question: str, texts: Sequence[str]) -> tuple[list[int], list[list[int]]]:
        """One embedding of everything, then integers."""
        if not texts:
            return [], []
        rows = self._rows([question, *texts])
        products = dots(rows, rows)
        lengths = np.array([math.isqrt(square) for square in products.diagonal().tolist()], dtype=np.int64)
        # A text without a known word has no length and no product either.
        scale = np.maximum(np.outer(lengths, lengths), 1)
        products = np.maximum(products, 0)
        asked: list[int] = (products[0, 1:] * 1_000_000 // scale[0, 1:]).tolist()
        table: list[list[int]] = (products[1:, 1:] * 100 // scale[1:, 1:]).tolist()
        return asked, table

    def _rows(self, texts: Sequence[str]) -> npt.NDArray[np.int8]:
        """The same candidates come up again and again in one talk, so what was embedded lately is kept."""
        heads = [text[:READ_CHARACTERS] for text in texts]
        keys = [short_key(head) for head in heads]
        kept = self._kept
        missing = {key: head for key, head in zip(keys, heads, strict=True) if key not in kept}
        found = {key: kept[key] for key in keys if key not in missing}
        if missing:
            found |= dict(zip(missing, self._embed(list(missing.values())), strict=True))
            # Replaced whole: another thread may be reading the one before.
            self._kept = found if len(kept) + len(missing) > VECTORS_KEPT else kept | found
        joined = np.frombuffer(b"".join(found[key] for key in keys), dtype=np.int8)
        return joined.reshape(len(keys), -1)
