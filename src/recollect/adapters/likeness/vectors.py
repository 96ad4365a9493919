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

    def __init__(self, embed: Embed, model: str) -> None:
        self._embed = embed
        self.model = model
        # By a short hash of the text, never by the text: what is erased must not live on here.
        self._kept: dict[bytes, bytes] = {}

    def compare(self, question: str, texts: Sequence[str], known: Sequence[bytes]) -> tuple[list[int], list[list[int]]]:
        """One embedding of everything that is not known, then integers."""
        if not texts:
            return [], []
        # A long text is compared by its beginning, and its vector is of all of it.
        usable = [vector if len(text) <= READ_CHARACTERS else b"" for text, vector in zip(texts, known, strict=True)]
        rows = self._rows([question, *texts], [b"", *usable])
        products = dots(rows, rows)
        lengths = np.array([math.isqrt(square) for square in products.diagonal().tolist()], dtype=np.int64)
        # A text without a known word has no length and no product either.
        scale = np.maximum(np.outer(lengths, lengths), 1)
        products = np.maximum(products, 0)
        asked: list[int] = (products[0, 1:] * 1_000_000 // scale[0, 1:]).tolist()
        table: list[list[int]] = (products[1:, 1:] * 100 // scale[1:, 1:]).tolist()
        return asked, table

    def _rows(self, texts: Sequence[str], known: Sequence[bytes]) -> npt.NDArray[np.int8]:
        """The window comes up again and again in one talk, so what was embedded lately is kept."""
        bare = {at: text[:READ_CHARACTERS] for at, text in enumerate(texts) if not known[at]}
        keys = {at: short_key(head) for at, head in bare.items()}
        kept = self._kept
        missing = {key: bare[at] for at, key in keys.items() if key not in kept}
        found = {key: kept[key] for key in keys.values() if key not in missing}
        if missing:
            made = dict(zip(missing, self._embed(list(missing.values())), strict=True))
            found |= made
            if len(kept) + len(made) > VECTORS_KEPT:
                # Another thread may be reading the one before.
                self._kept = found
            else:
                kept.update(made)
        joined = np.frombuffer(b"".join(known[at] or found[keys[at]] for at in range(len(texts))), dtype=np.int8)
        return joined.reshape(len(texts), -1)
