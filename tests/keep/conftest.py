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


# Faults that are known and being mended: a test leaves this list in the change that mends it.
OPEN: dict[str, str] = {
    "test_words_said_meanwhile_are_not_entombed": "K38: words said during an erasure stay in a buried place",
    "test_a_token_is_no_name": "K39: names are not looked at",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Known faults must still fail: a mended one that stays listed is an error."""
    for item in items:
        why = next((why for start, why in OPEN.items() if item.name.startswith(start)), "")
        if why and Path(str(item.fspath)).parent == Path(__file__).parent:
            item.add_marker(pytest.mark.xfail(reason=why, strict=True))
