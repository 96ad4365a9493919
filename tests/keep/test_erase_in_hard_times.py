"""Erasing while others read, twice at once, interrupted, on a full disk and on a read-only file."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from pathlib import Path

import apsw
import pytest
from canary import SOAK, remains

from recollect import Memory
from recollect.adapters.stores.sqlite import connect
from recollect.engine import erase as erase_engine
from recollect.errors import NotFound, RecollectError, StoreBusy, StoreFull, StoreReadOnly

WORD = "Kestrelwhite"
SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits ten seconds for a lock in a test."""
    monkeypatch.setattr(connect, "BUSY_TIMEOUT_MS", 300)


def spoken(folder: Path, count: int = 4) -> Memory:
    memory = Memory.open(str(folder / "memory.db"))
    chat = memory.session(user="ana", session="s1")
    for number in range(count):
        chat.remember(f"{WORD} number {number}.", ref=f"r{number}")
    memory.session(user="bob").remember("Bob was here.")
    return memory


def read_until(path: str, is_reading: Event, may_stop: Event) -> None:
    """Another program that has a question under way."""
    connection = apsw.Connection(path)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM items").fetchall()
    is_reading.set()
    may_stop.wait(60)
    connection.execute("COMMIT")
    connection.close()


@contextmanager
def reader_elsewhere(folder: Path, kind: str) -> Iterator[None]:
    """A reader in another thread or process, for the length of the block."""
    path = str(folder / "memory.db")
    is_reading, may_stop = SPAWN.Event(), SPAWN.Event()
    worker: threading.Thread | multiprocessing.process.BaseProcess
    if kind == "thread":
        worker = threading.Thread(target=read_until, args=(path, is_reading, may_stop))
    else:
        worker = SPAWN.Process(target=read_until, args=(path, is_reading, may_stop))
    worker.start()
    try:
        assert is_reading.wait(30)
        yield
    finally:
        may_stop.set()
        worker.join(30)


@pytest.mark.parametrize("kind", ["thread", "process"])
def test_an_open_reader_makes_it_pending_and_scrub_finishes(folder: Path, kind: str) -> None:
    """The receipt does not claim what is not done yet; when the reader is gone, scrub does the rest."""
    with spoken(folder) as memory:
        with reader_elsewhere(folder, kind):
            receipt = memory.erase_user("ana")
            assert receipt.pending and receipt.total == 8
            assert remains(folder, WORD) != {}, "nothing was pending after all"
            assert memory.session(user="ana", session="s1").list(status="all").items == ()
            assert memory.scrub() != []
        assert memory.scrub() == []
        assert remains(folder, WORD, "ana/s1") == {}
        assert memory.replay() == [] and memory.verify().verdict == "ok"


def test_the_next_erasure_finishes_what_was_pending(folder: Path) -> None:
    """Nobody has to remember to scrub: any later erasure takes the remains along."""
    with spoken(folder) as memory:
        with reader_elsewhere(folder, "thread"):
            assert memory.session(user="ana", session="s1").erase_ref("r0").pending
        assert memory.session(user="ana", session="s1").erase_ref("r1").pending == ()
        assert remains(folder, f"{WORD} number 0", f"{WORD} number 1") == {}


