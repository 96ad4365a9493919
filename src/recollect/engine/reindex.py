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

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from recollect.core.events import kind_code
from recollect.core.item import MemoryItem
from recollect.core.values import ItemRef, Kind, Place
from recollect.engine.fallback import try_stage
from recollect.engine.filing import Filing, Fit
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheets:
    """How many items can be searched, and of how many what search keeps is not as it should be: no vector yet, read by
    an older recipe, damaged, or with the vector of another model."""

    items: int
    bare: int
    outdated: int
    damaged: int
    foreign: tuple[tuple[str, int], ...]
    model: str


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


def look_over(office: Office) -> Sheets:
    """Look at what search keeps of every item that can be searched, and change nothing."""
    filing, counted, models = office.filing, Counter[Fit](), Counter[str]()
    with office.repository.reading() as reader:
        makers = {**reader.makers(), 0: ""}
        for place in reader.places():
            after = (0, 0)
            while rows := reader.filed(place, after, CHUNK):
                after = (rows[-1].kind, rows[-1].n)
                for row in rows:
                    made_by = makers.get(row.model, "")
                    sheet = Sheet(makers.get(row.recipe, ""), row.card, made_by, row.vector)
                    fit = filing.judge(row.kind, row.n, sheet)
                    counted[fit] += 1
                    models[made_by] += fit is Fit.FOREIGN
    return Sheets(
        items=sum(counted.values()),
        bare=counted[Fit.BARE],
        outdated=counted[Fit.OUTDATED],
        damaged=counted[Fit.DAMAGED],
        foreign=tuple((model, count) for model, count in sorted(models.items()) if count),
        model=filing.model,
    )


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
    stale = [item for item in items if not _is_right(filing, item.ref, known.get(item.ref, Sheet()))]
    if not stale:
        return 0
    vectors = filing.vectors([item.text for item in stale]) if filing.embedder is not None else [b""] * len(stale)
    sheets = {item.ref: filing.sheet(item, vector) for item, vector in zip(stale, vectors, strict=True)}
    with office.repository.writing(tuple(sorted({item.ref.place for item in stale}))) as writer:
        writer.file(sheets)
    return len(stale)


def _is_right(filing: Filing, ref: ItemRef, sheet: Sheet) -> bool:
    return filing.judge(kind_code(ref.kind), ref.n, sheet) is Fit.RIGHT
