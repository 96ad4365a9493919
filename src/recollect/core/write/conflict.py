"""Which of two claims about one key stands.

Never: looks at the time of day, at text, or at who asks.
Spec: contract v1 "Authority + conflict resolution"; ruling 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recollect.core.item import MemoryItem
from recollect.core.values import Authority, EventType


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """An item in a dispute: how strong its source is, and whether it is the newer of the two."""

    item: MemoryItem
    rank: int
    is_newer: bool
    may_correct: bool


# The order of this table is the law. The last rule cannot tie: ids are unique.
RULES: tuple[tuple[str, Callable[[Claim], tuple[object, ...]]], ...] = (
    ("correction", lambda claim: (claim.is_newer and claim.may_correct,)),
    ("authority", lambda claim: (claim.rank,)),
    ("recency", lambda claim: (claim.item.created_at,)),
    ("importance", lambda claim: (claim.item.importance, claim.item.id)),
)


def settle(held: Claim, offered: Claim) -> tuple[MemoryItem, MemoryItem, str]:
    """The claim that stands, the one that does not, and the first rule that could tell them apart."""
    for rule, rank in RULES:
        if rank(held) != rank(offered):
            held_stands = rank(held) > rank(offered)
            return (held.item, offered.item, rule) if held_stands else (offered.item, held.item, rule)
    return held.item, offered.item, "importance"


def claim(item: MemoryItem, ranks: dict[Authority, int], *, is_newer: bool) -> Claim:
    """An item as a party to a dispute."""
    entitled = ranks[item.authority] >= ranks[Authority.USER_ASSERTED]
    return Claim(
        item=item,
        rank=ranks[item.authority],
        is_newer=is_newer,
        may_correct=entitled and item.event_type is EventType.CORRECTION,
    )
