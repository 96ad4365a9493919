"""What erasing takes with it.

1. Whatever was made from an erased item goes too: facts, promotions, confirmations, corrections.
2. A fact that other turns also state is not lost: it is read again from one of those turns.
3. A window summary quotes turns that are gone; it goes with any erasure in its session.

Never: looks anything up; the engine lays out the items and what was made from them.
Spec: ruling 8; wants.md 1.
"""

from __future__ import annotations

from recollect.core.events import Erased
from recollect.core.item import MemoryItem
from recollect.core.values import ItemRef, Kind, Lens, Status, Turn
from recollect.core.write.candidate import Candidate
from recollect.core.write.desk import Desk
from recollect.core.write.offer import offers


def erase_items(desk: Desk, items: list[MemoryItem], roots: dict[ItemRef, bool]) -> None:
    """Take items out; those nobody named go as derived."""
    for item in items:
        desk.change(item, Erased(item.ref, "asked" if item.ref in roots else "derived"))


def restated(fact: MemoryItem, turn: MemoryItem, desk: Desk) -> Candidate | None:
    """The same fact as another turn states it, or None when that turn does not."""
    if fact.kind is not Kind.PROFILE or fact.status is not Status.ACTIVE or fact.made_how != "fact":
        return None
    for candidate in offers(turn_of(turn), desk.policy, lens_of(turn, desk.lens), ()):
        if candidate.key == fact.dedup_key and candidate.kind is Kind.PROFILE:
            candidate.place = fact.ref.place
            candidate.made_from = (turn.ref,)
            candidate.promotion_target = ""
            return candidate
    return None


def turn_of(item: MemoryItem) -> Turn:
    """The turn an episode is the record of."""
    origin = item.origin
    return Turn(
        text=item.text,
        role=origin.role,
        at_ms=origin.at_ms,
        speaker=origin.speaker,
        ref=origin.ref,
        source=origin.source,
        tool=origin.tool,
        files=origin.files,
        meta=origin.extra,
    )


def lens_of(item: MemoryItem, asking: Lens) -> Lens:
    """The session a turn was said in."""
    owner = item.ref.place.owner.split("/", 1)[0].split("~", 1)[0]
    return Lens(
        user=owner, session=item.origin.session, persona=item.origin.persona, authority_cap=asking.authority_cap
    )
