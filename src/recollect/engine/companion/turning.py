"""What a person does by hand to a companion's records: todos done or let go of, spellings answered, facts moved.

Never: reaches beyond the session's own user and persona.
Spec: rulings 22, 27, 29.
"""

from __future__ import annotations

from dataclasses import replace

from recollect.core.companion.ledger import Entry, Shelf, enter, held, key_of, leave
from recollect.core.companion.loops import Loop, draft
from recollect.core.companion.outcomes import kind_of
from recollect.core.events import Deleted
from recollect.core.item import MemoryItem, Standing
from recollect.core.places import ledger_of, shared_ledger
from recollect.core.values import ItemRef, Kind, Lens, Place, Status
from recollect.core.write.candidate import Outcome
from recollect.core.write.desk import Act, Desk
from recollect.core.write.settle import store
from recollect.engine import acts
from recollect.engine.listing import all_items
from recollect.engine.office import Office
from recollect.engine.receipt import Receipt
from recollect.engine.writing import Call, gather_keys, write
from recollect.errors import InvalidInput, NotFound, Refused
from recollect.ports.store import Filter, Writer

FACTS = Filter(kinds=(Kind.PROFILE,), statuses=(Status.ACTIVE,))
SOURCES = 50
# Which kinds can end in which way.
MAY_BE = {
    "completed": (Loop.COMMITMENT,),
    "dismissed": tuple(Loop),
    "became_habit": (Loop.COMMITMENT, Loop.THREAD),
}


def turn(office: Office, lens: Lens, todo_id: str, reason: str, at_ms: int) -> Receipt:
    """Complete, dismiss or promote a todo of this persona."""
    place = ledger_of(lens)

    def run(desk: Desk, writer: Writer) -> None:
        item = acts.find(writer, lens, todo_id)
        kind = kind_of(item)
        if kind is None or item.ref.place != place:
            raise NotFound(acts.MISSING)
        if item.status is not Status.ACTIVE:
            raise Refused("This is not open any more.", reason="not_open")
        if kind not in MAY_BE[reason]:
            raise Refused(f"A {kind.lower()} does not end that way.", reason="wrong_kind")
        desk.acts.append(Act(at_ms=at_ms))
        heir = _habit(desk, writer, item, at_ms) if reason == "became_habit" else None
        after = leave(desk, item, reason, heir)
        desk.act.outcomes.append(Outcome(ref=item.ref, fate="written", code="interaction_recorded", item=after))

    return write(office, Call(lens=lens, places=(place,), home=place), run)[0]


def _habit(desk: Desk, writer: Writer, item: MemoryItem, at_ms: int) -> ItemRef:
    new = draft(Loop.HABIT, item.text)
    key = key_of(Shelf.TODO, f"{new.kind}:{new.dedupe_key}")
    gather_keys(desk, writer, {item.ref.place: [key]})
    assert item.fact is not None
    copy = replace(
        item,
        ref=desk.next_ref(item.ref.place, item.kind),
        created_at=desk.heads[item.ref.place].tick + 1,
        dedup_key=key,
        fact=replace(item.fact, fact_type=Loop.HABIT),
        origin=replace(item.origin, at_ms=at_ms, extra=()),
        standing=Standing(importance=item.importance),
        made_how="fact",
        made_from=(item.ref,),
    )
    outcome = store(desk, copy)
    desk.act.outcomes.append(outcome)
    return outcome.into or outcome.ref


def answer(office: Office, lens: Lens, ref: str, other: str, at_ms: int, *, is_one: bool) -> Receipt:
    """Keep what the user says about two spellings, where both are known: with everyone, or with this persona alone."""
    if ref == other or ref.partition(":")[0] != other.partition(":")[0]:
        raise InvalidInput("Two different names of one kind are needed.", reason="bad_pair")
    place, sources = _home_of(office, lens, ref, other)

    def run(desk: Desk, writer: Writer) -> None:
        desk.acts.append(Act(at_ms=at_ms))
        gather_keys(desk, writer, {place: [key_of(Shelf.ALIAS, ref)]})
        entry = Entry(
            shelf=Shelf.ALIAS,
            name=ref if is_one else f"{ref}|{other}",
            text=f"{ref} is {'' if is_one else 'not '}{other}",
            at_ms=at_ms,
            sources=sources,
            how="alias",
            kind="one" if is_one else "two",
            refs=(ref, other),
        )
        item = enter(desk, place, entry, "merged_spellings")
        desk.act.outcomes.append(Outcome(ref=item.ref, fate="written", code="interaction_recorded", item=item))

    return write(office, Call(lens=lens, places=(place,), home=place), run)[0]


