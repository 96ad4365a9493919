"""What this recall may see at all: status, retention, phase.

Other owners, other tenants and other personas' private memories never come this far: they are different places and
are not gathered.

Never: hides anything without a reason.
Spec: rulings 4a, 7, 8, 11.
"""

from __future__ import annotations

from recollect.core.item import MemoryItem
from recollect.core.policy import Policy
from recollect.core.read.choice import Selection
from recollect.core.read.question import Gathered, Question
from recollect.core.values import Kind, Status
from recollect.core.write.retain import NOTHING_EXPIRES, is_expired


def visible(question: Question, gathered: Gathered, selection: Selection) -> None:
    """Drop what the policy does not let this recall see."""
    staying = []
    for candidate in selection.alive:
        code = hidden(question, gathered, candidate.item)
        if code:
            selection.drop(candidate, code)
        else:
            staying.append(candidate)
    selection.alive = staying


def hidden(question: Question, gathered: Gathered, item: MemoryItem) -> str:
    """The code of what keeps an item out of sight, or ''."""
    if item.status is Status.QUARANTINED:
        return "quarantined"
    if item.status is Status.ARCHIVED and not question.as_of_ms:
        return "archived"
    if is_expired(item, question.policy, gathered.ticks[item.ref.place]):
        return "expired"
    return "" if _in_phase(question, gathered, item) else "other_phase"


def is_all_visible(policy: Policy) -> bool:
    """Whether nothing but its status can keep an item out of sight under a policy."""
    phase = policy.phase
    looks_back = phase.mode == "all" or phase.allow_cross_phase_recall or not phase.enabled
    return looks_back and policy.retention == NOTHING_EXPIRES


def _in_phase(question: Question, gathered: Gathered, item: MemoryItem) -> bool:
    """Lasting facts and pinned items outlive phases; the rest follows the policy."""
    phase = question.policy.phase
    looks_back = phase.mode == "all" or phase.allow_cross_phase_recall or not phase.enabled
    if item.kind is Kind.PROFILE or item.standing.is_pinned or looks_back:
        return True
    current = gathered.phases[item.ref.place]
    return current is None or item.phase.index == current.index
