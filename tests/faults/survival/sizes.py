"""How hard the harnesses try: the first number of each goal in a soak, a tenth or less of it otherwise."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

IS_SOAK = os.environ.get("RECOLLECT_SOAK") == "1"


def runs(in_soak: int, otherwise: int) -> int:
    """So many of something."""
    return in_soak if IS_SOAK else otherwise


@contextmanager
def arena() -> Iterator[Path]:
    """A folder to break things in: in memory where the machine has such a place, since no disk is being tested."""
    memory = Path("/dev/shm")
    place = Path(tempfile.mkdtemp(prefix="recollect-", dir=memory if memory.is_dir() else None))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
