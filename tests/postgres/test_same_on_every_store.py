"""Law 2 over all stores: random histories give the same answers, states and hashes, also after a move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conversations import Step, conversations, difference, law, open_memory, play, policies, tenants
from hypothesis import given

from recollect import Memory
from recollect.errors import InvalidInput

Wipe = Callable[[], None]
KEEPING = "[trace]\ndurable_recalls = true\n"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:
        yield Path(name)


def outcome(memory: Memory, steps: list[Step]) -> tuple[object, object]:
    """Every answer, and what is stored at the end, tenant by tenant."""
    pages = [answer for _, answer in play(memory, steps).pages]
    states = {name: (memory.state_hash(tenant=name), memory.stats(tenant=name)) for name in tenants(steps)}
    return pages, states


def test_random_histories_are_the_same_on_every_store(postgres_url: str, wipe: Wipe, folder: Path) -> None:
    """In memory, in a file and on a server, the same calls give the same answers and the same hashes."""
    server = open_memory("default", postgres_url)
    store = server._parts.store

    @law(100)
    @given(conversations(), policies)
    def hold(steps: list[Step], policy: str) -> None:
        with open_memory(policy) as memory:
            expected = outcome(memory, steps)
        path = folder / "memory.db"
        for leftover in folder.iterdir():
            leftover.unlink()
        with open_memory(policy, str(path)) as memory:
            assert difference(outcome(memory, steps), expected) == ""
        wipe()
        memory = open_memory(policy, store)
        assert difference(outcome(memory, steps), expected) == ""
        assert all(memory.verify(tenant=name).is_ok for name in tenants(steps))

    with server:
        hold()


def test_history_survives_a_move_there_and_back(postgres_url: str, wipe: Wipe) -> None:
    """From a file to a server and back to a file: the same state, the same chains, and every answer the same."""
    server = open_memory("default", postgres_url)
    store = server._parts.store

    @law(12)
    @given(conversations(), policies)
    def hold(steps: list[Step], policy: str) -> None:
        wipe()
        with TemporaryDirectory() as name, open_memory(policy, f"{name}/first.db") as first:
            play(first, steps)
            there, back = open_memory(policy, store), open_memory(policy, f"{name}/second.db")
            with back:
                for tenant in tenants(steps):
                    expected = (first.state_hash(tenant=tenant), first.anchor(tenant=tenant))
                    for source, target in ((first, there), (there, back)):
                        source.move_to(target, tenant=tenant)
                        assert (target.state_hash(tenant=tenant), target.anchor(tenant=tenant)) == expected
                reads = [step for step in steps if step.verb in {"recall", "search", "list"}]
                told = [[answer for _, answer in play(memory, reads).pages] for memory in (first, there, back)]
                assert difference(told[1], told[0]) == ""
                assert difference(told[2], told[0]) == ""

    with server:
        hold()


class Stopped(Exception):
    """Somebody pulled the plug."""


@pytest.mark.parametrize("direction", ["to a server", "to a file"])
def test_stopped_move_goes_on(
    direction: str, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move that is stopped after any chunk shows nothing half done on a server, and goes on where it stopped."""
    monkeypatch.setattr("recollect.engine.move.CHUNK_ROWS", 7)
    ends = [postgres_url, str(tmp_path / "memory.db")]
    source_at, target_at = ends if direction == "to a file" else reversed(ends)
    with open_memory("default", source_at) as source, open_memory("default", target_at) as target:
        chat = source.session(user="ana", session="monday")
        for number in range(12):
            chat.remember(f"I live in town number {number}.", ref=f"r{number}", command_id=f"c{number}")
        stops = 0
        resumed_at = -1
        while True:
            told: list[int] = []

            def stop(rows: int, told: list[int] = told) -> None:
                told.append(rows)
                if len(told) == 3:
                    raise Stopped

            try:
                moved = source.move_to(target, on_progress=stop)
                break
            except Stopped:
                stops += 1
                assert told[0] > resumed_at
                resumed_at = told[0]
                if direction == "to a server":
                    assert target.owners() == [] or target.state_hash() == source.state_hash()
        assert stops > 3
        assert moved.resumed_at > 0
        assert target.anchor() == source.anchor()
        again = source.move_to(target)
        assert again.resumed_at == again.rows == moved.rows


@pytest.mark.parametrize("direction", ["to a server", "to a file"])
def test_move_carries_kept_recalls_and_answers(direction: str, postgres_url: str, tmp_path: Path) -> None:
    """Kept recalls, answered commands and phases come along; a second move finds them there and adds nothing."""
    ends = [postgres_url, str(tmp_path / "memory.db")]
    source_at, target_at = ends if direction == "to a file" else reversed(ends)
    with open_memory(KEEPING, source_at) as source, open_memory(KEEPING, target_at) as target:
        for name in ("monday", "tuesday"):
            chat = source.session(user="ana", session=name)
            chat.remember(f"I live in Lisbon since {name}.", command_id="c1")
            for _ in range(3):
                chat.recall("where do I live?")
        moved = source.move_to(target)
        again = source.move_to(target)
        assert (again.rows, again.resumed_at) == (moved.rows, moved.rows)
        for name in ("monday", "tuesday"):
            ours, theirs = (memory.session(user="ana", session=name) for memory in (source, target))
            assert theirs.traces(limit=1_000) == ours.traces(limit=1_000)
            assert theirs.remember(f"I live in Lisbon since {name}.", command_id="c1").is_repeat
        assert [event for event in theirs.traces(limit=1_000) if event["type"] == "memory_recall"]
        with target._office("default").repository.reading() as reader:
            assert len(list(reader.kept_recalls())) == 6


def test_move_never_mixes_kept_recalls(postgres_url: str) -> None:
    """A target whose session keeps another recall is refused before its names are shown."""
    with open_memory(KEEPING) as source, open_memory(KEEPING, postgres_url) as target:
        for memory, question in ((source, "where?"), (target, "who?")):
            memory.session(user="ana", session="s").recall(question)
        source.session(user="ana", session="s").remember("I live in Lisbon.")
        with pytest.raises(InvalidInput) as refused:
            source.move_to(target)
        assert refused.value.reason == "not_empty"
        assert target.owners() == []


def test_move_never_mixes(postgres_url: str) -> None:
    """A target that holds something else is refused, and keeps what it holds."""
    with open_memory() as source, open_memory("default", postgres_url) as target:
        source.session(user="ana").remember("I live in Lisbon.")
        target.session(user="bob").remember("I live in Oslo.")
        before = target.state_hash()
        with pytest.raises(InvalidInput) as refused:
            source.move_to(target)
        assert refused.value.reason == "not_empty"
        assert target.state_hash() == before
