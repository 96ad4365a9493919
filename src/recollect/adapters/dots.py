"""Dot products of int8 vectors, exact, on one thread.

A linear algebra library that spreads a small product over threads spends more processor time waiting than counting, so
what is not done by simsimd is cut into pieces too small for that.

Never: rounds differently on another machine.
Spec: ruling 2.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

try:
    from simsimd import cdist
except ImportError:  # a platform without its wheel: slower, and just as exact
    cdist = None  # type: ignore[assignment]

# Below this many multiplications OpenBLAS starts no thread.
ON_ONE_THREAD = 1 << 18


def dots(some: npt.NDArray[np.int8], others: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """Every row of one table with every row of the other."""
    if cdist is not None:
        found: npt.NDArray[np.int64] = np.asarray(cdist(some, others, "dot")).astype(np.int64)
        return found
    # Sums of whole numbers far below 2**53 are exact as doubles, in any order.
    doubles = others.astype(np.float64).T
    rows = max(1, ON_ONE_THREAD // max(1, others.size))
    pieces = [some[at : at + rows].astype(np.float64) @ doubles for at in range(0, len(some), rows)]
    return np.rint(np.concatenate(pieces)).astype(np.int64)
