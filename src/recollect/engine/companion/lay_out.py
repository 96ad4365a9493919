"""Gathers what a persona's ledger needs for one commit: little for most turns, more when something is due.

    always      the live records of this session by key, and the todos where a turn could change one
    when due    turns said since the last rolling summary; facts and todos when a session ends or the spine grows

Never: decides, and never reads another persona's ledger.
Spec: architecture "gather, decide, commit".
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.core.companion.curate import FOLDED_TYPES, fold_key
from recollect.core.companion.digest import weigh
from recollect.core.companion.layout import Ledger, Said
from recollect.core.companion.ledger import Shelf, held, key_of
from recollect.core.companion.one_name import overtaken
from recollect.core.companion.outcomes import kind_of, may_turn
from recollect.core.companion.sessions import MINUTE_MS, last_activity
from recollect.core.companion.spellings import canonical_refs
from recollect.core.item import MemoryItem
from recollect.core.places import ledger_of
from recollect.core.policy import Companion, Policy
from recollect.core.values import Kind, Lens, Place, Role, Space, Turn
from recollect.core.write.candidate import Candidate
from recollect.core.write.desk import Desk
from recollect.engine.companion.names import aliases
from recollect.ports.store import Reader, Writer

RECORDS, TODOS = 1_000, 500
FACTS = 60
# How many turns are looked at for what was said since the last rolling summary: few, and more where those do not reach.
RECENT, SOURCES = 24, 200


def companion_places(lens: Lens) -> tuple[Place, ...]:
    """Where a companion's turn may write beside the session and the user."""
    private = (lens.private_place,) if lens.private_place is not None else ()
    return (ledger_of(lens), *private)


def lay_out(desk: Desk, writer: Writer, turns: Sequence[Turn], offered: Sequence[Sequence[Candidate]]) -> None:
    """Put this persona's ledger on the desk."""
    companion, place = desk.policy.companion, ledger_of(desk.lens)
    assert companion is not None
    ledger = desk.ledger = Ledger(place=place)
    said = [turn for turn in turns if turn.role is Role.USER]
    if not said:
        return
    _gather(desk, writer, place, [key_of(Shelf.STATE), key_of(Shelf.SESSION, desk.lens.session)])
    is_summed_up = _is_summed_up(desk, companion, place, said)
    if desk.heads[place].seq and (is_summed_up or any(may_turn(turn.text) for turn in said)):
        ledger.todos = {item.ref: item for item in open_todos(writer, place)}
    if is_summed_up:
        ledger.facts = {item.ref: item for item in facts(writer, desk.lens, desk.policy)}
    if is_summed_up or _comes_round(desk, place, said, companion.rolling_every):
        gather_records(desk, writer, place, desk.lens.session)
        ledger.said = said_since(desk, writer, place)
    _gather_folds(desk, writer, ledger, offered)
    for item in [item for (where, _), item in desk.held.items() if where != place and item.kind is Kind.PROFILE]:
        if item.importance < desk.policy.importance.growth_ceiling:
            ledger.spoken[item.ref] = spoken_of(writer, item)


def _gather_folds(desk: Desk, writer: Reader, ledger: Ledger, offered: Sequence[Sequence[Candidate]]) -> None:
    """The folds about those these turns speak of."""
    wanted: dict[tuple[Place, str], bool] = {}
    for candidate in (candidate for candidates in offered for candidate in candidates):
        fact = candidate.fact
        if fact is not None and fact.type in FOLDED_TYPES and fact.entity_refs:
            wanted[(candidate.place, fold_key(fact))] = True
    for place, key in wanted:
        for item in writer.keyed(place, [key]):
            desk.held[(place, item.dedup_key)] = item
            ledger.folds[item.ref] = (item, [*writer.fetch(item.made_from).values()])


