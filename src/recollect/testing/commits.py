"""Commits to try a store with, made by the same desk that makes the real ones.

Never: touches a store but through its port, and never invents an event the core would not say.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from recollect.core.events import Erased
from recollect.core.item import Fact, MemoryItem, Origin, stand
from recollect.core.policy import Policy
from recollect.core.values import Authority, EventType, Kind, Lens, Place, Role, Source, Space, Status
from recollect.core.write.candidate import Candidate
from recollect.core.write.desk import Act, Desk
from recollect.ports.store import Command, Commit, Reader, Repository, Writer

AT_MS = 1_767_225_600_000  # 2026-01-01, as data
ANA = Place(Space.USER, "ana")
BOB = Place(Space.USER, "bob")
CHAT = Place(Space.SESSION, "ana")


@contextmanager
def sitting(
    repository: Repository, *places: Place, policy: Policy | None = None, command: Command | None = None
) -> Iterator[Desk]:
    """One write: a desk over the places, and one commit when the block ends well. The first place is the home."""
    with repository.writing(tuple(sorted(places))) as writer:
        desk = seat(writer, *places, policy=policy)
        yield desk
        writer.commit(decided(desk, places[0], command))


def seat(writer: Writer, *places: Place, policy: Policy | None = None) -> Desk:
    """A desk over some places, ready for one act."""
    desk = Desk(policy=policy or Policy(), lens=Lens(user="ana"), heads=writer.heads(places))
    desk.acts.append(Act(at_ms=AT_MS))
    return desk


def decided(desk: Desk, home: Place, command: Command | None = None) -> Commit:
    """Everything a desk has decided, as one commit."""
    return Commit(
        home=home,
        policy=desk.policy,
        acts=desk.acts,
        heads=desk.heads,
        created=desk.created,
        changed=desk.changed,
        phases=desk.phases,
        links=desk.links,
        erased={event.ref: True for act in desk.acts for _, event in act.events if isinstance(event, Erased)},
        command=command,
    )


def offered(place: Place, text: str, kind: Kind = Kind.SEMANTIC, key: str = "") -> Candidate:
    """A user's turn as a candidate of that kind."""
    return Candidate(
        kind=kind,
        place=place,
        text=text,
        source=Source.USER,
        event_type=EventType.CONTEXT,
        authority=Authority.USER_ASSERTED,
        authority_reason="source:user",
        origin=Origin(role=Role.USER, at_ms=AT_MS),
        key=key,
    )


def keep(desk: Desk, candidate: Candidate, status: Status = Status.ACTIVE, importance: int = 1) -> MemoryItem:
    """Build and store a candidate."""
    item = stand(desk.build(candidate, ("allowed_by:privacy",), status), importance=importance)
    desk.keep(item)
    return item


def keep_many(repository: Repository, place: Place, kind: Kind, count: int) -> list[MemoryItem]:
    """Some items of one kind in one commit, oldest first."""
    with sitting(repository, place) as desk:
        return [keep(desk, offered(place, f"{kind} {number}", kind)) for number in range(1, count + 1)]


def full_candidate(place: Place) -> Candidate:
    """A candidate with every field an item can carry."""
    candidate = offered(place, "Ana lives in Lisbon", Kind.PROFILE, "profile|person|user|fact|lives_in")
    candidate.event_type = EventType.FACT
    candidate.made_how = "fact"
    candidate.promotion_target = "project"
    candidate.fact = Fact(
        key="lives_in",
        value="Lisbon",
        type="PROFILE",
        entity_type="person",
        fact_type="fact",
        entity_refs=("person:ana", "place:lisbon"),
        entity_label="Ana",
        confidence=900_000,
    )
    candidate.origin = Origin(
        role=Role.USER,
        at_ms=AT_MS,
        speaker="Ana",
        ref="message-17",
        session="s1",
        persona="coach",
        source="file:notes.md",
        tool="reader",
        files=("a.py", "b c.py"),
        extra=(("mood", "good"), ("number", "3")),
    )
    return candidate


def everything(reader: Reader, place: Place) -> object:
    """All a reader tells about a place, for comparing before with after."""
    return (
        reader.heads([place]),
        reader.phases(place),
        list(reader.documents(place)),
        reader.window(place),
        reader.records(place, 0, 10_000),
        reader.places(),
        reader.counts(),
    )
