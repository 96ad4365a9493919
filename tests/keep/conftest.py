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
    "test_erasing_works_on_a_full_disk[": "K31: the checkpoint needs the ballast too",
    "test_nothing_is_left_of_any_victim[9]": "K23: lineage through deleted items (contract)",
    "test_nothing_is_left_of_any_victim[11]": "K23: lineage through deleted items (contract)",
    "test_nothing_is_left_of_any_victim[12]": "K23: lineage through deleted items (contract)",
    "test_nothing_is_left_of_any_victim[25]": "K23: lineage through deleted items (contract)",
    "test_a_fact_alone_leaves_the_turn[": "K25: a fact that was named is read again",
    "test_a_turn_of_which_only_the_summary_is_left_can_be_erased": "K24: only the summary is left",
    "test_a_manifest_that_lies[root-": "K28: the manifest's root is not compared",
    "test_a_manifest_that_lies[version-": "K28: the manifest's version is not compared",
    "test_nothing_after_the_manifest_is_read": "K27: rows after the manifest",
    "test_the_file_appears_whole_or_not_at_all": "K29: a draft stays behind",
    "test_two_memories_cannot_be_put_into_one_by_tenant": "K30: numbers that are taken",
    "test_odd_lines_are_left_out_with_a_reason[null as text]": "K32: null as text",
}
SOUND_COLUMNS = {
    "place": "tick n_short n_semantic n_profile phase seq",
    "phase": "started_at name reason",
    "item": "created_at importance mentions reason changed_ms",
    "record": "seq",
}


def _open(name: str) -> str:
    """The known fault behind a test, if any."""
    if name.startswith("test_every_column_is_behind_a_proof["):
        table, column = name.removesuffix("]").split("[")[1].split("-")
        return "" if column in SOUND_COLUMNS.get(table, "").split() else "K26: rows of a wrong shape"
    if name in {f"test_every_row_is_behind_a_proof[{table}]" for table in ("place", "item", "edge", "policy")}:
        return "K26: doubled rows"
    return next((why for start, why in OPEN.items() if name.startswith(start)), "")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Known faults must still fail: a mended one that stays listed is an error."""
    for item in items:
        why = _open(item.name) if Path(str(item.fspath)).parent == Path(__file__).parent else ""
        if why:
            item.add_marker(pytest.mark.xfail(reason=why, strict=True))
