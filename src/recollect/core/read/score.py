"""How much each candidate is worth for this question.

`SCORING` names the ways; the policy picks one. All of them give whole numbers and the reasons they are made of.

Never: drops anything, or lets a tie stand (the newer wins, then the smaller id).
Spec: facts 4.11 (`hybrid`); rulings 2, 17 (`blend`).
"""

from __future__ import annotations

from collections.abc import Callable

from recollect.core.integers import half_life_micro
from recollect.core.read.choice import Candidate, Selection
from recollect.core.read.question import Gathered, Question
from recollect.core.text import normalise
from recollect.core.values import MICRO, ItemRef

STRONG_MATCH = 600_000


def score(question: Question, gathered: Gathered, selection: Selection) -> None:
    """Give every episode and fact its score, and order them."""
    rate = SCORING[question.policy.recall.scoring](question, gathered, selection)
    for candidate in selection.alive:
        if candidate.block == "window":
            _as_window(candidate)
            continue
        candidate.parts = rate(candidate)
        candidate.score = sum(value for _, value in candidate.parts)
        named = tuple(_RECALL_REASON[name] for name, value in candidate.parts if value)
        candidate.recall_reasons = (*(named or ("active_rule",)), f"space:{candidate.item.ref.place.space}")
        candidate.kept_code = _kept_code(candidate)
    selection.alive.sort(key=_order)


def _order(candidate: Candidate) -> tuple[int, int, ItemRef]:
    return -candidate.score, -candidate.item.created_at, candidate.item.ref


_RECALL_REASON = {"similarity": "matches_query", "recency": "recency", "importance": "importance"}


def _as_window(candidate: Candidate) -> None:
    is_summary = candidate.item.made_how == "summary"
    candidate.kept_code = "window_summary" if is_summary else "recent_window"
    candidate.recall_reasons = ("active_rule" if is_summary else "recency", f"space:{candidate.item.ref.place.space}")


def _kept_code(candidate: Candidate) -> str:
    if candidate.block == "rules":
        return "active_rule"
    if candidate.item.standing.is_pinned:
        return "pinned"
    if candidate.block == "facts":
        return "lasting_fact"
    parts = dict(candidate.parts)
    if candidate.match >= STRONG_MATCH or parts.get("similarity") == 2:
        return "strong_match"
    if parts.get("similarity"):
        return "match"
    return "importance" if parts.get("importance", 0) >= parts.get("recency", 0) else "recency"


Parts = tuple[tuple[str, int], ...]
Rater = Callable[[Candidate], Parts]


def _hybrid(question: Question, gathered: Gathered, selection: Selection) -> Rater:
    """The contract's own score: 0 to 2 for similarity, recency and importance each."""
    query = normalise(question.text)
    asked = frozenset(query.split())
    newest: dict[object, int] = {}
    for candidate in selection.alive:
        place = candidate.item.ref.place
        newest[place] = max(newest.get(place, 0), candidate.item.created_at)

    def rate(candidate: Candidate) -> Parts:
        text = normalise(candidate.item.text)
        similarity = 2 if query and query in text else int(not asked.isdisjoint(text.split()))
        age = newest[candidate.item.ref.place] - candidate.item.created_at
        recency = 2 if age <= 2 else int(age <= 5)
        importance = 2 if candidate.item.importance >= 4 else int(candidate.item.importance >= 2)
        return (("similarity", similarity), ("recency", recency), ("importance", importance))

    return rate


def _blend(question: Question, gathered: Gathered, selection: Selection) -> Rater:
    """Millionths: how well the words match, how near in ticks, how important, weighed in whole percents."""
    recall = question.policy.recall
    weights, top = recall.weights, question.policy.importance.maximum

    def rate(candidate: Candidate) -> Parts:
        age = gathered.ticks[candidate.item.ref.place] - candidate.item.created_at
        nearness = half_life_micro(age, recall.half_life_ticks)
        weight = min(candidate.item.importance, top) * MICRO // top
        return (
            ("similarity", candidate.match * weights.terms // 100),
            ("recency", nearness * weights.recency // 100),
            ("importance", weight * weights.importance // 100),
        )

    return rate


SCORING: dict[str, Callable[[Question, Gathered, Selection], Rater]] = {"hybrid": _hybrid, "blend": _blend}
