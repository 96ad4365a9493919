"""Runs `remember`: turns in, receipts out.

Never: decides; the river is `core/write/pipeline.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.core.item import MemoryItem
from recollect.core.values import Kind, Lens, Place, Source, Space, Turn
from recollect.core.write.candidate import Candidate
from recollect.core.write.desk import Desk
from recollect.core.write.facts.draft import Heard
from recollect.core.write.offer import offers
from recollect.core.write.pipeline import remember as decide_turn
from recollect.core.write.promote import hinted_target
from recollect.engine.collector import paused
from recollect.engine.door import TurnInput, fingerprint, read_turn
from recollect.engine.office import Office
from recollect.engine.receipt import Receipt
from recollect.engine.writing import Call, gather_ageing, gather_keys, gather_window, write
from recollect.ports.store import Writer

HEARD_TURNS = 8
TICKS_PER_TURN = 16


def remember(office: Office, lens: Lens, given: Sequence[TurnInput], command_id: str) -> list[Receipt]:
    """Remember turns in one commit."""
    with paused(len(given)):
        return _remember(office, lens, given, command_id)


def _remember(office: Office, lens: Lens, given: Sequence[TurnInput], command_id: str) -> list[Receipt]:
    turns = [read_turn(turn, lens, office.clock) for turn in given]
    if not turns:
        return []
    places = _places(office, lens, turns)
    known_by = fingerprint(turns, given) if command_id else ""
    call = Call(lens=lens, places=places, command_id=command_id, fingerprint=known_by)

    def decide(desk: Desk, writer: Writer) -> None:
        gather_window(office, desk, writer)
        offered = _offered(office, lens, turns, desk.window)
        gather_keys(desk, writer, _keys(lens, offered))
        written = dict.fromkeys(candidate.place for candidates in offered for candidate in candidates)
        gather_ageing(desk, writer, [*written], TICKS_PER_TURN * len(turns))
        if desk.policy.companion is not None:
            from recollect.engine.companion.lay_out import lay_out

            lay_out(desk, writer, turns, offered)
        for turn, candidates in zip(turns, offered, strict=True):
            decide_turn(desk, candidates, turn.at_ms)

    return write(office, call, decide)


def _places(office: Office, lens: Lens, turns: Sequence[Turn]) -> tuple[Place, ...]:
    """Every place these turns could write to, the targets of spoken promotions included."""
    found: dict[Place, bool] = {lens.session_place: True, lens.user_place: True}
    if office.policy.companion is not None:
        from recollect.engine.companion.lay_out import companion_places

        found |= dict.fromkeys(companion_places(lens), True)
    for turn in turns:
        if turn.is_private and lens.private_place is not None:
            found[lens.private_place] = True
        target = hinted_target(turn.text)[0]
        place = lens.place(Space(target), is_private=turn.is_private) if target else None
        if place is not None:
            found[place] = True
    return tuple(sorted(found))


def _offered(office: Office, lens: Lens, turns: Sequence[Turn], window: list[MemoryItem]) -> list[list[Candidate]]:
    heard = [_heard(item) for item in window[-HEARD_TURNS:] if item.made_how != "summary"]
    offered = []
    for turn in turns:
        candidates = offers(turn, office.policy, lens, tuple(heard[-HEARD_TURNS:]))
        offered.append(candidates)
        if candidates:
            heard.append(Heard(text=candidates[0].text, is_user=turn.role == "user", speaker=turn.speaker))
    return offered


def _heard(item: MemoryItem) -> Heard:
    return Heard(text=item.text, is_user=item.source is Source.USER, speaker=item.origin.speaker)


def _keys(lens: Lens, offered: list[list[Candidate]]) -> dict[Place, list[str]]:
    """The keys to look up: where an item would be written, and where it would be promoted to."""
    wanted: dict[Place, dict[str, bool]] = {}
    for candidates in offered:
        for candidate in candidates:
            if not candidate.key or candidate.kind is Kind.SHORT_TERM:
                continue
            wanted.setdefault(candidate.place, {})[candidate.key] = True
            wider = Space(candidate.promotion_target) if candidate.promotion_target else None
            target = lens.place(wider, is_private=candidate.is_private) if wider is not None else None
            if target is not None:
                wanted.setdefault(target, {})[candidate.key] = True
    return {place: list(keys) for place, keys in wanted.items()}
