"""Whole-number mathematics, so that a score is the same on every machine.

Never: touches a float.
Spec: ruling 2.
"""

from __future__ import annotations

from functools import lru_cache

_LN2 = 693_147  # millionths
_BITS = 24


@lru_cache(maxsize=65_536)
def ln_micro(n: int) -> int:
    """The natural logarithm of a whole number >= 1, in millionths, by repeated squaring of its mantissa."""
    exponent = n.bit_length() - 1
    mantissa = (n << 32) >> exponent  # 1.0 <= m < 2.0 in 32 fractional bits
    fraction = 0
    for bit in range(_BITS):
        mantissa = (mantissa * mantissa) >> 32
        if mantissa >= 1 << 33:
            mantissa >>= 1
            fraction |= 1 << (_BITS - 1 - bit)
    return exponent * _LN2 + ((fraction * _LN2) >> _BITS)


def half_life_micro(age: int, half_life: int) -> int:
    """How much of 1,000,000 is left after an age, halving every half-life, straight lines in between."""
    halvings, rest = divmod(max(0, age), half_life)
    if halvings > 20:
        return 0
    whole = 1_000_000 >> halvings
    return whole - (whole * rest) // (2 * half_life)
