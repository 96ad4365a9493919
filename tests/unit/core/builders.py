"""Small makers of core values for the unit tests: what a test does not name has a plain default."""

from __future__ import annotations

from recollect.assemble import read_policy
from recollect.core.item import MemoryItem, Origin, Phase, Standing
from recollect.core.policy import Policy
from recollect.core.values import (
    Authority,
    EventType,
    ItemRef,
    Kind,
    Lens,
    Place,
    Role,
    Source,
    Space,
    Status,
    Turn,
)
from recollect.core.write.candidate import Candidate

ANA = Place(Space.USER, "ana")
CHAT = Place(Space.SESSION, "ana")
CONTRACT: Policy = read_policy("contract")
DEFAULT: Policy = read_policy("default")
LENS = Lens(user="ana")


def item(
    text: str = "x",
    *,
    n: int = 1,
    place: Place = ANA,
    kind: Kind = Kind.SEMANTIC,
    created_at: int = 1,
    event_type: EventType = EventType.CONTEXT,
    authority: Authority = Authority.USER_ASSERTED,
    importance: int = 1,
    status: Status = Status.ACTIVE,
    is_pinned: bool = False,
    phase: int = 1,
    source: Source = Source.USER,
    at_ms: int = 0,
    speaker: str = "",
    made_how: str = "",
    key: str = "",
) -> MemoryItem:
    """A memory item."""
    return MemoryItem(
        ref=ItemRef(place, kind, n),
        text=text,
        source=source,
        created_at=created_at,
        event_type=event_type,
        authority=authority,
        authority_reason="source:user",
        importance_reason=(f"event:{event_type}",),
        dedup_key=key,
        phase=Phase(index=phase, started_at=1),
        origin=Origin(role=Role.USER, at_ms=at_ms, speaker=speaker),
        standing=Standing(status=status, importance=importance, is_pinned=is_pinned),
        made_how=made_how,
    )


def candidate(
    text: str = "x",
    *,
    kind: Kind = Kind.SEMANTIC,
    event_type: EventType = EventType.CONTEXT,
    source: Source = Source.USER,
    authority: Authority = Authority.USER_ASSERTED,
    place: Place = ANA,
) -> Candidate:
    """An offered item."""
    return Candidate(
        kind=kind,
        place=place,
        text=text,
        source=source,
        event_type=event_type,
        authority=authority,
        authority_reason="source:user",
        origin=Origin(role=Role.USER, at_ms=0),
    )


def turn(text: str = "x", *, role: Role = Role.USER, source: str = "chat", tool: str = "") -> Turn:
    """A turn as the door hands it over."""
    return Turn(text=text, role=role, at_ms=0, source=source, tool=tool)
