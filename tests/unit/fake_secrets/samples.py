"""Samples of every family, drawn from a seed.

Never: draws a value that was issued by anybody.
"""

from __future__ import annotations

import random

from .families import FRAMED_FAMILIES, FRAMES, SEED, TOKEN_FAMILIES, Sample
from .more import MORE_FRAMED, MORE_TOKENS


def samples(per_family: int, seed: int = SEED) -> list[Sample]:
    """At least that many samples of every family, and at least one of every phrasing."""
    families = {family: (make, FRAMES, True) for family, make in (TOKEN_FAMILIES | MORE_TOKENS).items()}
    out: list[Sample] = []
    for family, (make, frames, token_shaped) in (families | FRAMED_FAMILIES | MORE_FRAMED).items():
        draw = random.Random(f"{seed}/{family}")
        count = max(per_family, len(frames)) if frames is not FRAMES else per_family
        for at in range(count):
            value = make(draw)
            text = frames[at % len(frames)].replace("{}", value)
            out.append(Sample(family=family, text=text, value=value, token_shaped=token_shaped))
    return out
