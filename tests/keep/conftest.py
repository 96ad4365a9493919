"""Lets these tests use the conversations of the laws and the command line's runner, and a folder that syncs fast."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

for name in ("laws", "surfaces"):
    path = str(Path(__file__).parents[1] / name)
    if path not in sys.path:
        sys.path.append(path)

# Nothing here is about power loss, so a file system in memory tells the same, several times faster.
MEMORY_BACKED = Path("/dev/shm")


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder of its own."""
    is_usable = MEMORY_BACKED.is_dir() and os.access(MEMORY_BACKED, os.W_OK)
    with TemporaryDirectory(prefix="recollect-", dir=MEMORY_BACKED if is_usable else None) as made:
        yield Path(made)
