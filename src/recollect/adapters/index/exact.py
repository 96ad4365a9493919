"""The exact search index of one place: words with their neighbourhood, vectors, who, when and what kind of answer.

    words       BM25 over a turn and, weaker, the turns around it in the same session
    vectors     one int8 vector a turn, compared exactly; the next turn's similarity counts a little
    whose       the speaker a question names, or the user's or assistant's turns
    when        the date a question names against the day a turn was said
    answer      a turn that could answer that kind of question; a turn that only asks counts less

Each part is standardised over the place for this question and summed with the whole-number weights below. Documents are
numbered as they come and linked to their neighbours by tick, so the answer does not depend on the order of adding.

Never: reads a store, lets rounding decide, or counts a quarantined document among the statistics.
Spec: ports/index.py; retrieval.md (every ingredient with its gain).
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from recollect.adapters.index.terms import terms
from recollect.core.integers import ln_micro
from recollect.core.item import MemoryItem
from recollect.core.read.query import Asked, answers, understand
from recollect.core.values import ItemRef, Kind, Role, Status
from recollect.ports.index import Hit

try:
    from simsimd import cdist
except ImportError:  # a platform without its wheel: slower, and just as exact
    cdist = None  # type: ignore[assignment]

K1_MILLI, B_MILLI = 900, 400
QUERY_TERMS = 48
# How much of a neighbour's words a turn is credited with, in thousandths: one, two, three turns before and after.
BACK_MILLI = (500, 300, 180)
FORWARD_MILLI = (300, 200, 100)
COMMON_SHARE = 10
WINDOW_WORDS = 60  # a turn longer than this needs its neighbours less
# The weights of the sum, in hundredths of a standard deviation. Their gains are in retrieval.md.
WORDS, VECTOR, NEXT_VECTOR = 100, 120, 20
SPEAKER, ROLE, DATE, ANSWER = 350, 60, 500, 40
IS_QUESTION, AFTER_QUESTION = -70, 30
# What a document must show to be proposed at all: a shared word, or this much more similarity than usual.
SIMILAR_ENOUGH_MILLI = 2_000
_ACTIVE, _QUARANTINED, _GONE = 1, 2, 0
_DAY_MS = 86_400_000
Ints = npt.NDArray[np.int64]
Embed = Callable[[Sequence[str]], list[bytes]]


class ExactIndex:
    """The searchable documents of one place."""

    def __init__(self, embed: Embed | None = None, dimensions: int = 0) -> None:
        self.seq = 0
        self._embed = embed
        self._dimensions = dimensions if embed is not None else 0
        self._refs: list[ItemRef] = []
        self._numbers: dict[ItemRef, int] = {}
        self._documents: list[array[int]] = []
        self._vocabulary: dict[str, int] = {}
        self._postings: list[tuple[array[int], array[int]]] = []
        self._frequencies = array("i")
        self._columns = {name: array("q") for name in COLUMNS}
        self._speakers: dict[str, int] = {"": 0}
        self._spoken = Counter[int]()
        self._sessions: dict[tuple[str, str], int] = {}
        self._last: dict[int, int] = {}
        self._vectors = np.zeros((0, self._dimensions), dtype=np.int8)
        self._live = self._quarantined = 0
        self._bytes = 0
        self._shape: _Shape | None = None

    def __len__(self) -> int:
        return self._live

    def size_bytes(self) -> int:
        return self._bytes

    # keeping it current

    def add(self, item: MemoryItem) -> None:
        self.remove(item.ref)
        number = len(self._refs)
        counted = Counter(terms(item.text))
        term_numbers = array("i", [self._term(term) for term in counted])
        for term, count in zip(term_numbers, counted.values(), strict=True):
            documents, counts = self._postings[term]
            documents.append(number)
            counts.append(count)
        self._refs.append(item.ref)
        self._numbers[item.ref] = number
        self._documents.append(term_numbers)
        self._describe(item, sum(counted.values()))
        self._place_vector(number, item.text)
        # Words from outside lend nothing to the turns around them.
        if item.kind is Kind.SEMANTIC and item.status is Status.ACTIVE:
            self._link(number, (item.origin.session, item.origin.persona))
        self._count(number, 1)
        self._bytes += 420 + 20 * len(term_numbers) + self._dimensions
        self._shape = None

    def remove(self, ref: ItemRef) -> None:
        number = self._numbers.pop(ref, None)
        if number is None:
            return
        self._count(number, -1)
        self._unlink(number)
        self._columns["state"][number] = _GONE
        self._shape = None

    def _describe(self, item: MemoryItem, length: int) -> None:
        is_question, has_number, has_time, has_name = answers(item.text)
        origin = item.origin
        values = {
            "state": _ACTIVE if item.status is Status.ACTIVE else _QUARANTINED,
            "tick": item.created_at,
            "length": length,
            "words": 1 + item.text.count(" "),
            "speaker": self._speakers.setdefault(origin.speaker.casefold(), len(self._speakers)),
            "role": _ROLES[origin.role],
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
        if self._columns["state"][number] != _ACTIVE:
            self._quarantined += change
            return
        self._live += change
        self._spoken[self._columns["speaker"][number]] += change
        for term in self._documents[number]:
            self._frequencies[term] += change

    def _term(self, term: str) -> int:
        number = self._vocabulary.get(term)
        if number is None:
            number = self._vocabulary[term] = len(self._postings)
            self._postings.append((array("i"), array("i")))
            self._frequencies.append(0)
            self._bytes += 260
        return number

    # asking

    def search(self, query: str, limit: int, *, is_quarantined: bool = False) -> Sequence[Hit]:
        if limit <= 0 or not (self._quarantined if is_quarantined else self._live):
            return []
        asked = understand(query, sorted(name for name, n in self._speakers.items() if name and self._spoken[n] > 0))
        wanted = list(dict.fromkeys(terms(asked.text)))[:QUERY_TERMS]
        known = [(term, self._vocabulary[term]) for term in wanted if term in self._vocabulary]
        shape = self._current_shape()
        state = _QUARANTINED if is_quarantined else _ACTIVE
        alive = shape.column("state") == state
        matched = self._words(known, shape)
        parts = {"words": _standard(matched, alive) * WORDS}
        proposed = matched > 0
        if self._embed is not None:
            similar = self._similarities(asked.text)
            standard = _standard(similar, alive)
            parts["vector"] = standard * VECTOR
            parts["next"] = np.where(shape.after[0] >= 0, standard[shape.after[0]], 0) * NEXT_VECTOR
            proposed |= standard >= SIMILAR_ENOUGH_MILLI
        parts |= self._circumstances(asked, shape)
        score = sum(parts.values(), start=np.zeros(len(self._refs), dtype=np.int64))
        return self._best(score, alive & proposed, limit, known, parts)

    def _words(self, known: list[tuple[str, int]], shape: _Shape) -> Ints:
        """BM25 in millionths over each turn with its neighbourhood."""
        scores = np.zeros(len(self._refs), dtype=np.int64)
        # One slot more than there are documents: what reaches beyond a session's edge lands there.
        credit = np.zeros(len(self._refs) + 1, dtype=np.int32)
        for _, term in known:
            documents = np.frombuffer(self._postings[term][0], dtype=np.int32)
            counts = np.frombuffer(self._postings[term][1], dtype=np.int32)
            if not shape.is_whole:
                live = shape.state[documents] != _GONE
                documents, counts = documents[live], counts[live]
            credit[documents] += counts * 1_000
            # A word that stands in every tenth turn says nothing about the turns around it.
            is_rare = self._frequencies[term] * COMMON_SHARE <= self._live or self._live < COMMON_SHARE * 10
            for targets, worth in shape.reach if is_rare else ():
                found = targets[documents]
                credit[found] += counts * worth[documents]
            credit[-1] = 0
            touched = np.flatnonzero(credit)
            amount = credit[touched]
            rarity = max(1, ln_micro(2 * self._live + 2) - ln_micro(2 * self._frequencies[term] + 1))
            # Whole numbers divided as doubles: IEEE 754 rounds a quotient the same way on every machine, and it is
            # cut to a whole number at once. Dividing 64-bit integers would take most of the search's time.
            top = amount * float(rarity * (1_000 + K1_MILLI) // 1_000)
            scores[touched] += (top / (amount + shape.saturation[touched])).astype(np.int64)
            credit[touched] = 0
        return scores

    def _similarities(self, text: str) -> Ints:
        assert self._embed is not None
        query = np.frombuffer(self._embed([text])[0], dtype=np.int8).reshape(1, -1)
        vectors = self._vectors[: len(self._refs)]
        if cdist is not None:
            found: Ints = np.asarray(cdist(query, vectors, "dot"))[0].astype(np.int64)
            return found
        # Sums of whole numbers below 2**24 are exact in float32 too.
        return np.rint(vectors.astype(np.float32) @ query[0].astype(np.float32)).astype(np.int64)

    def _circumstances(self, asked: Asked, shape: _Shape) -> dict[str, Ints]:
        """Who said it, when, and whether it could be an answer: thousandths times the weight."""
        parts: dict[str, Ints] = {}
        if asked.speaker:
            speaker = self._speakers[asked.speaker.casefold()]
            parts["speaker"] = (shape.column("speaker") == speaker) * (1_000 * SPEAKER)
        elif asked.whose:
            role = _ROLES[Role.ASSISTANT if asked.whose == "assistant" else Role.USER]
            weight = SPEAKER if asked.whose == "assistant" else ROLE
            parts["role"] = (shape.column("role") == role) * (1_000 * weight)
        if asked.year or asked.month:
            parts["date"] = shape.nearness(asked) * DATE
        if asked.kind:
            parts["answer"] = shape.column(asked.kind) * (1_000 * ANSWER)
        if not asked.whose:
            parts["question"] = shape.column("question") * (1_000 * IS_QUESTION)
            follows = np.where(shape.before[0] >= 0, shape.column("question")[shape.before[0]], 0)
            parts["follows"] = follows * (1_000 * AFTER_QUESTION)
        return parts

    def _best(
        self,
        score: Ints,
        proposed: npt.NDArray[np.bool_],
        limit: int,
        known: list[tuple[str, int]],
        parts: dict[str, Ints],
    ) -> list[Hit]:
        found = np.flatnonzero(proposed)
        if not len(found):
            return []
        values = score[found]
        if len(found) > limit:
            threshold = np.partition(values, len(found) - limit)[len(found) - limit]
            found = found[values >= threshold]
            values = score[found]
        # Two documents of one place never share a tick, so this order has no ties.
        ticks = np.frombuffer(self._columns["tick"], dtype=np.int64)[found]
        ranked = found[np.lexsort((-ticks, -values))[:limit]].tolist()
        top = max(1, int(score[ranked[0]]))
        # Below the average of the place and without a word of its own is no match, unless there is nothing better.
        ranked = [d for d in ranked if score[d] > 0 or self._shared(d, known)] or ranked[:1]
        return [
            Hit(
                ref=self._refs[d],
                score=max(0, int(score[d])) * 1_000_000 // top,
                terms=self._shared(d, known),
                parts=tuple((name, int(values[d]) // 100) for name, values in parts.items() if values[d]),
            )
            for d in ranked
        ]

    def _shared(self, document: int, known: list[tuple[str, int]]) -> tuple[str, ...]:
        held = frozenset(self._documents[document])
        return tuple(term for term, number in known if number in held)

    def _current_shape(self) -> _Shape:
        if self._shape is None:
            self._shape = _Shape({name: np.frombuffer(c, dtype=np.int64).copy() for name, c in self._columns.items()})
        return self._shape


COLUMNS = "state tick length words speaker role day question number time name before after".split()
_ROLES = {Role.USER: 0, Role.ASSISTANT: 1, Role.TOOL: 2, Role.SYSTEM: 3}


class _Shape:
    """What follows from the documents and their order, made once and kept until something changes."""

    def __init__(self, columns: dict[str, Ints]) -> None:
        self._columns = columns
        self.state = columns["state"]
        self.before = _hops(columns["before"])
        self.after = _hops(columns["after"])
        self.need = np.minimum(1_000, WINDOW_WORDS * 1_000 // np.maximum(1, columns["words"]))
        # A turn's words reach the turns after it by their "back" weights, and those before it by "forward": for each
        # document where it reaches, and what a word of it is worth there.
        edge = len(self.state)
        self.reach: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]] = []
        for hops, weights in ((self.after, BACK_MILLI), (self.before, FORWARD_MILLI)):
            for neighbours, weight in zip(hops, weights, strict=True):
                targets = np.where(neighbours >= 0, neighbours, edge).astype(np.int32)
                worth = np.where(neighbours >= 0, weight * self.need[neighbours] // 1_000, 0).astype(np.int32)
                self.reach.append((targets, worth))
        lengths = columns["length"] * 1_000
        for hops, weights in ((self.before, BACK_MILLI), (self.after, FORWARD_MILLI)):
            for neighbours, weight in zip(hops, weights, strict=True):
                near = np.where(neighbours >= 0, columns["length"][neighbours], 0)
                lengths = lengths + near * weight * self.need // 1_000
        alive = self.state == _ACTIVE
        self.is_whole = not bool((self.state == _GONE).any())
        mean = max(1, int(lengths[alive].sum()) // max(1, int(alive.sum())))
        saturation = K1_MILLI * ((1_000 - B_MILLI) + B_MILLI * lengths // mean) // 1_000
        self.saturation = saturation.astype(np.float64)

    def column(self, name: str) -> Ints:
        return self._columns[name]

    def nearness(self, asked: Asked) -> Ints:
        """How near each document's day is to the date of the question, in thousandths."""
        days, inverse = np.unique(self._columns["day"], return_inverse=True)
        worth = np.array([_worth(int(day), asked) for day in days], dtype=np.int64)
        return worth[inverse]


