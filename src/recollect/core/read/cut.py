"""How many of each block stay: the policy's limits, and one low floor for what hardly matches.

Never: cuts the window, rules or pinned items.
Spec: facts 4.11 (top k per space); ruling 17 (one low floor).
"""

from __future__ import annotations

from recollect.core.read.choice import Candidate, Selection
from recollect.core.read.question import Gathered, Question


def cut(question: Question, gathered: Gathered, selection: Selection) -> None:
    """Drop what is below the floor or beyond its block's limit; candidates come in order of score."""
    recall = question.policy.recall
    per_space: dict[str, int] = {}
    facts = 0
    staying: list[Candidate] = []
    for candidate in selection.alive:
        code = ""
        if candidate.block == "facts" and not candidate.item.standing.is_pinned:
            facts += 1
            code = "over_limit" if facts > question.policy.facts.limit else ""
        elif candidate.block in {"episodes", "project"} and not candidate.item.standing.is_pinned:
            space = candidate.item.ref.place.space
            limit = min(question.limit, recall.top_k)
            if candidate.score < recall.floor:
                code = "weak_match"
            elif per_space.get(space, 0) >= limit:
                code = "over_limit"
            else:
                per_space[space] = per_space.get(space, 0) + 1
        if code:
            selection.drop(candidate, code)
        else:
            staying.append(candidate)
    selection.alive = staying
