"""The working desk of one commit: the slice of state that was gathered, and everything decided on it so far.

1. The engine lays out heads, window, held keys and ageing items; nothing else is ever looked up.
2. Every change goes through `say`, `keep` or `change`, so the desk always equals the fold of its own events.
3. A batch decides turn after turn on the same desk; each turn is one act.

Never: reads a store or a clock; leaves a change without an event.
Spec: architecture "gather, decide, commit"; ruling 4.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from recollect.core.companion.layout import Ledger
from recollect.core.events import BorderCheck, Erased, Event, PhaseStarted, Written
from recollect.core.item import MemoryItem, Phase, standing_of
from recollect.core.policy import Policy
from recollect.core.state import Head, evolve_head, evolve_item
from recollect.core.values import BorderAction, ItemRef, Kind, Lens, Place, Space, Status
from recollect.core.write.candidate import Candidate, Outcome
from recollect.core.write.importance import weigh


@dataclass(slots=True, kw_only=True)
class Act:
    """What one call did: its events in order, with the place each belongs to, and the fate of each offer."""

    at_ms: int
    events: list[tuple[Place, Event]] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    phases: dict[Place, Phase | None] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Desk:
    """Everything a decision may see, and everything it has decided."""

    policy: Policy
    lens: Lens
    heads: dict[Place, Head]
    window: list[MemoryItem] = field(default_factory=list)
    has_window: bool = False
    held: dict[tuple[Place, str], MemoryItem] = field(default_factory=dict)
    ageing: dict[Place, list[MemoryItem]] = field(default_factory=dict)
    created: dict[ItemRef, MemoryItem] = field(default_factory=dict)
    changed: dict[ItemRef, MemoryItem | None] = field(default_factory=dict)
    phases: list[tuple[Place, Phase]] = field(default_factory=list)
    links: list[tuple[ItemRef, ItemRef]] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    erased: dict[ItemRef, bool] = field(default_factory=dict)
    # Only where the policy has a companion.
    ledger: Ledger | None = None

    @property
    def act(self) -> Act:
        return self.acts[-1]

    def say(self, place: Place, event: Event, phase: Phase | None = None) -> None:
        """Record an event and move the place's clock by it."""
        head, act = self.heads[place], self.acts[-1]
        act.events.append((place, event))
        evolve_head(head, event, phase)
        act.phases[place] = head.phase

    def next_ref(self, place: Place, kind: Kind) -> ItemRef:
        return ItemRef(place, kind, self.heads[place].counts[kind] + 1)

    def ensure_phase(self, place: Place) -> Phase:
        """The place's current phase; the first write of a place opens phase-1."""
        head = self.heads[place]
        if head.phase is None:
            self.open_phase(place, name="", reason="auto")
        assert head.phase is not None
        return head.phase

    def open_phase(self, place: Place, *, name: str, reason: str) -> Phase:
        """Start the next phase. Where phases are off the border says no, and one nameless phase is kept."""
        head = self.heads[place]
        is_allowed = self.policy.phase.enabled
        code = "allowed" if is_allowed else "phase_disabled"
        self.say(place, BorderCheck(BorderAction.PHASE_START, place.space, None, is_allowed, code))
        index = 1 if head.phase is None else head.phase.index + 1
        phase = Phase(index=index, started_at=head.tick + 1, name=name, reason=reason)
        self.say(place, PhaseStarted(place, index, head.tick + 1), phase)
        self.phases.append((place, phase))
        return phase

    def build(self, candidate: Candidate, tags: tuple[str, ...], status: Status = Status.ACTIVE) -> MemoryItem:
        """The item a candidate would be, numbered and stamped with the next tick; nothing is said yet."""
        place = candidate.place
        phase = self.ensure_phase(place)
        importance, why = weigh(candidate, self.policy.importance)
        return MemoryItem(
            ref=self.next_ref(place, candidate.kind),
            text=candidate.text,
            source=candidate.source,
            created_at=self.heads[place].tick + 1,
            event_type=candidate.event_type,
            authority=candidate.authority,
            authority_reason=candidate.authority_reason,
            importance_reason=why,
            dedup_key=candidate.key,
            phase=phase,
            origin=candidate.origin,
            standing=standing_of(status, importance, candidate.is_pinned, candidate.mentions),
            policy_tags=tags,
            fact=candidate.fact,
            made_how=candidate.made_how,
            made_from=candidate.made_from,
            promotion_target=candidate.promotion_target,
        )

    def keep(self, item: MemoryItem) -> None:
        """Store an item."""
        standing = item.standing
        place = item.ref.place
        # A summary's turns are gone; what it covers is in its own sealed words.
        parents = item.made_from if item.made_how != "summary" else ()
        event = Written(
            item.ref, standing.status, standing.importance, standing.is_pinned, standing.mentions, parents=parents
        )
        self.say(place, event)
        self.created[item.ref] = item
        self.links.extend((item.ref, parent) for parent in parents)
        if standing.status is not Status.ACTIVE:
            return
        if item.dedup_key:
            self.held[(item.ref.place, item.dedup_key)] = item
        if item.kind is Kind.SHORT_TERM:
            self.window.append(item)
        elif item.ref.place in self.ageing:
            self.ageing[item.ref.place].append(item)

    def change(self, item: MemoryItem, event: Event) -> MemoryItem | None:
        """Say an event about a stored item and hold what the item is after it."""
        self.say(item.ref.place, event)
        current = self.current(item)
        after = evolve_item(current, event, self.act.at_ms) if current is not None else None
        if type(event) is Erased:
            self.erased[item.ref] = True
        if item.ref in self.created:
            if after is None:
                del self.created[item.ref]
            else:
                self.created[item.ref] = after
        else:
            self.changed[item.ref] = after
        self._rehold(item, after)
        return after

    def current(self, item: MemoryItem) -> MemoryItem | None:
        """An item as this desk has left it."""
        if item.ref in self.created:
            return self.created[item.ref]
        return self.changed.get(item.ref, item)

    def _rehold(self, before: MemoryItem, after: MemoryItem | None) -> None:
        slot = (before.ref.place, before.dedup_key)
        is_live = after is not None and after.status is Status.ACTIVE
        if before.dedup_key and slot in self.held and self.held[slot].ref == before.ref:
            if is_live and after is not None:
                self.held[slot] = after
            else:
                del self.held[slot]
        if before.kind is Kind.SHORT_TERM:
            self.window = [item for item in self.window if item.ref != before.ref]
            if is_live and after is not None:
                self.window.append(after)
                self.window.sort(key=lambda item: item.ref.n)

    def check_border(self, action: BorderAction, item: MemoryItem, to_space: Space | None, code: str) -> bool:
        """Ask at the border of the item's place and record the answer."""
        from_space = item.ref.place.space
        self.say(item.ref.place, BorderCheck(action, from_space, to_space, code == "allowed", code, item.ref))
        return code == "allowed"
