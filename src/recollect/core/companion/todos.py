"""A todo as an item: how a draft becomes a candidate, and how one reads to people.

Its key is `todo|<kind>:<dedupe key>`, so the same thing said twice to one persona is one todo, counted; two kinds never
meet. It is born in the persona's ledger and cannot be anywhere else.

Never: lives in a place that another persona reads.
Spec: facts 3.10; rulings 22, 29.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from recollect.core.companion.due import OFFSET, due_ms, offset_ms
from recollect.core.companion.ledger import Shelf, key_of
from recollect.core.companion.loops import Loop, LoopDraft
from recollect.core.companion.outcomes import kind_of
from recollect.core.item import Fact, MemoryItem, Origin
from recollect.core.values import EventType, Kind, Place, Status
from recollect.core.write.candidate import Candidate

# What a promise or an open matter says of time is when it is due; a habit and a friction come again.
DATED = (Loop.COMMITMENT, Loop.THREAD)
# A todo's state in the document's words, by the reason it left with.
STATES = {"completed": "COMPLETED", "became_habit": "PROMOTED", "superseded": "SKIPPED"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """One todo as people see it; `due_ms` 0 means no time was named."""

    id: str
    kind: Loop
    text: str
    status: str
    created_ms: int
    due_ms: int
    is_overdue: bool
    mentions: int
    changed_ms: int

    def to_dict(self) -> dict[str, object]:
        return {
            "id": self.id,
            "kind": str(self.kind),
            "text": self.text,
            "status": self.status,
            "created_at": self.created_ms,
            "due_at": self.due_ms or None,
            "overdue": self.is_overdue,
            "mention_count": self.mentions,
            "changed_at": self.changed_ms or None,
        }


def todo_candidate(heard: Candidate, place: Place, draft: LoopDraft) -> Candidate:
    """The item a draft would be, in the words and with the trust of the turn it came from."""
    ahead_ms = offset_ms(dict(heard.origin.extra).get(OFFSET, ""))
    due = due_ms(draft.content, heard.origin.at_ms, ahead_ms) if draft.kind in DATED else 0
    extra = (("due_ms", str(due)),) if due else ()
    return Candidate(
        kind=Kind.PROFILE,
        place=place,
        text=draft.content,
        source=heard.source,
        event_type=EventType.FACT,
        authority=heard.authority,
        authority_reason=heard.authority_reason,
        origin=replace(heard.origin, extra=extra),
        key=key_of(Shelf.TODO, f"{draft.kind}:{draft.dedupe_key}"),
        fact=Fact(
            key="todo",
            value=draft.content,
            type=Shelf.TODO,
            fact_type=draft.kind,
            confidence=draft.confidence,
        ),
        made_how="fact",
        is_private=heard.is_private,
    )


def clock_of(origin: Origin) -> tuple[tuple[str, str], ...]:
    """What a turn says about the user's clock, if anything."""
    return tuple(pair for pair in origin.extra if pair[0] == OFFSET)


def due_of(item: MemoryItem) -> int:
    return int(dict(item.origin.extra).get("due_ms", "0"))


def todo_of(item: MemoryItem, now_ms: int) -> Todo:
    """Read a todo. It is overdue when its moment is past and it is still open."""
    kind = kind_of(item)
    assert kind is not None
    is_open = item.status is Status.ACTIVE
    due = due_of(item)
    return Todo(
        id=item.id,
        kind=kind,
        text=item.text,
        status="PENDING" if is_open else STATES.get(item.standing.reason, "SKIPPED"),
        created_ms=item.origin.at_ms,
        due_ms=due,
        is_overdue=is_open and 0 < due < now_ms,
        mentions=item.standing.mentions,
        changed_ms=item.standing.changed_ms,
    )
