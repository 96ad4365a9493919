"""Which memories have lived long enough.

Age is counted in ticks of the item's own place; the policy of today decides, not the one the item was written under.

Never: reads a clock, expires what is pinned, or removes anything without saying so.
Spec: contract v1 "Retention + forgetting"; facts 4.8; ruling 4a (reads filter, writes and upkeep remove).
"""

from __future__ import annotations

from recollect.core.events import Deleted, Forgot
from recollect.core.item import MemoryItem
from recollect.core.policy import Policy, Retention, RetentionMode
from recollect.core.values import EventType, Kind, Place, Status
from recollect.core.write.desk import Desk

NOTHING_EXPIRES = Retention()
REASONS = {RetentionMode.TTL: "ttl_expired", RetentionMode.DECAY: "decay"}


def expires_at(item: MemoryItem, policy: Policy) -> int | None:
    """The tick from which an item is gone, or None when it lasts."""
    if policy.retention is NOTHING_EXPIRES or policy.retention == NOTHING_EXPIRES:
        return None
    rule = policy.retention.of(item.kind, item.event_type)
    if rule.mode is RetentionMode.NEVER or item.standing.is_pinned:
        return None
    return item.created_at + rule.ticks + (1 if rule.mode is RetentionMode.DECAY else 0)


def is_expired(item: MemoryItem, policy: Policy, now: int) -> bool:
    end = expires_at(item, policy)
    return end is not None and now >= end


def ageing_kinds(policy: Policy) -> dict[Kind, int]:
    """The kinds that can expire at all, each with the shortest life any of its rules gives."""
    shortest: dict[Kind, int] = {}
    if policy.retention == NOTHING_EXPIRES:
        return shortest
    for kind in Kind:
        rules = [policy.retention.of(kind, event_type) for event_type in EventType]
        ticks = [rule.ticks for rule in rules if rule.mode is not RetentionMode.NEVER]
        if ticks:
            shortest[kind] = min(ticks)
    return shortest


def retain(desk: Desk) -> None:
    """Remove what has expired in every place this commit gathered."""
    if desk.policy.retention == NOTHING_EXPIRES:
        return
    session = desk.lens.session_place
    for item in list(desk.window):
        if is_expired(item, desk.policy, desk.heads[session].tick):
            _expire(desk, session, item)
    for place in sorted(desk.ageing):
        now = desk.heads[place].tick
        staying = []
        for item in desk.ageing[place]:
            current = desk.current(item)
            if current is None or current.status is not Status.ACTIVE:
                continue
            if is_expired(current, desk.policy, now):
                _expire(desk, place, current)
            else:
                staying.append(current)
        desk.ageing[place] = staying


def _expire(desk: Desk, place: Place, item: MemoryItem) -> None:
    mode = desk.policy.retention.of(item.kind, item.event_type).mode
    desk.say(place, Forgot(item.ref, REASONS[mode]))
    desk.change(item, Deleted(item.ref, "expired"))
