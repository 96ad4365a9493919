"""Which memories move to a wider space, and what becomes of the one left behind.

Never: raises trust (a promoted item keeps the authority of its source), and never promotes what is in quarantine.
Spec: contract v1 spaces and promotion; facts 4.12; rulings 6, 7.
"""

from __future__ import annotations

from dataclasses import replace

from recollect.core.events import Deleted, Promoted, PromotionDenied
from recollect.core.item import MemoryItem, Standing
from recollect.core.spaces import may_promote
from recollect.core.values import BorderAction, Place, Space, Status
from recollect.core.write.candidate import Outcome
from recollect.core.write.desk import Desk
from recollect.core.write.settle import store

# Asked in order; the first phrase found in the user's words wins.
HINTS: tuple[tuple[str, Space, str], ...] = (
    ("remember this for me", Space.USER, "hint:remember_for_me"),
    ("remember this about me", Space.USER, "hint:remember_about_me"),
    ("save this for me", Space.USER, "hint:save_for_me"),
    ("remember this for the project", Space.PROJECT, "hint:remember_for_project"),
    ("remember this for my project", Space.PROJECT, "hint:remember_for_project"),
    ("remember this for our project", Space.PROJECT, "hint:remember_for_project"),
    ("project memory", Space.PROJECT, "hint:project_memory"),
    ("remember this for everyone", Space.SYSTEM, "hint:remember_for_everyone"),
    ("remember this for the system", Space.SYSTEM, "hint:remember_for_system"),
    ("system memory", Space.SYSTEM, "hint:system_memory"),
)


def hinted_target(text: str) -> tuple[str, str]:
    """The space a user's words ask for and the code of the phrase, or two empty strings."""
    lowered = text[:4_000].lower()
    if "remember this" not in lowered and "save this" not in lowered and " memory" not in lowered:
        return "", ""
    for phrase, space, code in HINTS:
        if phrase in lowered:
            return space.value, code
    return "", ""


def promote(desk: Desk, item: MemoryItem, to_space: Space, to_place: Place | None, reason: str) -> Outcome:
    """Copy an item to a wider space if the policy allows, and say what became of the copy."""
    code = "no_owner" if to_place is None else may_promote(desk.policy, item, to_space)
    if not desk.check_border(BorderAction.PROMOTE, item, to_space, code) or to_place is None:
        return refuse(desk, item, to_space, code)
    phase = desk.ensure_phase(to_place)
    copy = replace(
        item,
        ref=desk.next_ref(to_place, item.kind),
        created_at=desk.heads[to_place].tick + 1,
        phase=phase,
        made_how="promotion",
        made_from=(item.ref,),
        promotion_reason=reason,
        standing=Standing(status=Status.ACTIVE, importance=item.importance),
    )
    outcome = store(desk, copy)
    if outcome.fate in {"written", "merged"}:
        stands = outcome.into or copy.ref
        desk.say(item.ref.place, Promoted(item.ref, stands, item.authority, reason))
        if desk.policy.promotion.source == "delete":
            desk.change(item, Deleted(item.ref, "promoted", stands))
    return outcome


def refuse(desk: Desk, item: MemoryItem, to_space: Space, code: str) -> Outcome:
    """Say that an item may not go there."""
    desk.say(item.ref.place, PromotionDenied(item.ref, to_space, code))
    return Outcome(ref=item.ref, fate="denied", code=code)
