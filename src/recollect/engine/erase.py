"""Erases for good: finds what is meant and what was made from it, takes it out, and makes sure it is in no file.

    find roots -> follow lineage -> erase in chunks -> read facts again from what remains -> bury names -> scrub

1. Every chunk is one commit, so an erasure that is interrupted is continued by asking again.
2. A chunk is small and the log is emptied after each, so that erasing needs little room, even on a full disk.
3. The receipt says what went, and what could not be reached yet and why.

Never: touches another owner's memories, except those made from the erased ones.
Spec: rulings 8, 10a; reliability.md (ballast, checkpoint); S12.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from recollect.core.events import Written
from recollect.core.item import MemoryItem
from recollect.core.recent import forget_texts
from recollect.core.values import ItemRef, Kind, Lens, Place, Space
from recollect.core.write.desk import Act, Desk
from recollect.core.write.erasure import erase_items, restate
from recollect.core.write.window import covers
from recollect.engine.listing import EVERYTHING
from recollect.engine.office import Office
from recollect.engine.paging import walk
from recollect.engine.writing import Call, gather_keys, write
from recollect.errors import NotFound, StoreFull
from recollect.ports.store import Reader, Repository, Writer

T = TypeVar("T")
CHUNK = 200
ROUNDS = 3
PAGE = 500
OUT_OF_REACH = "Exports and backups made before are not reached; erase in them too."


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What is to be erased: how to find it, and whose names go with it."""

    what: str
    lens: Lens
    roots: Callable[[Reader], list[ItemRef]]
    buried: Callable[[Reader], list[Place]]
    # Somebody named these very items: they are not said again, even where something still supports them.
    is_by_id: bool = False


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
        doomed = with_everything_made_of(reader, roots)
        is_anything = bool(doomed) or bool(erasure.buried(reader))
    if not is_anything:
        raise NotFound("There is nothing to erase here.", hint="It may be gone already.", reason="nothing_to_erase")
    tally = _Tally()
    buried: list[Place] = []
    pending: list[str] = []
    everything = dict.fromkeys(doomed, True)
    for _ in range(ROUNDS):
        _erase_all(office, erasure, doomed, roots, tally, on_progress)
        with office.repository.reading() as reader:
            buried = erasure.buried(reader)
        # Somebody may have written on while this went on: nothing is buried that is not empty.
        if with_ballast(office, partial(_bury, office, buried, tally)):
            break
        with office.repository.reading() as reader:
            roots = dict.fromkeys(erasure.roots(reader), True)
            doomed = with_everything_made_of(reader, roots)
        everything |= dict.fromkeys(doomed, True)
    else:
        pending.append("Somebody wrote on while this was erased; what is new stays. Erase again to take it too.")
    _forget_caches(office, list(everything), buried)
    return ErasureReceipt(
        what=erasure.what,
        erased=dict(sorted(tally.erased.items())),
        derived=tally.derived,
        restated=tally.restated,
        places=tally.places,
        pending=(*pending, *with_ballast(office, office.repository.scrub)),
    )


def _erase_all(
    office: Office,
    erasure: Erasure,
    doomed: list[ItemRef],
    roots: dict[ItemRef, bool],
    tally: _Tally,
    on_progress: Callable[[int, int], None] | None,
) -> None:
    with_ballast(office, partial(_drop_quotations, office, erasure, doomed))
    for start in range(0, len(doomed), CHUNK):
        chunk = doomed[start : start + CHUNK]
        with_ballast(office, partial(_erase_chunk, office, erasure, chunk, roots, doomed, tally))
        if on_progress is not None:
            on_progress(min(start + CHUNK, len(doomed)), len(doomed))


def with_ballast(office: Office, run: Callable[[], T]) -> T:
    """Run one step and give back the room it took; on a full disk the ballast is given up first, and taken back."""
    repository = office.repository
    done = _with_room(repository, run)
    _with_room(repository, repository.settle)
    repository.keep_ballast()
    return done


