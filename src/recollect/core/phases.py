"""What changed between two phases of a place.

An item is replaced when a newer holder of its key took its place, and the log says which; that is followed from
link to link, so no key of a deleted item has to be kept to compare phases.

Never: starts a phase (the desk does) or reads text.
Spec: contract v1 phases; facts 4.13; ruling 12.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from recollect.core.events import Archived, Deleted, Erased, Event, PhaseStarted, Restored, Written
from recollect.core.values import ItemRef, Status

TOP_CHANGES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference: what was there before and what is there now."""

    change: str
    before: ItemRef | None
    after: ItemRef | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseDiff:
    """Everything that differs between the ends of two phases."""

    from_phase: int
    to_phase: int
    added: tuple[ItemRef, ...]
    deleted: tuple[ItemRef, ...]
    replaced: tuple[tuple[ItemRef, ItemRef], ...]

    @property
    def changes(self) -> tuple[Change, ...]:
        """Replaced first, then added, then deleted."""
        return (
            *(Change(change="replaced", before=old, after=new) for old, new in self.replaced),
            *(Change(change="added", before=None, after=ref) for ref in self.added),
            *(Change(change="deleted", before=ref, after=None) for ref in self.deleted),
        )

    @property
    def summary_lines(self) -> tuple[str, ...]:
        return (
            f"Added {len(self.added)} items",
            f"Deleted {len(self.deleted)} items",
            f"Replaced {len(self.replaced)} items",
        )


def diff_phases(events: Iterable[Event], from_phase: int, to_phase: int) -> PhaseDiff:
    """Compare what was live at the end of one phase with the end of another. Unknown phases have no items."""
    ends, heirs = _ends(events)
    before, after = ends.get(from_phase, {}), ends.get(to_phase, {})
    new = [ref for ref in after if ref not in before]
    gone = [ref for ref in before if ref not in after]
    if from_phase not in ends or to_phase not in ends:
        new, gone = [], []
    replaced = []
    newcomers = dict.fromkeys(new, True)
    for ref in gone:
        heir = _heir(ref, heirs, newcomers)
        if heir is not None:
            replaced.append((ref, heir))
    taken_old = {old: True for old, _ in replaced}
    taken_new = {heir: True for _, heir in replaced}
    return PhaseDiff(
        from_phase=from_phase,
        to_phase=to_phase,
        added=tuple(sorted(ref for ref in new if ref not in taken_new)),
        deleted=tuple(sorted(ref for ref in gone if ref not in taken_old)),
        replaced=tuple(sorted(replaced)),
    )


def _ends(events: Iterable[Event]) -> tuple[dict[int, dict[ItemRef, bool]], dict[ItemRef, ItemRef]]:
    """What was live at the end of each phase, and who replaced whom."""
    live: dict[ItemRef, bool] = {}
    heirs: dict[ItemRef, ItemRef] = {}
    ends: dict[int, dict[ItemRef, bool]] = {}
    phase = 0
    for event in events:
        match event:
            case PhaseStarted(number=number):
                if phase:
                    ends[phase] = dict(live)
                phase = number
            case Written(ref=ref, status=Status.ACTIVE):
                live[ref] = True
            case Restored(ref=ref, status=Status.ACTIVE):
                live[ref] = True
            case Erased(ref=ref):
                live.pop(ref, None)
            case Deleted(ref=ref, replaced_by=heir) | Archived(ref=ref, replaced_by=heir):
                live.pop(ref, None)
                if heir is not None:
                    heirs[ref] = heir
            case _:
                pass
    if phase:
        ends[phase] = dict(live)
    return ends, heirs


def _heir(ref: ItemRef, heirs: dict[ItemRef, ItemRef], alive: dict[ItemRef, bool]) -> ItemRef | None:
    """The newest link of the chain that starts here, if it is among the living."""
    for _ in range(len(heirs) + 1):
        if ref not in heirs:
            return None
        ref = heirs[ref]
        if ref in alive:
            return ref
    return None
