"""Folds a log back into state and compares it with what is stored.

Never: changes anything.
Spec: law 1; ruling 1 (what is store-local is outside the state hash).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from recollect.core.canonical import canonical, digest
from recollect.core.events import Event, PhaseStarted, Written
from recollect.core.item import Phase, Standing
from recollect.core.log import Entry
from recollect.core.state import Head, evolve_head, evolve_standing, subject
from recollect.core.values import ItemRef, Place
from recollect.engine.listing import all_items
from recollect.engine.paging import walk
from recollect.ports.store import Reader

PAGE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where the stored state is not the fold of its log."""

    where: str
    stored: str
    folded: str


def replay(reader: Reader, place: Place) -> list[Difference]:
    """Every difference between a place and the fold of its log; empty when law 1 holds."""
    story = Fold(place, {phase.index: phase for phase in reader.phases(place)})
    for entry in _entries(reader, place):
        story.take(entry)
    return differences(reader, story)


def differences(reader: Reader, story: Fold) -> list[Difference]:
    """Where a place is not what a fold of its log says."""
    place, head = story.head.place, story.head
    stored_head = reader.heads([place])[place]
    found: list[Difference] = []
    for name, stored, folded in (
        ("tick", stored_head.tick, head.tick),
        ("counts", stored_head.counts, head.counts),
        ("phase", stored_head.phase and stored_head.phase.index, head.phase and head.phase.index),
    ):
        if stored != folded:
            found.append(
                Difference(where=f"{place.space}:{place.owner} {name}", stored=str(stored), folded=str(folded))
            )
    held = dict(reader.standings(place))
    for ref in sorted({**held, **story.standings}):
        if held.get(ref) != story.standings.get(ref):
            found.append(Difference(where=ref.id, stored=str(held.get(ref)), folded=str(story.standings.get(ref))))
    return found


class Fold:
    """The head of a place and the standing of each of its items, from nothing but its log, record by record."""

    def __init__(self, place: Place, phases: dict[int, Phase]) -> None:
        self.head = Head(place=place)
        self.standings: dict[ItemRef, Standing] = {}
        self._phases = phases

    def take(self, entry: Entry) -> None:
        """The next record."""
        for _, event in entry.events:
            opened = _opened(event, self._phases) if isinstance(event, PhaseStarted) else None
            evolve_head(self.head, event, opened)
            if isinstance(event, Written):
                self.standings[event.ref] = Standing(
                    status=event.status,
                    importance=event.importance,
                    is_pinned=event.is_pinned,
                    mentions=event.mentions,
                )
            _evolve(self.standings, event, entry.at_ms)
        self.head.seq = entry.seq


def fold_entries(
    place: Place, entries: Iterable[Entry], phases: dict[int, Phase]
) -> tuple[Head, dict[ItemRef, Standing]]:
    """The fold of any run of records from the beginning of a log."""
    story = Fold(place, phases)
    for entry in entries:
        story.take(entry)
    return story.head, story.standings


def _entries(reader: Reader, place: Place) -> Iterator[Entry]:
    yield from walk(lambda seq: reader.log(place, seq, PAGE), lambda entry: entry.seq, 0)


def _opened(event: PhaseStarted, phases: dict[int, Phase]) -> Phase:
    """The phase an event opened; where its name was erased, its number is all that is left."""
    return phases.get(event.number) or Phase(index=event.number, started_at=event.tick)


def _evolve(standings: dict[ItemRef, Standing], event: Event, at_ms: int) -> None:
    ref = subject(event)
    if ref is None or ref not in standings:
        return
    after = evolve_standing(standings[ref], event, at_ms)
    if after is None:
        del standings[ref]
    else:
        standings[ref] = after


def state_hash(reader: Reader) -> str:
    """One hash over everything a tenant holds that is not store-local."""
    parts: list[object] = []
    for place in reader.places():
        if place.owner.startswith("(erased)"):
            continue
        head = reader.heads([place])[place]
        phases = [phase.to_wire() for phase in reader.phases(place)]
        counts = [head.counts[kind] for kind in sorted(head.counts)]
        parts.append([place.space, place.owner, head.tick, head.seq, counts, phases])
        parts.extend(item.to_wire() for item in all_items(reader, place))
    return digest(canonical(parts))
