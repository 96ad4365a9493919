"""Turns a vector of floats into the int8 vector that is stored and compared.

    vᵢ = clip(round(scale · xᵢ / |x|), ±127)    scale = 28·√dimensions

A unit vector's components are about 1/√dimensions large, so 28 steps make one of them, and only what lies beyond four
and a half of them is cut: the dot product of two such vectors is scale² times their cosine, as one whole number. The
length is summed exactly rounded, so the same floats give the same bytes on every machine.

Never: lets a number through that is none; a vector that is all zero stays so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

STEPS: Final = 28
LIMIT: Final = 127


def quantise(values: Sequence[float]) -> bytes:
    """One int8 vector. A value that is no finite number is a ValueError."""
    if not all(map(math.isfinite, values)):
        raise ValueError("a component is not a finite number")
    largest = max((abs(value) for value in values), default=0.0)
    if largest == 0.0:
        return bytes(len(values))
    # Divided by the largest first, so that no square is too large or too small for a float.
    scaled = [value / largest for value in values]
    length = math.sqrt(math.fsum(value * value for value in scaled))
    factor = STEPS * math.sqrt(len(values)) / length
    return bytes(max(-LIMIT, min(LIMIT, round(value * factor))) & 0xFF for value in scaled)