def _with_room(repository: Repository, run: Callable[[], T]) -> T:
    try:
        return run()
    except StoreFull:
        if not repository.drop_ballast():
            raise
        return run()


def _drop_quotations(office: Office, erasure: Erasure, doomed: list[ItemRef]) -> None:
    """Kept recalls that quote an erased item, or were asked by whom it belonged to, and receipts that name one."""
    ids = {ref.id: True for ref in doomed}
    users = _users(doomed, erasure.lens)
    with office.repository.writing(()) as writer:
        writer.drop_recalls(lambda owner, body: _user_of(owner) in users or _names_one(body, ids))
        for place in writer.places("session"):
            if _user_of(place.owner) in users:
                writer.drop_commands(place, lambda _, receipt: _names_one(receipt, ids))


def _names_one(text: str, ids: dict[str, bool]) -> bool:
    return any(item_id in ids for item_id in _ID.findall(text))


_ID = re.compile(r'"((?:session|user|project|system):[^":]+:(?:short_term|semantic|profile):[0-9]+)"')


def _user_of(owner: str) -> str:
    return owner.split("/", 1)[0].split("~", 1)[0]


def _users(refs: Iterable[ItemRef], lens: Lens) -> dict[str, bool]:
    """Whose memories these are. A project or the system is nobody's."""
    own = {_user_of(ref.place.owner): True for ref in refs if ref.place.space in {Space.USER, Space.SESSION}}
    return own | {lens.user: True}


def _erase_chunk(
    office: Office,
    erasure: Erasure,
    chunk: list[ItemRef],
    roots: dict[ItemRef, bool],
    doomed: list[ItemRef],
    tally: _Tally,
) -> None:
    places = tuple(sorted({ref.place for ref in chunk}))
    done = _Tally()

    def run(desk: Desk, writer: Writer) -> None:
        desk.acts.append(Act(at_ms=office.clock.now_ms()))
        found = writer.fetch(chunk)
        items = [found[ref] for ref in chunk if ref in found]
        supported = _supported(writer, items, dict.fromkeys(doomed, True), roots if erasure.is_by_id else {})
        gather_keys(desk, writer, _keys(items))
        erase_items(desk, items, roots)
        done.count(items, roots)
        for item, sources in supported:
            outcome = restate(desk, item, sources)
            if outcome is not None:
                desk.act.outcomes.append(outcome)
                done.restated += 1

    write(office, Call(lens=erasure.lens, places=places, home=places[0]), run)
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


def _supported(
    writer: Writer, items: list[MemoryItem], doomed: dict[ItemRef, bool], named: dict[ItemRef, bool]
) -> list[tuple[MemoryItem, list[MemoryItem]]]:
    """What among the doomed something surviving still supports, with that support."""
    found = []
    for item in items:
        # What somebody named is to be gone; only what goes along is said again.
        if item.ref in named or item.made_how not in {"fact", "promotion"}:
            continue
        surviving = [ref for ref in writer.sources_of(item.ref) if ref not in doomed]
        sources = writer.fetch(surviving)
        if sources:
            found.append((item, [sources[ref] for ref in sorted(sources)]))
    return found


def _bury(office: Office, places: list[Place], tally: _Tally) -> bool:
    """Take the names away, all of them or, where something was written meanwhile, none."""
    with office.repository.writing(tuple(sorted(places))) as writer:
        if any(writer.page(place, EVERYTHING, None, 1) for place in places):
            return False
        for place in places:
            writer.bury(place)
    tally.places += len(places)
    return True


def with_everything_made_of(reader: Reader, roots: dict[ItemRef, bool]) -> list[ItemRef]:
    """The roots, everything made from them however far down, and every other record of the same turns."""
    found = dict(roots)
    turns = SameTurn(reader)
    frontier = list(roots)
    while frontier:
        items = reader.fetch(frontier)
        linked = [child for child, _ in reader.made_from(frontier)]
        for item in items.values():
            # A confirmation says the words of what it confirms.
            linked.extend(item.made_from if item.made_how == "confirmation" else ())
            linked.extend(turns.records(item))
        frontier = [ref for ref in dict.fromkeys(linked) if ref not in found]
        found.update(dict.fromkeys(frontier, True))
    everything = list(found)
    pages = (everything[start : start + PAGE] for start in range(0, len(everything), PAGE))
    return sorted(ref for page in pages for ref in reader.fetch(page))


