"""The indexes that are in memory, each as current as the snapshot it is asked about.

1. An index belongs to one place and knows the last log record it has seen; what is newer is read from the log.
2. A commit of this process is applied directly, if the index had seen everything before it.
3. All indexes together stay below a bound in bytes; the one unused longest goes first and is built again on demand.
4. A place that alone is larger than the bound is not held: each question is answered by going through its sheets in
   the store, chunk by chunk, and gets the same answer.
5. Where a store has an approximate index and was opened with it, it proposes what is near in such a place, and only
   that is scored: sooner, and not exact, which `is_exact` says.

Never: durable, and never asked about another owner's place.
Spec: ports/index.py; "validated by the owner's version".
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from recollect.core.events import KINDS, Archived, Deleted, Erased, Restored, Written, kind_code
from recollect.core.item import MemoryItem, stand
from recollect.core.read.question import Question
from recollect.core.state import Head
from recollect.core.values import ItemRef, Kind, Place, Status
from recollect.engine.asking import Embed
from recollect.engine.filing import Filing, first_sum, unsealed
from recollect.ports.index import Asking, Document, Hit, PlaceIndex
from recollect.ports.store import Filed, Reader, Sheet

CATCH_UP_RECORDS = 2_000
CHUNK = 4_096
VECTORS_AT_A_TIME = 1_000
# What an approximate index is asked for: several times what a recall considers, so that scoring can choose.
PROPOSED = 400


class Ahead(Exception):
    """The index has seen more than this snapshot; look again with a newer one."""


@dataclass(slots=True)
class _Shelf:
    """One place's index, or the knowledge that it is too large to hold; with the store's number of the place."""

    lock: threading.RLock = field(default_factory=threading.RLock)
    number: int = 0
    index: PlaceIndex | None = None
    is_too_large: bool = False
    is_exact: bool = True


class Shelves:
    """All indexes of one tenant."""

    def __init__(self, filing: Filing, bound_bytes: int) -> None:
        self._filing = filing
        self._bound_bytes = bound_bytes
        # By name, with the store's number of the place: a name can be buried and come back as another place.
        self._shelves: OrderedDict[Place, _Shelf] = OrderedDict()
        self._lock = threading.Lock()

    def search(
        self, reader: Reader, head: Head, question: Question, limit: int, embed: Embed, *, is_quarantined: bool = False
    ) -> Sequence[Hit]:
        """Ask the index of a place, after bringing it up to the snapshot."""
        if head.seq == 0:
            return []
        ranking = question.policy.recall.ranking
        shelf = self._shelf(head.place)
        read: tuple[PlaceIndex, int, Asking, bytes] | None = None
        while True:
            with shelf.lock:
                index = self._current(shelf, reader, head)
                if index is None:
                    break
                if not index.holds(is_quarantined=is_quarantined):
                    return []
                if read is not None and read[0] is index and read[1] == index.seq:
                    return index.search(read[2], limit, ranking, read[3], is_quarantined=is_quarantined)
                asking, seq = index.ask(question.text), index.seq
            # Outside the lock: whatever an embedder does, nobody who writes here waits for it.
            read = (index, seq, asking, embed(asking.text))
        index = self._proposed(reader, shelf, head.place, question.text, embed)
        if index is not None:
            asking = index.ask(question.text)
            return index.search(asking, limit, ranking, embed(asking.text), is_quarantined=is_quarantined)
        light, asking, vector = self._scan(reader, head.place, question.text, embed)
        return light.search(asking, limit, ranking, vector, is_quarantined=is_quarantined)

    def is_exact(self, place: Place) -> bool:
        """Whether what was last found in a place is all that could be found there."""
        with self._lock:
            shelf = self._shelves.get(place)
        return shelf is None or shelf.is_exact or not shelf.is_too_large

    def rank(
        self, reader: Reader, items: Iterable[MemoryItem], question: Question, limit: int, embed: Embed
    ) -> Sequence[Hit]:
        """Rank a given set of items by themselves, with an index that lives only for this question."""
        index = self._filing.maker.make()
        by_place: dict[Place, list[MemoryItem]] = {}
        for item in items:
            by_place.setdefault(item.ref.place, []).append(stand(item, status=Status.ACTIVE))
        for place, found in by_place.items():
            index.fill(place, self._documents(found, reader.sheets([item.ref for item in found])))
        asking = index.ask(question.text)
        return index.search(asking, limit, question.policy.recall.ranking, embed(asking.text))

    def applied(
        self,
        place: Place,
        before_seq: int,
        after_seq: int,
        documents: Sequence[MemoryItem | ItemRef],
        sheets: Mapping[ItemRef, Sheet],
    ) -> None:
        """A commit of this process: put in items, take out addresses, if nothing was missed in between."""
        with self._lock:
            shelf = self._shelves.get(place)
        if shelf is None:
            return
        with shelf.lock:
            index = shelf.index
            if index is None or index.seq != before_seq or before_seq == 0:
                return
            for document in documents:
                if isinstance(document, ItemRef):
                    index.remove(document)
            items = [document for document in documents if isinstance(document, MemoryItem)]
            index.fill(place, self._documents(items, sheets))
            index.seq = after_seq
            self._weigh(place, shelf)

    def forget(self, place: Place) -> None:
        """Throw an index away, so that nothing of it stays in memory."""
        with self._lock:
            self._shelves.pop(place, None)

    def forget_all(self) -> None:
        """Throw every index away."""
        with self._lock:
            self._shelves.clear()

    def _shelf(self, place: Place) -> _Shelf:
        with self._lock:
            shelf = self._shelves.get(place)
            if shelf is None:
                shelf = self._shelves[place] = _Shelf()
            else:
                self._shelves.move_to_end(place)
            return shelf

    # bringing an index up to date

    def _current(self, shelf: _Shelf, reader: Reader, head: Head) -> PlaceIndex | None:
        """The index at this snapshot; None for a place too large to hold."""
        index = shelf.index
        if shelf.number != head.number or (index is not None and head.seq - index.seq > CATCH_UP_RECORDS):
            shelf.index, shelf.is_too_large = None, False
        if shelf.index is None:
            if not shelf.is_too_large:
                self._build(shelf, reader, head)
        elif shelf.index.seq > head.seq:
            raise Ahead
        elif shelf.index.seq < head.seq:
            self._catch_up(reader, head, shelf.index)
            self._weigh(head.place, shelf)
        if shelf.index is not None and not self._filing.is_quick:
            self._fetch_vectors(reader, shelf.index)
        return shelf.index

    def _build(self, shelf: _Shelf, reader: Reader, head: Head) -> None:
        shelf.number, shelf.is_too_large = head.number, False
        index = self._filing.maker.make()
        for documents in self._chunks(reader, head.place):
            index.fill(head.place, documents)
            if index.size_bytes() > self._bound_bytes:
                shelf.is_too_large = True
                return
        index.seq = head.seq
        shelf.index = index
        self._weigh(head.place, shelf)

    def _chunks(self, reader: Reader, place: Place) -> Iterator[list[Document]]:
        """Everything searchable of a place, as stored; what has no sheet of ours is read from its item."""
        makers, filing, after = {**reader.makers(), 0: ""}, self._filing, (0, 0)
        numbers = {name: number for number, name in makers.items()}
        recipe, model = numbers.get(filing.recipe, -1), numbers.get(filing.model, -1)
        sums = {number: first_sum(name) for number, name in makers.items()}
        while rows := reader.filed(place, after, CHUNK):
            after = (rows[-1].kind, rows[-1].n)
            # Nearly always all is ours and as it was made; else each sheet is looked at by itself.
            cards: list[bytes | None] = [None]
            if all(row.recipe == recipe and (row.model == model or filing.embedder is None) for row in rows):
                cards = [unsealed(sums.get(r.model, 0), r.kind, r.n, r.card, r.vector) for r in rows]
            if all(cards):
                yield [
                    Document(r.kind, r.n, r.status == "ACTIVE", r.tick, card or b"", r.vector)
                    for r, card in zip(rows, cards, strict=True)
                ]
            else:
                yield self._read_again(reader, place, rows, makers)

    def _read_again(self, reader: Reader, place: Place, rows: list[Filed], makers: Mapping[int, str]) -> list[Document]:
        sheets = {
            # A number that names no maker is damage; a sheet of nobody's is made again.
            ItemRef(place, KINDS[row.kind], row.n): Sheet(
                makers.get(row.recipe, ""), row.card, makers.get(row.model, ""), row.vector
            )
            for row in rows
        }
        found = reader.fetch(list(sheets))
        return self._documents([found[ref] for ref in sheets if ref in found], sheets)

    def _documents(self, items: Sequence[MemoryItem], sheets: Mapping[ItemRef, Sheet]) -> list[Document]:
        return [
            Document(kind_code(i.kind), i.ref.n, i.status is Status.ACTIVE, i.created_at, card, vector)
            for i, card, vector in self._filing.complete(items, sheets)
        ]

    def _catch_up(self, reader: Reader, head: Head, index: PlaceIndex) -> None:
        touched: dict[ItemRef, bool] = {}
        for entry in reader.log(head.place, index.seq, head.seq - index.seq):
            for _, event in entry.events:
                match event:
                    case Written(ref=ref) | Deleted(ref=ref) | Erased(ref=ref) | Archived(ref=ref) | Restored(ref=ref):
                        if ref.kind is not Kind.SHORT_TERM and ref.place == head.place:
                            touched[ref] = True
                    case _:
                        pass
        found = reader.fetch(list(touched))
        there = [found[ref] for ref in touched if ref in found and found[ref].status is not Status.ARCHIVED]
        documents = self._documents(there, reader.sheets([item.ref for item in there]))
        for ref in touched:
            if ref not in found or found[ref].status is Status.ARCHIVED:
                index.remove(ref)
        index.fill(head.place, documents)
        index.seq = head.seq

    def _fetch_vectors(self, reader: Reader, index: PlaceIndex) -> None:
        """Vectors that were made after their items were committed."""
        missing = index.without_vector()
        for start in range(0, len(missing), VECTORS_AT_A_TIME):
            for ref, sheet in reader.sheets(missing[start : start + VECTORS_AT_A_TIME]).items():
                vector = self._filing.fresh(ref, sheet)[1]
                if vector:
                    index.place_vector(ref, vector)

    # the bound

    def _weigh(self, place: Place, shelf: _Shelf) -> None:
        """Keep below the bound: first by letting go of what was unused longest, then of this one."""
        with self._lock:
            sizes = {p: s.index.size_bytes() for p, s in self._shelves.items() if s.index is not None}
            total = sum(sizes.values())
            for other, size in sizes.items():
                if total > self._bound_bytes and other != place:
                    del self._shelves[other]
                    total -= size
        if total > self._bound_bytes:
            shelf.index, shelf.is_too_large = None, True

    def _proposed(self, reader: Reader, shelf: _Shelf, place: Place, query: str, embed: Embed) -> PlaceIndex | None:
        """An index of what the store's approximate index takes for near; None where there is none to ask."""
        index = self._filing.maker.make()
        vector = embed(index.ask(query).text)
        refs = reader.nearest(place, self._filing.model, vector, PROPOSED) if vector else None
        shelf.is_exact = refs is None
        if refs is None:
            return None
        found = [item for item in reader.fetch(refs).values() if item.status is not Status.ARCHIVED]
        index.fill(place, self._documents(found, reader.sheets([item.ref for item in found])))
        return index

    def _scan(self, reader: Reader, place: Place, query: str, embed: Embed) -> tuple[PlaceIndex, Asking, bytes]:
        """Go through a place's sheets twice: for what the question's words need, then for its vectors."""
        light = self._filing.maker.make(light_for=query)
        for documents in self._chunks(reader, place):
            light.fill(place, documents)
        asking = light.ask(query)
        vector = embed(asking.text)
        for documents in self._chunks(reader, place) if vector else ():
            light.compare(vector, [document.vector for document in documents])
        return light, asking, vector
