"""A place to break things in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from survival.sizes import arena as make_arena


@pytest.fixture
def arena() -> Iterator[Path]:
    """An empty folder, in memory where there is such a place."""
    with make_arena() as place:
        yield place