class SameTurn:
    """Finds the other records of a turn: the window's line of an episode, the episode of a window's line.

    Window summaries quote turns that are gone; any erasure in a user's memory takes that user's summaries along.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._windows: dict[str, list[MemoryItem]] = {}
        self._acts: dict[Place, dict[ItemRef, list[ItemRef]]] = {}

    def records(self, item: MemoryItem) -> list[ItemRef]:
        if item.ref.place.space not in {Space.USER, Space.SESSION}:
            return []
        lines = self._lines(_user_of(item.ref.place.owner))
        found = [line.ref for line in lines if line.made_how == "summary" or _is_same(line, item)]
        if item.kind is Kind.SHORT_TERM:
            found.extend(self._written_with(item.ref))
        return found

    def _lines(self, user: str) -> list[MemoryItem]:
        """The windows of all of a user's sessions."""
        if user not in self._windows:
            places = [place for place in self._reader.places("session") if _user_of(place.owner) == user]
            self._windows[user] = [item for place in places for item in self._reader.window(place)]
        return self._windows[user]

    def _written_with(self, ref: ItemRef) -> list[ItemRef]:
        """Every lasting item the act that wrote a window's line wrote too."""
        if ref.place not in self._acts:
            self._acts[ref.place] = dict(self._acts_of(ref.place))
        return self._acts[ref.place].get(ref, [])

    def _acts_of(self, place: Place) -> Iterator[tuple[ItemRef, list[ItemRef]]]:
        for entry in walk(lambda seq: self._reader.log(place, seq, PAGE), lambda entry: entry.seq, 0):
            events = [event for _, event in entry.events]
            for sibling, seq in entry.siblings:
                events.extend(e for other in self._reader.log(sibling, seq - 1, 1) for _, e in other.events)
            written = [event.ref for event in events if isinstance(event, Written)]
            lasting = [ref for ref in written if ref.kind is not Kind.SHORT_TERM]
            yield from ((ref, lasting) for ref in written if ref.kind is Kind.SHORT_TERM)


def _is_same(line: MemoryItem, item: MemoryItem) -> bool:
    return (line.origin.at_ms, line.text, line.origin.ref) == (item.origin.at_ms, item.text, item.origin.ref)


def _forget_caches(office: Office, doomed: list[ItemRef], buried: list[Place]) -> None:
    gone = dict.fromkeys(doomed, True)
    users = _users(doomed, Lens(user=""))
    for place in {ref.place: True for ref in doomed} | dict.fromkeys(buried, True):
        office.shelves.forget(place)
        office.windows.forget(place)
    office.ring.drop(lambda owner, refs: _user_of(owner) in users or any(ref in gone for ref in refs))
    forget_texts()


def made_in(reader: Reader, places: Iterable[Place]) -> list[ItemRef]:
    """What was made, anywhere, from anything that ever was in these places: the origin itself may be gone by now."""
    return [child for place in places for child, _ in reader.made_in(place)]


def summaries_of(reader: Reader, places: Iterable[Place], name: str) -> list[ItemRef]:
    """Window summaries that quote a turn of this ref, source or id."""
    return [
        item.ref
        for place in places
        if place.space is Space.SESSION
        for item in reader.window(place)
        if item.made_how == "summary" and covers(item, name)
    ]


def belongs_to(place: Place, user: str) -> bool:
    """Whether a place is one of a user's own: their user space, their personas', their sessions'."""
    return place.space in {"user", "session"} and (
        place.owner == user or place.owner.startswith((f"{user}~", f"{user}/"))
    )
