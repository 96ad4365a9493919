"""Persona isolation as a property: nothing persona-scoped of A is ever readable in B, by any call."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from talks import MINUTE_MS, START_MS, holds, open_memory

from recollect import Memory, Session
from recollect.errors import NotFound, RecollectError

PERSONAS = ("coach", "sophie", "")
MARKS = {"coach": "Quokkalisk", "sophie": "Wombatrine", "": "Numbatrope"}
EXAMPLES = 300 if os.environ.get("RECOLLECT_SOAK") == "1" else 30
# What a user says to one persona. None of it states a fact, so none of it is everybody's.
SAYINGS = (
    "I'll water the {mark} tomorrow.",
    "I want to polish the {mark} every morning.",
    "I keep losing the {mark}.",
    "Maybe I could repaint the {mark}.",
    "I've been thinking about the {mark}.",
    "We talked about the {mark} at length.",
    "I already watered the {mark}.",
    "Never mind the {mark}.",
    "hello",
)
# Told to one persona alone: facts that only it may know.
SECRETS = ("My cousin {mark} lives in Oslo.", "My name is {mark}.", "My friend {mark} likes chess.")

steps = st.lists(
    st.tuples(
        st.sampled_from(PERSONAS),
        st.one_of(st.sampled_from(SAYINGS), st.sampled_from(SECRETS)),
        st.sampled_from((MINUTE_MS, 31 * MINUTE_MS, 26 * 60 * MINUTE_MS)),
        st.sampled_from(("", "", "", "upkeep", "curate", "use")),
    ),
    min_size=4,
    max_size=40,
)


def play(memory: Memory, talk: list[tuple[str, str, int, str]]) -> int:
    at = START_MS
    for persona, saying, gap, then in talk:
        at += gap
        chat = memory.session(user="ana", persona=persona)
        is_secret = saying in SECRETS
        if is_secret and not persona:
            continue
        # A session without a persona speaks to everyone: only what is scoped by itself is marked there.
        if not persona and saying not in SAYINGS[:5]:
            continue
        chat.remember(saying.format(mark=MARKS[persona]), at=at, private=is_secret)
        if then == "upkeep":
            memory.upkeep(at)
        elif then == "curate":
            chat.companion.curate(at=at)
        elif then == "use":
            context = chat.recall("what about it?", at=at)
            with contextlib.suppress(RecollectError):
                context.used([choice.item.id for choice in context.choices if choice.verdict == "kept"][:3])
    return at


def readings(chat: Session, at: int, foreign_ids: list[str], marks: list[str]) -> Iterator[tuple[str, str]]:
    """Everything a session can be asked, as text."""
    companion = chat.companion
    for query in (*marks, "what did I promise?", ""):
        yield f"recall {query}", str(chat.recall(query, at=at).text) + str(chat.recall(query, at=at).trace)
        yield f"search {query}", str(chat.search(query or "x", limit=100))
    yield "as of", chat.recall(marks[0], at=at, as_of=at).text
    yield "list", str(chat.list(status="all", limit=1_000).items)
    yield "todos", str(companion.todos(status="all", at=at))
    yield "people", str(companion.people()) + str(companion.spellings())
    yield "sessions", str(companion.sessions()) + str(companion.state())
    yield "summaries", str(companion.summaries()) + str(companion.rolling()) + str(companion.spine())
    yield "private", str(companion.private())
    yield "curate", str(companion.curate(dry_run=True, at=at).to_dict())
    yield "traces", str(chat.traces(limit=1_000, recalls=False))
    for item in chat.list(status="all", limit=1_000).items:
        yield "sources", str(chat.sources(item.id))
    for mark in marks:
        with contextlib.suppress(NotFound):
            yield "card", str(companion.card(mark))
    for item_id in foreign_ids:
        with contextlib.suppress(NotFound):
            yield f"get {item_id}", str(chat.get(item_id)) + str(chat.sources(item_id))


def leaks(memory: Memory, at: int) -> list[str]:
    """Every reading of a persona that holds another persona's mark."""
    found = []
    ids = {name: _ids(memory, name) for name in PERSONAS}
    for reader in PERSONAS:
        chat = memory.session(user="ana", persona=reader)
        others = [name for name in PERSONAS if name != reader and name]
        foreign = [item_id for name in others for item_id in ids[name]]
        # What is said without a persona may be read by all, but for its todos and summaries.
        for what, text in readings(chat, at, foreign, [MARKS[name] for name in others] or ["x"]):
            queried = what.partition(" ")[2]
            for name in others:
                if MARKS[name] in text.replace(f"'query': '{queried}'", ""):
                    found.append(f"{reader or 'nobody'} read {name} by {what}")
    return found


def _ids(memory: Memory, persona: str) -> list[str]:
    owners = [place for place in memory.owners() if persona and f"~{persona}" in place.owner]
    with memory._office("default").repository.reading() as reader:
        from recollect.engine.listing import all_items

        return [item.id for place in owners for item in all_items(reader, place)]


@given(talk=steps)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_nothing_of_one_persona_is_readable_in_another(talk: list[tuple[str, str, int, str]]) -> None:
    """Across random conversations, no call of B returns a word that was scoped to A."""
    memory = open_memory()
    at = play(memory, talk)
    assert leaks(memory, at) == []
    holds(memory)


def test_the_hunt_finds_a_planted_leak() -> None:
    """The property is not blind: a private fact moved to everyone is reported at once."""
    memory = open_memory()
    at = play(memory, [("coach", SECRETS[0], MINUTE_MS, "")])
    assert leaks(memory, at) == []
    coach = memory.session(user="ana", persona="coach")
    for fact in coach.companion.private():
        coach.companion.move(fact.id, "everyone", at=at)
    assert leaks(memory, at)


def test_without_own_episodes_the_hunt_would_find_what_was_said() -> None:
    """The setting that keeps what was said with its persona is what closes that way."""
    from recollect.assemble import preset_text

    open_policy = preset_text("companion").replace("session_minutes = 30", "own_episodes = false")
    memory = open_memory(policy=open_policy)
    at = play(memory, [("coach", SAYINGS[5], MINUTE_MS, "")])
    assert any("search" in leak for leak in leaks(memory, at))
