"""Makes the sheets that are missing or were made by something else: after a commit, or for a whole memory.

    place by place -> what has no sheet of ours -> read, embed (outside every lock) -> file, a chunk at a time

1. Every chunk is one small commit, so it can be stopped at any moment and continued by asking again.
2. What is right already is not touched: doing it twice does nothing the second time.
3. Readers and writers go on meanwhile: nothing of the log or of any item changes, and a sheet of an item that is
   erased in between is not filed.

Never: changes what is remembered, and never holds a lock while it embeds.
Spec: "a changed model is a clear error and `recollect reindex`".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from recollect.core.item import MemoryItem
from recollect.core.values import ItemRef, Kind, Place
from recollect.engine.fallback import try_stage
from recollect.engine.office import Office
from recollect.ports.store import Filter, Sheet

CHUNK = 512
SEARCHED = (Kind.SEMANTIC, Kind.PROFILE)
# What is archived now may be restored, and must not come back with another model's vector.
WANTED = Filter(kinds=SEARCHED, statuses=())
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reindexed:
    """How many items can be searched, how many of them were read or embedded anew, and by what."""

    items: int
    made: int
    recipe: str
    model: str

    def to_dict(self) -> dict[str, object]:
        return {"items": self.items, "made": self.made, "recipe": self.recipe, "model": self.model}


def reindex(office: Office, on_progress: Progress | None = None) -> Reindexed:
    """Give every item that is or could be searched a card and a vector of ours."""
    with office.repository.reading() as reader:
        places = reader.places()
        total = sum(sum(reader.heads([place])[place].counts[kind] for kind in SEARCHED) for place in places)
    done, made = 0, 0
    for place in places:
        for items in _pages(office, place):
            done += len(items)
            made += _make(office, items)
            if on_progress is not None:
                on_progress(min(done, total), total)
    # What is in memory was built from what was there before.
    office.shelves.forget_all()
    if on_progress is not None:
        on_progress(total, total)
    return Reindexed(items=done, made=made, recipe=office.filing.recipe, model=office.filing.model)


def file_later(office: Office, created: Mapping[ItemRef, MemoryItem]) -> None:
    """Make the vectors of what was just committed. It is stored already: where that fails, words find it meanwhile."""
    searched = [item for item in created.values() if item.kind in SEARCHED]
    # Whatever an embedder raises: the caller must not take a stored turn for a lost one.
    try_stage("making vectors (a reindex makes them later)", lambda: _make(office, searched))


def missing(office: Office) -> int:
    """How many searchable items have no sheet of ours yet."""
    found = 0
    with office.repository.reading() as reader:
        for place in reader.places():
            makers = {name: number for number, name in reader.makers().items()}
            recipe, model = makers.get(office.filing.recipe, -1), makers.get(office.filing.model, 0)
            after = (0, 0)
            while rows := reader.filed(place, after, CHUNK):
                after = (rows[-1].kind, rows[-1].n)
                found += sum(row.recipe != recipe or row.model != model for row in rows)
    return found


def _pages(office: Office, place: Place) -> Iterator[list[MemoryItem]]:
    """Each page in a snapshot of its own: nobody waits for a long look."""
    after: tuple[str, int] | None = None
    while True:
        with office.repository.reading() as reader:
            items = reader.page(place, WANTED, after, CHUNK)
        if not items:
            return
        yield items
        after = (items[-1].kind.value, items[-1].ref.n)


def _make(office: Office, items: Sequence[MemoryItem]) -> int:
    """Make and file the sheets of those among some items that have none of ours."""
    filing = office.filing
    with office.repository.reading() as reader:
        known = reader.sheets([item.ref for item in items])
    wanted = (filing.recipe, filing.model)
    stale = [item for item in items if (s := known.get(item.ref)) is None or (s.recipe, s.model) != wanted]
    if not stale:
        return 0
    vectors = filing.vectors([item.text for item in stale]) if filing.embedder is not None else [b""] * len(stale)
    sheets = {
        item.ref: Sheet(filing.recipe, filing.maker.card(item), filing.model, vector)
        for item, vector in zip(stale, vectors, strict=True)
    }
    with office.repository.writing(tuple(sorted({item.ref.place for item in stale}))) as writer:
        writer.file(sheets)
    return len(stale)
