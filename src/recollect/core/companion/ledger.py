"""Where a companion's own records live, and how one is written.

1. A persona has a ledger, `user:<user>~<persona>~ledger`: sessions, summaries, the spine, todos. A user has one for all
   personas, `user:<user>~~ledger`: the seed, confirmed spellings, the curator's runs. They are places like any other:
   own clock, own chain, own numbers. No recall searches them, so nothing of one persona can be found through another.
2. A record is an item: its words are sealed and erasable, its standing is moved by events. What is closed, done or
   replaced is archived with its reason; one live record per key.
3. A new version takes the place of the last one and cites it.

Never: raises trust. A record has the lowest authority of what it was made from.
Spec: rulings 6, 8, 22 to 24, 29, 30; decision 0020.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from recollect.core.canonical import canonical
from recollect.core.events import Archived
from recollect.core.item import Fact, MemoryItem, Origin
from recollect.core.values import Authority, EventType, ItemRef, Kind, Place, Role, Source, Status
from recollect.core.write.authority import cap, lowest
from recollect.core.write.candidate import Candidate
from recollect.core.write.desk import Desk


class Shelf(StrEnum):
    """What a record of a ledger is."""

    TODO = "TODO"
    STATE = "STATE"
    SESSION = "SESSION"
    ROLLING = "ROLLING"
    SUMMARY = "SUMMARY"
    SPINE = "SPINE"
    SEED = "SEED"
    ALIAS = "ALIAS"
    CURATOR = "CURATOR"
    PENDING = "PENDING"
    ANSWER = "ANSWER"
    USES = "USES"


def key_of(shelf: Shelf, name: str = "") -> str:
    return f"{shelf.lower()}|{name}"


def held(desk: Desk, place: Place, shelf: Shelf, name: str = "") -> MemoryItem | None:
    """The live record of that key, if there is one on the desk."""
    return desk.held.get((place, key_of(shelf, name)))


def value_of(item: MemoryItem) -> dict[str, object]:
    """The structured part of a record."""
    if item.fact is None or not item.fact.value.startswith("{"):
        return {}
    found = json.loads(item.fact.value)
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A record about to be written."""

    shelf: Shelf
    name: str
    text: str
    at_ms: int
    value: dict[str, object] = field(default_factory=dict)
    sources: Sequence[MemoryItem | ItemRef] = ()
    how: str = "digest"
    kind: str = ""
    session: str = ""
    refs: tuple[str, ...] = ()
    label: str = ""


def enter(desk: Desk, place: Place, entry: Entry, reason: str = "superseded") -> MemoryItem:
    """Write a record; the one that held its key steps back for it."""
    old = desk.held.pop((place, key_of(entry.shelf, entry.name)), None)
    item = desk.build(_candidate(desk, place, entry), ("allowed_by:privacy",))
    desk.keep(item)
    if old is not None:
        desk.change(old, Archived(old.ref, reason, item.ref))
    return item


def leave(desk: Desk, item: MemoryItem, reason: str, heir: ItemRef | None = None) -> MemoryItem | None:
    """Close a record: it is kept, and no longer live."""
    return desk.change(item, Archived(item.ref, reason, heir))


def is_live(desk: Desk, item: MemoryItem) -> bool:
    current = desk.current(item)
    return current is not None and current.status is Status.ACTIVE


def _candidate(desk: Desk, place: Place, entry: Entry) -> Candidate:
    known = [source.authority for source in entry.sources if isinstance(source, MemoryItem)]
    return Candidate(
        kind=Kind.PROFILE,
        place=place,
        text=entry.text,
        source=Source.SYSTEM,
        event_type=EventType.CONTEXT,
        authority=lowest([cap(Authority.USER_ASSERTED, desk.policy, desk.lens), *known], desk.policy),
        authority_reason=entry.how,
        origin=Origin(role=Role.SYSTEM, at_ms=entry.at_ms, session=entry.session, persona=desk.lens.persona),
        key=key_of(entry.shelf, entry.name),
        fact=Fact(
            key=entry.shelf.lower(),
            value=canonical(entry.value) if entry.value else "",
            type=entry.shelf,
            fact_type=entry.kind,
            entity_refs=entry.refs,
            entity_label=entry.label,
            source=entry.how,
        ),
        made_how=entry.how,
        made_from=tuple(source.ref if isinstance(source, MemoryItem) else source for source in entry.sources),
    )
