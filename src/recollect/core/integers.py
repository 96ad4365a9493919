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


# 1 / (1 + e^-x) in millionths for x = 0, 0.5, 1 ... 8; the other half is its mirror image.
_LOGISTIC: tuple[int, ...] = (
    *(500_000, 622_459, 731_059, 817_574, 880_797, 924_142, 952_574, 970_688, 982_014),
    *(989_013, 993_307, 995_930, 997_527, 998_499, 999_089, 999_447, 999_665),
)


def logistic_micro(value: int, middle: int, width: int) -> int:
    """How far a value is past a soft edge: half at the middle, about 98 % four widths beyond it, in millionths."""
    halves, rest = divmod(abs(value - middle) * 2, width)
    if halves >= len(_LOGISTIC) - 1:
        risen = _LOGISTIC[-1]
    else:
        low, high = _LOGISTIC[halves], _LOGISTIC[halves + 1]
        risen = low + (high - low) * rest // width
    return risen if value >= middle else 1_000_000 - risen
