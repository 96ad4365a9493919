"""Lets a model read the turns that wait for one.

    pending turns (state) -> model, outside any commit -> answer checked -> one commit: answer recorded, facts, todos

1. A turn that waits is a record of the ledger, written with the turn itself: it survives a crash and can be listed.
2. The answer is recorded as it came, sealed and erasable; a replay folds it and calls nobody.
3. The commit looks again whether the turn still waits, so two processes never take one answer twice.
4. A model that answers nothing usable is asked again on the next upkeep, up to a number of tries; then the rules read
   the turn, and the record says so.

Never: blocks or fails a turn; reads what was said to another persona; believes an answer it did not check.
Spec: facts 3.2 to 3.5; ruling 30a.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from recollect.core.companion.contract import MAX_TOKENS, TIMEOUT_MS, WINDOW_TURNS, Extracted, extracted, parse
from recollect.core.companion.forms import READING, REPAIR, Form
from recollect.core.companion.ledger import Entry, Shelf, enter, leave
from recollect.core.companion.loops import read_loops
from recollect.core.companion.memories import Stated
from recollect.core.companion.todos import clock_of, todo_candidate
from recollect.core.events import Counted
from recollect.core.item import Fact, MemoryItem
from recollect.core.places import ledger_of
from recollect.core.policy import Companion
from recollect.core.values import Authority, EventType, Kind, Lens, Place, Source, Status
from recollect.core.write.authority import lowest
from recollect.core.write.candidate import Candidate
from recollect.core.write.desk import Act, Desk
from recollect.core.write.pipeline import decide
from recollect.engine.companion.rest import live, of_shelf
from recollect.engine.office import Office
from recollect.engine.writing import Call, gather_keys, write
from recollect.errors import ModelError
from recollect.ports.model import Message, Model, ModelCall
from recollect.ports.store import Reader, Writer

TURNS = 200


def read_pending(office: Office, lens: Lens, model: Model | None, now_ms: int) -> tuple[int, int]:
    """Read what waits with one persona; how many turns were read, and how many still wait."""
    companion = office.policy.companion
    if companion is None or companion.extractor != "model":
        return 0, 0
    with office.repository.reading() as reader:
        waiting = of_shelf(live(reader, ledger_of(lens)), Shelf.PENDING)
        work = [(item, _window(reader, lens, item)) for item in waiting]
    read = 0
    for item, said in work:
        text = ask(model, [turn.text for turn in said], READING, parse) if model is not None and said else None
        read += _record(office, lens, _Read(pending=item, said=said, text=text, has_model=model is not None), now_ms)
    return read, len(work) - read


def _window(reader: Reader, lens: Lens, pending: MemoryItem) -> list[MemoryItem]:
    """The turn and the user's few turns before it, with this persona in this session; nobody else's."""
    turn = next(iter(reader.fetch(pending.made_from).values()), None)
    if turn is None:
        return []
    near = [
        item
        for item in reader.newest(turn.ref.place, turn.kind, TURNS)
        if item.ref.n <= turn.ref.n and item.origin.role == "user" and item.origin.persona == turn.origin.persona
    ]
    same = [item for item in near if item.origin.session == turn.origin.session and _is_within_hour(item, turn)]
    return sorted({item.text: item for item in same}.values(), key=lambda item: item.ref.n)[-WINDOW_TURNS:]


def _is_within_hour(item: MemoryItem, turn: MemoryItem) -> bool:
    return turn.origin.at_ms - item.origin.at_ms <= 3_600_000


def ask(model: Model, said: Sequence[str], form: Form, read: Callable[[str], object]) -> str | None:
    """A model's answer that can be read, repaired at most once; None where there is none."""
    lines = "\n".join(f"- {line}" for line in said)
    messages = [Message(role="system", text=form.prompt), Message(role="user", text=lines)]
    for _ in range(2):
        try:
            answer = _answer(model, messages, form)
        except ModelError:
            return None
        if read(answer) is not None:
            return answer
        messages = [*messages, Message(role="assistant", text=answer), Message(role="user", text=REPAIR)]
    return None


