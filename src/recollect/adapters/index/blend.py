"""What makes a row a good answer: the parts of its score, each in thousandths times a whole-number weight.

    words       the words of the question, in the turn and around it
    vector      what is similar in meaning; the next turn's similarity counts a little
    whose       the speaker a question names; what the assistant said, where it asks for that; else the user's turns
    when        the date a question names against the day a turn was said
    answer      a turn that could answer that kind of question; a turn that only asks counts less

A part is computed for the rows in question only, never for the whole place: `rows` are the numbers of the candidates.

Never: reads a store, lets rounding decide, or looks at anything but the arrays it is given.
Spec: retrieval.md (every ingredient with its gain).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from recollect.adapters.index.cards import ROLES
from recollect.adapters.index.match import Mask, Places, Scale
from recollect.adapters.index.rows import ACTIVE, Ints, Numbers, Rows
from recollect.core.policy import Ranking
from recollect.core.read.query import Asked
from recollect.core.values import Role

_USER: Final = ROLES[Role.USER]
_ASSISTANT: Final = ROLES[Role.ASSISTANT]
# At most so many parts can one question have; PARTS in core/read/parts.py names them.
MOST_PARTS: Final = 13


class Matches(NamedTuple):
    """How the whole place matched: values for every row, and what is usual. `touched` are the rows that have any of the
    words. `similar` is None without an embedder; `named` are the rows that hold a speaker's name of the question, and
    `kinds` tells in millionths how telling it is that a row names a thing of the kind the question asks about: None
    where it names nobody, and asks about no kind."""

    words: Numbers
    touched: Mask
    words_scale: Scale
    similar: Numbers | None
    similar_scale: Scale
    named: Mask | None
    kinds: Numbers | None


class Parts:
    """The parts of some rows' scores: a row of whole numbers for each name."""

    __slots__ = ("_table", "names")

    def __init__(self, count: int) -> None:
        self._table = np.empty((MOST_PARTS, count), dtype=np.int64)
        self.names: list[str] = []

    def add(self, name: str, values: npt.NDArray[Any], worth: int) -> None:
        """One more part: each row's value times what it is worth."""
        np.multiply(values, worth, out=self._table[len(self.names)], dtype=np.int64)
        self.names.append(name)

    @property
    def values(self) -> Ints:
        return self._table[: len(self.names)]


def zero_point(matches: Matches, ranking: Ranking) -> int:
    """The score of what has no word of the question and is one deviation less similar than usual: where zero lies."""
    zero = matches.words_scale.standard_of(0) * ranking.words
    return zero - (1_000 * ranking.vector if matches.similar is not None else 0)


def blend(asked: Asked, view: Rows, matches: Matches, rows: Places, ranking: Ranking) -> Parts:
    """The parts of the score of these rows, by name; the score is their sum."""
    parts = Parts(len(rows))
    parts.add("words", matches.words_scale.standard(matches.words.take(rows)), ranking.words)
    if matches.similar is not None:
        scale = matches.similar_scale
        parts.add("vector", scale.standard(matches.similar.take(rows)), ranking.vector)
        following = view.after[0].take(rows)
        near = scale.standard(matches.similar.take(following, mode="wrap"))
        near *= following >= 0
        parts.add("next", near, ranking.next_vector)
    if matches.kinds is not None:
        parts.add("kind", matches.kinds.take(rows) // 1_000, ranking.kind)
    if matches.named is not None:
        parts.add("name", matches.named.take(rows), 1_000 * ranking.name)
    _whose(parts, asked, view, rows, ranking)
    _circumstances(parts, asked, view, rows, ranking)
    return parts


def _whose(parts: Parts, asked: Asked, view: Rows, rows: Places, ranking: Ranking) -> None:
    """Who said it: the speaker a question names, what the assistant said where it asks for that, else the user."""
    if asked.speaker:
        speaker = view.speakers[asked.speaker.casefold()]
        parts.add("speaker", view.column("speaker").take(rows) == speaker, 1_000 * ranking.speaker)
    elif asked.whose == "assistant":
        parts.add("assistant", view.column("role").take(rows) == _ASSISTANT, 1_000 * ranking.assistant)
    else:
        # The user's words are the rule, so the others lose: where all are the user's, nobody gains.
        parts.add("user", view.column("role").take(rows) != _USER, -1_000 * ranking.user)


def _circumstances(parts: Parts, asked: Asked, view: Rows, rows: Places, ranking: Ranking) -> None:
    """When it was said, and whether it could be an answer."""
    parts.add("newer", _newness(view, rows), _worth_of_new(asked, ranking))
    if asked.year or asked.month:
        parts.add("date", _nearness(view.column("day").take(rows), asked), ranking.date)
    if asked.kind:
        parts.add("answer", view.column(asked.kind).take(rows), 1_000 * ranking.answer)
    if not asked.whose:
        question = view.column("question")
        parts.add("asks", question.take(rows), 1_000 * ranking.asks)
        earlier = view.before[0].take(rows)
        parts.add("follows", question.take(earlier, mode="wrap") * (earlier >= 0), 1_000 * ranking.follows)


def _newness(view: Rows, rows: Places) -> Numbers:
    """How far along the place's own talk a row was said, in thousandths: 1,000 is the newest.

    Counted in rows that live, not in ticks: what is in quarantine has ticks too, and must not move a score.
    """
    newness = view.keep("newness", lambda: _count_newness(view.column("tick"), view.column("state") == ACTIVE))
    assert isinstance(newness, np.ndarray)
    return newness.take(rows)


def _count_newness(ticks: Numbers, living: Mask) -> Numbers:
    said = np.sort(ticks[living])
    before = np.searchsorted(said, ticks, side="right").astype(np.int64)
    return (before * 1_000 // max(1, len(said))).astype(np.int32)


def _worth_of_new(asked: Asked, ranking: Ranking) -> int:
    """What changes is mostly asked about as it is now; a question about how it once was gains nothing from that."""
    return {1: ranking.newer + ranking.now, 0: ranking.newer, -1: 0}[asked.now]


def _nearness(days: Numbers, asked: Asked) -> Ints:
    """How near each day is to the date of the question, in thousandths."""
    known, inverse = np.unique(days, return_inverse=True)
    worth = np.array([_worth(int(day), asked) for day in known], dtype=np.int64)
    return worth[inverse]


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
