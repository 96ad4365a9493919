"""What erasing takes with it.

1. Whatever was made from an erased item goes too: facts, promotions, confirmations, corrections.
2. What other turns or other people also support is not lost: it is said again from what remains.
3. A window summary quotes turns that are gone; it goes with any erasure in its session.

Never: looks anything up; the engine lays out the items and what was made from them.
Spec: ruling 8; wants.md 1.
"""

from __future__ import annotations

from dataclasses import replace

from recollect.core.events import Erased
from recollect.core.item import MemoryItem, Standing
from recollect.core.text import normalise
from recollect.core.values import ItemRef, Kind, Lens, Status, Turn
from recollect.core.write.candidate import Candidate, Outcome
from recollect.core.write.desk import Desk
from recollect.core.write.offer import offers
from recollect.core.write.pipeline import decide
from recollect.core.write.settle import store


def erase_items(desk: Desk, items: list[MemoryItem], roots: dict[ItemRef, bool]) -> None:
    """Take items out; those nobody named go as derived."""
    for item in items:
        desk.change(item, Erased(item.ref, "asked" if item.ref in roots else "derived"))


def restate(desk: Desk, item: MemoryItem, sources: list[MemoryItem]) -> Outcome | None:
    """Say an erased item again from what still supports it, or None when nothing does."""
    if item.status is not Status.ACTIVE or not sources:
        return None
    if item.made_how == "promotion":
        return _promote_again(desk, item, sources)
    return _read_again(desk, item, sources) if item.made_how == "fact" else None


def _read_again(desk: Desk, fact: MemoryItem, turns: list[MemoryItem]) -> Outcome | None:
    """The same fact as other turns state it; every turn that does is a mention."""
    stated = [(turn, candidate) for turn in turns if (candidate := _stated_in(desk, fact, turn)) is not None]
    if not stated:
        return None
    candidate = stated[0][1]
    candidate.place = fact.ref.place
    candidate.promotion_target = ""
    candidate.made_from = tuple(turn.ref for turn, _ in stated)
    candidate.mentions = len(stated)
    return decide(desk, candidate)


def _stated_in(desk: Desk, fact: MemoryItem, turn: MemoryItem) -> Candidate | None:
    for candidate in offers(turn_of(turn), desk.policy, lens_of(turn, desk.lens), ()):
        is_same = candidate.kind is Kind.PROFILE and candidate.key == fact.dedup_key
        if is_same and normalise(candidate.text) == normalise(fact.text):
            return candidate
    return None


def _promote_again(desk: Desk, item: MemoryItem, sources: list[MemoryItem]) -> Outcome | None:
    """The same memory in the wider space, from somebody else who promoted it too."""
    alive = [source for source in sources if source.status is Status.ACTIVE]
    if not alive:
        return None
    source, place = alive[0], item.ref.place
    phase = desk.ensure_phase(place)
    copy = replace(
        source,
        ref=desk.next_ref(place, source.kind),
        created_at=desk.heads[place].tick + 1,
        phase=phase,
        made_how="promotion",
        made_from=tuple(each.ref for each in alive),
        promotion_reason=item.promotion_reason,
        standing=Standing(importance=source.importance, mentions=len(alive)),
    )
    return store(desk, copy)


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
