"""Gather, decide, commit: the one way anything is written.

    lock places -> repeat of a command? -> gather heads, window, keys, ageing -> decide (core) -> commit -> indexes

Never: decides, calls a model, or leaves the lock with something half done.
Spec: architecture "The write river"; ruling 21; law 5.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from recollect.core.canonical import canonical
from recollect.core.item import MemoryItem, Phase
from recollect.core.policy import Policy
from recollect.core.values import ItemRef, Kind, Lens, Place, Status
from recollect.core.wire import Scene, Wire, trace
from recollect.core.write.desk import Act, Desk
from recollect.core.write.retain import ageing_kinds, expires_at
from recollect.engine.fallback import or_else
from recollect.engine.office import Office
from recollect.engine.patience import again
from recollect.engine.receipt import Receipt, fate, fate_from, overall
from recollect.engine.reindex import file_later
from recollect.errors import CommandReused, StoreDamaged
from recollect.ports.store import Command, Commit, Overtaken, Sheet, Writer


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One write: who asks, which places it may touch, and how it is recognised when it comes again."""

    lens: Lens
    places: tuple[Place, ...]
    command_id: str = ""
    fingerprint: str = ""
    # Where the act's first record goes; the session's own place, unless the call must not open one.
    home: Place | None = None

    @property
    def record_place(self) -> Place:
        return self.home or self.lens.session_place

    @property
    def all_places(self) -> tuple[Place, ...]:
        own = (self.lens.session_place, self.lens.user_place) if self.home is None else (self.home,)
        return tuple(sorted({*self.places, *own}))


Decide = Callable[[Desk, Writer], None]


def write(office: Office, call: Call, decide: Decide) -> list[Receipt]:
    """Run one write; a receipt for each act it decided."""
    try:
        return again(lambda: _write(office, call, decide, is_hopeful=True))
    except Overtaken:
        return again(lambda: _write(office, call, decide, is_hopeful=False))


def _write(office: Office, call: Call, decide: Decide, *, is_hopeful: bool) -> list[Receipt]:
    places = call.all_places
    with office.repository.writing(places, is_hopeful=is_hopeful) as writer:
        earlier = _earlier(writer, call)
        if earlier is not None:
            return earlier
        heads = writer.heads(places)
        before = {place: head.seq for place, head in heads.items()}
        desk = Desk(policy=office.policy, lens=call.lens, heads=heads)
        decide(desk, writer)
        commit = _commit(office, call, desk)
        if commit is not None:
            writer.commit(commit)
    if commit is not None:
        _tell_shelves(office, desk, before, commit.sheets)
        if office.filing.is_slow and commit.sheets:
            file_later(office, commit.created)
    return [_receipt(desk, act) for act in desk.acts]


def gather_window(office: Office, desk: Desk, writer: Writer) -> None:
    """Lay out the window of this session."""
    desk.window = list(office.windows.read(writer, desk.heads[desk.lens.session_place]))
    desk.has_window = True


def gather_keys(desk: Desk, writer: Writer, wanted: dict[Place, list[str]]) -> None:
    """Lay out the items that hold these keys."""
    for place, keys in wanted.items():
        for item in writer.keyed(place, keys):
            desk.held[(place, item.dedup_key)] = item


def gather_ageing(desk: Desk, writer: Writer, places: Sequence[Place], ticks_ahead: int) -> None:
    """Lay out what may expire while this commit moves the clocks."""
    kinds = {kind: ticks for kind, ticks in ageing_kinds(desk.policy).items() if kind is not Kind.SHORT_TERM}
    for place in places if kinds else ():
        now = desk.heads[place].tick + ticks_ahead
        desk.ageing[place] = [
            item for kind, ticks in kinds.items() for item in writer.ageing(place, kind, now - ticks + 1)
        ]


def _earlier(writer: Writer, call: Call) -> list[Receipt] | None:
    if not call.command_id:
        return None
    answer = writer.answer(call.lens.session_place, call.command_id)
    if answer is None:
        return None
    if answer.fingerprint != call.fingerprint:
        raise CommandReused(
            "This command_id was already used with different content.",
            hint="Use a new command_id for new content; nothing was changed.",
        )
    try:
        told = [[fate_from(raw) for raw in fates] for fates in json.loads(answer.receipt)]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise StoreDamaged(
            "The stored answer of this command cannot be read.", hint="Run `recollect verify`."
        ) from None
    return [
        Receipt(status=overall([known.outcome for known in fates]), _told=tuple(fates), is_repeat=True)
        for fates in told
    ]


def _commit(office: Office, call: Call, desk: Desk) -> Commit | None:
    touched = {place: True for act in desk.acts for place in act.phases}
    command = None
    if call.command_id:
        receipt = canonical([[fate(outcome).to_dict() for outcome in act.outcomes] for act in desk.acts])
        owner = call.lens.session_place
        command = Command(owner=owner, id=call.command_id, fingerprint=call.fingerprint, receipt=receipt)
        touched[owner] = True
    if not touched:
        return None
    touched[call.record_place] = True
    return Commit(
        home=call.record_place,
        policy=office.policy,
        acts=desk.acts,
        heads={place: desk.heads[place] for place in sorted(touched)},
        created=desk.created,
        changed=desk.changed,
        phases=desk.phases,
        links=desk.links,
        erased=desk.erased,
        command=command,
        sheets=office.filing.sheets(desk.created.values()),
    )


def _tell_shelves(office: Office, desk: Desk, before: dict[Place, int], sheets: Mapping[ItemRef, Sheet]) -> None:
    documents: dict[Place, list[MemoryItem | ItemRef]] = {place: [] for place in desk.heads}
    for ref, item in [*desk.changed.items(), *desk.created.items()]:
        if ref.kind is not Kind.SHORT_TERM:
            is_out = item is None or item.status is Status.ARCHIVED
            documents[ref.place].append(ref if is_out or item is None else item)
    if desk.has_window:
        session = desk.heads[desk.lens.session_place]
        office.windows.keep(session, tuple(desk.window))
    for place, head in desk.heads.items():
        if head.seq != before[place]:
            # The write is durable by now: an index that cannot follow is thrown away, not the answer.
            or_else(
                "index",
                partial(office.shelves.applied, place, before[place], head.seq, documents[place], sheets),
                partial(office.shelves.forget, place),
            )


def _receipt(desk: Desk, act: Act) -> Receipt:
    status = overall([outcome.fate for outcome in act.outcomes])
    return Receipt(status=status, _outcomes=act.outcomes, _trace=partial(_tell, desk, act))


def _tell(desk: Desk, act: Act) -> list[Wire]:
    known = {outcome.item.ref: outcome.item for outcome in act.outcomes if outcome.item is not None}

    def item_of(ref: ItemRef) -> MemoryItem | None:
        return desk.created.get(ref) or desk.changed.get(ref) or known.get(ref)

    return trace(act.events, scene_of(desk.lens, desk.policy.snapshot, item_of, act.phases, desk.policy))


def scene_of(
    lens: Lens,
    policy: dict[str, object],
    item_of: Callable[[ItemRef], MemoryItem | None],
    phases: dict[Place, Phase | None],
    then: Policy | None = None,
) -> Scene:
    """The scene a session's traces are told in."""
    return Scene(
        ai_profile=lens.ai_profile,
        session=lens.session_place.owner,
        policy=policy,
        item_of=item_of,
        phase_of=lambda place: phases.get(place),
        ends_at=lambda item: expires_at(item, then) if then is not None else None,
    )
