"""A write-ahead log that was damaged in its middle is refused; one that only lost its end is not."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.errors import StoreDamaged

HEAD, FRAME = 32, 24 + 4096


@pytest.fixture
def left(arena: Path) -> Iterator[Path]:
    """The files of a memory whose process was killed after eight turns: all of them are in the log."""
    place = arena / "left"
    place.mkdir()
    with Memory.open(str(arena / "live.db")) as memory:
        session = memory.session(user="ana")
        for number in range(8):
            session.remember(f"The invoice number {number} is paid.")
        # Another process copies: to close the file here would give up SQLite's locks on it.
        for tail in ("", "-wal"):
            subprocess.run(["cp", str(arena / f"live.db{tail}"), str(place / f"memory.db{tail}")], check=True)
        yield place


def _commits(log: bytes) -> list[int]:
    """The frames that end a commit."""
    count = (len(log) - HEAD) // FRAME
    sizes = (struct.unpack_from(">I", log, HEAD + number * FRAME + 4)[0] for number in range(count))
    return [number for number, size in enumerate(sizes) if size]


def _paid(place: Path) -> int:
    with Memory.open(str(place / "memory.db")) as memory:
        return len(memory.session(user="ana").list(kind="semantic"))


def _damage(place: Path, frame: int, offset: int = 100) -> bytes:
    log = bytearray((place / "memory.db-wal").read_bytes())
    log[HEAD + frame * FRAME + offset] ^= 1
    (place / "memory.db-wal").write_bytes(log)
    return bytes(log)


@pytest.mark.parametrize("offset", [0, 5, 9, 18, 24, 2_000])
def test_damage_before_whole_commits_is_refused(left: Path, offset: int) -> None:
    """Whichever part of a frame is hit: opening says so, and leaves the log as it was, to be repaired."""
    ends = _commits((left / "memory.db-wal").read_bytes())
    log = _damage(left, ends[-4] - 1, offset)
    for _ in range(2):
        with pytest.raises(StoreDamaged) as caught:
            _paid(left)
        assert caught.value.reason == "store_log_damaged"
    assert (left / "memory.db-wal").read_bytes() == log
    _damage(left, ends[-4] - 1, offset)
    assert _paid(left) == 8


def test_a_torn_last_commit_is_an_ordinary_crash(left: Path) -> None:
    """Nobody was told that the last commit is safe, so what came before it simply stands."""
    ends = _commits((left / "memory.db-wal").read_bytes())
    _damage(left, ends[-1] - 1)
    assert _paid(left) == 7


def test_a_log_that_was_cut_is_an_ordinary_crash(left: Path) -> None:
    """Wherever it ends, the last whole commit before that stands; only an anchor can tell that there were more."""
    log = (left / "memory.db-wal").read_bytes()
    for end in range(HEAD + FRAME, len(log), FRAME * 3 + 1_111):
        copy = left / str(end)
        copy.mkdir()
        shutil.copy(left / "memory.db", copy)
        (copy / "memory.db-wal").write_bytes(log[:end])
        assert 0 <= _paid(copy) <= 8


def test_what_a_failed_commit_left_is_no_damage(left: Path) -> None:
    """A commit that failed and was overwritten by a shorter one leaves whole frames behind the end: nothing is lost."""
    log = bytearray((left / "memory.db-wal").read_bytes())
    ends = _commits(bytes(log))
    # The last commit is torn, and a process goes on: its shorter commits end before the old frames do.
    log[HEAD + (ends[-2] + 1) * FRAME + 100] ^= 1
    (left / "memory.db-wal").write_bytes(log)
    with Memory.open(str(left / "memory.db")) as memory:
        memory.session(user="ana").pin("user:ana:semantic:1")
        (left / "later").mkdir()
        for tail in ("", "-wal"):
            source, target = left / f"memory.db{tail}", left / "later" / f"memory.db{tail}"
            subprocess.run(["cp", str(source), str(target)], check=True)
    assert _paid(left / "later") == 7


def _begun_anew(log: bytes, reached: int) -> bytes:
    """The log after a crash while its head was written for the next generation, so many bytes of it."""
    head = bytearray(log[:HEAD])
    head[12:16] = (int.from_bytes(head[12:16], "big") + 1).to_bytes(4, "big")
    head[16:20] = ((int.from_bytes(head[16:20], "big") + 1) % 2**32).to_bytes(4, "big")
    return bytes(head[:reached]) + log[reached:]


@pytest.mark.parametrize("reached", [14, 16, 18, 20])
def test_a_crash_while_the_log_begins_anew_is_no_damage(arena: Path, reached: int) -> None:
    """All of the old log is in the file by then, so a half-written head loses nothing."""
    path = arena / "memory.db"
    with Memory.open(str(path)) as memory:
        for number in range(8):
            memory.session(user="ana").remember(f"The invoice number {number} is paid.")
        subprocess.run(["cp", f"{path}-wal", str(arena / "old-wal")], check=True)
    (arena / "memory.db-wal").write_bytes(_begun_anew((arena / "old-wal").read_bytes(), reached))
    assert _paid(arena) == 8


def test_a_damaged_head_is_refused(left: Path) -> None:
    """One bit of the head, and SQLite would read nothing of the log at all."""
    log = bytearray((left / "memory.db-wal").read_bytes())
    for at in (13, 17, 21, 26):
        log[at] ^= 4
        (left / "memory.db-wal").write_bytes(log)
        with pytest.raises(StoreDamaged):
            _paid(left)
        log[at] ^= 4
    (left / "memory.db-wal").write_bytes(log)
    assert _paid(left) == 8


def test_a_log_that_grows_meanwhile_is_no_damage(arena: Path) -> None:
    """Opening beside somebody who writes finds frames beyond the end it knew, and looks again."""
    path = str(arena / "memory.db")
    with Memory.open(path) as memory:
        for number in range(30):
            memory.session(user="ana").remember(f"The invoice number {number} is paid.")
            with Memory.open(path) as other:
                assert len(other.session(user="ana").list(kind="semantic", limit=100)) == number + 1