def test_an_open_reader_does_not_hold_the_caller_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the real patience for locks, erasing beside a reader still answers within a few seconds."""
    monkeypatch.undo()
    with spoken(folder) as memory, reader_elsewhere(folder, "thread"):
        began = time.monotonic()
        assert memory.erase_user("ana").pending
        assert time.monotonic() - began < 8


def test_recalls_go_on_beside_an_erasure(folder: Path) -> None:
    """Readers in other threads are never disturbed, and never see a half-erased turn of their own."""
    with spoken(folder, count=60) as memory:
        wrong: list[object] = []
        may_stop = threading.Event()

        def ask() -> None:
            bob = memory.session(user="bob")
            while not may_stop.is_set():
                try:
                    if "Bob was here." not in bob.recall("who was here?").text:
                        wrong.append("bob's window is gone")
                except RecollectError as error:
                    wrong.append(error)

        workers = [threading.Thread(target=ask) for _ in range(3)]
        for worker in workers:
            worker.start()
        for number in range(0, 60, 3):
            memory.session(user="ana", session="s1").erase_ref(f"r{number}")
        memory.erase_user("ana")
        may_stop.set()
        for worker in workers:
            worker.join()
        assert wrong == []
        assert memory.scrub() == []
        assert remains(folder, WORD) == {}


def erase_elsewhere(path: str, begin: Event, told: multiprocessing.queues.Queue[str]) -> None:
    """One of several programs that erase the same user at once."""
    with Memory.open(path) as memory:
        begin.wait(30)
        try:
            receipt = memory.erase_user("ana")
            told.put(f"erased {receipt.total}")
        except RecollectError as error:
            told.put(f"{type(error).__name__} {error.reason}")


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_two_erasures_at_once(folder: Path, kind: str) -> None:
    """Both answer, the items are counted once, and nothing is left."""
    memory = spoken(folder, count=250)
    begin, told = SPAWN.Event(), SPAWN.Queue()
    if kind == "threads":
        barrier = threading.Barrier(2)
        answers: list[str] = []

        def run() -> None:
            barrier.wait()
            try:
                answers.append(f"erased {memory.erase_user('ana').total}")
            except RecollectError as error:
                answers.append(f"{type(error).__name__} {error.reason}")

        workers = [threading.Thread(target=run) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    else:
        path = str(folder / "memory.db")
        processes = [SPAWN.Process(target=erase_elsewhere, args=(path, begin, told)) for _ in range(2)]
        for process in processes:
            process.start()
        begin.set()
        answers = [told.get(timeout=60) for _ in processes]
        for process in processes:
            process.join(30)
    counts = [int(answer.split()[1]) for answer in answers if answer.startswith("erased")]
    assert len(counts) + answers.count("NotFound nothing_to_erase") == 2, answers
    assert sum(counts) == 250 + 4
    memory.scrub()
    assert remains(folder, WORD, "ana/s1") == {}
    assert memory.replay() == [] and memory.verify().verdict == "ok"
    memory.close()


def test_an_interrupted_erasure_is_continued_by_asking_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure in the third chunk leaves a sound memory; asking again finishes, name included."""
    memory = spoken(folder, count=20)
    monkeypatch.setattr(erase_engine, "CHUNK", 5)
    whole, calls = erase_engine._erase_chunk, []

    def failing(*given: object) -> None:
        calls.append(1)
        if len(calls) == 3:
            raise StoreBusy("Another writer holds the database.")
        whole(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(erase_engine, "_erase_chunk", failing)
    with pytest.raises(StoreBusy):
        memory.erase_user("ana")
    assert memory.replay() == [] and memory.verify().verdict == "ok"
    assert memory.erase_user("ana").total == 24 - 10
    assert remains(folder, WORD, "ana/s1") == {}
    with pytest.raises(NotFound):
        memory.erase_user("ana")
    memory.close()


@pytest.mark.parametrize("how", ["user", "session"])
def test_words_said_meanwhile_are_not_entombed(folder: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """Whoever speaks during an erasure is erased too or remembered as new; never kept where nobody can reach it."""
    monkeypatch.setattr(erase_engine, "CHUNK", 5)
    with spoken(folder, count=20) as memory:
        chat = memory.session(user="ana", session="s1")
        whole, late = erase_engine._erase_chunk, []

        def talking(*given: object) -> None:
            whole(*given)  # type: ignore[arg-type]
            late.append(chat.remember(f"{WORD} meanwhile {len(late)}."))

        monkeypatch.setattr(erase_engine, "_erase_chunk", talking)
        memory.erase_user("ana") if how == "user" else chat.erase_session()
        monkeypatch.setattr(erase_engine, "_erase_chunk", whole)
        assert late
        told = chat.recall(WORD).text
        reachable = [item.text for item in chat.list(status="all", limit=1_000)]
        held = _texts(folder / "memory.db")
        assert len(held) == len(reachable), "something is stored that its owner cannot see"
        assert told == "" or reachable
        if reachable:
            memory.erase_user("ana") if how == "user" else chat.erase_session()
        assert remains(folder, WORD) == {}
        assert memory.replay() == [] and memory.verify().verdict == "ok"


def _texts(path: Path) -> list[str]:
    """Everything stored of Ana's words, whoever can see it."""
    connection = apsw.Connection(str(path))
    try:
        return [body for (body,) in connection.execute("SELECT body FROM items") if WORD in body]
    finally:
        connection.close()


def test_another_opening_of_the_file_does_not_remember_the_erased(folder: Path) -> None:
    """A second Memory that had read everything serves nothing of it after the user is erased and comes back."""
    with spoken(folder) as memory, Memory.open(str(folder / "memory.db")) as other:
        theirs = other.session(user="ana", session="s1")
        assert WORD in theirs.recall(WORD).text and theirs.search(WORD)
        listed = [item.id for item in theirs.list(status="all")]
        memory.erase_user("ana")
        assert theirs.search(WORD) == [] and WORD not in theirs.recall(WORD).text
        again = memory.session(user="ana", session="s1")
        for number in range(6):
            again.remember(f"Fresh words {number}.")
        assert WORD not in theirs.recall(WORD).text
        assert theirs.search(WORD) == []
        assert WORD not in str([item.to_wire() for item in theirs.list(status="all")])
        assert WORD not in str([theirs.get(item_id).text for item_id in listed if _is_there(theirs, item_id)])


def _is_there(session: object, item_id: str) -> bool:
    try:
        session.get(item_id)  # type: ignore[attr-defined]
    except NotFound:
        return False
    return True


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A file system of its own, of a few megabytes."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small file system for this test")
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this machine does not let tests mount a small file system")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], capture_output=True, check=False)


def fill(memory: Memory) -> int:
    """Speak until the disk is full."""
    chat = memory.session(user="ana", session="s1")
    number = 0
    with pytest.raises(StoreFull):
        while True:
            chat.remember(f"{WORD} number {number}. {'x' * 3_000}", ref=f"r{number}")
            number += 1
    return number


def take_the_rest(disk: Path) -> None:
    """Somebody else fills what is left of the disk."""
    with pytest.raises(OSError), (disk / "junk").open("wb", buffering=0) as junk:
        while True:
            junk.write(bytes(4_096))


@pytest.mark.parametrize("how", ["ref", "session", "user"])
@pytest.mark.parametrize("filled_by", ["us", "others"])
def test_erasing_works_on_a_full_disk(folder: Path, how: str, filled_by: str) -> None:
    """Not a byte is free, and everything of a user, a session or a message can still be erased, wholly."""
    with small_disk(folder, 8) as disk, Memory.open(str(disk / "memory.db")) as memory:
        memory.session(user="bob").remember("Bob was here.")
        count = fill(memory)
        if filled_by == "others":
            take_the_rest(disk)
        assert count > 10
        chat = memory.session(user="ana", session="s1")
        assert "Bob was here." in memory.session(user="bob").recall("who?").text
        if how == "user":
            receipt = memory.erase_user("ana")
        elif how == "session":
            receipt = chat.erase_session()
        else:
            receipt = chat.erase_ref("r1")
        assert receipt.pending == ()
        assert remains(disk, f"{WORD} number 1." if how == "ref" else WORD) == {}
        assert memory.replay() == [] and memory.verify().verdict == "ok"
        assert "Bob was here." in memory.session(user="bob").recall("who?").text
        (disk / "junk").unlink(missing_ok=True)
        memory.session(user="bob").remember("And still is.")


def test_a_full_disk_without_ballast_says_so(folder: Path) -> None:
    """Where even the held-back space is gone, the answer is StoreFull, and nothing is half done."""
    with small_disk(folder, 8) as disk, Memory.open(str(disk / "memory.db")) as memory:
        fill(memory)
        take_the_rest(disk)
        (disk / "memory.db-ballast").unlink()
        take_the_rest(disk)
        before = memory.state_hash()
        try:
            memory.erase_user("ana")
        except StoreFull as error:
            assert error.hint
            assert memory.replay() == [] and memory.verify().verdict == "ok"
        else:
            assert remains(disk, WORD) == {}
            assert memory.state_hash() != before


def test_a_read_only_file_says_so(folder: Path) -> None:
    """On a read-only disk nothing is erased, and the error says what to look at."""
    with small_disk(folder, 8) as disk:
        with Memory.open(str(disk / "memory.db")) as memory:
            memory.session(user="ana").remember(f"{WORD}.", ref="r1")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(StoreReadOnly) as caught, Memory.open(str(disk / "memory.db")) as memory:
            memory.erase_user("ana")
        assert caught.value.hint
        assert remains(disk, WORD) != {}


@pytest.mark.parametrize("count", [1_000 * SOAK])
def test_an_erasure_of_thousands_is_one_call(folder: Path, count: int) -> None:
    """Many chunks, one receipt, progress that only ever grows."""
    with Memory.open(str(folder / "memory.db")) as memory:
        chat = memory.session(user="ana", session="s1")
        chat.remember_many([{"text": f"{WORD} {number}"} for number in range(count)])
        seen: list[tuple[int, int]] = []
        receipt = memory.erase_user("ana", on_progress=lambda done, total: seen.append((done, total)))
        assert receipt.total == seen[-1][0] == seen[-1][1]
        assert seen == sorted(seen) and receipt.erased["semantic"] == count
        assert remains(folder, WORD) == {}
