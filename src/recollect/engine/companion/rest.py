"""Who has to be looked after at all: the users something may be due for, asked of the store as one question.

1. A place where nothing is due rests: until it is written to, until the policy changes, or until a moment that is known
   when it comes to rest, such as the end of a silence.
2. That moment is found in the same look as the records it holds for, so whatever is written meanwhile ends the rest.

Never: does what is due, and never keeps a user from being looked after by name.
Spec: state and memory model "t=35min"; ruling 30a.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from recollect.core.companion.due import HOUR_MS
from recollect.core.companion.ledger import Shelf, key_of
from recollect.core.companion.sessions import MINUTE_MS, last_activity
from recollect.core.item import MemoryItem
from recollect.core.places import NOBODY, is_ledger, keeper_of, ledger_of, shared_ledger
from recollect.core.policy import Companion
from recollect.core.values import Kind, Lens, Place, Space
from recollect.engine.companion.curator import curated_places
from recollect.engine.office import Office
from recollect.ports.store import Reader

RECORDS = 10_000
NEVER_MS = 1 << 62


@dataclass(slots=True, kw_only=True)
class Keeper:
    """One user: the personas they talk to, and every place that is theirs."""

    user: str
    personas: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)


def keepers(office: Office, now_ms: int, user: str) -> Iterator[Keeper]:
    """The users for whom something may be due; one that is named is always looked after."""
    repository = office.repository
    stirred = {user: True} if user else {_user(p): True for p in repository.restless(now_ms, office.policy.hash)}
    if not stirred:
        return
    with repository.reading() as reader:
        listed = reader.places_of(Space.USER, user) if user else reader.places(Space.USER)
    places = [place for place in listed if _user(place) in stirred]
    found: dict[str, Keeper] = {}
    for place in places:
        keeper = found.setdefault(_user(place), Keeper(user=_user(place)))
        keeper.places.append(place)
        persona = keeper_of(place)[1] if is_ledger(place) else ""
        if persona:
            keeper.personas.append("" if persona == NOBODY else persona)
    yield from found.values()


def _user(place: Place) -> str:
    return place.owner.partition("~")[0]


def come_to_rest(office: Office, keeper: Keeper, now_ms: int) -> None:
    """Note until when nothing is due for a user, where nothing is due now."""
    companion = office.policy.companion
    lenses = [Lens(user=keeper.user, persona=persona) for persona in keeper.personas]
    # The curator may have opened the ledger of all personas only now.
    places = [*dict.fromkeys([*keeper.places, *(shared_ledger(lens) for lens in lenses)])]
    with office.repository.reading() as reader:
        seqs = {place: head.seq for place, head in reader.heads(places).items()}
        moments = [_next_ms(reader, lens, companion, now_ms) for lens in lenses] if companion is not None else []
    until_ms = min(moments, default=NEVER_MS)
    if until_ms > now_ms:
        office.repository.rest(seqs, until_ms, office.policy.hash)


def _next_ms(reader: Reader, lens: Lens, companion: Companion, now_ms: int) -> int:
    """The first moment at which something is due with a persona, if nothing is written until then."""
    records = live(reader, ledger_of(lens))
    if of_shelf(records, Shelf.PENDING):
        return now_ms
    silence_ms = companion.session_minutes * MINUTE_MS
    ends = [last_activity(item) + silence_ms + 1 for item in of_shelf(records, Shelf.SESSION)]
    curated = [_curated_ms(reader, place, ledger, companion, now_ms) for place, ledger in curated_places(lens)]
    return min([*ends, *curated], default=NEVER_MS)


def _curated_ms(reader: Reader, place: Place, ledger: Place, companion: Companion, now_ms: int) -> int:
    seen = reader.heads([place])[place].counts[Kind.PROFILE]
    last = next(iter(reader.keyed(ledger, [key_of(Shelf.CURATOR)])), None)
    if seen == (last.standing.mentions if last is not None else 0):
        return NEVER_MS
    return now_ms if last is None else last_activity(last) + companion.curator_hours * HOUR_MS


def live(reader: Reader, place: Place) -> list[MemoryItem]:
    """The live records of a ledger, oldest first."""
    return reader.newest(place, Kind.PROFILE, RECORDS)[::-1]


def of_shelf(records: Sequence[MemoryItem], shelf: Shelf) -> list[MemoryItem]:
    return [item for item in records if item.fact is not None and item.fact.type == shelf]
