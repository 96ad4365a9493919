"""The indexes that are in memory, each as current as the snapshot it is asked about.

1. An index belongs to one place and knows the last log record it has seen; what is newer is read from the log.
2. A commit of this process is applied directly, if the index had seen everything before it.
3. All indexes together stay below a bound in bytes; the one unused longest goes first and is built again on demand.

Never: durable, and never asked about another owner's place.
Spec: ports/index.py; "validated by the owner's version".
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from recollect.core.events import Archived, Deleted, Erased, Restored, Written
from recollect.core.item import MemoryItem, stand
from recollect.core.read.question import Question
from recollect.core.state import Head
from recollect.core.values import ItemRef, Kind, Place, Status
from recollect.ports.index import Hit, PlaceIndex
from recollect.ports.store import Reader

CATCH_UP_RECORDS = 2_000
IndexFactory = Callable[[], PlaceIndex]


class Ahead(Exception):
    """The index has seen more than this snapshot; look again with a newer one."""


class Shelves:
    """All indexes of one tenant."""

    def __init__(self, make_index: IndexFactory, bound_bytes: int) -> None:
        self._make_index = make_index
        self._bound_bytes = bound_bytes
        # By name, with the store's number of the place: a name can be buried and come back as another place.
        self._shelves: OrderedDict[Place, tuple[int, PlaceIndex]] = OrderedDict()
        self._lock = threading.RLock()

    def search(
        self, reader: Reader, head: Head, question: Question, limit: int, *, is_quarantined: bool = False
    ) -> Sequence[Hit]:
        """Ask the index of a place, after bringing it up to the snapshot."""
        if head.seq == 0:
            return []
        with self._lock:
            index = self._current(reader, head)
            ranking = question.policy.recall.ranking
            return index.search(question.text, limit, ranking, is_quarantined=is_quarantined)

    def rank(self, items: Iterable[MemoryItem], question: Question, limit: int) -> Sequence[Hit]:
        """Rank a given set of items by themselves, with an index that lives only for this question."""
        index = self._make_index()
        for item in items:
            index.add(stand(item, status=Status.ACTIVE))
        return index.search(question.text, limit, question.policy.recall.ranking)

    def applied(self, place: Place, before_seq: int, after_seq: int, documents: Sequence[MemoryItem | ItemRef]) -> None:
        """A commit of this process: put in items, take out addresses, if nothing was missed in between."""
        with self._lock:
            _, index = self._shelves.get(place, (0, None))
            if index is None or index.seq != before_seq or before_seq == 0:
                return
            for document in documents:
                if isinstance(document, MemoryItem):
                    index.add(document)
                else:
                    index.remove(document)
            index.seq = after_seq

    def forget(self, place: Place) -> None:
        """Throw an index away, so that nothing of it stays in memory."""
        with self._lock:
            self._shelves.pop(place, None)

    def _current(self, reader: Reader, head: Head) -> PlaceIndex:
        number, index = self._shelves.get(head.place, (0, None))
        if index is None or number != head.number or head.seq - index.seq > CATCH_UP_RECORDS:
            index = self._build(reader, head)
        elif index.seq > head.seq:
            raise Ahead
        elif index.seq < head.seq:
            self._catch_up(reader, head, index)
        self._shelves.move_to_end(head.place)
        return index

    def _build(self, reader: Reader, head: Head) -> PlaceIndex:
        index = self._make_index()
        for item in reader.documents(head.place):
            index.add(item)
        index.seq = head.seq
        self._shelves[head.place] = (head.number, index)
        self._evict(head.place)
        return index

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
        for ref in touched:
            item = found.get(ref)
            if item is not None and item.status is not Status.ARCHIVED:
                index.add(item)
            else:
                index.remove(ref)
        index.seq = head.seq

    def _evict(self, newest: Place) -> None:
        total = sum(index.size_bytes() for _, index in self._shelves.values())
        for place in list(self._shelves):
            if total <= self._bound_bytes:
                return
            if place != newest:
                total -= self._shelves.pop(place)[1].size_bytes()
