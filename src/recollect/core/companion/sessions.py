"""When a session begins, goes on and ends; and what is due while it does.

1. A session begins with the user's first message to a persona and ends after a silence (30 minutes, a setting). It is
   one record: its standing counts the messages and holds the moment of the last one.
2. Ending is told by the next message or by upkeep, whichever comes first; it ended when the last message was said.
3. Every fourth message renews the rolling summary, every twentieth the spine.

Never: reads a clock; minutes are between moments that came in as data.
Spec: state and memory model "Session", "State evolution timeline"; facts 3.13; rulings 23, 24, 30.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.core.companion.digest import (
    Line,
    capped_summary,
    lines_from,
    lines_of,
    render_spine,
    render_summary,
    roll,
    spine,
    spine_diff,
    summarise,
)
from recollect.core.companion.layout import Ledger
from recollect.core.companion.ledger import Entry, Shelf, enter, held, is_live, leave, value_of
from recollect.core.events import Counted
from recollect.core.item import MemoryItem
from recollect.core.policy import Companion
from recollect.core.text import normalise
from recollect.core.values import Status
from recollect.core.write.desk import Desk

MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """One session as people see it. `ended_ms` is None while it lasts."""

    id: str
    name: str
    started_ms: int
    last_activity_ms: int
    ended_ms: int | None
    turn_count: int

    def to_dict(self) -> dict[str, object]:
        return {
            "id": self.id,
            "session": self.name,
            "started_at": self.started_ms,
            "last_activity_at": self.last_activity_ms,
            "ended_at": self.ended_ms,
            "turn_count": self.turn_count,
        }


def session_of(item: MemoryItem, ended_ms: int | None = None) -> SessionRecord:
    """Read a session's record. It ended when it was last active, as its summary says, not when somebody noticed."""
    last = ended_ms or last_activity(item)
    return SessionRecord(
        id=item.id,
        name=item.origin.session,
        started_ms=item.origin.at_ms,
        last_activity_ms=last,
        ended_ms=None if item.status is Status.ACTIVE else last,
        turn_count=item.standing.mentions,
    )


def last_activity(item: MemoryItem) -> int:
    """The moment of the last message of an open session."""
    return max(item.origin.at_ms, item.standing.changed_ms)


def is_over(item: MemoryItem, now_ms: int, companion: Companion) -> bool:
    """Whether a session has been silent for longer than it lasts."""
    return now_ms - last_activity(item) > companion.session_minutes * MINUTE_MS


def attend(desk: Desk, ledger: Ledger, companion: Companion, at_ms: int) -> int:
    """Count a message of the user in its session, which may have to end and begin; the persona's messages so far."""
    current = held(desk, ledger.place, Shelf.SESSION, desk.lens.session)
    if current is not None and is_over(current, at_ms, companion):
        close(desk, ledger, current)
        current = None
    if current is None:
        ledger.said.clear()
        _begin(desk, ledger, Shelf.SESSION, desk.lens.session, at_ms)
    else:
        desk.change(current, Counted(current.ref, current.standing.mentions + 1))
    state = held(desk, ledger.place, Shelf.STATE)
    if state is None:
        return _begin(desk, ledger, Shelf.STATE, "", at_ms).standing.mentions
    desk.change(state, Counted(state.ref, state.standing.mentions + 1))
    return state.standing.mentions + 1


def _begin(desk: Desk, ledger: Ledger, shelf: Shelf, name: str, at_ms: int) -> MemoryItem:
    session = name if shelf is Shelf.SESSION else ""
    entry = Entry(shelf=shelf, name=name, text=shelf.lower(), at_ms=at_ms, how="session", session=session)
    return enter(desk, ledger.place, entry)


