"""How hard the harnesses try: the first number of each goal in a soak, a tenth or less of it otherwise; and where."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import recollect

# What a child process imports: these harnesses, and the very recollect that their parent runs.
SOURCES = os.pathsep.join((str(Path(__file__).parents[1]), str(Path(recollect.__file__).parents[1])))
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
