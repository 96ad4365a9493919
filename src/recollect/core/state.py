"""What a place is after its events: the fold that every store must agree with.

1. `Head` is the small part: clock, counters, current phase.
2. `evolve_head` moves a head by one event; `evolve_standing` changes one item by one event.
3. A tick is consumed by each created item (kept or denied) and by each phase start, and by nothing else.

Never: reads a store, a clock or a policy. Stores call it, replay calls it, the working desk of a decision calls it.
Spec: rulings 4 and 8; law 1 (replay).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from recollect.core.events import (
    Archived,
    Conflict,
    Counted,
    Deleted,
    Denied,
    Erased,
    Event,
    Marked,
    Merged,
    PhaseStarted,
    Pinned,
    Restored,
    Reused,
    Written,
)
from recollect.core.item import MemoryItem, Phase, Standing
from recollect.core.values import ItemRef, Kind, Place, Status


@dataclass(slots=True, kw_only=True)
class Head:
    """The clock of one place, how many items of each kind it ever numbered, and its current phase."""

    place: Place
    tick: int = 0
    counts: dict[Kind, int] = field(default_factory=lambda: {Kind.SHORT_TERM: 0, Kind.SEMANTIC: 0, Kind.PROFILE: 0})
    phase: Phase | None = None
    seq: int = 0
    # The store's own number of the place, never used again: what is cached for one number is not served for another.
    number: int = 0

    def copy(self) -> Head:
        return replace(self, counts=dict(self.counts))


# The events that move a clock; most events only explain, and are told apart here in one step.
_MOVING = frozenset({Written, Denied, Merged, Conflict, PhaseStarted})


def evolve_head(head: Head, event: Event, phase: Phase | None = None) -> None:
    """Move the clock and the counters; `phase` is the phase a PhaseStarted opens."""
    if type(event) not in _MOVING:
        return
    match event:
        case Written(ref=ref) | Denied(ref=ref) | Merged(ref=ref):
            head.tick += 1
            head.counts[ref.kind] = max(head.counts[ref.kind], ref.n)
        case Conflict(loser=loser) if loser.place == head.place and loser.n > head.counts[loser.kind]:
            # The offered item lost and was not kept: its number and tick are spent all the same.
            head.tick += 1
            head.counts[loser.kind] = loser.n
        case PhaseStarted(tick=tick):
            head.tick = tick
            head.phase = phase
        case _:
            pass


def evolve_standing(standing: Standing, event: Event, at_ms: int) -> Standing | None:
    """What an item's standing is after an event that names it; None when the item is gone."""
    match event:
        case Deleted() | Erased():
            return None
        case Archived(reason=reason, replaced_by=replaced_by):
            return replace(standing, status=Status.ARCHIVED, reason=reason, replaced_by=replaced_by, changed_ms=at_ms)
        case Restored(status=status):
            return replace(standing, status=status, reason="", replaced_by=None, changed_ms=at_ms)
        case Pinned(is_pinned=is_pinned, importance=importance):
            return replace(standing, is_pinned=is_pinned, importance=importance)
        case Marked(importance=importance) | Conflict(kept_importance=importance):
            return replace(standing, importance=importance)
        case Merged(mentions=mentions) | Reused(mentions=mentions):
            return replace(standing, mentions=mentions)
        case Counted(total=total):
            # What is told late does not turn the time back.
            return replace(standing, mentions=total, changed_ms=max(standing.changed_ms, at_ms))
        case _:
            return standing


def evolve_item(item: MemoryItem, event: Event, at_ms: int) -> MemoryItem | None:
    """The same for a whole item."""
    after = evolve_standing(item.standing, event, at_ms)
    return None if after is None else replace(item, standing=after)


def subject(event: Event) -> ItemRef | None:
    """The stored item whose standing an event changes, if any."""
    match event:
        case Deleted(ref=ref) | Erased(ref=ref) | Archived(ref=ref) | Restored(ref=ref):
            return ref
        case Pinned(ref=ref) | Marked(ref=ref) | Counted(ref=ref) | Reused(ref=ref):
            return ref
        case Merged(into=into):
            return into
        case Conflict(winner=winner):
            return winner
        case _:
            return None
