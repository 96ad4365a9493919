"""The source document's "ambiguities and edge cases", each closed by a test of its name."""

from __future__ import annotations

import multiprocessing
import os
from itertools import pairwise
from pathlib import Path

import pytest
from talks import DAY_MS, HOUR_MS, MINUTE_MS, START_MS, everything, holds, open_memory, tell

ROUNDS = 1_000 if os.environ.get("RECOLLECT_SOAK") == "1" else 60


def _say_the_same(path: str, rounds: int, gate: object) -> None:
    from recollect import Memory

    with Memory.open(path, policy="companion") as memory:
        chat = memory.session(user="ana", persona="coach", session=f"s{os.getpid()}")
        gate.wait()  # type: ignore[attr-defined]
        for number in range(rounds):
            receipt = chat.remember(f"My sister Priya{number} lives in Pune.", at=START_MS + number * 1_000)
            assert receipt.status == "committed", receipt


def test_memory_deduplication_race(tmp_path: Path) -> None:
    """Two processes that learn the same facts at once: every call succeeds, one row for each fact, two mentions."""
    path = str(tmp_path / "race.db")
    open_memory(path).close()
    context = multiprocessing.get_context("spawn")
    gate = context.Barrier(2)
    workers = [context.Process(target=_say_the_same, args=(path, ROUNDS, gate)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(300)
        assert worker.exitcode == 0
    with open_memory(path) as memory:
        facts = [i for i in everything(memory) if i.fact is not None and i.fact.type == "PEOPLE"]
        keys = [item.dedup_key for item in facts]
        assert len(keys) == len(set(keys))
        assert {item.standing.mentions for item in facts if "lives in" in item.text} == {2}
        assert sum("lives in" in item.text for item in facts) == ROUNDS
        holds(memory)


def test_rolling_summary_overwrites() -> None:
    """A rolling summary is a version: what mattered in the last is in the next, or the diff says why not."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    at = tell(chat, "I decided to move to Lisbon in May.", "My name is Ana.", "I prefer green tea.", "ok fine")
    for number in range(24):
        at = tell(chat, f"I decided that room {number} of the new flat is painted in colour {number}.", at=at)
    versions = chat.companion.rolling()
    assert [version["version"] for version in versions] == [*range(1, 8)]
    for before, after in pairwise(versions):
        was = [text for _, text in before["lines"]]  # type: ignore[attr-defined]
        now = [text for _, text in after["lines"]]  # type: ignore[attr-defined]
        dropped = [text for text, why in after["dropped"]]  # type: ignore[attr-defined]
        assert all(line in now or line in dropped for line in was)
        assert len(str(after["text"])) <= 600
    assert "Lisbon" in str(versions[1]["text"])
    holds(memory)


def test_session_boundary_fuzziness() -> None:
    """Back at minute 31: a new session with the old one's summary, and its messages when the question goes on."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    last = tell(chat, "The interview at Acme is on Monday.", "I am nervous about the Acme interview.") - MINUTE_MS
    back = last + 31 * MINUTE_MS
    same = chat.recall("what should I wear to the interview?", at=back)
    other = chat.recall("any good pasta recipes?", at=back)
    assert "nervous about the Acme" in dict(same.blocks)["window"]
    assert [c.reason.code for c in same.choices if c.block == "window"] == ["old_topic", "old_topic"]
    assert "window" not in dict(other.blocks)
    assert {c.reason.code for c in other.choices if c.block == "window"} == {"earlier_session"}
    chat.remember("hello again", at=back)
    assert [session.turn_count for session in chat.companion.sessions()] == [2, 1]
    after = chat.recall("any good pasta recipes?", at=back)
    assert "Acme" in dict(after.blocks)["summary"]
    holds(memory)


def test_session_goes_on_at_minute_thirty() -> None:
    """Exactly thirty minutes of silence do not end a session, and the planted minute more does."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "hello there", "and again", at=START_MS, step=30 * MINUTE_MS)
    assert [session.turn_count for session in chat.companion.sessions()] == [2]
    chat.remember("later", at=START_MS + 60 * MINUTE_MS + MINUTE_MS)
    assert [session.turn_count for session in chat.companion.sessions()] == [2, 1]


def test_entity_key_variants() -> None:
    """Makesh and Mukesh are proposed, merged when the user says so, and two again when they take it back."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "My friend Makesh works at Acme.", "My friend Mukesh plays the guitar.")
    assert [(v.one, v.other, v.reason) for v in chat.companion.spellings()] == [
        ("person:makesh", "person:mukesh", "sound")
    ]
    before = sorted(item.text for item in everything(memory) if item.fact is not None and item.fact.type == "PEOPLE")
    chat.companion.merge("Makesh", "Mukesh", at=START_MS)
    merged = chat.companion.card("Makesh")
    assert merged.ref == "person:mukesh"
    assert {fact.fact.entity_refs[0] for fact in merged.facts if fact.fact} == {"person:makesh", "person:mukesh"}
    assert chat.companion.spellings() == []
    chat.companion.unmerge("Makesh", at=START_MS)
    assert [e.ref for e in chat.companion.people(kind="person")] == ["person:makesh", "person:mukesh"]
    assert sorted(i.text for i in everything(memory) if i.fact is not None and i.fact.type == "PEOPLE") == before
    holds(memory)


def test_importance_bootstrap_problem() -> None:
    """Fifty mentions over many sessions rise, one does not, and neither does an attacker's fifty in one session."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "I live in Austin.", "I work at Globex.")
    for number in range(50):
        chat.remember("I like jazz music.", at=START_MS + number * HOUR_MS)
        chat.remember("I like metal music.", at=START_MS + 60 * HOUR_MS + number * MINUTE_MS // 2)
    by_text = {item.text: item for item in everything(memory) if item.fact is not None and item.kind == "profile"}
    jazz = next(item for text, item in by_text.items() if "jazz" in text)
    metal = next(item for text, item in by_text.items() if "metal" in text)
    assert (jazz.importance, jazz.standing.mentions) == (2, 50)
    assert (metal.importance, metal.standing.mentions) == (1, 50)
    holds(memory)


def test_importance_grows_by_use() -> None:
    """A recall that was of use counts once a session, and importance stops at two."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    chat.remember("I like jazz music.", at=START_MS)
    fact = next(item for item in everything(memory) if item.fact is not None and "jazz" in item.text)
    for number in range(1, 6):
        at = START_MS + number * DAY_MS
        chat.remember("hello there", at=at)
        memory._parts.clock.__init__(at)  # type: ignore[misc]
        for _ in range(3):
            chat.recall("jazz", at=at).used([fact.id])
        assert chat.get(fact.id).importance == (2 if number >= 2 else 1)
    holds(memory)


def test_missing_persona_specific_memory() -> None:
    """Something told to one persona alone is written, listed and moved, and no other persona ever sees it."""
    memory = open_memory()
    coach = memory.session(user="ana", persona="coach")
    sophie = memory.session(user="ana", persona="sophie")
    coach.remember("My cousin Zara is pregnant.", private=True, at=START_MS)
    assert any("Zara" in item.text for item in coach.companion.private())
    assert "Zara" not in sophie.recall("who is Zara?", at=START_MS).text
    secret = next(item for item in coach.companion.private() if "Zara" in item.text)
    shared = coach.companion.move(secret.id, "everyone", at=START_MS).ids[0]
    assert "Zara" in sophie.get(shared).text
    back = coach.companion.move(shared, "persona", at=START_MS).ids[0]
    assert "Zara" in coach.get(back).text
    assert not any("cousin" in item.text for item in sophie.list(status="all", kind="profile").items)
    holds(memory)


@pytest.mark.parametrize("target", ["everyone", "persona"])
def test_moving_says_what_it_did(target: str) -> None:
    """A move is an event in the log, with where the memory stands now."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    chat.remember("My cousin Zara lives in Oslo.", private=target == "everyone", at=START_MS)
    pool = chat.companion.private() if target == "everyone" else chat.list(kind="profile").items
    fact = next(item for item in pool if "Oslo" in item.text)
    receipt = chat.companion.move(fact.id, target, at=START_MS)
    told = [event for event in receipt.trace if event["type"] == "memory_deleted"]
    assert [(event["memory_id"], event["reason"]) for event in told] == [(fact.id, "moved")]
    holds(memory)


def test_a_return_is_the_same_whether_upkeep_ran_or_not() -> None:
    """The old session's messages stay away from another topic and come along with their own, ended or not."""
    told = []
    for runs in (False, True):
        memory = open_memory()
        chat = memory.session(user="ana", persona="coach")
        tell(chat, "The interview at Acme is on Monday.", "I am nervous about the Acme interview.")
        if runs:
            memory.upkeep(START_MS + DAY_MS)
        other = chat.recall("any good pasta recipes?", at=START_MS + 2 * DAY_MS)
        same = chat.recall("what should I wear to the interview?", at=START_MS + 2 * DAY_MS)
        assert "window" not in dict(other.blocks)
        told.append(dict(same.blocks)["window"])
    assert told[0] == told[1] and "nervous about the Acme" in told[0]


def test_a_summary_names_whom_the_user_spoke_of() -> None:
    """Those who were known before count too, by the name they are called; others who are known do not."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "My sister Priya lives in Pune.", "My friend Tom lives in Leeds.")
    tell(chat, "I'll call Priya on Sunday.", at=START_MS + DAY_MS)
    memory.upkeep(START_MS + 2 * DAY_MS)
    assert [summary["people"] for summary in chat.companion.summaries()] == [["Priya", "Tom"], ["Priya"]]
