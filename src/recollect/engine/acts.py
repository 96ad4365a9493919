"""Runs everything one can do to a memory by hand: pin, mark, confirm, correct, forget, promote, start a phase.

Each is one act on the desk, judged by the same policy and told in the same events as a remembered turn.

Never: reaches an item outside the session's own places; a foreign id answers exactly as a missing one does.
Spec: rulings 3, 6, 7, 8, 22, 25, 26.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from recollect.core.events import Archived, Conflict, Deleted, Event, Marked, Pinned, Restored, Reused, Used
from recollect.core.item import Fact, MemoryItem, Origin, Phase
from recollect.core.places import ledgers, uses_of
from recollect.core.policy import Policy
from recollect.core.spaces import may_write
from recollect.core.text import normalise
from recollect.core.values import (
    SOURCE_OF_ROLE,
    Authority,
    EventType,
    ItemRef,
    Kind,
    Lens,
    Place,
    Role,
    Space,
    Status,
    Turn,
    parse_id,
)
from recollect.core.write.admit import refusal
from recollect.core.write.authority import cap
from recollect.core.write.candidate import Candidate, Outcome
from recollect.core.write.desk import Act, Desk
from recollect.core.write.facts.extract import extract_facts
from recollect.core.write.pipeline import decide
from recollect.core.write.privacy import clear
from recollect.core.write.promote import promote as promote_item
from recollect.engine.office import Office
from recollect.engine.receipt import Receipt
from recollect.engine.writing import Call, gather_keys, write
from recollect.errors import InvalidInput, NotFound, Refused
from recollect.ports.store import Reader, Writer

# What unforget gives back: the status an item had before it was forgotten.
FORGOTTEN = {"forgotten": Status.ACTIVE, "forgotten_in_quarantine": Status.QUARANTINED}
MISSING = "There is no such memory here."


def address(lens: Lens, item_id: str) -> ItemRef:
    """The address an id means to this session. What is not its own does not exist."""
    ref = parse_id(item_id) if isinstance(item_id, str) else None
    if ref is None or not is_own(lens, ref.place):
        raise NotFound(MISSING)
    return ref


def is_own(lens: Lens, place: Place) -> bool:
    """Whether a place is one of this session's: its spaces, its persona's ledger, its user's."""
    return place in ledgers(lens) or any(place in lens.places(space) for space in Space)


def find(reader: Reader, lens: Lens, item_id: str) -> MemoryItem:
    """The item of that id, or the one answer for everything that is not there."""
    ref = address(lens, item_id)
    item = reader.fetch([ref]).get(ref)
    if item is None:
        raise NotFound(MISSING)
    return item


Change = Callable[[Desk, MemoryItem], None]


def change(office: Office, lens: Lens, item_id: str, at_ms: int, apply: Change) -> Receipt:
    """One act on one item."""
    return change_across(office, lens, item_id, (address(lens, item_id).place,), at_ms, apply)


def change_across(
    office: Office, lens: Lens, item_id: str, places: tuple[Place, ...], at_ms: int, apply: Change
) -> Receipt:
    """One act on one item that may touch other places too."""

    def run(desk: Desk, writer: Writer) -> None:
        item = find(writer, lens, item_id)
        desk.acts.append(Act(at_ms=at_ms))
        gather_keys(desk, writer, {place: [item.dedup_key] for place in places if item.dedup_key})
        apply(desk, item)

    return write(office, Call(lens=lens, places=places), run)[0]


def pin(desk: Desk, item: MemoryItem) -> None:
    _must_be_live(item, "pinned")
    _stands(desk, item, Pinned(item.ref, True, desk.policy.importance.maximum))


def unpin(desk: Desk, item: MemoryItem) -> None:
    importance = min(item.importance, desk.policy.importance.growth_ceiling)
    _stands(desk, item, Pinned(item.ref, False, importance))


def mark(importance: int) -> Change:
    def apply(desk: Desk, item: MemoryItem) -> None:
        highest = desk.policy.importance.maximum
        if isinstance(importance, bool) or not isinstance(importance, int) or not 0 <= importance <= highest:
            raise InvalidInput(f"importance should be a whole number from 0 to {highest}.", reason="bad_importance")
        _must_be_live(item, "marked")
        _stands(desk, item, Marked(item.ref, importance, "manual"))

    return apply


