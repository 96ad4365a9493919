"""Facts end to end: corrected by rule, traceable to the caller's own messages, counted, one row for each key."""

from __future__ import annotations

import multiprocessing
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from canary import SOAK

from recollect import Memory, MemoryItem, Session

SPAWN = multiprocessing.get_context("spawn")
KEY = "profile|person|user|fact|lives_in"


def facts(session: Session, status: str = "active") -> list[MemoryItem]:
    return list(session.list(kind="profile", status=status, limit=1_000))


def test_a_correction_stands_and_says_why(folder: Path) -> None:
    """The newer claim replaces the older one by a named rule; the older is kept for the record, under the same key."""
    with Memory.open(str(folder / "m.db")) as memory:
        chat = memory.session(user="ana", session="s1")
        chat.remember("I live in Lisbon.", ref="m1", at=1_000)
        receipt = chat.remember("Actually, I live in Berlin now.", ref="m2", at=2_000)
        assert [fact.fact.value for fact in facts(chat) if fact.fact] == ["Berlin"]
        old, new = facts(chat, "all")
        assert (old.dedup_key, new.dedup_key) == (KEY, KEY)
        assert (str(old.status), old.standing.reason, old.standing.replaced_by) == ("ARCHIVED", "superseded", new.ref)
        (conflict,) = [event for event in receipt.trace if event["type"] == "memory_conflict"]
        assert conflict["winner_id"] == new.id and conflict["rule"] == "correction"
        assert "Berlin" in chat.recall("Where do I live?").text
        assert chat.recall("Where do I live?").text.index("Berlin") < len(chat.recall("Where do I live?").text)
        assert "Lives in Lisbon" in chat.recall("Where do I live?", as_of=1_500).text


def test_a_fact_points_at_the_callers_own_message(folder: Path) -> None:
    """From a fact to the turn it was read from, to the caller's id, role, time and words."""
    with Memory.open(str(folder / "m.db")) as memory:
        chat = memory.session(user="ana", session="s1")
        chat.remember("My sister Maria works at Acme.", ref="msg-17", at=1_234, speaker="Ana")
        for fact in facts(chat):
            assert fact.origin.ref == "msg-17"
            (source,) = (chat.get(ref.id) for ref in fact.made_from)
            assert (source.origin.ref, source.origin.at_ms, source.text) == (
                "msg-17",
                1_234,
                "My sister Maria works at Acme.",
            )
            assert fact.fact is not None and 0 < fact.fact.confidence <= 1_000_000
            assert fact.meta["source_turn_ids"] == [source.id]
        assert facts(chat)


def test_saying_it_again_is_a_mention(folder: Path) -> None:
    """One row, a growing count, and every message behind it."""
    with Memory.open(str(folder / "m.db")) as memory:
        chat = memory.session(user="ana", session="s1")
        for number in range(4):
            receipt = chat.remember("I live in Lisbon.", ref=f"m{number}")
        (fact,) = facts(chat, "all")
        assert fact.standing.mentions == 4
        assert [fate.outcome for fate in receipt.fates if fate.kind == "profile"] == ["merged"]
        assert [turn.origin.ref for turn in chat.sources(fact.id)] == ["m0", "m1", "m2", "m3"]


def test_a_second_fact_about_the_same_person_is_not_lost(folder: Path) -> None:
    """Different predicates are different keys; ruling 20."""
    with Memory.open(str(folder / "m.db")) as memory:
        chat = memory.session(user="ana", session="s1")
        chat.remember("My sister Maria works at Acme.")
        chat.remember("My sister Maria lives in Porto.")
        told = " ".join(fact.text for fact in facts(chat))
        assert "Acme" in told and "Porto" in told


@pytest.mark.parametrize(
    "text", ["I might move to Berlin one day.", 'He said "I live in Berlin".', "Do I live in Berlin?"]
)
def test_what_is_no_fact_becomes_none(folder: Path, text: str) -> None:
    """Hypotheticals, quotations and questions state nothing."""
    with Memory.open(":memory:") as memory:
        chat = memory.session(user="ana")
        chat.remember(text)
        assert "Lives in Berlin" not in [fact.text for fact in facts(chat, "all")]


@pytest.mark.parametrize("given", [{"role": "assistant"}, {"role": "tool"}, {"source": "web"}, {"source": "import"}])
def test_only_the_users_own_words_make_facts(given: dict[str, str]) -> None:
    """Nobody else can put a fact about the user into the memory; ruling 7."""
    with Memory.open(":memory:") as memory:
        chat = memory.session(user="ana")
        chat.remember("I live in Berlin.", **given)  # type: ignore[arg-type]
        assert facts(chat, "all") == []


def state(path: str, name: str, rounds: int, barrier: Barrier) -> None:
    """One of two programs that say the same thing, and then two different things, at the same moment."""
    with Memory.open(path) as memory:
        for number in range(rounds):
            chat = memory.session(user=f"u{number}", session=name)
            barrier.wait(30)
            chat.remember("I live in Lisbon.", ref=f"{name}-{number}")
            barrier.wait(30)
            chat.remember(f"I work at {name}corp.", ref=f"{name}-{number}-work")


def test_two_writers_one_key(folder: Path) -> None:
    """Two processes, one key, at once: both calls succeed, one row stands, the second is a merge; ruling 21."""
    rounds, path = 15 * SOAK, str(folder / "m.db")
    Memory.open(path).close()
    barrier = SPAWN.Barrier(2)
    writers = [SPAWN.Process(target=state, args=(path, name, rounds, barrier)) for name in ("Acme", "Bolt")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
    assert [writer.exitcode for writer in writers] == [0, 0]
    with Memory.open(path) as memory:
        for number in range(rounds):
            chat = memory.session(user=f"u{number}")
            lives = [fact for fact in facts(chat, "all") if fact.dedup_key == KEY]
            assert [(str(fact.status), fact.standing.mentions) for fact in lives] == [("ACTIVE", 2)]
            keys = [fact.dedup_key for fact in facts(chat)]
            assert len(keys) == len(set(keys))
            work = [fact for fact in facts(chat, "all") if "corp" in fact.text]
            assert sorted(str(fact.status) for fact in work) == ["ACTIVE", "ARCHIVED"]
            assert len(list(chat.list(kind="semantic"))) == 4
        assert memory.replay() == [] and memory.verify().verdict == "ok"
