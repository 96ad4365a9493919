"""Erases for good: finds what is meant and what was made from it, takes it out, and makes sure it is in no file.

    find roots -> follow lineage -> erase in chunks -> read facts again from what remains -> bury names -> scrub

1. Every chunk is one commit, so an erasure that is interrupted is continued by asking again.
2. A chunk is small and the log is emptied after each, so that erasing needs little room, even on a full disk.
3. The receipt says what went, and what could not be reached yet and why.

Never: touches another owner's memories, except those made from the erased ones.
Spec: rulings 8, 10a; reliability.md (ballast, checkpoint); S12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from recollect.core.item import MemoryItem
from recollect.core.values import ItemRef, Kind, Lens, Place
from recollect.core.write.desk import Act, Desk
from recollect.core.write.erasure import erase_items, restated
from recollect.core.write.pipeline import decide
from recollect.engine.office import Office
from recollect.engine.writing import Call, gather_keys, write
from recollect.errors import NotFound, StoreFull
from recollect.ports.store import Reader, Writer

CHUNK = 200
OUT_OF_REACH = "Exports and backups made before are not reached; erase in them too."


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What is to be erased: how to find it, and whose names go with it."""

    what: str
    lens: Lens
    roots: Callable[[Reader], list[ItemRef]]
    buried: Callable[[Reader], list[Place]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureReceipt:
    """What was erased, what was read again from the rest, and what is still pending."""

    what: str
    erased: dict[str, int]
    derived: int
    restated: int
    places: int
    pending: tuple[str, ...]
    note: str = OUT_OF_REACH

    @property
    def total(self) -> int:
        return sum(self.erased.values())

    def to_dict(self) -> dict[str, object]:
        return {
            "what": self.what,
            "total": self.total,
            "erased": self.erased,
            "derived": self.derived,
            "restated": self.restated,
            "places": self.places,
            "pending": list(self.pending),
            "note": self.note,
        }


@dataclass(slots=True, kw_only=True)
class _Tally:
    erased: dict[str, int] = field(default_factory=dict)
    derived: int = 0
    restated: int = 0
    places: int = 0

    def count(self, items: list[MemoryItem], roots: dict[ItemRef, bool]) -> None:
        for item in items:
            self.erased[item.kind.value] = self.erased.get(item.kind.value, 0) + 1
            self.derived += item.ref not in roots


def erase(office: Office, erasure: Erasure, on_progress: Callable[[int, int], None] | None = None) -> ErasureReceipt:
    """Erase everything an erasure means."""
    with office.repository.reading() as reader:
        roots = dict.fromkeys(erasure.roots(reader), True)
        doomed = _with_derived(reader, list(roots))
        buried = erasure.buried(reader)
    if not doomed and not buried:
        raise NotFound("There is nothing to erase here.", hint="It may be gone already.", reason="nothing_to_erase")
    tally = _Tally()
    for start in range(0, len(doomed), CHUNK):
        chunk = doomed[start : start + CHUNK]
        with_ballast(office, lambda chunk=chunk: _erase_chunk(office, erasure, chunk, roots, doomed, tally))  # type: ignore[misc]
        if on_progress is not None:
            on_progress(min(start + CHUNK, len(doomed)), len(doomed))
    with_ballast(office, lambda: _bury(office, buried, tally))
    _forget_caches(office, {ref.place for ref in doomed} | set(buried))
    return ErasureReceipt(
        what=erasure.what,
        erased=dict(sorted(tally.erased.items())),
        derived=tally.derived,
        restated=tally.restated,
        places=tally.places,
        pending=tuple(office.repository.scrub()),
    )


def with_ballast(office: Office, run: Callable[[], None]) -> None:
    """Run one step; on a full disk give the ballast up first, and take it back when there is room again."""
    try:
        run()
    except StoreFull:
        if not office.repository.drop_ballast():
            raise
        run()
    office.repository.settle()
    office.repository.keep_ballast()


def _erase_chunk(
    office: Office,
    erasure: Erasure,
    chunk: list[ItemRef],
    roots: dict[ItemRef, bool],
    doomed: list[ItemRef],
    tally: _Tally,
) -> None:
    places = tuple(sorted({ref.place for ref in chunk}))
    lens = erasure.lens
    done = _Tally()

    def run(desk: Desk, writer: Writer) -> None:
        desk.acts.append(Act(at_ms=office.clock.now_ms()))
        found = writer.fetch(chunk)
        items = [found[ref] for ref in chunk if ref in found]
        again = _restatements(writer, items, dict.fromkeys(doomed, True))
        gather_keys(desk, writer, _keys(items))
        erase_items(desk, items, roots)
        done.count(items, roots)
        for fact, turn in again:
            candidate = restated(fact, turn, desk)
            if candidate is not None:
                desk.act.outcomes.append(decide(desk, candidate))
                done.restated += 1
        writer.drop_recalls(sorted({place.owner for place in places}))

    write(office, Call(lens=lens, places=places), run)
    for kind, count in done.erased.items():
        tally.erased[kind] = tally.erased.get(kind, 0) + count
    tally.derived += done.derived
    tally.restated += done.restated


def _keys(items: list[MemoryItem]) -> dict[Place, list[str]]:
    wanted: dict[Place, list[str]] = {}
    for item in items:
        if item.dedup_key:
            wanted.setdefault(item.ref.place, []).append(item.dedup_key)
    return wanted


def _restatements(
    writer: Writer, items: list[MemoryItem], doomed: dict[ItemRef, bool]
) -> list[tuple[MemoryItem, MemoryItem]]:
    """Facts among the doomed that a surviving turn also states, with that turn."""
    found = []
    for item in items:
        if item.kind is not Kind.PROFILE:
            continue
        surviving = [ref for ref in writer.sources_of(item.ref) if ref not in doomed]
        turns = writer.fetch(surviving)
        if turns:
            found.append((item, turns[min(turns)]))
    return found


def _bury(office: Office, places: list[Place], tally: _Tally) -> None:
    if not places:
        return
    with office.repository.writing(tuple(sorted(places))) as writer:
        writer.drop_recalls([place.owner for place in places])
        for place in places:
            writer.bury(place)
    tally.places += len(places)


def _with_derived(reader: Reader, roots: list[ItemRef]) -> list[ItemRef]:
    """The roots and everything made from them, however far down, and the summaries of their sessions."""
    found = dict.fromkeys(roots, True)
    frontier = roots
    while frontier:
        children = [child for child, _ in reader.made_from(frontier) if child not in found]
        frontier = list(dict.fromkeys(children))
        found.update(dict.fromkeys(frontier, True))
    for place in sorted({ref.place for ref in found} | set(_sessions_of(reader, found))):
        for item in reader.window(place):
            if item.made_how == "summary":
                found[item.ref] = True
    return sorted(found)


def _sessions_of(reader: Reader, refs: dict[ItemRef, bool]) -> Iterator[Place]:
    """The session places whose window summary may quote one of these items."""
    owners = {ref.place.owner.split("/", 1)[0].split("~", 1)[0] for ref in refs}
    for place in reader.places("session"):
        if place.owner.split("/", 1)[0].split("~", 1)[0] in owners:
            yield place


def _forget_caches(office: Office, places: set[Place]) -> None:
    for place in places:
        office.shelves.forget(place)
        office.windows.forget(place)
    office.ring.clear()


def belongs_to(place: Place, user: str) -> bool:
    """Whether a place is one of a user's own: their user space, their personas', their sessions'."""
    return place.space in {"user", "session"} and (
        place.owner == user or place.owner.startswith((f"{user}~", f"{user}/"))
    )
