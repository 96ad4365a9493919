"""How long memories live: ttl and decay to the tick, the pinned for ever, the presets' own numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import CONTRACT, DEFAULT, item

from recollect.core.policy import Policy, Retention, RetentionByType, RetentionMode, RetentionRule
from recollect.core.values import EventType, Kind
from recollect.core.write.retain import ageing_kinds, expires_at, is_expired


def policy(mode: RetentionMode, ticks: int) -> Policy:
    return Policy(retention=Retention(semantic=RetentionByType(default=RetentionRule(mode=mode, ticks=ticks))))


@pytest.mark.parametrize(
    ("mode", "now", "is_gone"),
    [
        (RetentionMode.TTL, 14, False),
        (RetentionMode.TTL, 15, True),
        (RetentionMode.DECAY, 15, False),
        (RetentionMode.DECAY, 16, True),
        (RetentionMode.NEVER, 10_000, False),
    ],
)
def test_life_ends_at_its_tick(mode: RetentionMode, now: int, is_gone: bool) -> None:
    """`ttl` ends at created_at + ticks, `decay` after more than that many ticks of age, `never` not at all."""
    assert is_expired(item(created_at=10), policy(mode, 5), now) is is_gone


def test_pinned_items_last() -> None:
    """What is pinned has no end."""
    assert expires_at(item(is_pinned=True), policy(RetentionMode.TTL, 1)) is None


def test_rule_of_the_type_comes_before_the_default() -> None:
    """A kind's rule for an event type stands over its default, and other kinds are untouched."""
    rules = RetentionByType(
        default=RetentionRule(mode=RetentionMode.TTL, ticks=1),
        fact=RetentionRule(mode=RetentionMode.NEVER),
    )
    given = replace(DEFAULT, retention=Retention(semantic=rules))
    assert expires_at(item(event_type=EventType.FACT), given) is None
    assert expires_at(item(), given) == 2
    assert expires_at(item(kind=Kind.PROFILE), given) is None


def test_contract_keeps_its_own_numbers() -> None:
    """The preset has the decay ticks of the contract's own time, for episodes only."""
    ticks = {"context": 12, "execution": 18, "decision": 40, "preference": 40, "correction": 45, "fact": 60}
    for name, expected in ticks.items():
        rule = CONTRACT.retention.of(Kind.SEMANTIC, EventType(name))
        assert (rule.mode, rule.ticks) == ("decay", expected)
        for kind in (Kind.SHORT_TERM, Kind.PROFILE):
            assert CONTRACT.retention.of(kind, EventType(name)).mode == "never"


def test_only_what_can_age_is_gathered() -> None:
    """The kinds that can expire are named with their shortest life; under default nothing can."""
    assert ageing_kinds(DEFAULT) == {}
    assert ageing_kinds(CONTRACT) == {Kind.SEMANTIC: 12}
