"""Puts an item into its place: as new, as one more mention, or through a conflict.

Every item that comes here leaves with exactly one fate, and the loser of a conflict goes the way the policy says.

Never: lets two live items hold one key.
Spec: contract v1 "Authority + conflict resolution"; facts 4.6; rulings 5, 8, 9, 20, 21; law 4.
"""

from __future__ import annotations

from dataclasses import replace

from recollect.core.events import Archived, Conflict, Deleted, Merged
from recollect.core.item import MemoryItem, stand
from recollect.core.text import normalise
from recollect.core.values import Kind, Status
from recollect.core.write.candidate import Outcome
from recollect.core.write.conflict import claim, settle
from recollect.core.write.desk import Desk


def store(desk: Desk, item: MemoryItem) -> Outcome:
    """Keep an item, or say why it did not come to stand."""
    held = desk.held.get((item.ref.place, item.dedup_key)) if item.dedup_key else None
    if held is None:
        desk.keep(item)
        return Outcome(ref=item.ref, fate="written", code="interaction_recorded", item=item)
    if _is_same_claim(held, item):
        return _merge(desk, held, item)
    ranks = desk.policy.ranks
    winner, _, rule = settle(claim(held, ranks, is_newer=False), claim(item, ranks, is_newer=True))
    if winner is item:
        return _replace(desk, held, item, rule)
    return _refuse(desk, held, item, rule)


def _is_same_claim(held: MemoryItem, item: MemoryItem) -> bool:
    """A fact said again is a mention, and a todo's key is its claim.

    An episode said again is a newer episode: the contract lets it win.
    """
    if item.kind is not Kind.PROFILE:
        return False
    is_todo = item.fact is not None and item.fact.type == "TODO"
    return is_todo or normalise(held.text) == normalise(item.text)


def _merge(desk: Desk, held: MemoryItem, item: MemoryItem) -> Outcome:
    turn = item.made_from[0] if item.made_from else None
    desk.change(held, Merged(item.ref, held.ref, held.standing.mentions + 1, turn, item.made_from[1:]))
    desk.links.extend((held.ref, parent) for parent in item.made_from)
    return Outcome(ref=item.ref, fate="merged", code="merged", into=held.ref, item=desk.current(held))


def _replace(desk: Desk, held: MemoryItem, item: MemoryItem, rule: str) -> Outcome:
    kept = max(held.importance, item.importance) if item.kind is Kind.SEMANTIC else item.importance
    if kept > item.importance:
        why = (*item.importance_reason, "conflict_merge")
        item = replace(stand(item, importance=kept), importance_reason=why)
    # The loser leaves its key before the winner takes it.
    del desk.held[(held.ref.place, held.dedup_key)]
    desk.keep(item)
    desk.say(item.ref.place, Conflict(item.ref, held.ref, rule, item.importance))
    if desk.policy.losers == "delete":
        desk.change(held, Deleted(held.ref, "superseded", item.ref))
    else:
        desk.change(held, Archived(held.ref, "superseded", item.ref))
    return Outcome(ref=item.ref, fate="written", code=rule, item=item)


def _refuse(desk: Desk, held: MemoryItem, item: MemoryItem, rule: str) -> Outcome:
    if desk.policy.losers == "archive":
        # Kept for audit: numbered and stored like any other, but never active.
        shelved = stand(item, status=Status.ARCHIVED)
        desk.keep(shelved)
        desk.say(item.ref.place, Conflict(held.ref, item.ref, rule, held.importance))
        desk.change(shelved, Archived(item.ref, "superseded", held.ref))
    else:
        desk.say(item.ref.place, Conflict(held.ref, item.ref, rule, held.importance))
    return Outcome(ref=item.ref, fate="lost", code=rule, into=held.ref)