def gather_records(desk: Desk, writer: Reader, place: Place, session: str) -> None:
    """The live records of a session, by key."""
    keys = [key_of(Shelf.SESSION, session), key_of(Shelf.ROLLING, session)]
    keys += [key_of(shelf) for shelf in (Shelf.STATE, Shelf.SUMMARY, Shelf.SPINE)]
    _gather(desk, writer, place, keys)


def _gather(desk: Desk, writer: Reader, place: Place, keys: Sequence[str]) -> None:
    """Lay out the live records of these keys; a ledger that was never written has none."""
    wanted = [key for key in keys if (place, key) not in desk.held] if desk.heads[place].seq else []
    for item in writer.keyed(place, wanted):
        desk.held[(place, item.dedup_key)] = item


def _is_summed_up(desk: Desk, companion: Companion, place: Place, said: Sequence[Turn]) -> bool:
    """Whether one of these turns ends a session or makes a spine; said too often rather than too rarely."""
    session = held(desk, place, Shelf.SESSION, desk.lens.session)
    moments = [turn.at_ms for turn in said]
    since = last_activity(session) if session is not None else min(moments)
    return max(moments) - since > companion.session_minutes * MINUTE_MS or _comes_round(
        desk, place, said, companion.spine_every
    )


def _comes_round(desk: Desk, place: Place, said: Sequence[Turn], every: int) -> bool:
    """Whether what happens at every so many messages happens with one of these."""
    state = held(desk, place, Shelf.STATE)
    before = state.standing.mentions if state is not None else 0
    return before // every != (before + len(said)) // every


def open_todos(reader: Reader, place: Place) -> list[MemoryItem]:
    """What is open with a persona, oldest first; the newest are never cut off by the oldest."""
    return todos_among(reader.newest(place, Kind.PROFILE, RECORDS))


def todos_among(records: Sequence[MemoryItem]) -> list[MemoryItem]:
    """The open todos among a ledger's newest live records, oldest first."""
    return [item for item in records if kind_of(item) is not None][:TODOS][::-1]


def facts(reader: Reader, lens: Lens, policy: Policy) -> list[MemoryItem]:
    """The foremost facts this persona may know, without those another spelling of the name has overtaken."""
    found = [item for item in reader.foremost(lens.places(Space.USER), FACTS) if item.kind is Kind.PROFILE]
    lost = overtaken(found, canonical_refs(aliases(reader, lens)), policy.ranks)
    return [item for item in found if item.ref not in lost]


def said_since(desk: Desk, writer: Reader, place: Place) -> list[Said]:
    """The user's turns of this session since its last rolling summary, oldest first."""
    session = held(desk, place, Shelf.SESSION, desk.lens.session)
    if session is None:
        return []
    rolling = held(desk, place, Shelf.ROLLING, desk.lens.session)
    since = rolling.origin.at_ms if rolling is not None else session.origin.at_ms - 1
    covered = frozenset(rolling.made_from) if rolling is not None else frozenset()
    lens = desk.lens
    own = lens.private_place or lens.user_place
    spoken: list[MemoryItem] = []
    for many in (RECENT, SOURCES):
        spoken = writer.newest(own, Kind.SEMANTIC, many)
        if len(spoken) < many or spoken[-1].origin.at_ms < since:
            break
    here = [item for item in spoken if _is_said_here(item, desk)]
    fresh = [item for item in here if item.origin.at_ms >= since and item.ref not in covered]
    fresh.sort(key=lambda item: (item.origin.at_ms, item.created_at))
    return [Said(text=item.text, item=item, weight=weigh(item.text)) for item in fresh]


def _is_said_here(item: MemoryItem, desk: Desk) -> bool:
    origin, lens = item.origin, desk.lens
    return origin.role is Role.USER and (origin.session, origin.persona) == (lens.session, lens.persona)


def spoken_of(reader: Reader, item: MemoryItem) -> list[tuple[str, str, int]]:
    """Who was told a fact, in which conversation and when."""
    turns = reader.fetch(reader.sources_of(item.ref)[:SOURCES])
    return [(turn.origin.persona, turn.origin.session, turn.origin.at_ms) for turn in turns.values()]
