"""R4: a full disk costs new memories, never old ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from survival.full_disk import CannotMount, fill, small_disk
from survival.verdict import judge
from survival.workload import DOORS, open_on, perform, truth

from recollect import Memory, RecollectError
from recollect.errors import StoreFull

MEGABYTES = 10
BEFORE = 20
CANARY = "zanzibar-canary-7731"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    try:
        with small_disk(tmp_path, MEGABYTES) as place:
            yield place
    except CannotMount as error:
        pytest.skip(f"filling a disk needs the right to mount one: {error}")


def write_until_full(memory: Memory, first: int) -> int:
    """Go on with the scenario until the disk says no; how many steps were answered in all."""
    told = truth(0, 40)
    for number in range(first, len(told.steps)):
        try:
            perform(memory, told.steps[number])
        except StoreFull:
            return number
    raise AssertionError("the disk never got full")


def test_full_disk_is_told_and_costs_nothing(disk: Path) -> None:
    """remember says StoreFull, what was there stays, recall and search answer, and space makes it work again."""
    told = truth(0, 40)
    path = disk / "memory.db"
    with open_on(str(path), told.policy) as memory:
        for step in told.steps[:BEFORE]:
            perform(memory, step)
        filler = fill(disk)
        answered = write_until_full(memory, BEFORE)
        assert memory.state_hash() == told.hashes[answered]
        session = memory.session(**DOORS[0])
        assert session.recall("Where do I live?").status == "ok"
        session.search("garden")
        filler.unlink()
        perform(memory, told.steps[answered])
    assert judge(path, told, answered + 1, in_flight=0).is_clean


def test_open_memory_opens_again_on_a_full_disk(disk: Path) -> None:
    """A memory that was closed when the disk was full opens again, and everything answered is there."""
    told = truth(0, 40)
    path = disk / "memory.db"
    with open_on(str(path), told.policy) as memory:
        for step in told.steps[:BEFORE]:
            perform(memory, step)
        filler = fill(disk)
        answered = write_until_full(memory, BEFORE)
    fill(disk)
    with open_on(str(path), told.policy) as memory:
        assert memory.state_hash() == told.hashes[answered]
        assert memory.session(**DOORS[0]).recall("Where do I live?").status == "ok"
    filler.unlink()
    assert judge(path, told, answered, in_flight=0).is_clean


def test_closed_memory_opens_on_a_full_disk(disk: Path) -> None:
    """A memory that was closed before the disk got full can still be opened, asked and erased from."""
    told = truth(0, 40)
    path = disk / "memory.db"
    with open_on(str(path), told.policy) as memory:
        for step in told.steps[:BEFORE]:
            perform(memory, step)
    fill(disk)
    with open_on(str(path), told.policy) as memory:
        assert memory.state_hash() == told.hashes[BEFORE]
        session = memory.session(**DOORS[0])
        assert session.recall("Where do I live?").status == "ok"
        assert session.erase(session.list(status="all").items[0].id).total > 0


def test_erasing_works_on_a_full_disk(disk: Path) -> None:
    """Erasing a user on a full disk leaves not one byte of what they said."""
    path = disk / "memory.db"
    with Memory.open(str(path)) as memory:
        for number in range(30):
            memory.session(user="ana").remember(f"My hiding place is {CANARY}, number {number}.")
            memory.session(user="ben").remember(f"The train leaves at {number}.")
        fill(disk)
        receipt = memory.erase_user("ana")
        assert receipt.total > 0
        assert receipt.pending == ()
        assert memory.verify().is_ok
        assert memory.session(user="ben").recall("When does the train leave?").status == "ok"
        left = [part.name for part in disk.iterdir() if CANARY.encode() in part.read_bytes()]
    assert left == []


def test_export_on_a_full_disk_leaves_nothing_half_done(disk: Path, tmp_path: Path) -> None:
    """An export that does not fit is a typed error and no file; one elsewhere works, and restores."""
    with Memory.open(str(disk / "memory.db")) as memory:
        for number in range(40):
            memory.session(user="ana").remember(f"I counted {number} boats in the harbour of Bergen.")
        fill(disk)
        with pytest.raises(RecollectError):
            memory.export(disk / "out.jsonl")
        assert not [part for part in disk.iterdir() if part.name.startswith("out.jsonl")]
        memory.export(tmp_path / "out.jsonl")
        with Memory.open(str(tmp_path / "restored.db")) as other:
            other.restore(tmp_path / "out.jsonl")
            assert other.state_hash() == memory.state_hash()
