"""Folds a log back into state and compares it with what is stored.

Never: changes anything.
Spec: law 1; ruling 1 (what is store-local is outside the state hash).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from recollect.core.canonical import canonical, digest
from recollect.core.events import Event, PhaseStarted, Written
from recollect.core.item import MemoryItem, Standing
from recollect.core.state import Head, evolve_head, evolve_standing, subject
from recollect.core.values import ItemRef, Place
from recollect.ports.store import Filter, Reader

PAGE = 1_000
EVERYTHING = Filter(statuses=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where the stored state is not the fold of its log."""

    where: str
    stored: str
    folded: str


def replay(reader: Reader, place: Place) -> list[Difference]:
    """Every difference between a place and the fold of its log; empty when law 1 holds."""
    head, standings = fold(reader, place)
    stored_head = reader.heads([place])[place]
    found: list[Difference] = []
    for name, stored, folded in (
        ("tick", stored_head.tick, head.tick),
        ("counts", stored_head.counts, head.counts),
        ("phase", stored_head.phase, head.phase),
    ):
        if stored != folded:
            found.append(
                Difference(where=f"{place.space}:{place.owner} {name}", stored=str(stored), folded=str(folded))
            )
    held = {item.ref: item.standing for item in _all_items(reader, place)}
    for ref in sorted({**held, **standings}):
        if held.get(ref) != standings.get(ref):
            found.append(Difference(where=ref.id, stored=str(held.get(ref)), folded=str(standings.get(ref))))
    return found


def fold(reader: Reader, place: Place) -> tuple[Head, dict[ItemRef, Standing]]:
    """The head of a place and the standing of each of its items, from nothing but its log."""
    head = Head(place=place)
    phases = {phase.index: phase for phase in reader.phases(place)}
    standings: dict[ItemRef, Standing] = {}
    while entries := reader.log(place, head.seq, PAGE):
        for entry in entries:
            for _, event in entry.events:
                evolve_head(head, event, phases.get(event.number) if isinstance(event, PhaseStarted) else None)
                if isinstance(event, Written):
                    standings[event.ref] = Standing(
                        status=event.status, importance=event.importance, is_pinned=event.is_pinned
                    )
                _evolve(standings, event, entry.at_ms)
            head.seq = entry.seq
    return head, standings


def _evolve(standings: dict[ItemRef, Standing], event: Event, at_ms: int) -> None:
    ref = subject(event)
    if ref is None or ref not in standings:
        return
    after = evolve_standing(standings[ref], event, at_ms)
    if after is None:
        del standings[ref]
    else:
        standings[ref] = after


def _all_items(reader: Reader, place: Place) -> Iterator[MemoryItem]:
    after: tuple[str, int] | None = None
    while page := reader.page(place, EVERYTHING, after, PAGE):
        yield from page
        after = (page[-1].kind.value, page[-1].ref.n)


def state_hash(reader: Reader) -> str:
    """One hash over everything a tenant holds that is not store-local."""
    parts: list[object] = []
    for place in reader.places():
        head = reader.heads([place])[place]
        phases = [phase.to_wire() for phase in reader.phases(place)]
        counts = [head.counts[kind] for kind in sorted(head.counts)]
        parts.append([place.space, place.owner, head.tick, head.seq, counts, phases])
        parts.extend(item.to_wire() for item in _all_items(reader, place))
    return digest(canonical(parts))
