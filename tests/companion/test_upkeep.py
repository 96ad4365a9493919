"""Upkeep: what is due is done once, from however many processes, and on the next write where nobody runs it."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path

from talks import DAY_MS, HOUR_MS, MINUTE_MS, START_MS, everything, holds, open_memory, tell

from recollect.assemble import preset_text
from recollect.core.values import Status


def _run_upkeep(path: str, gate: object, now: int) -> None:
    from recollect import Memory

    with Memory.open(path, policy="companion") as memory:
        gate.wait()  # type: ignore[attr-defined]
        for _ in range(3):
            memory.upkeep(now)


def test_several_processes_do_a_thing_once(tmp_path: Path) -> None:
    """Three processes at once: each session has one summary, and the log verifies."""
    path = str(tmp_path / "memory.db")
    with open_memory(path) as memory:
        for user in range(20):
            tell(memory.session(user=f"u{user}", persona="coach"), "I decided to move to Lisbon.", "My name is Ada.")
    context = multiprocessing.get_context("spawn")
    gate = context.Barrier(3)
    workers = [context.Process(target=_run_upkeep, args=(path, gate, START_MS + DAY_MS)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
        assert worker.exitcode == 0
    with open_memory(path) as memory:
        summaries = [item for item in everything(memory) if item.fact is not None and item.fact.type == "SUMMARY"]
        assert len(summaries) == 20
        holds(memory)


def test_upkeep_twice_changes_nothing() -> None:
    """The second run finds nothing due: same hash, no new record."""
    memory = open_memory()
    tell(memory.session(user="ana", persona="coach"), "I decided to move to Lisbon.", "My name is Ada.")
    memory.upkeep(START_MS + DAY_MS)
    before = memory.state_hash()
    assert set(memory.upkeep(START_MS + DAY_MS).to_dict().values()) == {0}
    assert memory.state_hash() == before


def test_nothing_depends_on_upkeep() -> None:
    """A user who comes back finds the same summary, whether upkeep ran or not."""
    told = []
    for runs in (True, False):
        memory = open_memory()
        chat = memory.session(user="ana", persona="coach")
        tell(chat, "I decided to move to Lisbon.", "My sister Priya lives in Pune.", "I'll call her tomorrow.")
        if runs:
            memory.upkeep(START_MS + HOUR_MS)
        chat.remember("good morning", at=START_MS + DAY_MS)
        summary = chat.companion.summary()
        assert summary is not None
        told.append({name: value for name, value in summary.items() if name != "id"})
    assert told[0] == told[1]


def test_one_user_s_upkeep_leaves_the_others_alone() -> None:
    """`upkeep(user=...)` touches that user only."""
    memory = open_memory()
    for user in ("ana", "ben"):
        tell(memory.session(user=user, persona="coach"), "hello there")
    assert memory.upkeep(START_MS + DAY_MS, user="ana").sessions_closed == 1
    assert memory.session(user="ben", persona="coach").companion.sessions()[0].ended_ms is None


def test_each_conversation_has_its_own_session() -> None:
    """Two named conversations with one persona are two sessions; the persona's messages are counted together."""
    memory = open_memory()
    one, two = (memory.session(user="ana", persona="coach", session=name) for name in ("one", "two"))
    tell(one, "hello there", "and again")
    tell(two, "hello from the other side")
    assert [(s.name, s.turn_count) for s in one.companion.sessions()] == [("one", 2), ("two", 1)]
    assert one.companion.state()["message_count"] == 3
    memory.upkeep(START_MS + DAY_MS)
    assert len(one.companion.summaries()) == 2


