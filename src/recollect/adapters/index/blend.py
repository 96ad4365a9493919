"""What makes a row a good answer: the parts of its score, each in thousandths times a whole-number weight.

    words       the words of the question, in the turn and around it
    vector      what is similar in meaning; the next turn's similarity counts a little
    whose       the speaker a question names, or the user's or assistant's turns
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

from recollect.adapters.index.match import Scale
from recollect.adapters.index.rows import ROLES, Ints, View
from recollect.core.read.query import Asked
from recollect.core.values import Role

# The weights of the sum, in hundredths of a standard deviation. Their gains are in retrieval.md.
WORDS, VECTOR, NEXT_VECTOR = 100, 120, 20
SPEAKER, ROLE, DATE, ANSWER = 350, 60, 500, 40
IS_QUESTION, AFTER_QUESTION = -70, 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """How the whole place matched: values for every row, and what is usual. `similar` is None without an embedder."""

    words: Ints
    words_scale: Scale
    similar: Ints | None
    similar_scale: Scale


def blend(asked: Asked, view: View, speakers: Mapping[str, int], matches: Matches, rows: Ints) -> dict[str, Ints]:
    """The parts of the score of these rows, by name; the score is their sum."""
    parts = {"words": matches.words_scale.standard(matches.words[rows]) * WORDS}
    if matches.similar is not None:
        scale = matches.similar_scale
        parts["vector"] = scale.standard(matches.similar[rows]) * VECTOR
        following = view.after[0][rows]
        parts["next"] = np.where(following >= 0, scale.standard(matches.similar[following]), 0) * NEXT_VECTOR
    return parts | _circumstances(asked, view, speakers, rows)


def _circumstances(asked: Asked, view: View, speakers: Mapping[str, int], rows: Ints) -> dict[str, Ints]:
    """Who said it, when, and whether it could be an answer."""
    parts: dict[str, Ints] = {}
    if asked.speaker:
        speaker = speakers[asked.speaker.casefold()]
        parts["speaker"] = (view.column("speaker")[rows] == speaker) * (1_000 * SPEAKER)
    elif asked.whose:
        role = ROLES[Role.ASSISTANT if asked.whose == "assistant" else Role.USER]
        weight = SPEAKER if asked.whose == "assistant" else ROLE
        parts["role"] = (view.column("role")[rows] == role) * (1_000 * weight)
    if asked.year or asked.month:
        parts["date"] = _nearness(view.column("day")[rows], asked) * DATE
    if asked.kind:
        parts["answer"] = view.column(asked.kind)[rows] * (1_000 * ANSWER)
    if not asked.whose:
        question = view.column("question")
        parts["question"] = question[rows] * (1_000 * IS_QUESTION)
        earlier = view.before[0][rows]
        parts["follows"] = np.where(earlier >= 0, question[earlier], 0) * (1_000 * AFTER_QUESTION)
    return parts


def _nearness(days: Ints, asked: Asked) -> Ints:
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
