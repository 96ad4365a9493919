"""Tells a recall as the contract's events: what came back, with a reason for every candidate, then who asked at which
border.

Never: told before somebody listens, and never told what a secret was.
Spec: contract v1 traces; ruling 13a.
"""

from __future__ import annotations

from recollect.core.policy import Policy
from recollect.core.read.choice import Choice
from recollect.core.read.pipeline import Selected
from recollect.core.read.question import Gathered, Question
from recollect.core.spaces import may_read
from recollect.core.text import one_line
from recollect.core.values import BorderAction, ItemRef, Lens, Space
from recollect.core.wire import TRACE_VERSION, Wire, redact
from recollect.core.write.retain import expires_at
from recollect.core.write.secrets import find_secrets, mask

NOT_EXACT = (
    "A place is larger than the indexes may be: the server's approximate index proposed what is near,"
    " and only that was scored."
)


def trace_of(question: Question, gathered: Gathered, selected: Selected) -> list[Wire]:
    """The recall as the contract's events: what came back, then who asked at which border."""
    lens, policy = question.lens, question.policy
    kept = [choice for choice in selected.choices if choice.verdict == "kept"]
    recalled = [redact(c.item.to_wire(recall_reason=list(c.recall_reasons), **_added(c, policy))) for c in kept]
    spaces = [str(space) for space in policy.spaces.read_order if lens.places(space)]
    phase = gathered.phases.get(lens.session_place)
    head: Wire = {"trace_version": TRACE_VERSION, "ai_profile": lens.ai_profile, "session": lens.session_place.owner}
    told: Wire = {
        "type": "memory_recall",
        **head,
        "query": one_line(mask(question.text, find_secrets(question.text))),
        "recalled": recalled,
        "policy": policy.snapshot,
        "deterministic_hash": selected.recall_hash,
        "spaces_consulted": spaces,
        "recall_counts": {space: sum(c.item.ref.place.space == space for c in kept) for space in spaces},
        "current_phase": phase.to_wire() if phase is not None else {},
        "phase_counts": _phase_counts(kept_refs=[(c.item.ref, c.item.phase.id) for c in kept]),
        "choices": [choice.to_wire() for choice in selected.choices],
        "status": selected.status,
        "tiers": gathered.tiers,
        "tokens": selected.tokens,
        "budget_tokens": question.budget_tokens,
        "context_hash": selected.hash,
        **({} if gathered.is_exact else {"exact": False, "exact_reason": NOT_EXACT}),
        **_opened(selected),
    }
    return [told, *(_border(space, policy, lens, head) for space in Space)]


def _opened(selected: Selected) -> Wire:
    """What the files of this turn did; nothing where none were named."""
    told: Wire = {}
    if selected.files:
        told["files"] = [shown.to_wire() for shown in selected.files]
    if selected.conflicts:
        told["conflicts"] = [conflict.to_wire() for conflict in selected.conflicts]
    return told


def _added(choice: Choice, policy: Policy) -> dict[str, object]:
    """What a recall adds to its copy of an item: its score, and how retention let it stay."""
    added: dict[str, object] = {"score": choice.score} if choice.score else {}
    end = expires_at(choice.item, policy)
    if end is not None:
        added |= {"expires_at": end, "policy_tags": [*choice.item.policy_tags, "kept_by:retention_rule"]}
    return added


def _phase_counts(kept_refs: list[tuple[ItemRef, str]]) -> dict[str, dict[str, int]]:
    counted: dict[str, dict[str, int]] = {}
    for ref, phase_id in kept_refs:
        space = counted.setdefault(str(ref.place.space), {})
        space[phase_id] = space.get(phase_id, 0) + 1
    return counted


def _border(space: Space, policy: Policy, lens: Lens, head: Wire) -> Wire:
    code = may_read(policy, space) if lens.places(space) else "no_owner"
    return {
        "type": "memory_border_check",
        **head,
        "policy_snapshot": policy.snapshot,
        "action": str(BorderAction.READ),
        "from_space": str(space),
        "allowed": code == "allowed",
        "reason": code,
    }