def _answer(model: Model, messages: Sequence[Message], form: Form) -> str:
    """One answer, held to the form's shape where the server knows how; one that refuses the shape is asked without."""
    call = ModelCall(messages=messages, max_tokens=MAX_TOKENS, timeout_ms=TIMEOUT_MS, schema=form.schema)
    try:
        return model.answer(call).text
    except ModelError as error:
        if error.reason != "model_rejected":
            raise
    return model.answer(replace(call, schema=None)).text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A turn that waited, what was shown, and what came back: None for no usable answer."""

    pending: MemoryItem
    said: list[MemoryItem]
    text: str | None
    has_model: bool


def _record(office: Office, lens: Lens, read: _Read, now_ms: int) -> bool:
    """Take an answer over in one commit; count the try where there is none."""
    pending, place = read.pending, ledger_of(lens)
    own = Lens(user=lens.user, persona=pending.origin.persona, session=pending.origin.session)
    is_read = False

    def run(desk: Desk, writer: Writer) -> None:
        nonlocal is_read
        now = writer.fetch([pending.ref]).get(pending.ref)
        if now is None or now.status is not Status.ACTIVE or desk.policy.companion is None:
            return
        if read.text is None and read.said and _may_wait(desk, now, read, now_ms):
            return
        is_read = True
        desk.acts.append(Act(at_ms=now_ms))
        _take(desk, writer, now, read, own)

    places = (place, lens.user_place, *((own.private_place,) if own.private_place is not None else ()))
    write(office, Call(lens=own, places=places, home=place), run)
    return is_read


def _may_wait(desk: Desk, pending: MemoryItem, read: _Read, now_ms: int) -> bool:
    """Whether a turn waits on: without a model always, with one until it was asked often enough."""
    companion = desk.policy.companion
    assert companion is not None
    if read.has_model and pending.standing.mentions >= companion.extraction_tries:
        return False
    if read.has_model:
        desk.acts.append(Act(at_ms=now_ms))
        desk.change(pending, Counted(pending.ref, pending.standing.mentions + 1))
    return True


def _take(desk: Desk, writer: Writer, pending: MemoryItem, read: _Read, lens: Lens) -> None:
    companion, said, text = desk.policy.companion, read.said, read.text
    assert companion is not None
    heir = None
    if said:
        found = _found(text, said, companion, lens)
        is_private = pending.fact is not None and pending.fact.fact_type == "private"
        home = lens.private_place if is_private and lens.private_place is not None else lens.user_place
        candidates = _candidates(desk, said[-1], found, home, is_model=text is not None)
        gather_keys(desk, writer, _keys(candidates))
        heir = _keep_answer(desk, text, said, desk.act.at_ms) if text is not None else None
        desk.act.outcomes.extend(decide(desk, candidate) for candidate in candidates)
    leave(desk, pending, "extracted" if text is not None else "given_up", heir.ref if heir is not None else None)


def _found(text: str | None, said: list[MemoryItem], companion: Companion, lens: Lens) -> Extracted:
    turn = said[-1]
    raw = parse(text) if text is not None else None
    if raw is None:
        return Extracted(memories=(), loops=read_loops(turn.text), dropped=())
    personas = [*companion.personas, lens.persona]
    return extracted(raw, [item.text for item in said], [name for name in personas if name])


def _keep_answer(desk: Desk, text: str, said: list[MemoryItem], now_ms: int) -> MemoryItem:
    entry = Entry(
        shelf=Shelf.ANSWER,
        name=said[-1].id,
        text=text,
        at_ms=now_ms,
        sources=said,
        how="answer",
        session=desk.lens.session,
    )
    return enter(desk, ledger_of(desk.lens), entry)


def _candidates(desk: Desk, turn: MemoryItem, found: Extracted, home: Place, *, is_model: bool) -> list[Candidate]:
    """The facts and todos of an answer; what a model read is at most inferred."""
    authority = lowest([turn.authority, Authority.AI_INFERRED], desk.policy) if is_model else turn.authority
    heard = Candidate(
        kind=Kind.PROFILE,
        place=home,
        text=turn.text,
        source=Source.USER,
        event_type=EventType.FACT,
        authority=authority,
        authority_reason="model" if is_model else turn.authority_reason,
        origin=replace(turn.origin, extra=clock_of(turn.origin)),
        made_how="answer" if is_model else "fact",
        made_from=(turn.ref,),
    )
    todos = [todo_candidate(heard, ledger_of(desk.lens), loop) for loop in found.loops]
    for todo in todos:
        todo.made_how, todo.made_from = heard.made_how, (turn.ref,)
    return [*(_fact(heard, stated) for stated in found.memories), *todos]


def _fact(heard: Candidate, stated: Stated) -> Candidate:
    fact = Fact(
        key=stated.fact_type,
        value=stated.content,
        type=stated.type,
        entity_type=stated.entity_type,
        fact_type=stated.fact_type,
        entity_refs=stated.refs,
        entity_label=stated.label,
        confidence=stated.confidence,
    )
    # A model's word alone makes nothing core identity.
    return replace(heard, text=stated.content, key=stated.key, fact=fact, importance_hint=min(stated.importance, 2))


def _keys(candidates: Sequence[Candidate]) -> dict[Place, list[str]]:
    wanted: dict[Place, list[str]] = {}
    for candidate in candidates:
        wanted.setdefault(candidate.place, []).append(candidate.key)
    return wanted
