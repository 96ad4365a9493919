"""Runs the curator over a user's facts, in one commit a place.

Never: decides; the plan is made by `core/companion/curate.py`.
Spec: facts 3.12; ruling 28.
"""

from __future__ import annotations

from dataclasses import dataclass

from recollect.core.companion.curate import Step, apply, plan, undo
from recollect.core.companion.due import HOUR_MS
from recollect.core.companion.ledger import Entry, Shelf, enter, key_of
from recollect.core.events import Counted
from recollect.core.item import MemoryItem
from recollect.core.places import ledger_of, shared_ledger
from recollect.core.policy import Companion
from recollect.core.values import ItemRef, Kind, Lens, Place, Status
from recollect.core.write.desk import Act, Desk
from recollect.engine.acts import find
from recollect.engine.listing import all_items
from recollect.engine.office import Office
from recollect.engine.writing import Call, gather_keys, write
from recollect.errors import Refused
from recollect.ports.store import Filter, Reader, Writer

FACTS = Filter(kinds=(Kind.PROFILE,), statuses=(Status.ACTIVE,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Curation:
    """What the curator did, or would do."""

    steps: tuple[Step, ...]
    stands: tuple[str, ...]
    is_dry_run: bool
    was_due: bool = True

    def to_dict(self) -> dict[str, object]:
        return {
            "dry_run": self.is_dry_run,
            "steps": [step.to_dict() for step in self.steps],
            "stands": list(self.stands),
        }


def curated_places(lens: Lens) -> list[tuple[Place, Place]]:
    """(facts, ledger that counts the runs): everybody's, and this persona's own."""
    found = [(lens.user_place, shared_ledger(lens))]
    if lens.private_place is not None:
        found.append((lens.private_place, ledger_of(lens)))
    return found


def curate(office: Office, lens: Lens, now_ms: int, *, is_dry_run: bool, only_due: bool = False) -> Curation:
    """Look through the facts of a user and this persona; act, unless it is a dry run."""
    steps: list[Step] = []
    stands: list[str] = []
    was_due = False
    for place, ledger in curated_places(lens):
        with office.repository.reading() as reader:
            if only_due and not is_due(reader, place, ledger, _companion(office), now_ms):
                continue
            was_due = True
            planned = plan([*all_items(reader, place, FACTS)], _companion(office), now_ms)
        steps.extend(planned)
        if not is_dry_run:
            stands.extend(ref.id for ref in _run(office, lens, place, ledger, now_ms))
    return Curation(steps=tuple(steps), stands=tuple(stands), is_dry_run=is_dry_run, was_due=was_due)


def is_due(reader: Reader, place: Place, ledger: Place, companion: Companion, now_ms: int) -> bool:
    """Whether facts came in since the last run, and enough of them or long enough ago."""
    seen = reader.heads([place])[place].counts[Kind.PROFILE]
    last = next(iter(reader.keyed(ledger, [key_of(Shelf.CURATOR)])), None)
    if last is None:
        return seen > 0
    new = seen - last.standing.mentions
    is_late = now_ms - max(last.origin.at_ms, last.standing.changed_ms) >= companion.curator_hours * HOUR_MS
    return new > 0 and (is_late or new >= companion.curator_new)


def _run(office: Office, lens: Lens, place: Place, ledger: Place, now_ms: int) -> list[ItemRef]:
    """One commit: what is true now is planned again under the lock, so two processes never do a thing twice."""
    stands: list[ItemRef] = []

    def run(desk: Desk, writer: Writer) -> None:
        steps = plan([*all_items(writer, place, FACTS)], _companion(office), now_ms)
        desk.acts.append(Act(at_ms=now_ms))
        gather_keys(desk, writer, {ledger: [key_of(Shelf.CURATOR)]})
        stands.extend(apply(desk, step) for step in steps)
        seen = desk.heads[place].counts[Kind.PROFILE]
        held = desk.held.get((ledger, key_of(Shelf.CURATOR)))
        if held is None:
            entry = Entry(shelf=Shelf.CURATOR, name="", text="curator", at_ms=now_ms, how="session")
            held = enter(desk, ledger, entry)
        desk.change(held, Counted(held.ref, seen))

    write(office, Call(lens=lens, places=(place, ledger), home=ledger), run)
    return stands


def uncurate(office: Office, lens: Lens, item_id: str, now_ms: int) -> int:
    """Take one act of the curator back."""
    back = 0

    def run(desk: Desk, writer: Writer) -> None:
        nonlocal back
        item = find(writer, lens, item_id)
        parts = [*writer.fetch(item.made_from).values()] if item.made_how == "fold" else [item]
        desk.acts.append(Act(at_ms=now_ms))
        gather_keys(desk, writer, {item.ref.place: [part.dedup_key for part in parts if part.dedup_key]})
        back = undo(desk, item, parts)
        if not back:
            raise Refused("There is nothing of the curator's to undo here.", reason="not_curated")

    place = _place(office, lens, item_id)
    write(office, Call(lens=lens, places=(place,)), run)
    return back


def _place(office: Office, lens: Lens, item_id: str) -> Place:
    with office.repository.reading() as reader:
        found: MemoryItem = find(reader, lens, item_id)
    return found.ref.place


def _companion(office: Office) -> Companion:
    companion = office.policy.companion
    if companion is None:
        raise Refused(
            "This policy keeps no people, todos or sessions.",
            hint='Open the memory with policy="companion", or give your policy a [companion] section.',
            reason="no_companion",
        )
    return companion
