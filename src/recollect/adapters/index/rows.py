"""The documents of one place as rows: their columns, words, vectors, and who stands beside whom.

1. Documents are numbered as they come; a removed one is only switched off, and the next build forgets it.
2. Rows are linked to their neighbours by tick, so nothing depends on the order of adding.
3. `view()` is what a question is answered from: plain arrays, made once and kept until something changes.

Never: reads a store, weighs anything, or counts a quarantined document among the statistics.
Spec: ports/index.py.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from recollect.adapters.index.terms import terms
from recollect.core.item import MemoryItem
from recollect.core.read.query import answers
from recollect.core.values import ItemRef, Kind, Role, Status

ACTIVE: Final = 1
QUARANTINED: Final = 2
GONE: Final = 0
ROLES: Final = {Role.USER: 0, Role.ASSISTANT: 1, Role.TOOL: 2, Role.SYSTEM: 3}
COLUMNS: Final = "state tick length words speaker role day question number time name before after".split()
_DAY_MS: Final = 86_400_000
Ints = npt.NDArray[np.int64]
Embed = Callable[[Sequence[str]], list[bytes]]


class Rows:
    """The rows of one place."""

    def __init__(self, embed: Embed | None = None, dimensions: int = 0) -> None:
        self.refs: list[ItemRef] = []
        self.vocabulary: dict[str, int] = {}
        self.speakers: dict[str, int] = {"": 0}
        self.spoken = Counter[int]()
        self.live = self.quarantined = 0
        self.bytes = 0
        self._embed = embed
        self._dimensions = dimensions if embed is not None else 0
        self._numbers: dict[ItemRef, int] = {}
        self._documents: list[array[int]] = []
        self._postings: list[tuple[array[int], array[int]]] = []
        self._frequencies = array("i")
        self._columns = {name: array("q") for name in COLUMNS}
        self._sessions: dict[tuple[str, str], int] = {}
        self._last: dict[int, int] = {}
        self._vectors = np.zeros((0, self._dimensions), dtype=np.int8)
        self._view: View | None = None

    # keeping them current

    def add(self, item: MemoryItem) -> None:
        """Put a document in, or replace it."""
        self.remove(item.ref)
        number = len(self.refs)
        counted = Counter(terms(item.text))
        term_numbers = array("i", [self._term(term) for term in counted])
        for term, count in zip(term_numbers, counted.values(), strict=True):
            documents, counts = self._postings[term]
            documents.append(number)
            counts.append(count)
        self.refs.append(item.ref)
        self._numbers[item.ref] = number
        self._documents.append(term_numbers)
        self._describe(item, sum(counted.values()))
        self._place_vector(number, item.text)
        # Words from outside lend nothing to the turns around them.
        if item.kind is Kind.SEMANTIC and item.status is Status.ACTIVE:
            self._link(number, (item.origin.session, item.origin.persona))
        self._count(number, 1)
        self.bytes += 420 + 20 * len(term_numbers) + self._dimensions
        self._view = None

    def remove(self, ref: ItemRef) -> None:
        """Take a document out; unknown ones are ignored."""
        number = self._numbers.pop(ref, None)
        if number is None:
            return
        self._count(number, -1)
        self._unlink(number)
        self._columns["state"][number] = GONE
        self._view = None

    def _describe(self, item: MemoryItem, length: int) -> None:
        is_question, has_number, has_time, has_name = answers(item.text)
        origin = item.origin
        values = {
            "state": ACTIVE if item.status is Status.ACTIVE else QUARANTINED,
            "tick": item.created_at,
            "length": length,
            "words": 1 + item.text.count(" "),
            "speaker": self.speakers.setdefault(origin.speaker.casefold(), len(self.speakers)),
            "role": ROLES[origin.role],
            "day": origin.at_ms // _DAY_MS,
            "question": int(is_question),
            "number": int(has_number),
            "time": int(has_time),
            "name": int(has_name),
            "before": -1,
            "after": -1,
        }
        for name, value in values.items():
            self._columns[name].append(value)

    def _place_vector(self, number: int, text: str) -> None:
        if self._embed is None:
            return
        if number >= len(self._vectors):
            grown = np.zeros((max(64, 2 * len(self._vectors)), self._dimensions), dtype=np.int8)
            grown[: len(self._vectors)] = self._vectors
            self._vectors = grown
        self._vectors[number] = np.frombuffer(self._embed([text])[0], dtype=np.int8)

    def _link(self, number: int, session: tuple[str, str]) -> None:
        """Put a turn between its neighbours by tick; nearly always that is the end."""
        before, after, ticks = self._columns["before"], self._columns["after"], self._columns["tick"]
        key = self._sessions.setdefault(session, len(self._sessions))
        place, following = self._last.get(key, -1), -1
        while place >= 0 and ticks[place] > ticks[number]:
            place, following = before[place], place
        before[number], after[number] = place, following
        if place >= 0:
            after[place] = number
        if following >= 0:
            before[following] = number
        else:
            self._last[key] = number

    def _unlink(self, number: int) -> None:
        before, after = self._columns["before"], self._columns["after"]
        place, following = before[number], after[number]
        if place >= 0:
            after[place] = following
        if following >= 0:
            before[following] = place
        for key, last in self._last.items():
            if last == number:
                self._last[key] = place
                break
        before[number] = after[number] = -1

    def _count(self, number: int, change: int) -> None:
        if self._columns["state"][number] != ACTIVE:
            self.quarantined += change
            return
        self.live += change
        self.spoken[self._columns["speaker"][number]] += change
        for term in self._documents[number]:
            self._frequencies[term] += change

    def _term(self, term: str) -> int:
        number = self.vocabulary.get(term)
        if number is None:
            number = self.vocabulary[term] = len(self._postings)
            self._postings.append((array("i"), array("i")))
            self._frequencies.append(0)
            self.bytes += 260
        return number

    # what a question is answered from

    def names(self) -> list[str]:
        """The names of those who speak here, sorted."""
        return sorted(name for name, number in self.speakers.items() if name and self.spoken[number] > 0)

    def postings(self, term: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Which rows hold a term, and how often."""
        documents, counts = self._postings[term]
        return np.frombuffer(documents, dtype=np.int32), np.frombuffer(counts, dtype=np.int32)

    def frequency(self, term: int) -> int:
        """In how many living documents a term stands."""
        return self._frequencies[term]

    def holds(self, row: int, known: Sequence[tuple[str, int]]) -> tuple[str, ...]:
        """Which of these terms stand in a row."""
        held = frozenset(self._documents[row])
        return tuple(term for term, number in known if number in held)

    def holding(self, terms: Sequence[int]) -> npt.NDArray[np.int32]:
        """The rows that hold any of these terms; a row that holds two is named twice."""
        found = [self.postings(term)[0] for term in terms]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.int32)

    def vectors(self) -> npt.NDArray[np.int8]:
        """One vector a row."""
        return self._vectors[: len(self.refs)]

    def view(self) -> View:
        """The rows as arrays."""
        if self._view is None:
            self._view = View({name: np.frombuffer(c, dtype=np.int64).copy() for name, c in self._columns.items()})
        return self._view


class View:
    """What follows from the rows and their order. Read only."""

    def __init__(self, columns: dict[str, Ints]) -> None:
        self._columns = columns
        self.state = columns["state"]
        self.is_whole = not bool((self.state == GONE).any())
        # The first, second and third row before and after each in its session; -1 where there is none.
        self.before = _hops(columns["before"])
        self.after = _hops(columns["after"])
        # Anything the words or the blend want to keep for as long as the view lasts.
        self.kept: dict[str, object] = {}

    def __len__(self) -> int:
        return len(self.state)

    def column(self, name: str) -> Ints:
        """One value a row; the names are in COLUMNS."""
        return self._columns[name]


def _hops(step: Ints) -> tuple[Ints, Ints, Ints]:
    second = np.where(step >= 0, step[step], -1)
    third = np.where(second >= 0, step[second], -1)
    return step, second, third
