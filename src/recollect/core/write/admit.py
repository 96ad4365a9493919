"""Whether the policy lets an offered item in, and by which rule.

The rows of `CHECKS` are asked in order; the first that answers with a code denies. What passes is tagged with the
rules that let it pass.

Never: looks at other items, at time, or at the words (privacy has done that).
Spec: contract v1 "Privacy rules", "Memory policy contract"; facts 4.7; rulings 9, 13.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from recollect.core.policy import Policy
from recollect.core.values import EventType, Kind, WriteLevel
from recollect.core.write.candidate import Candidate

MINIMAL_TYPES = frozenset(
    {EventType.FACT, EventType.PREFERENCE, EventType.DECISION, EventType.CORRECTION, EventType.RULE}
)


def _privacy(candidate: Candidate, policy: Policy) -> str:
    return candidate.denial


def _profile_key(candidate: Candidate, policy: Policy) -> str:
    if candidate.kind is not Kind.PROFILE or candidate.fact is None or candidate.event_type is EventType.RULE:
        return ""
    allowed = policy.privacy.profile_keys
    return "" if "*" in allowed or candidate.fact.key in allowed else "privacy_deny_profile_key"


def _write_level(candidate: Candidate, policy: Policy) -> str:
    """The window is exempt: even the level `none` keeps it."""
    if candidate.kind is Kind.SHORT_TERM:
        return ""
    level = policy.write_policy
    if level is WriteLevel.NONE:
        return "write_policy_none"
    if level is WriteLevel.MINIMAL and candidate.event_type not in MINIMAL_TYPES:
        return "write_policy_minimal"
    is_plain_talk = candidate.kind is Kind.SEMANTIC and candidate.event_type is EventType.CONTEXT
    if level is WriteLevel.NORMAL and is_plain_talk and not policy.episodes.context_is_signal:
        return "write_policy_context"
    return ""


def _event_types(candidate: Candidate, policy: Policy) -> str:
    allowed, denied = policy.allow_event_types, policy.deny_event_types
    if candidate.event_type in denied or (allowed and candidate.event_type not in allowed):
        return "policy_deny_event_type"
    return ""


def _promotion_list(candidate: Candidate, policy: Policy) -> str:
    if candidate.kind is Kind.SHORT_TERM:
        return ""
    types = policy.promotion.semantic if candidate.kind is Kind.SEMANTIC else policy.promotion.profile
    return "" if candidate.event_type in types else "policy_deny_promotion"


def _low_signal(candidate: Candidate, policy: Policy) -> str:
    is_dropped = candidate.is_low_signal and policy.episodes.drop_low_signal
    return "policy_low_signal" if is_dropped and policy.write_policy is not WriteLevel.AGGRESSIVE else ""


CHECKS: tuple[Callable[[Candidate, Policy], str], ...] = (
    _privacy,
    _profile_key,
    _write_level,
    _event_types,
    _promotion_list,
    _low_signal,
)


def refusal(candidate: Candidate, policy: Policy) -> str:
    """The code of the first rule that refuses a candidate, or ''."""
    for check in CHECKS:
        code = check(candidate, policy)
        if code:
            return code
    return ""


def tags(candidate: Candidate, policy: Policy) -> tuple[str, ...]:
    """Which rules let a candidate pass."""
    has_types = bool(policy.allow_event_types or policy.deny_event_types)
    return _tags(candidate.kind is not Kind.SHORT_TERM, policy.write_policy, has_types)


@cache
def _tags(is_lasting: bool, level: WriteLevel, has_types: bool) -> tuple[str, ...]:
    passed = ["allowed_by:privacy"]
    if is_lasting:
        passed.append(f"allowed_by:write_policy:{level}")
    if has_types:
        passed.append("allowed_by:policy_event_types")
    if is_lasting:
        passed.append("allowed_by:promotion_rule")
    return tuple(passed)