def close(desk: Desk, ledger: Ledger, session: MemoryItem, words: Mapping[str, object] | None = None) -> MemoryItem:
    """End a session and sum it up, in a model's words where they came in as data; its rolling summary has served."""
    name = session.origin.session
    rolling = held(desk, ledger.place, Shelf.ROLLING, name)
    lines = [*(lines_from(value_of(rolling)) if rolling is not None else []), *_lines(ledger)]
    started, ended = session.origin.at_ms, last_activity(session)
    todos = [todo for todo in open_todos(desk, ledger) if started <= todo.origin.at_ms <= ended]
    facts = [fact for fact in ledger.facts.values() if _is_of(fact, desk, name, started, ended)]
    value = summarise(lines, todos, _people(ledger, lines, facts), desk.lens.persona)
    if words is not None:
        value = capped_summary(words, desk.lens.persona)
    value |= {
        "session_id": session.id,
        "turn_count": session.standing.mentions,
        "started_at": started,
        "ended_at": ended,
    }
    sources = [*([rolling] if rolling is not None else []), *_refs(ledger), *todos, *facts]
    entry = Entry(
        shelf=Shelf.SUMMARY,
        name="",
        text=render_summary(value) or "One-liner: nothing to carry on",
        at_ms=ended,
        value=value,
        sources=sources,
        session=name,
    )
    summary = enter(desk, ledger.place, entry)
    if rolling is not None:
        leave(desk, rolling, "session_closed", summary.ref)
    leave(desk, session, "session_closed", summary.ref)
    ledger.said.clear()
    return summary


def roll_on(desk: Desk, ledger: Ledger, companion: Companion, at_ms: int) -> None:
    """The next version of the rolling summary: the last one, and what was said since."""
    name = desk.lens.session
    before = held(desk, ledger.place, Shelf.ROLLING, name)
    old = value_of(before) if before is not None else {}
    digest = roll(lines_from(old), _lines(ledger), companion.rolling_characters)
    version = int(str(old.get("version", 0))) + 1
    entry = Entry(
        shelf=Shelf.ROLLING,
        name=name,
        text=digest.text or "nothing to carry on",
        at_ms=at_ms,
        value=digest.to_value(version),
        sources=[*([before] if before is not None else []), *_refs(ledger)],
        session=name,
    )
    enter(desk, ledger.place, entry)
    ledger.said.clear()


def grow_spine(desk: Desk, ledger: Ledger, companion: Companion, at_ms: int, messages: int) -> None:
    """The next version of the spine, with what changed."""
    before = held(desk, ledger.place, Shelf.SPINE)
    old = value_of(before) if before is not None else {}
    facts = [fact for fact in (desk.current(fact) for fact in ledger.facts.values()) if fact is not None]
    facts = [fact for fact in facts if fact.status is Status.ACTIVE]
    facts.sort(key=lambda fact: (not fact.standing.is_pinned, -fact.importance, -fact.created_at, fact.ref))
    todos = open_todos(desk, ledger)
    sections = spine(facts, todos, companion.spine_characters)
    earlier = old.get("sections")
    diff = spine_diff(earlier if isinstance(earlier, dict) else {}, sections)
    value: dict[str, object] = {
        "version": int(str(old.get("version", 0))) + 1,
        "message_count": messages,
        "sections": sections,
        "diff": diff,
    }
    # Not the last version: what was erased from the facts must not come back through an older spine.
    entry = Entry(
        shelf=Shelf.SPINE,
        name="",
        text=render_spine(sections) or "nothing lasting yet",
        at_ms=at_ms,
        value=value,
        sources=[*facts, *todos],
    )
    enter(desk, ledger.place, entry)


def open_todos(desk: Desk, ledger: Ledger) -> list[MemoryItem]:
    """What is open with this persona, as this desk has left it, oldest first."""
    return [todo for todo in (desk.current(todo) for todo in ledger.todos.values()) if todo and is_live(desk, todo)]


def _lines(ledger: Ledger) -> list[Line]:
    return [line for said in ledger.said for line in lines_of(said.text, said.weight)]


def _refs(ledger: Ledger) -> list[MemoryItem]:
    return [said.item for said in ledger.said if said.item is not None]


def _people(ledger: Ledger, lines: Sequence[Line], facts: Sequence[MemoryItem]) -> list[str]:
    """Who was mentioned, in that order: those something new was learnt of, and those known whose name was said."""
    said = f" {normalise(' '.join(line.text for line in lines))} "
    known = [fact.fact for fact in (*facts, *ledger.facts.values()) if fact.fact is not None]
    labels = dict.fromkeys(fact.entity_label for fact in known if fact.type == "PEOPLE" and fact.entity_label)
    new = {fact.fact.entity_label: True for fact in facts if fact.fact is not None}
    named = {label: said.find(f" {normalise(label)} ") for label in labels}
    mentioned = [label for label in labels if label in new or named[label] >= 0]
    return sorted(mentioned, key=lambda label: named[label])


def _is_of(fact: MemoryItem, desk: Desk, session: str, started: int, ended: int) -> bool:
    origin = fact.origin
    is_here = (origin.session, origin.persona) == (session, desk.lens.persona)
    return is_here and started <= origin.at_ms <= ended
