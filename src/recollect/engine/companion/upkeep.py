"""Does what is due, for everybody: ends sessions, sums them up, lets the curator look, lets retention remove, sums up
long dialogues, reads changed files again, asks a model what it has yet to read.

1. Each thing is one commit of one user, planned again under the lock: run twice, from two processes or after a crash,
   it changes nothing that is already done.
2. Those for whom nothing is due are not visited: who is, is one question to the store (`rest.py`).
3. A companion's part that needs no model also happens on the next write of that user; upkeep only brings it forward.
4. Files change without anybody writing: whoever has read some in is looked after while roots are configured. Their
   bytes and the moment come in as data.

Never: calls a model inside a commit.
Spec: state and memory model "t=35min"; rulings 4a, 23, 30a.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from recollect.core.companion.contract import parse_summary
from recollect.core.companion.forms import SUMMING_UP
from recollect.core.companion.layout import Ledger
from recollect.core.companion.ledger import Shelf
from recollect.core.companion.sessions import close, is_over, last_activity
from recollect.core.item import MemoryItem
from recollect.core.places import ledger_of, lens_of
from recollect.core.values import Kind, Lens, Place, Role, Space
from recollect.core.write.desk import Act, Desk
from recollect.core.write.retain import ageing_kinds, retain
from recollect.engine.companion.curator import curate
from recollect.engine.companion.extraction import ask, read_pending
from recollect.engine.companion.face import Companion
from recollect.engine.companion.lay_out import facts, gather_records, open_todos, said_since
from recollect.engine.companion.rest import Keeper, come_to_rest, keepers, live, of_shelf
from recollect.engine.office import Office
from recollect.engine.reading import reread
from recollect.engine.spans import Summarised, summarise_all
from recollect.engine.writing import Call, gather_ageing, write
from recollect.ports.model import Model
from recollect.ports.store import Writer

# What a model is shown of a session: the user's last turns, each cut.
TURNS, SHOWN, TURN_CHARACTERS = 200, 20, 800


@dataclass(slots=True, kw_only=True)
class Upkeep:
    """What was due and done; `users` is how many were looked after."""

    users: int = 0
    sessions_closed: int = 0
    summaries: int = 0
    curated: int = 0
    merged: int = 0
    expired: int = 0
    extracted: int = 0
    pending: int = 0
    spans: int = 0
    files: int = 0
    fallbacks: int = 0

    def to_dict(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def upkeep(office: Office, now_ms: int, user: str = "", model: Model | None = None) -> Upkeep:
    """Do everything that is due at a moment, for one user or for all."""
    done = Upkeep()
    for keeper in keepers(office, now_ms, user):
        done.users += 1
        for persona in keeper.personas:
            _look_after(office, Lens(user=keeper.user, persona=persona), now_ms, done, model)
        summed = _sum_up(office, keeper.user, now_ms)
        done.spans += sum(len(made.ids) for made in summed)
        done.fallbacks += sum(len(made.fallbacks) for made in summed)
        watched = [reading for lens in _readers(office, keeper) for reading in reread(office, lens, now_ms)]
        done.files += sum(reading.outcome in {"read_again", "gone"} for reading in watched)
        if not watched:
            come_to_rest(office, keeper, now_ms)
    return done


def _sum_up(office: Office, user: str, now_ms: int) -> list[Summarised]:
    """Sum up the long dialogues of a user."""
    with office.repository.reading() as reader:
        lenses = _lenses(reader.places_of(Space.SESSION, user))
    return summarise_all(office, lenses, now_ms)


def _lenses(places: Iterable[Place]) -> list[Lens]:
    """What of a user's places is a conversation or a memory."""
    return [lens for place in places if (lens := lens_of(place)) is not None]


def _readers(office: Office, keeper: Keeper) -> list[Lens]:
    """Who may have read files in, where there are roots to read them from."""
    files, space = office.aids.files, office.policy.episodes.space
    if files is None or not files.has_roots:
        return []
    with office.repository.reading() as reader:
        places = keeper.places if space is Space.USER else reader.places_of(space, keeper.user)
    return _lenses(places)