def forget(desk: Desk, item: MemoryItem) -> None:
    if item.status is Status.ARCHIVED:
        return  # it is not recalled already; asking again changes nothing
    is_apart = item.status is Status.QUARANTINED
    _stands(desk, item, Archived(item.ref, "forgotten_in_quarantine" if is_apart else "forgotten"))


def unforget(desk: Desk, item: MemoryItem) -> None:
    if item.status is not Status.ARCHIVED or item.standing.reason not in FORGOTTEN:
        raise Refused("Only what was forgotten can be brought back.", reason="not_forgotten")
    status = FORGOTTEN[item.standing.reason]
    holder = desk.held.get((item.ref.place, item.dedup_key)) if item.dedup_key else None
    if holder is not None and status is Status.ACTIVE:
        raise Refused(
            "Another memory holds this key now.", hint=f"Forget or correct {holder.id} first.", reason="key_taken"
        )
    _stands(desk, item, Restored(item.ref, status))


def confirm(at_ms: int) -> Change:
    """A person vouches for an item: a new, user-asserted one stands in its place and cites it."""

    def apply(desk: Desk, item: MemoryItem) -> None:
        if item.status is Status.ARCHIVED:
            raise Refused("An archived memory cannot be confirmed.", reason="archived")
        _must_speak_for_user(desk)
        candidate = _copy(desk, item, text=item.text, event_type=item.event_type, how="confirmation", at_ms=at_ms)
        _supersede(desk, item, candidate, "confirmed")

    return apply


def correct(text: str, at_ms: int) -> Change:
    """The user says how it really is: a correction stands, the old claim goes the way of losers."""

    def apply(desk: Desk, item: MemoryItem) -> None:
        if item.status is not Status.ACTIVE:
            raise Refused("Only a live memory can be corrected.", reason="not_live")
        _must_speak_for_user(desk)
        how = "correction"
        candidate = _copy(desk, item, text=text, event_type=EventType.CORRECTION, how=how, at_ms=at_ms)
        cleared = clear(Turn(text=text, role=Role.USER, at_ms=at_ms), desk.policy.privacy)
        candidate.text = cleared.turn.text
        candidate.secret_codes, candidate.denial = cleared.codes, cleared.denial
        if candidate.fact is not None:
            candidate.fact = _corrected(candidate.fact, candidate.text, item.dedup_key, desk.lens.user)
        _supersede(desk, item, candidate, "superseded")

    return apply


def promote(to_space: Space) -> Change:
    def apply(desk: Desk, item: MemoryItem) -> None:
        place = desk.lens.place(to_space)
        desk.act.outcomes.append(promote_item(desk, item, to_space, place, "asked"))

    return apply


def add_fact(
    office: Office, lens: Lens, turn: Turn, *, key: str, event_type: EventType, command: tuple[str, str]
) -> Receipt:
    """A fact or rule the caller states outright."""
    place = _home_of_facts(office.policy, lens, is_private=turn.is_private)

    def run(desk: Desk, writer: Writer) -> None:
        cleared = clear(turn, desk.policy.privacy)
        candidate = _stated(desk, cleared.turn, place, key, event_type)
        candidate.secret_codes, candidate.denial = cleared.codes, cleared.denial
        desk.acts.append(Act(at_ms=turn.at_ms))
        gather_keys(desk, writer, {place: [candidate.key]})
        desk.act.outcomes.append(decide(desk, candidate))

    call = Call(lens=lens, places=(place,), command_id=command[0], fingerprint=command[1])
    return write(office, call, run)[0]


def start_phase(office: Office, lens: Lens, place: Place, name: str, at_ms: int) -> Phase:
    """Begin a new phase in a place; the phase as it was committed."""
    opened: list[Phase] = []

    def run(desk: Desk, writer: Writer) -> None:
        if not desk.policy.phase.enabled:
            raise Refused("The policy does not use phases.", reason="phase_disabled")
        desk.acts.append(Act(at_ms=at_ms))
        desk.ensure_phase(place)
        opened.append(desk.open_phase(place, name=name, reason="manual"))

    write(office, Call(lens=lens, places=(place,)), run)
    return opened[-1]


