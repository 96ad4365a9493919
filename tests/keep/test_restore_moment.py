"""Going back to a moment, and restoring an older export without what was erased since."""

from __future__ import annotations

import time
from pathlib import Path

import apsw
import pytest
from canary import remains
from conversations import SAYS, Actor, Step, conversations, law, open_memory, play_step
from exports import START_MS, lived
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory
from recollect.errors import ExportInvalid

WORD = "Kestrelgrey"
ONE = (Actor(), Actor(session="s1"), Actor(user="bob", session="s1"))


def lasting(memory: Memory) -> list[tuple[object, ...]]:
    """Episodes and facts as they stand; the window is short-lived by nature."""
    found = []
    for user in ("ana", "bob"):
        for kind in ("semantic", "profile"):
            for item in memory.session(user=user, session="s1").list(kind=kind, status="all", limit=1_000):
                standing = (str(item.status), item.importance, item.standing.is_pinned, item.standing.mentions)
                found.append((item.id, item.text, *standing, item.created_at))
    return found


@law(12)
@given(conversations(SAYS, actors=ONE, longest=16), st.data())
def test_a_moment_is_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step], data: st.DataObject
) -> None:
    """For any conversation and any moment in it: everything lasting stands as it stood then, and the log verifies."""
    folder = tmp_path_factory.mktemp("moment")
    chosen = data.draw(st.integers(0, len(steps) - 1))
    then: list[tuple[object, ...]] = []
    with open_memory("default") as memory:
        from conversations import Diary

        diary = Diary()
        for number, step in enumerate(steps):
            play_step(memory, step, diary)
            if number == chosen:
                then = lasting(memory)
        memory.export(folder / "e.jsonl")
    with open_memory("default") as back:
        back.restore(folder / "e.jsonl", to=steps[chosen].at_ms)
        assert lasting(back) == then
        assert back.verify().verdict == "ok" and back.replay() == []


def test_before_everything_and_after_everything(folder: Path) -> None:
    """A moment before the first turn is an empty memory; one after the last is all of it."""
    with Memory.open(str(folder / "m.db")) as memory:
        lived(memory)
        memory.export(folder / "e.jsonl")
        whole = memory.state_hash()
    with Memory.open(":memory:") as back:
        assert back.restore(folder / "e.jsonl", to=START_MS - 1).items == 0
        assert back.owners() == []
    with Memory.open(":memory:") as back:
        assert back.restore(folder / "e.jsonl", to="9999-01-01").state_hash == whole


def test_what_was_erased_since_is_counted_and_stays_away(folder: Path) -> None:
    """The restored log says that it could not come back, and holds none of it."""
    with Memory.open(str(folder / "m.db")) as memory:
        chat = memory.session(user="ana", session="s1")
        for number in range(4):
            chat.remember(f"{WORD if number == 1 else 'Turn'} {number}", ref=f"r{number}", at=START_MS + number)
        chat.erase_ref("r1")
        memory.export(folder / "e.jsonl")
    (folder / "back").mkdir()
    with Memory.open(str(folder / "back" / "b.db")) as back:
        restored = back.restore(folder / "e.jsonl", to=START_MS + 2)
        assert "user:ana:semantic:2" in restored.lost
        texts = [item.text for item in back.session(user="ana", session="s1").list(kind="semantic", status="all")]
        assert texts == ["Turn 0", "Turn 2"]
        assert back.verify().verdict == "ok" and back.replay() == []
        assert remains(folder / "back", WORD) == {}


def test_a_moment_before_a_user_was_erased(folder: Path) -> None:
    """The user stays erased: no name, no word, and everybody else as they were."""
    with Memory.open(str(folder / "m.db")) as memory:
        memory.session(user=WORD, session="s1").remember(f"I am {WORD}.", at=START_MS)
        memory.session(user="bob", session="s1").remember("Bob was here.", at=START_MS + 1)
        memory.erase_user(WORD)
        memory.export(folder / "e.jsonl")
    (folder / "back").mkdir()
    with Memory.open(str(folder / "back" / "b.db")) as back:
        back.restore(folder / "e.jsonl", to=START_MS + 1)
        assert remains(folder / "back", WORD) == {}
        assert "Bob was here." in back.session(user="bob", session="s1").recall("who?").text
        assert back.verify().verdict == "ok" and back.replay() == []


@pytest.mark.parametrize("bad", ["yesterday", "2026-13-01", "", -1, 10**18, 3.5, True])
def test_a_moment_that_is_none(folder: Path, bad: object) -> None:
    """What is no moment is told, and nothing is restored."""
    with Memory.open(":memory:") as memory:
        lived(memory)
        memory.export(folder / "e.jsonl")
    with Memory.open(":memory:") as back:
        with pytest.raises(Exception) as caught:
            back.restore(folder / "e.jsonl", to=bad)  # type: ignore[arg-type]
        assert type(caught.value).__name__ == "InvalidInput"
        assert back.owners() == []


