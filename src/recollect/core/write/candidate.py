"""A memory that is still being decided about, and what became of it.

Never: outlives the decision it belongs to.
Spec: ruling 9 (nothing disappears silently).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.core.item import Fact, MemoryItem, Origin
from recollect.core.values import Authority, EventType, ItemRef, Kind, Place, Source

Fate = Literal["written", "merged", "denied", "quarantined", "lost"]


@dataclass(slots=True, kw_only=True)
class Candidate:
    """One item a turn offers: what it would be if nothing stops it."""

    kind: Kind
    place: Place
    text: str
    source: Source
    event_type: EventType
    authority: Authority
    authority_reason: str
    origin: Origin
    key: str = ""
    fact: Fact | None = None
    importance_hint: int = 0
    quarantine: str = ""
    secret_codes: tuple[str, ...] = ()
    denial: str = ""
    made_how: str = ""
    made_from: tuple[ItemRef, ...] = ()
    is_pinned: bool = False
    promotion_target: str = ""
    is_low_signal: bool = False
    is_private: bool = False
    mentions: int = 1


class Outcome(NamedTuple):
    """What became of one offered item: exactly one fate, with its code."""

    ref: ItemRef
    fate: Fate
    code: str
    item: MemoryItem | None = None
    into: ItemRef | None = None