def use(office: Office, lens: Lens, ids: list[str], at_ms: int) -> Receipt:
    """Record that recalled items helped; the window and what is in quarantine do not grow by it."""
    refs = list(dict.fromkeys(address(lens, item_id) for item_id in ids))

    def run(desk: Desk, writer: Writer) -> None:
        desk.acts.append(Act(at_ms=at_ms))
        found = writer.fetch(refs)
        for ref in refs:
            item = found.get(ref)
            if item is None:
                raise NotFound(MISSING)
            desk.say(ref.place, Used(ref))
            # A companion knows its sessions by their silences, and counts uses by them below.
            may_grow = item.status is Status.ACTIVE and item.kind is not Kind.SHORT_TERM
            if may_grow and desk.policy.companion is None and not _helped_here(writer, lens, ref):
                _grow(desk, item)
            desk.act.outcomes.append(Outcome(ref=ref, fate="merged", code="merged", into=ref, item=item))
        if desk.policy.companion is not None:
            from recollect.engine.companion.using import grow_by_use

            grow_by_use(desk, writer, [found[ref] for ref in refs])

    places = tuple(ref.place for ref in refs)
    if office.policy.companion is not None:
        places = (*places, ledgers(lens)[0], *(uses_of(place) for place in places if place.space is Space.USER))
    return write(office, Call(lens=lens, places=places), run)[0]


# A session's own log is short; a use leaves one record there that names the record beside the item.
SESSION_RECORDS = 1_000


def _helped_here(reader: Reader, lens: Lens, ref: ItemRef) -> bool:
    """Whether this item was used in this session before."""
    home = lens.session_place
    seq = reader.heads([home])[home].seq
    for entry in reader.log(home, max(0, seq - SESSION_RECORDS), SESSION_RECORDS):
        for place, number in entry.siblings if not entry.events else ():
            if place == ref.place:
                told = reader.log(place, number - 1, 1)
                if any(isinstance(e, Used) and e.ref == ref for record in told for _, e in record.events):
                    return True
    return False


def _grow(desk: Desk, item: MemoryItem) -> None:
    """Count the session; every so many of them importance rises by one, up to the ceiling of growth."""
    table, mentions = desk.policy.importance, item.standing.mentions + 1
    grown = desk.change(item, Reused(item.ref, mentions))
    ceiling = min(table.growth_ceiling, table.maximum)
    if grown is not None and mentions % table.growth_sessions == 0 and grown.importance < ceiling:
        desk.change(grown, Marked(item.ref, grown.importance + 1, "used"))


def _stands(desk: Desk, item: MemoryItem, event: Event) -> None:
    after = desk.change(item, event)
    desk.act.outcomes.append(Outcome(ref=item.ref, fate="written", code="interaction_recorded", item=after))


def _corrected(fact: Fact, text: str, key: str, user: str) -> Fact:
    """The fact as the correction words it: its own value and entities, none of the old claim's."""
    drafts = [draft for draft in extract_facts(text, user=user) if draft.memory_key == key]
    if len(drafts) == 1:
        draft = drafts[0]
        refs, label = draft.entity_refs, draft.entity_label
        return replace(fact, value=draft.value, entity_refs=refs, entity_label=label, source="stated")
    return replace(fact, value=text, entity_refs=(), entity_label="", source="stated")


def _must_be_live(item: MemoryItem, what: str) -> None:
    if item.status is not Status.ACTIVE:
        reason = "quarantined" if item.status is Status.QUARANTINED else "not_live"
        raise Refused(f"Only a live memory can be {what}.", hint="Confirm it first.", reason=reason)


def _must_speak_for_user(desk: Desk) -> None:
    if cap(Authority.USER_ASSERTED, desk.policy, desk.lens) is not Authority.USER_ASSERTED:
        raise Refused("This door may not speak for the user.", reason="authority_capped")