def test_a_batch_is_the_same_as_one_by_one() -> None:
    """Forty turns in one commit leave the same sessions, summaries, spine and todos as forty calls."""
    texts = [
        {0: "I live in Austin.", 3: "I'll buy milk tomorrow.", 9: "I bought milk.", 15: "I keep losing my keys."}.get(
            number, f"I decided that thing {number} is fine."
        )
        for number in range(40)
    ]
    times = [START_MS + number * MINUTE_MS + (number // 13) * HOUR_MS for number in range(40)]
    told = []
    for is_batch in (True, False):
        memory = open_memory()
        chat = memory.session(user="ana", persona="coach")
        turns = [{"text": text, "at": at} for text, at in zip(texts, times, strict=True)]
        if is_batch:
            chat.remember_many(turns)
        else:
            for turn in turns:
                chat.remember(str(turn["text"]), at=int(str(turn["at"])))
        face = chat.companion
        sessions = [session.to_dict() for session in face.sessions()]
        todos = [todo.to_dict() for todo in face.todos(status="all", at=START_MS)]
        told.append(json.dumps([sessions, todos, face.summaries(), face.rolling(), face.spine()], sort_keys=True))
        holds(memory)
    assert told[0] == told[1]


def test_export_and_restore_carry_everything(tmp_path: Path) -> None:
    """A restored memory answers as the exported one did."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "My sister Priya lives in Pune.", "I'll call her tomorrow.", "a thing", "another thing")
    memory.upkeep(START_MS + HOUR_MS)
    memory.export(tmp_path / "all.jsonl")
    other = open_memory()
    other.restore(tmp_path / "all.jsonl")
    again = other.session(user="ana", persona="coach")
    assert other.state_hash() == memory.state_hash()
    assert again.companion.summary() == chat.companion.summary()
    assert again.companion.todos(at=START_MS) == chat.companion.todos(at=START_MS)
    holds(other)


def test_erasing_a_user_leaves_nothing_in_the_ledgers() -> None:
    """Sessions, todos, summaries, spellings and the seed go with the user."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "My friend Makesh works at Acme.", "My friend Mukesh plays the guitar.", "I'll buy milk tomorrow.")
    chat.companion.import_seed("Ana is a surgeon.", at=START_MS)
    chat.companion.merge("Makesh", "Mukesh", at=START_MS)
    memory.upkeep(START_MS + DAY_MS)
    memory.erase_user("ana")
    assert everything(memory) == []
    assert memory.verify().verdict == "ok"


def test_erasing_a_turn_takes_it_out_of_every_summary() -> None:
    """What was made from a turn, through any number of versions, no longer holds its words."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    for number in range(20):
        text = "I decided to call the zebra Otto." if number == 2 else f"I decided that thing {number} is fine."
        chat.remember(text, at=START_MS + number * MINUTE_MS, ref=f"m{number}")
    memory.upkeep(START_MS + DAY_MS)
    assert any("zebra" in item.text for item in everything(memory) if item.fact is not None)
    chat.erase_ref("m2")
    assert not [item for item in everything(memory) if "zebra" in item.text or "zebra" in str(item.fact)]
    assert memory.verify().verdict == "ok"


def test_a_session_that_begins_and_ends_within_one_batch_takes_the_place_of_the_last_summary() -> None:
    """Two messages an hour apart in one call, after upkeep ended what was before: one live summary, not two."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "The roof leaks.")
    memory.upkeep(START_MS + DAY_MS)
    later = START_MS + 2 * DAY_MS
    chat.remember_many([{"text": "The roof is fine.", "at": later}, {"text": "So it is.", "at": later + 2 * HOUR_MS}])
    assert [summary["turn_count"] for summary in chat.companion.summaries()] == [1, 1]
    assert sum(item.dedup_key == "summary|" for item in everything(memory) if item.status is Status.ACTIVE) == 1
    holds(memory)


def test_users_with_nothing_due_are_not_visited(tmp_path: Path) -> None:
    """After upkeep everybody rests: until they speak, a silence has lasted, or the curator's day is over."""
    with open_memory(str(tmp_path / "memory.db")) as memory:
        users = [memory.session(user=f"u{number}", persona="coach") for number in range(5)]
        for chat in users:
            tell(chat, "My name is Ada.", "My sister Priya lives in Pune.")
        assert memory.upkeep(START_MS + MINUTE_MS).users == 5
        assert memory.upkeep(START_MS + 2 * MINUTE_MS).users == 0
        # The last message came a minute after the first.
        assert memory.upkeep(START_MS + 31 * MINUTE_MS).users == 0
        assert memory.upkeep(START_MS + 31 * MINUTE_MS + 1).sessions_closed == 5
        assert memory.upkeep(START_MS + 365 * DAY_MS).users == 0
        tell(users[3], "I like tea.", at=START_MS + 366 * DAY_MS)
        assert memory.upkeep(START_MS + 366 * DAY_MS).users == 1
        assert memory.upkeep(START_MS + 366 * DAY_MS, user="u0").users == 1
        done = memory.upkeep(START_MS + 368 * DAY_MS)
        assert (done.users, done.sessions_closed) == (1, 1)


def test_another_policy_looks_at_everybody_again(tmp_path: Path) -> None:
    """What rests by one policy may be due by another."""
    path = str(tmp_path / "memory.db")
    strict = tmp_path / "strict.toml"
    strict.write_text(preset_text("companion").replace("session_minutes = 30", "session_minutes = 5"), encoding="utf-8")
    with open_memory(path) as memory:
        tell(memory.session(user="ana", persona="coach"), "My name is Ada.")
        assert memory.upkeep(START_MS + MINUTE_MS).sessions_closed == 0
    with open_memory(path, policy=str(strict)) as memory:
        assert memory.upkeep(START_MS + 6 * MINUTE_MS).sessions_closed == 1
