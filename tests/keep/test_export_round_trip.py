"""S14: an export put into an empty store gives the same memory: state, chains, contexts, and the same future."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conversations import ANYTHING, Diary, Step, conversations, law, open_memory, places_of, play, policies, tenants
from exports import START_MS, lines_of, lived
from hypothesis import given

from recollect import Memory
from recollect.errors import ExportInvalid, InvalidInput, StoreReadOnly

QUERIES = ("what did we pick for billing?", "name", "where do I live?", "tea", "")


def contexts(memory: Memory, steps: list[Step]) -> list[object]:
    """What everybody would be told, and everything they can list."""
    told: list[object] = []
    for actor in places_of(steps):
        session = actor.at(memory)
        told += [session.recall(query, at=START_MS + 10**8).to_dict() for query in QUERIES]
        told.append([item.to_wire() for item in session.list(status="all", limit=1_000)])
        told.append(session.traces(limit=1_000, recalls=False))
    return told


@law(12)
@given(conversations(ANYTHING), policies, conversations(ANYTHING, longest=8))
def test_there_and_back_again(steps: list[Step], policy: str, later: list[Step]) -> None:
    """Memory to SQLite to memory: same hash, same anchor, same contexts; and going on afterwards stays the same."""
    with open_memory(policy) as first, TemporaryDirectory() as made:
        folder = Path(made)
        play(first, steps)
        for tenant in tenants(steps):
            first.export(folder / "one.jsonl", tenant=tenant)
            with open_memory(policy, target=str(folder / f"{tenant}.db")) as second, open_memory(policy) as third:
                restored = second.restore(folder / "one.jsonl", tenant=tenant)
                assert restored.lost == () and restored.state_hash == first.state_hash(tenant=tenant)
                second.export(folder / "two.jsonl", tenant=tenant)
                assert lines_of(folder / "two.jsonl") == lines_of(folder / "one.jsonl")
                third.restore(folder / "two.jsonl", tenant=tenant)
                own = [step for step in steps if step.actor.tenant == tenant]
                more = [step for step in later if step.actor.tenant == tenant]
                for other in (second, third):
                    assert other.anchor(tenant=tenant) == first.anchor(tenant=tenant)
                    assert other.verify(tenant=tenant, anchor=first.anchor(tenant=tenant)).verdict == "ok"
                    assert other.replay(tenant=tenant) == []
                    assert contexts(other, own) == contexts(first, own)
                answers = [play(other, more, Diary()).pages for other in (second, third)]
                assert answers[0] == answers[1]
                assert second.state_hash(tenant=tenant) == third.state_hash(tenant=tenant)


def test_the_future_is_the_same_too(folder: Path) -> None:
    """A restored memory and the one it came from answer the same calls alike, commands included."""
    with Memory.open(":memory:") as first, Memory.open(str(folder / "n.db")) as second:
        lived(first)
        first.export(folder / "e.jsonl")
        second.restore(folder / "e.jsonl")
        for memory in (first, second):
            chat = memory.session(user="bob", session="s1")
            assert chat.remember("Bob says hello 1.", ref="b1", at=START_MS + 3_000, command_id="c1").is_repeat
            chat.remember("I live in Oslo.", at=START_MS + 10**7)
        assert first.state_hash() == second.state_hash()


def test_exporting_twice_gives_the_same_bytes(folder: Path) -> None:
    """An export depends on what is stored, not on when or how often it is made."""
    with Memory.open(str(folder / "m.db")) as memory:
        lived(memory)
        memory.export(folder / "one.jsonl")
        memory.export(folder / "two.jsonl")
    assert (folder / "one.jsonl").read_bytes() == (folder / "two.jsonl").read_bytes()


def test_an_export_made_after_an_erasure_holds_nothing_of_it(folder: Path) -> None:
    """Tombstones name addresses, not words."""
    with Memory.open(str(folder / "m.db")) as memory:
        lived(memory)
        manifest = memory.export(folder / "e.jsonl")
    text = (folder / "e.jsonl").read_text(encoding="utf-8")
    assert "Bob will forget this" not in text
    assert manifest.counts["tombstone"] == 2


def test_an_export_holds_one_tenant(folder: Path) -> None:
    """The wall between tenants goes through exports too."""
    with Memory.open(str(folder / "m.db")) as memory:
        memory.session(user="ana").remember("Ana of the default tenant.")
        memory.session(user="ana", tenant="acme").remember("Ana of acme.")
        memory.export(folder / "e.jsonl", tenant="acme")
    text = (folder / "e.jsonl").read_text(encoding="utf-8")
    assert "Ana of acme." in text and "default tenant" not in text


def test_restoring_keeps_authority(folder: Path) -> None:
    """A verified export of our own is our own words; ruling 7."""
    with Memory.open(":memory:") as first, Memory.open(":memory:") as second:
        lived(first)
        first.export(folder / "e.jsonl")
        second.restore(folder / "e.jsonl")
        chat = second.session(user="ana", session="s1", persona="coach", project="apollo")
        assert {str(item.authority) for item in chat.list(kind="profile")} == {"user_asserted"}


def test_a_memory_that_holds_something_is_not_restored_into(folder: Path) -> None:
    """Nothing is ever merged; the target stays as it was."""
    with Memory.open(":memory:") as memory:
        lived(memory)
        memory.export(folder / "e.jsonl")
        before = memory.state_hash()
        with pytest.raises(InvalidInput) as caught:
            memory.restore(folder / "e.jsonl")
        assert caught.value.reason == "not_empty" and memory.state_hash() == before


def test_the_file_appears_whole_or_not_at_all(folder: Path) -> None:
    """An export that fails on the way leaves neither its file nor a draft, and an older one as it was."""
    with Memory.open(":memory:") as memory:
        lived(memory)
        memory.export(folder / "kept.jsonl")
        older = (folder / "kept.jsonl").read_bytes()

        class Stop(Exception):
            pass

        def stop(lines: int) -> None:
            raise Stop

        with pytest.raises(StoreReadOnly):
            memory.export(folder / "no" / "such" / "folder.jsonl")
        for number in range(1_000):
            memory.session(user=f"u{number}").remember("hello there")
        with pytest.raises(Stop):
            memory.export(folder / "kept.jsonl", on_progress=stop)
        assert (folder / "kept.jsonl").read_bytes() == older
        assert sorted(path.name for path in folder.iterdir()) == ["kept.jsonl"]


def test_an_export_never_replaces_the_database(folder: Path) -> None:
    """Naming the open database, by whatever path, is refused and harms nothing."""
    path = folder / "memory.db"
    with Memory.open(str(path)) as memory:
        lived(memory)
        (folder / "link").symlink_to(path)
        for name in (path, folder / "." / "memory.db", folder / "link", folder / "memory.db-wal"):
            with pytest.raises(InvalidInput):
                memory.export(name)
        assert memory.verify().verdict == "ok"
    with Memory.open(str(path)) as memory:
        assert memory.verify().verdict == "ok"


@pytest.mark.parametrize("bad", [5, None, "a\0b", "", "\ud800"])
def test_bad_paths_are_told(folder: Path, bad: object) -> None:
    """A path that is none is one of our errors, for every call that takes one."""
    with Memory.open(":memory:") as memory:
        lived(memory)
        for call in (
            lambda: memory.export(bad),  # type: ignore[arg-type]
            lambda: Memory.open(":memory:").restore(bad),  # type: ignore[arg-type]
            lambda: memory.import_turns(bad, user="ana"),  # type: ignore[arg-type]
        ):
            with pytest.raises((InvalidInput, StoreReadOnly)):
                call()


def test_two_memories_cannot_be_put_into_one_by_tenant(folder: Path) -> None:
    """Numbers of places are part of a chain; where they are taken, the answer is typed and nothing is half done."""
    for name, tenant in (("one", "a"), ("two", "b")):
        with Memory.open(str(folder / f"{name}.db")) as memory:
            memory.session(user="ana", tenant=tenant).remember(f"I am of {tenant}.")
            memory.export(folder / f"{name}.jsonl", tenant=tenant)
    with Memory.open(str(folder / "both.db")) as memory:
        memory.restore(folder / "one.jsonl", tenant="a")
        with pytest.raises((InvalidInput, ExportInvalid)):
            memory.restore(folder / "two.jsonl", tenant="b")
        assert memory.owners(tenant="b") == []
        assert memory.verify(tenant="a").verdict == "ok"
