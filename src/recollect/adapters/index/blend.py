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

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from recollect.adapters.index.cards import ROLES
from recollect.adapters.index.match import Scale
from recollect.adapters.index.rows import ACTIVE, Ints, Numbers, Rows
from recollect.core.policy import Ranking
from recollect.core.read.query import Asked
from recollect.core.values import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """How the whole place matched: values for every row, and what is usual. `similar` is None without an embedder;
    `named` are the rows that hold a speaker's name of the question, `kinds` tells in millionths how telling it is that
    a row names a thing of the kind the question asks about."""

    words: Numbers
    words_scale: Scale
    similar: Numbers | None
    similar_scale: Scale
    named: npt.NDArray[np.bool_]
    kinds: Numbers


def zero_point(matches: Matches, ranking: Ranking) -> int:
    """The score of what has no word of the question and is one deviation less similar than usual: where zero lies."""
    zero = matches.words_scale.standard(np.zeros(1, dtype=np.int64))
    return int(zero[0]) * ranking.words - (1_000 * ranking.vector if matches.similar is not None else 0)


def blend(
    asked: Asked, view: Rows, speakers: Mapping[str, int], matches: Matches, rows: Numbers, ranking: Ranking
) -> dict[str, Ints]:
    """The parts of the score of these rows, by name; the score is their sum."""
    parts = {"words": matches.words_scale.standard(matches.words[rows]) * ranking.words}
    if matches.similar is not None:
        scale = matches.similar_scale
        parts["vector"] = scale.standard(matches.similar[rows]) * ranking.vector
        following = view.after[0][rows]
        near = np.where(following >= 0, scale.standard(matches.similar[following]), 0)
        parts["next"] = near * ranking.next_vector
    parts["kind"] = (matches.kinds[rows] // 1_000).astype(np.int64) * ranking.kind
    if asked.names:
        parts["name"] = matches.named[rows] * (1_000 * ranking.name)
    return parts | _whose(asked, view, speakers, rows, ranking) | _circumstances(asked, view, rows, ranking)


def _whose(asked: Asked, view: Rows, speakers: Mapping[str, int], rows: Numbers, ranking: Ranking) -> dict[str, Ints]:
    """Who said it: the speaker a question names, what the assistant said where it asks for that, else the user."""
    if asked.speaker:
        speaker = speakers[asked.speaker.casefold()]
        return {"speaker": (view.column("speaker")[rows] == speaker) * (1_000 * ranking.speaker)}
    role = view.column("role")[rows]
    if asked.whose == "assistant":
        return {"assistant": (role == ROLES[Role.ASSISTANT]) * (1_000 * ranking.assistant)}
    # The user's words are the rule, so the others lose: where all are the user's, nobody gains.
    return {"user": (role != ROLES[Role.USER]) * (-1_000 * ranking.user)}


def _circumstances(asked: Asked, view: Rows, rows: Numbers, ranking: Ranking) -> dict[str, Ints]:
    """When it was said, and whether it could be an answer."""
    parts = {"newer": _newness(view, rows) * _worth_of_new(asked, ranking)}
    if asked.year or asked.month:
        parts["date"] = _nearness(view.column("day")[rows], asked) * ranking.date
    if asked.kind:
        parts["answer"] = view.column(asked.kind)[rows].astype(np.int64) * (1_000 * ranking.answer)
    if not asked.whose:
        question = view.column("question")
        parts["asks"] = question[rows].astype(np.int64) * (1_000 * ranking.asks)
        earlier = view.before[0][rows]
        parts["follows"] = np.where(earlier >= 0, question[earlier], 0) * (1_000 * ranking.follows)
    return parts


def _newness(view: Rows, rows: Numbers) -> Ints:
    """How far along the place's own talk a row was said, in thousandths: 1,000 is the newest.

    Counted in rows that live, not in ticks: what is in quarantine has ticks too, and must not move a score.
    """
    newness = view.keep("newness", lambda: _count_newness(view.column("tick"), view.column("state") == ACTIVE))
    assert isinstance(newness, np.ndarray)
    return newness[rows].astype(np.int64)


def _count_newness(ticks: Numbers, living: npt.NDArray[np.bool_]) -> Numbers:
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