def _copy(desk: Desk, item: MemoryItem, *, text: str, event_type: EventType, how: str, at_ms: int) -> Candidate:
    lens = desk.lens
    return Candidate(
        kind=item.kind,
        place=item.ref.place,
        text=text,
        source=SOURCE_OF_ROLE[Role.USER],
        event_type=event_type,
        authority=Authority.USER_ASSERTED,
        authority_reason=how,
        origin=Origin(
            role=Role.USER,
            at_ms=at_ms,
            ref=item.origin.ref,
            session=lens.session,
            persona=lens.persona,
            extra=_made_of(item),
        ),
        key=item.dedup_key,
        fact=item.fact,
        importance_hint=item.importance,
        made_how=how,
        made_from=(item.ref,),
        is_pinned=item.standing.is_pinned,
    )


def _made_of(item: MemoryItem) -> tuple[tuple[str, str], ...]:
    """The source behind what is confirmed or corrected, so that purging that source finds the new words too."""
    earlier = dict(item.origin.extra).get("made_of", "")
    source = item.origin.source if item.origin.source != "chat" else earlier
    return (("made_of", source),) if source else ()


def _supersede(desk: Desk, old: MemoryItem, candidate: Candidate, reason: str) -> None:
    """Decide the new item; when it stands and no key settled the matter, take the old one out by hand."""
    is_held = desk.held.get((old.ref.place, old.dedup_key)) is not None
    may_stand = not refusal(candidate, desk.policy) and may_write(desk.policy, old.ref.place.space) == "allowed"
    if reason == "confirmed" and is_held and may_stand:
        # The same words under the same key would count as a mention; here they take over.
        desk.change(old, Archived(old.ref, reason, desk.next_ref(old.ref.place, old.kind)))
    outcome = decide(desk, candidate)
    desk.act.outcomes.append(outcome)
    current = desk.current(old)
    if outcome.fate != "written" or current is None or current.status is Status.ARCHIVED:
        return
    desk.say(old.ref.place, Conflict(outcome.ref, old.ref, "correction", _importance(desk, outcome)))
    if desk.policy.losers == "delete" and reason == "superseded":
        desk.change(current, Deleted(old.ref, reason, outcome.ref))
    else:
        desk.change(current, Archived(old.ref, reason, outcome.ref))


def _importance(desk: Desk, outcome: Outcome) -> int:
    item = desk.created.get(outcome.ref) or outcome.item
    return item.importance if item is not None else 0


def _home_of_facts(policy: Policy, lens: Lens, *, is_private: bool) -> Place:
    place = lens.place(policy.facts.space, is_private=is_private)
    return place if place is not None else lens.session_place


def _stated(desk: Desk, turn: Turn, place: Place, key: str, event_type: EventType) -> Candidate:
    lens, policy = desk.lens, desk.policy
    drafts = () if key or event_type is EventType.RULE else extract_facts(turn.text, user=lens.user)
    draft = drafts[0] if len(drafts) == 1 else None
    name = key or (draft.predicate or draft.fact_type if draft else normalise(turn.text) or "stated")
    return Candidate(
        kind=Kind.PROFILE,
        place=place,
        text=turn.text,
        source=SOURCE_OF_ROLE[Role.USER],
        event_type=event_type,
        authority=cap(Authority.USER_ASSERTED, policy, lens),
        authority_reason="source:user",
        origin=Origin(
            role=Role.USER,
            at_ms=turn.at_ms,
            ref=turn.ref,
            session=lens.session,
            persona=lens.persona,
            extra=turn.meta,
        ),
        key=draft.memory_key if draft else _key(policy, name, event_type),
        fact=Fact(
            key=name,
            value=draft.value if draft else turn.text,
            type=draft.type if draft else "PROFILE",
            entity_type=draft.entity_type if draft else "",
            fact_type=draft.fact_type if draft else "fact",
            entity_refs=draft.entity_refs if draft else (),
            entity_label=draft.entity_label if draft else "",
            source="stated",
        ),
        importance_hint=draft.importance if draft else 2,
    )


def _key(policy: Policy, name: str, event_type: EventType) -> str:
    if event_type is EventType.RULE:
        return f"rule:{name}"
    return f"fact:{name}" if policy.facts.extractor == "contract" else f"profile|person|user|fact|{name}"