def older_and_newer(folder: Path, erase: str) -> None:
    """An export from before an erasure and one from after it; the window has moved on in between."""
    with Memory.open(str(folder / "m.db")) as memory:
        chat = memory.session(user="ana" if erase == "ref" else WORD, session="s1")
        chat.remember(f"I live in {WORD}.", ref="r1", command_id=f"c {WORD}" if erase == "user" else "")
        if erase == "user":
            chat.start_phase(f"phase {WORD}")
        memory.session(user="bob").remember("Bob was here.")
        memory.export(folder / "old.jsonl")
        for number in range(12):
            chat.remember(f"Filler number {number}.")
        if erase == "user":
            memory.erase_user(WORD)
        else:
            chat.erase_ref("r1")
        memory.export(folder / "new.jsonl")


@pytest.mark.parametrize("erase", ["ref", "user"])
def test_an_older_export_without_what_was_erased_since(folder: Path, erase: str) -> None:
    """With the newer export as tombstones, the older one comes back without a byte of the erased."""
    older_and_newer(folder, erase)
    (folder / "back").mkdir()
    with Memory.open(str(folder / "back" / "b.db")) as back:
        restored = back.restore(folder / "old.jsonl", tombstones=folder / "new.jsonl")
        assert restored.lost
        assert remains(folder / "back", WORD) == {}
        assert "Bob was here." in back.session(user="bob").recall("who?").text
        assert back.verify().verdict == "ok" and back.replay() == []


def test_tombstones_of_another_memory_are_refused(folder: Path) -> None:
    """Addresses coincide between memories; chains do not."""
    for name, user in (("one", "ana"), ("two", "zoe")):
        with Memory.open(str(folder / f"{name}.db")) as memory:
            chat = memory.session(user=user, session="s1")
            chat.remember("I live in Lisbon.", ref="r1")
            if name == "two":
                chat.erase_ref("r1")
            memory.export(folder / f"{name}.jsonl")
    with Memory.open(":memory:") as back:
        with pytest.raises(ExportInvalid):
            back.restore(folder / "one.jsonl", tombstones=folder / "two.jsonl")
        assert back.owners() == []


def test_damaged_tombstones_are_refused(folder: Path) -> None:
    """A newer export that was cut off says nothing reliable about what was erased."""
    older_and_newer(folder, "ref")
    newer = (folder / "new.jsonl").read_bytes()
    (folder / "cut.jsonl").write_bytes(newer[: len(newer) // 2])
    with Memory.open(":memory:") as back:
        with pytest.raises(ExportInvalid):
            back.restore(folder / "old.jsonl", tombstones=folder / "cut.jsonl")
        assert back.owners() == []


def test_restoring_grows_with_what_is_restored(folder: Path) -> None:
    """Four times the owners take about four times the work, and not its square."""
    spent = {}
    for owners in (100, 400):
        path = folder / f"{owners}.jsonl"
        with Memory.open(":memory:") as memory:
            for number in range(owners):
                memory.session(user=f"u{number}").remember_many([{"text": f"w {k}", "at": START_MS} for k in range(3)])
            memory.export(path)
        began = time.process_time()
        with Memory.open(str(folder / f"{owners}.db")) as back:
            back.restore(path, to=START_MS + 1)
        spent[owners] = time.process_time() - began
    assert spent[400] < 9 * spent[100]


def test_lineage_through_what_is_deleted_comes_back(folder: Path) -> None:
    """What an item was made from is known after going back, even where the link between is an item that was deleted."""
    with Memory.open(":memory:", policy="contract") as memory:
        ana = memory.session(user="ana", session="1")
        ana.remember("We decided to use Postgres.", at=START_MS)
        ana.correct("session:ana/1:semantic:1", "We decided to use MySQL.", at=START_MS + 1)
        ana.correct("session:ana/1:semantic:2", f"We decided to use {WORD}.", at=START_MS + 2)
        ana.remember("Is the invoice ready?", at=START_MS + 60_000)
        memory.export(folder / "e.jsonl")
    (folder / "back").mkdir()
    path = folder / "back" / "m.db"
    with Memory.open(str(path), policy="contract") as back:
        back.restore(folder / "e.jsonl", to=START_MS + 3)
        assert back.verify().verdict == "ok"
    connection = apsw.Connection(str(path))
    assert connection.execute("SELECT n, from_n FROM edges ORDER BY n").fetchall() == [(2, 1), (3, 2)]
    connection.close()
