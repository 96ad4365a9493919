"""Who may read, write and promote where; and how owners are named.

1. A name given by a caller becomes an owner by escaping, never by folding: two different users can never share one.
2. Every question asked at a border has one answer with a reason code, taken from the policy alone.

Never: looks at the text of an item.
Spec: contract v1 spaces; facts 4.1, 4.12; rulings 3, 7, 12.
"""

from __future__ import annotations

import re

from recollect.core.item import MemoryItem
from recollect.core.policy import Policy, PromotionRule
from recollect.core.values import Authority, Space, Status

NAME_CHARACTERS = 200
# What has a meaning in ids and owners, white space, and what cannot be printed.
_SPECIAL = re.compile("[\\s%:/~(\x00-\x1f\x7f-\xa0\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]")


def escape_name(name: str) -> str:
    """An owner's name as ids carry it. Different names stay different (`a b` and `a_b` are two people)."""
    return _SPECIAL.sub(lambda match: "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8")), name)


def may_read(policy: Policy, space: Space) -> str:
    return "allowed" if space in policy.spaces.read_order else "space_disabled"


def may_write(policy: Policy, space: Space) -> str:
    if space not in policy.spaces.read_order:
        return "space_disabled"
    return "allowed" if space in policy.spaces.write else "write_space_disallowed"


def may_promote(policy: Policy, item: MemoryItem, to_space: Space) -> str:
    """Whether an item may go to a wider space. A quarantined item never may; trust is never raised on the way."""
    if item.status is Status.QUARANTINED:
        return "promotion_quarantined"
    if item.status is Status.ARCHIVED:
        return "promotion_not_live"
    if to_space not in policy.spaces.read_order:
        return "space_disabled"
    rule = _rule(policy, item.ref.place.space, to_space)
    if rule is None:
        return "promotion_disallowed"
    if item.event_type not in rule.event_types:
        return "promotion_event_type"
    if policy.ranks[item.authority] < policy.ranks[_needed(rule, item)]:
        return "promotion_authority"
    return "allowed"


def _rule(policy: Policy, from_space: Space, to_space: Space) -> PromotionRule | None:
    rules = (rule for rule in policy.spaces.promotion if (rule.from_space, rule.to_space) == (from_space, to_space))
    return next(rules, None)


def _needed(rule: PromotionRule, item: MemoryItem) -> Authority:
    if rule.lower_authority is not None and item.event_type in rule.lower_event_types:
        return rule.lower_authority
    return rule.min_authority
