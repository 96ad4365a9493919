"""Which of two claims stands: the table of ruling 5, row by row."""

from __future__ import annotations

import pytest
from builders import CONTRACT, item
from hypothesis import given
from hypothesis import strategies as st

from recollect.core.item import MemoryItem
from recollect.core.values import Authority, EventType
from recollect.core.write.conflict import RULES, claim, settle

RANKS = CONTRACT.ranks
SYSTEM, TOOL, USER, AI = Authority


def meet(held: MemoryItem, offered: MemoryItem) -> tuple[str, str]:
    """(who stands, by which rule)."""
    winner, loser, rule = settle(claim(held, RANKS, is_newer=False), claim(offered, RANKS, is_newer=True))
    assert {winner.id, loser.id} == {held.id, offered.id}
    return ("held" if winner is held else "offered"), rule


def old(authority: Authority, event_type: EventType = EventType.FACT, importance: int = 1) -> MemoryItem:
    return item(n=1, created_at=1, authority=authority, event_type=event_type, importance=importance)


def new(authority: Authority, event_type: EventType = EventType.FACT, importance: int = 1) -> MemoryItem:
    return item(n=2, created_at=2, authority=authority, event_type=event_type, importance=importance)


CORRECTION = EventType.CORRECTION


@pytest.mark.parametrize(
    ("held", "offered", "stands", "rule"),
    [
        (old(USER), new(USER), "offered", "recency"),
        (old(SYSTEM), new(USER), "held", "authority"),
        (old(AI), new(USER), "offered", "authority"),
        (old(SYSTEM), new(USER, CORRECTION), "offered", "correction"),
        (old(SYSTEM), new(TOOL, CORRECTION), "offered", "correction"),
        (old(USER), new(AI, CORRECTION), "held", "authority"),
        (old(AI), new(AI, CORRECTION), "offered", "recency"),
        (old(USER, CORRECTION), new(USER), "offered", "recency"),
        (old(SYSTEM, CORRECTION), new(USER, CORRECTION), "offered", "correction"),
        (old(USER, CORRECTION), new(SYSTEM), "offered", "authority"),
        (old(USER, importance=9), new(USER, importance=1), "offered", "recency"),
    ],
)
def test_conflict_table(held: MemoryItem, offered: MemoryItem, stands: str, rule: str) -> None:
    """A newer entitled correction, then authority, then recency; an old correction gives no privilege."""
    assert meet(held, offered) == (stands, rule)


def test_same_tick_goes_by_importance_and_then_by_id() -> None:
    """Where ticks tie, the more important claim stands, and at last the larger id: no tie is left."""
    one, two = item(n=1, created_at=5, importance=2), item(n=2, created_at=5, importance=1)
    assert meet(one, two) == ("held", "importance")
    assert meet(item(n=1, created_at=5), item(n=2, created_at=5)) == ("offered", "importance")


def test_the_order_of_the_rules_is_the_law() -> None:
    """The table is asked in the order the rulings give."""
    assert [name for name, _ in RULES] == ["correction", "authority", "recency", "importance"]


claims = st.builds(
    item,
    n=st.just(1),
    created_at=st.integers(1, 3),
    authority=st.sampled_from(Authority),
    event_type=st.sampled_from([EventType.FACT, EventType.CORRECTION]),
    importance=st.integers(0, 3),
)


@given(claims, claims)
def test_every_conflict_is_settled_by_a_named_rule(held: MemoryItem, offered: MemoryItem) -> None:
    """Any two claims settle, by a rule of the table, and authority never loses but to an entitled correction."""
    offered = item(
        n=2,
        created_at=offered.created_at + 3,
        authority=offered.authority,
        event_type=offered.event_type,
        importance=offered.importance,
    )
    stands, rule = meet(held, offered)
    assert rule in dict(RULES)
    loser = offered if stands == "held" else held
    winner = held if stands == "held" else offered
    if RANKS[loser.authority] > RANKS[winner.authority]:
        assert rule == "correction"
        assert winner is offered
        assert RANKS[winner.authority] >= RANKS[Authority.USER_ASSERTED]
