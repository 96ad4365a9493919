"""The documents of one place as rows: their columns, words, vectors, and who stands beside whom.

1. Documents are numbered as they come; a removed one is only switched off, and the next build forgets it.
2. Rows are linked to their neighbours by tick, so nothing depends on the order of adding.
3. Everything is a plain array that grows by doubling; a question is answered from slices of them.
4. What only the words of one question need may be all that is kept: `only` leaves every other word out, and a scanned
   index keeps no vectors.

Never: reads a store, weighs anything, or counts a quarantined document among the statistics.
Spec: ports/index.py.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt

from recollect.adapters.index.cards import FIELDS, Cards
from recollect.core.events import KINDS, kind_code
from recollect.core.values import ItemRef, Kind, Place

ACTIVE: Final = 1
QUARANTINED: Final = 2
GONE: Final = 0
COLUMNS: Final = ("state", "kind", "n", "tick", "length", "speaker", "session", *FIELDS)
_AT: Final = {name: index for index, name in enumerate(COLUMNS)}
HOPS: Final = 3
# Beyond this many new rows it is quicker to sort all than to put in each.
JOINED_SINGLY: Final = 64
# What a document costs beside its vector and its words, and what a word costs that is new.
ROW_BYTES: Final = 4 * (len(COLUMNS) + 2 * HOPS + 4)
TERM_BYTES: Final = 200
_SEMANTIC: Final = kind_code(Kind.SEMANTIC)
Ints = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int32]


class Rows:
    """The rows of one place."""

    def __init__(self, dimensions: int = 0, only: frozenset[str] | None = None) -> None:
        self.count = self.live = self.quarantined = 0
        self.vocabulary: dict[str, int] = {}
        self.speakers: dict[str, int] = {"": 0}
        self.spoken = Counter[int]()
        self.is_whole = True
        # Changes whenever something does, so that what follows from the rows can be kept until then.
        self.version = 0
        self.kept: dict[str, tuple[int, object]] = {}
        self._place: Place | None = None
        self._dimensions = dimensions
        self._only = only
        self._table: Numbers = np.zeros((len(COLUMNS), 0), dtype=np.int32)
        # The first, second and third row before and after each in its session; -1 where there is none.
        self._links: Numbers = np.zeros((2 * HOPS, 0), dtype=np.int32)
        self._vectors = np.zeros((0, dimensions), dtype=np.int8)
        self._is_bare = bytearray()
        self._row_of: tuple[array[int], ...] = tuple(array("i") for _ in KINDS)
        self._documents: list[array[int]] = []
        # Only few words stand in a document more than once: which ones, and how often beyond the first.
        self._repeated: dict[int, tuple[array[int], array[int]]] = {}
        self._sessions: dict[str, int] = {}
        self._last: dict[int, int] = {}
        self._is_joined = True
        self._postings = 0

    # keeping them current

    def fill(
        self, place: Place, addresses: Sequence[tuple[int, int, bool, int]], cards: Cards, vectors: Sequence[bytes]
    ) -> None:
        """Put many documents in: kind, number, whether it is active, and tick of each."""
        self._place = place
        for kind, n, _, _ in addresses:
            self._switch_off(kind, n)
        start, count = self.count, len(addresses)
        self._grow(start + count)
        at = slice(start, start + count)
        kinds, numbers, actives, ticks = (np.array(column) for column in zip(*addresses, strict=True))
        self._table[:, at] = 0
        for name, values in (("kind", kinds), ("n", numbers), ("tick", ticks)):
            self.column_space(name)[at] = values
        self.column_space("state")[at] = np.where(actives, ACTIVE, QUARANTINED)
        self.column_space("length")[at] = [len(found) for found in cards.terms]
        known = self.speakers
        speakers = [known.setdefault(name, len(known)) for name in cards.speakers]
        self.column_space("speaker")[at] = speakers
        self._table[len(COLUMNS) - len(FIELDS) :, at] = cards.numbers.T
        self.count += count
        self._place_vectors(start, vectors)
        self._place_words(start, cards.terms)
        self._number(start, kinds.tolist(), numbers.tolist())
        active = np.flatnonzero(actives)
        self.live += len(active)
        self.quarantined += count - len(active)
        self.spoken.update(speakers[index] for index in active.tolist())
        self._join(start, cards.sessions)
        self.version += 1

    def remove(self, ref: ItemRef) -> None:
        """Take a document out; unknown ones are ignored."""
        self._switch_off(kind_code(ref.kind), ref.n)

    def place_vector(self, ref: ItemRef, vector: bytes) -> None:
        """Give a document its vector, which came later than the document."""
        row = self._find(kind_code(ref.kind), ref.n)
        if row >= 0:
            self._place_vectors(row, [vector])
            self.version += 1

    def _switch_off(self, kind: int, n: int) -> None:
        row = self._find(kind, n)
        if row < 0:
            return
        state = self.column_space("state")
        if state[row] == ACTIVE:
            self.live -= 1
            self.spoken[int(self.column_space("speaker")[row])] -= 1
        else:
            self.quarantined -= 1
        self._unlink(row)
        state[row] = GONE
        self._row_of[kind][n] = -1
        self.is_whole = False
        self.version += 1

    def _find(self, kind: int, n: int) -> int:
        known = self._row_of[kind]
        return known[n] if n < len(known) else -1

    def _number(self, start: int, kinds: list[int], numbers: list[int]) -> None:
        for row, (kind, n) in enumerate(zip(kinds, numbers, strict=True), start):
            known = self._row_of[kind]
            if n >= len(known):
                known.extend([-1] * (n + 1 - len(known)))
            known[n] = row

    def _grow(self, needed: int) -> None:
        room = self._table.shape[1]
        if needed <= room:
            return
        # A quarter at a time: growing stays cheap, and little of a large place is empty.
        room = max(64, needed, room + room // 4)
        self._table = _wider(self._table, room)
        self._links = _wider(self._links, room)
        if self._dimensions:
            vectors = np.zeros((room, self._dimensions), dtype=np.int8)
            vectors[: self.count] = self._vectors[: self.count]
            self._vectors = vectors

    def _place_vectors(self, start: int, vectors: Sequence[bytes]) -> None:
        self._is_bare[start : start + len(vectors)] = bytes([not vector for vector in vectors])
        if self._dimensions:
            nothing = bytes(self._dimensions)
            joined = b"".join([vector or nothing for vector in vectors])
            placed = np.frombuffer(joined, dtype=np.int8).reshape(-1, self._dimensions)
            self._vectors[start : start + len(vectors)] = placed

    def _place_words(self, start: int, found: list[list[str]]) -> None:
        """Sort the words of some documents by word, and put each run behind what is known of it."""
        if self._only is not None:
            only = self._only
            found = [[term for term in terms if term in only] for terms in found]
        flat = self._terms(chain.from_iterable(found))
        rows = np.repeat(np.arange(start, start + len(found), dtype=np.int64), [len(terms) for terms in found])
        pairs, counts = np.unique(flat.astype(np.int64) << 32 | rows, return_counts=True)
        terms, documents = (pairs >> 32).astype(np.int32), (pairs & 0xFFFFFFFF).astype(np.int32)
        self._postings += len(pairs)
        for term, (first, end) in _runs(terms):
            self._documents[term].frombytes(documents[first:end].tobytes())
        more = np.flatnonzero(counts > 1)
        for row in more.tolist():
            repeated = self._repeated.setdefault(int(terms[row]), (array("i"), array("i")))
            repeated[0].append(int(documents[row]))
            repeated[1].append(int(counts[row]) - 1)

    def _terms(self, words: Iterable[str]) -> Numbers:
        vocabulary = self.vocabulary
        numbers = [vocabulary.setdefault(word, len(vocabulary)) for word in words]
        self._documents.extend(array("i") for _ in range(len(vocabulary) - len(self._documents)))
        return np.array(numbers, dtype=np.int32)

    # who stands beside whom

    def _join(self, start: int, sessions: list[str]) -> None:
        """Link new rows to their neighbours. Words from outside lend nothing to the turns around them."""
        self._links[:, start : self.count] = -1
        known = self._sessions
        self.column_space("session")[start : self.count] = [known.setdefault(name, len(known)) for name in sessions]
        if self.count - start > JOINED_SINGLY:
            self._is_joined = False
        elif self._is_joined:
            state, kind = self.column_space("state"), self.column_space("kind")
            for row in range(start, self.count):
                if state[row] == ACTIVE and kind[row] == _SEMANTIC:
                    self._put(row)
                    self._relink(row)

    def _join_all(self) -> None:
        """The same as one by one: the turns of each session by tick, each beside the next."""
        if self._is_joined:
            return
        rows = np.flatnonzero((self.column("state") == ACTIVE) & (self.column("kind") == _SEMANTIC))
        sessions = self.column("session")[rows]
        order = np.lexsort((self.column("tick")[rows], sessions))
        rows, sessions = rows[order].astype(np.int32), sessions[order]
        is_same = sessions[1:] == sessions[:-1]
        self._links[:, : self.count] = -1
        self._links[0][rows[1:]] = np.where(is_same, rows[:-1], -1)
        self._links[HOPS][rows[:-1]] = np.where(is_same, rows[1:], -1)
        for first in (0, HOPS):
            step = self._links[first]
            for hop in range(first + 1, first + HOPS):
                further = self._links[hop - 1][rows]
                self._links[hop][rows] = np.where(further >= 0, step[further], -1)
        ends = np.append(np.flatnonzero(~is_same), len(rows) - 1) if len(rows) else rows
        self._last = dict(zip(sessions[ends].tolist(), rows[ends].tolist(), strict=True))
        self._is_joined = True

    def _put(self, row: int) -> None:
        """Put a turn between its neighbours by tick; nearly always that is the end."""
        before, after, ticks = self._links[0], self._links[HOPS], self.column_space("tick")
        session = int(self.column_space("session")[row])
        place, following = self._last.get(session, -1), -1
        while place >= 0 and ticks[place] > ticks[row]:
            place, following = int(before[place]), place
        before[row], after[row] = place, following
        if place >= 0:
            after[place] = row
        if following >= 0:
            before[following] = row
        else:
            self._last[session] = row

    def _unlink(self, row: int) -> None:
        if not self._is_joined:
            return
        before, after = self._links[0], self._links[HOPS]
        place, following = int(before[row]), int(after[row])
        if place >= 0:
            after[place] = following
        if following >= 0:
            before[following] = place
        session = int(self.column_space("session")[row])
        if self._last.get(session) == row:
            self._last[session] = place
        self._links[:, row] = -1
        for near in (place, following):
            if near >= 0:
                self._relink(near)

    def _relink(self, row: int) -> None:
        """Follow the steps again for a row and those within reach of it."""
        near = [row]
        for step in (self._links[0], self._links[HOPS]):
            at = row
            for _ in range(HOPS):
                at = int(step[at]) if at >= 0 else -1
                near.append(at)
        for at in near:
            if at < 0:
                continue
            for first in (0, HOPS):
                for hop in range(first + 1, first + HOPS):
                    further = self._links[hop - 1, at]
                    self._links[hop, at] = self._links[first, further] if further >= 0 else -1

    # what a question is answered from

    def column_space(self, name: str) -> Numbers:
        column: Numbers = self._table[_AT[name]]
        return column

    def column(self, name: str) -> Numbers:
        """One value a row; the names are in COLUMNS."""
        return self.column_space(name)[: self.count]

    @property
    def before(self) -> Numbers:
        """The first, second and third row before each, in its session; -1 where there is none."""
        self._join_all()
        return self._links[:HOPS, : self.count]

    @property
    def after(self) -> Numbers:
        """The first, second and third row after each."""
        self._join_all()
        return self._links[HOPS:, : self.count]

    def links(self) -> Numbers:
        """The rows before and after each: `before` and `after` in one."""
        self._join_all()
        return self._links

    def keep(self, name: str, make: Callable[[], object]) -> object:
        """What follows from the rows, made once and kept until they change."""
        version, value = self.kept.get(name, (-1, None))
        if version != self.version:
            value = make()
            self.kept[name] = (self.version, value)
        return value

    def names(self) -> list[str]:
        """The names of those who speak here, sorted."""
        found = self.keep("names", lambda: [name for name in sorted(self.speakers) if name and self._speaks(name)])
        assert isinstance(found, list)
        return found

    def _speaks(self, name: str) -> bool:
        return self.spoken[self.speakers[name]] > 0

    def documents(self, term: int) -> Numbers:
        """Which rows hold a term, in order; those switched off too."""
        return np.frombuffer(self._documents[term].tobytes(), dtype=np.int32)

    def frequency(self, documents: Numbers) -> int:
        """How many of these rows are active."""
        if self.live == self.count:
            return len(documents)
        return int(np.count_nonzero(self.column("state")[documents] == ACTIVE))

    def repeated(self, term: int) -> tuple[Numbers, Numbers] | None:
        """Which rows hold a term more than once, and how often beyond the first."""
        found = self._repeated.get(term)
        if found is None:
            return None
        return np.array(found[0], dtype=np.int32), np.array(found[1], dtype=np.int32)

    def ref(self, row: int) -> ItemRef:
        """The address of a row."""
        assert self._place is not None
        return ItemRef(self._place, KINDS[self.column_space("kind")[row]], int(self.column_space("n")[row]))

    def refs(self, rows: npt.NDArray[np.intp]) -> list[ItemRef]:
        """The addresses of some rows."""
        place = self._place
        assert place is not None
        kinds, numbers = self.column_space("kind")[rows].tolist(), self.column_space("n")[rows].tolist()
        return [ItemRef(place, KINDS[kind], n) for kind, n in zip(kinds, numbers, strict=True)]

    def vectors(self) -> npt.NDArray[np.int8]:
        """One vector a row."""
        return self._vectors[: self.count]

    def without_vector(self) -> list[ItemRef]:
        """Documents whose vector is still to come."""
        found, row = [], self._is_bare.find(1)
        while row >= 0:
            if self.column_space("state")[row] != GONE:
                found.append(self.ref(row))
            row = self._is_bare.find(1, row + 1)
        return found

    def size_bytes(self) -> int:
        """About how much memory is held."""
        room: int = self._table.shape[1]
        return room * (ROW_BYTES + self._dimensions) + 5 * self._postings + TERM_BYTES * len(self.vocabulary)


def _wider(table: Numbers, room: int) -> Numbers:
    grown = np.zeros((len(table), room), dtype=np.int32)
    grown[:, : table.shape[1]] = table
    return grown


def _runs(values: Numbers) -> Iterable[tuple[int, tuple[int, int]]]:
    """Each value of a sorted array with the range it fills."""
    if not len(values):
        return ()
    edges = np.flatnonzero(values[1:] != values[:-1]) + 1
    starts = [0, *edges.tolist()]
    ends = [*edges.tolist(), len(values)]
    return zip(values[starts].tolist(), zip(starts, ends, strict=True), strict=True)