def _look_after(office: Office, lens: Lens, now_ms: int, done: Upkeep, model: Model | None) -> None:
    _end_sessions(office, lens, now_ms, done, model)
    if office.policy.companion is not None:
        steps = curate(office, lens, now_ms, is_dry_run=False, only_due=True)
        done.curated += len(steps.steps)
        if steps.was_due and office.policy.companion.spellings == "merge":
            done.merged += _merge_spellings(office, lens, now_ms)
    done.expired += _retain(office, lens, now_ms)
    read, waiting = read_pending(office, lens, model, now_ms)
    done.extracted += read
    done.pending += waiting


def _end_sessions(office: Office, lens: Lens, now_ms: int, done: Upkeep, model: Model | None) -> None:
    companion = office.policy.companion
    if companion is None:
        return
    place = ledger_of(lens)
    with office.repository.reading() as reader:
        stale = [item for item in of_shelf(live(reader, place), Shelf.SESSION) if is_over(item, now_ms, companion)]
    for item in stale:
        own = Lens(user=lens.user, persona=item.origin.persona, session=item.origin.session)
        words = _words(office, own, item, model)
        if _end(office, own, place, now_ms, words):
            done.sessions_closed += 1
            done.summaries += 1


def _words(office: Office, lens: Lens, session: MemoryItem, model: Model | None) -> dict[str, object] | None:
    """A session summed up by a model, outside any commit; None leaves it to the rules."""
    if model is None:
        return None
    own = lens.private_place or lens.user_place
    with office.repository.reading() as reader:
        turns = [item for item in reader.newest(own, Kind.SEMANTIC, TURNS) if _is_of(item, lens, session)]
    said = [turn.text[:TURN_CHARACTERS] for turn in sorted(turns, key=lambda turn: turn.created_at)][-SHOWN:]
    text = ask(model, said, SUMMING_UP, parse_summary) if said else None
    return parse_summary(text) if text is not None else None


def _is_of(item: MemoryItem, lens: Lens, session: MemoryItem) -> bool:
    origin = item.origin
    is_here = (origin.role, origin.session, origin.persona) == (Role.USER, lens.session, lens.persona)
    return is_here and session.origin.at_ms <= origin.at_ms <= last_activity(session)


def _end(office: Office, lens: Lens, place: Place, now_ms: int, words: dict[str, object] | None) -> bool:
    """End one session, unless somebody else already has or it went on meanwhile."""
    ended = False

    def run(desk: Desk, writer: Writer) -> None:
        nonlocal ended
        companion = desk.policy.companion
        gather_records(desk, writer, place, lens.session)
        session = desk.held.get((place, f"session|{lens.session}"))
        if session is None or companion is None or not is_over(session, now_ms, companion):
            return
        ledger = desk.ledger = Ledger(place=place)
        ledger.todos = {item.ref: item for item in open_todos(writer, place)}
        ledger.facts = {item.ref: item for item in facts(writer, lens, desk.policy)}
        ledger.said = said_since(desk, writer, place)
        desk.acts.append(Act(at_ms=now_ms))
        close(desk, ledger, session, words)
        ended = True

    write(office, Call(lens=lens, places=(place,), home=place), run)
    return ended


def _merge_spellings(office: Office, lens: Lens, now_ms: int) -> int:
    """Where the policy wants it, what sounds alike or is one name in two scripts is merged; unmerge takes it back."""
    face = Companion(office, lens)
    known = {entity.ref: entity.facts for entity in face.people()}
    sure = [pair for pair in face.spellings() if pair.reason in {"sound", "script"}]
    for pair in sure:
        one, other = sorted((pair.one, pair.other), key=lambda ref: (known.get(ref, 0), ref))
        face.merge(one, other, at=now_ms)
    return len(sure)


def _retain(office: Office, lens: Lens, now_ms: int) -> int:
    """Remove what retention has ended, where the policy ends anything at all."""
    if not ageing_kinds(office.policy):
        return 0
    places = (lens.user_place, *((lens.private_place,) if lens.private_place is not None else ()))
    removed = 0

    def run(desk: Desk, writer: Writer) -> None:
        nonlocal removed
        desk.acts.append(Act(at_ms=now_ms))
        gather_ageing(desk, writer, places, 0)
        retain(desk)
        removed = len(desk.changed)
        if not removed:
            desk.acts.clear()

    write(office, Call(lens=lens, places=places, home=lens.user_place), run)
    return removed