def unanswer(office: Office, lens: Lens, ref: str, at_ms: int) -> Receipt:
    """Take a merge back."""
    places = (shared_ledger(lens), ledger_of(lens))

    def run(desk: Desk, writer: Writer) -> None:
        gather_keys(desk, writer, {place: [key_of(Shelf.ALIAS, ref)] for place in places})
        found = [item for place in places if (item := held(desk, place, Shelf.ALIAS, ref)) is not None]
        if not found:
            raise NotFound("This name was not merged.", hint="`people` shows the spellings of each.")
        desk.acts.append(Act(at_ms=at_ms))
        for item in found:
            after = leave(desk, item, "unmerged")
            desk.act.outcomes.append(Outcome(ref=item.ref, fate="written", code="interaction_recorded", item=after))

    return write(office, Call(lens=lens, places=places, home=ledger_of(lens)), run)[0]


def _home_of(office: Office, lens: Lens, ref: str, other: str) -> tuple[Place, list[ItemRef]]:
    """Where an answer belongs, and the facts that hold the two spellings: it goes when they go."""
    sources: list[ItemRef] = []
    known: dict[Place, dict[str, bool]] = {}
    with office.repository.reading() as reader:
        for place in lens.places(lens.user_place.space):
            for item in all_items(reader, place, FACTS):
                for each in item.fact.entity_refs if item.fact is not None else ():
                    if each in (ref, other):
                        known.setdefault(place, {})[each] = True
                        sources.append(item.ref)
    seen = {each for refs in known.values() for each in refs}
    if seen != {ref, other}:
        raise NotFound("One of these names is not known here.", hint="`people` lists whom this persona knows of.")
    is_shared = len(known.get(lens.user_place, {})) == 2
    places = [s for s in dict.fromkeys(sources) if not is_shared or s.place == lens.user_place]
    return (shared_ledger(lens) if is_shared else ledger_of(lens)), places[:SOURCES]


def move(office: Office, lens: Lens, item_id: str, place: Place, at_ms: int) -> Receipt:
    """Move a fact between one persona and everyone: a copy stands there, the old one points at it."""
    ref = acts.address(lens, item_id)

    def run(desk: Desk, writer: Writer) -> None:
        item = acts.find(writer, lens, item_id)
        if item.status is not Status.ACTIVE or item.kind is not Kind.PROFILE or item.ref.place not in _movable(lens):
            raise Refused("Only a live fact can be moved.", reason="not_movable")
        if item.ref.place == place:
            raise Refused("It is there already.", reason="already_there")
        desk.acts.append(Act(at_ms=at_ms))
        gather_keys(desk, writer, {place: [item.dedup_key]} if item.dedup_key else {})
        phase = desk.ensure_phase(place)
        copy = replace(
            item,
            ref=desk.next_ref(place, item.kind),
            created_at=desk.heads[place].tick + 1,
            phase=phase,
            made_how="move",
            made_from=(item.ref,),
            standing=replace(item.standing, changed_ms=0),
        )
        outcome = store(desk, copy)
        desk.act.outcomes.append(outcome)
        if outcome.fate in {"written", "merged"}:
            # Deleted, not archived: what only one persona may know must not stay where the others look.
            desk.change(item, Deleted(item.ref, "moved", outcome.into or outcome.ref))

    return write(office, Call(lens=lens, places=(ref.place, place)), run)[0]


def _movable(lens: Lens) -> tuple[Place, ...]:
    return (lens.user_place, lens.private_place) if lens.private_place is not None else (lens.user_place,)