def _hops(step: Ints) -> tuple[Ints, Ints, Ints]:
    """The first, second and third neighbour in one direction; -1 where there is none."""
    second = np.where(step >= 0, step[step], -1)
    third = np.where(second >= 0, step[second], -1)
    return step, second, third


def _worth(day: int, asked: Asked) -> int:
    """Same month 1, next month 0.4; within a day 2, up to ten days after 1.4; the year alone 0.5."""
    moment = datetime.fromtimestamp(day * 86_400, tz=UTC)
    if not asked.month:
        return 500 if moment.year == asked.year else 0
    months_after = (moment.month - asked.month) % 12
    year_of_month = moment.year - 1 if months_after == 1 and moment.month == 1 else moment.year
    if asked.year and year_of_month != asked.year:
        return 0
    if asked.day:
        try:
            named = datetime(asked.year or year_of_month, asked.month, asked.day, tzinfo=UTC)
        except ValueError:
            return 0
        days_after = (moment - named).days
        if abs(days_after) <= 1:
            return 2_000
        if 1 < days_after <= 10:
            return 1_400
    return {0: 1_000, 1: 400}.get(months_after, 0)


def _standard(values: Ints, alive: npt.NDArray[np.bool_]) -> Ints:
    """Thousandths of a standard deviation above the mean of the living documents."""
    count = max(1, int(np.count_nonzero(alive)))
    is_whole = count == len(values)
    mean = int((values if is_whole else values[alive]).sum()) // count
    # Kept small enough that squares of any score fit 64 bits.
    apart = (values - mean) >> 6
    living = apart if is_whole else apart[alive]
    deviation = math.isqrt(int(np.dot(living, living)) // count)
    return apart * 1_000 // deviation if deviation else np.zeros_like(values)
