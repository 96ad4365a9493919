"""Runs `recall`: plans what to look up, gathers it in one snapshot, lets the core select.

    tiers: 0 named files, window | 1 facts, pinned, rules | 2 terms, companion | 3 snippets, likeness, entailment

A tier runs whole or not at all; before each the deadline is looked at, and what could not run is named. Files come
before the store is looked at and the third tier after it, so that nothing slow is waited for inside a snapshot.

Never: changes state. Never looks into a place that is not this session's.
Spec: rulings 4a, 11, 17; reliability.md "Contract of a recall"; laws 5, 6, 10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from recollect.core.canonical import canonical
from recollect.core.read.pipeline import select
from recollect.core.read.question import Gathered, Question
from recollect.core.spaces import may_read
from recollect.core.state import Head
from recollect.core.values import Place
from recollect.core.wire import Wire
from recollect.engine.asking import QuestionVectors, Unembedded
from recollect.engine.context import Context
from recollect.engine.deadline import Deadline, unanswered
from recollect.engine.fallback import run_tier
from recollect.engine.gathering import (
    Lay,
    answered,
    compare,
    entail,
    read_files,
    remembered,
    wants_likeness,
    within,
)
from recollect.engine.office import Office
from recollect.engine.reading import notice
from recollect.engine.recall_trace import trace_of
from recollect.engine.receipt import Receipt
from recollect.engine.shelves import Ahead
from recollect.engine.tiers import OF_THE_STORE, Look, window_of
from recollect.errors import StoreLost

SNAPSHOT_TRIES = 5
# Selecting takes 2 to 5 ms of processor, and others want the processor too.
SELECTING_MS = 10


def recall(office: Office, question: Question, deadline: Deadline, use: Callable[[Sequence[str]], Receipt]) -> Context:
    """Bring back what helps with a question."""
    tiers = planned(office, question)
    # What was found must still be selected: gathering ends a little before the time does.
    until = deadline.before(SELECTING_MS)
    errand = partial(Errand, office=office, question=question, tiers=tiers, deadline=until)
    gathered = within(office, question, until, ("window", *tiers), lambda lay: _gather(errand(lay=lay)))
    selected = answered(gathered, select(question, gathered, office.tokens.count))
    # Tracing never changes a result: it is told after everything is decided.
    tell = partial(trace_of, question, gathered, selected)
    if office.is_tracing:
        office.ring.add(question.lens.session_place.owner, tell, lambda: (c.item.ref for c in selected.choices))
    if question.policy.trace.durable_recalls:
        lost = _keep(office, question, deadline, tell)
        if lost:
            gathered.tiers["trace"] = lost
            selected = replace(selected, status="degraded") if selected.status == "ok" else selected
    return Context(
        text=selected.text,
        blocks=selected.blocks,
        choices=selected.choices,
        tokens=selected.tokens,
        budget_tokens=question.budget_tokens,
        tokens_needed=selected.tokens_needed,
        status=selected.status,
        tiers=gathered.tiers,
        hash=selected.hash,
        files=selected.files,
        conflicts=selected.conflicts,
        is_locked=question.is_locked,
        is_exact=gathered.is_exact,
        _trace=tell,
        _use=use,
    )


def _keep(office: Office, question: Question, deadline: Deadline, tell: Callable[[], list[Wire]]) -> str:
    """Write a recall's trace down, where the policy wants that; why it could not be, else ''.

    It is a record beside the state, not part of it: whoever holds the writer's place does not hold up the answer.
    """
    place = question.lens.session_place

    def write() -> None:
        body = canonical(tell())
        with office.repository.writing((place,)) as writer:
            writer.keep_recall(place, body, question.policy.trace.ring)

    return unanswered(*office.workers.run("trace", write, deadline))


def planned(office: Office, question: Question) -> tuple[str, ...]:
    """The tiers this question needs beside the window, in their order."""
    # Exact File Lock: nothing is looked for; rules are part of what binds.
    is_search = not question.is_locked
    is_now = is_search and not question.as_of_ms
    is_compared = is_now and wants_likeness(office, question)
    needed = {
        "files": bool(question.files),
        "facts": True,
        "terms": is_search,
        "companion": is_now and question.policy.companion is not None,
        "snippets": is_now and office.aids.files is not None and office.aids.files.has_roots,
        "likeness": is_compared,
        "entailment": is_compared and office.aids.entailment is not None,
    }
    return tuple(name for name, is_needed in needed.items() if is_needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What is gathered for whom, until when, and where what is whole is laid down."""

    office: Office
    question: Question
    tiers: Sequence[str]
    deadline: Deadline
    lay: Lay


def _gather(errand: Errand) -> Gathered:
    """Everything a question needs, laid down tier by tier."""
    office, question, deadline = errand.office, errand.question, errand.deadline
    opened = remembered(office, question)
    if "files" in errand.tiers:
        opened = run_tier(opened, "files", partial(read_files, office, question, deadline))
    errand.lay(opened)
    gathered = _snapshot(errand, opened)
    for name in errand.tiers:
        if name in AFTER:
            gathered = _next(errand, gathered, name, partial(AFTER[name], office, question, deadline))
    return gathered


AFTER = {"snippets": notice, "likeness": compare, "entailment": entail}


def _next(errand: Errand, gathered: Gathered, name: str, run: Callable[[Gathered], None]) -> Gathered:
    """Run a tier if there is time, after laying down what is whole without it."""
    errand.lay(gathered)
    if errand.deadline.is_over:
        gathered.tiers[name] = "skipped: deadline"
        return gathered
    return run_tier(gathered, name, run)


def _snapshot(errand: Errand, opened: Gathered) -> Gathered:
    """Gather in one consistent look; look again when an index has seen a newer one, or the connection was cut."""
    office, question = errand.office, errand.question
    vectors = QuestionVectors(office.filing)
    tries = 0
    while True:
        try:
            with office.repository.reading() as reader:
                heads = reader.heads(read_places(question))
                for place in heads if tries >= SNAPSHOT_TRIES else ():
                    office.shelves.forget(place)
                look = Look(office=office, reader=reader, question=question, heads=heads, embed=vectors.of)
                return _look(errand, look, opened, vectors.failure)
        except Ahead:
            if tries > SNAPSHOT_TRIES:
                raise
        except StoreLost:
            if errand.deadline.is_over or tries >= SNAPSHOT_TRIES:
                raise
        except Unembedded as needed:
            vectors.learn_by(needed.text, partial(_half, office, errand.deadline))
            continue
        tries += 1


def _half(office: Office, deadline: Deadline, work: Callable[[], None]) -> str:
    """Wait for an embedder, for half of what is left: the words must still be looked up in the other half."""
    return unanswered(*office.workers.run("embedder", work, deadline.half()))


def _look(errand: Errand, look: Look, opened: Gathered, unembedded: str) -> Gathered:
    """The window, and the tiers of the store."""
    gathered = sight(look.heads)
    gathered.window = window_of(look)
    gathered.tiers["window"] = "ran"
    gathered.files = opened.files
    gathered.tiers |= {name: state for name, state in opened.tiers.items() if name != "window"}
    if unembedded:
        gathered.tiers["vectors"] = unembedded
    if errand.question.is_locked:
        gathered.tiers["terms"] = "empty"
    for name in errand.tiers:
        if name in OF_THE_STORE:
            gathered = _next(errand, gathered, name, partial(OF_THE_STORE[name], look))
    return gathered


def read_places(question: Question) -> list[Place]:
    """The places of this session in the policy's read order; the session's own is always known."""
    order = [space for space in question.policy.spaces.read_order if may_read(question.policy, space) == "allowed"]
    places = [place for space in order for place in question.lens.places(space)]
    if question.lens.session_place not in places:
        places.insert(0, question.lens.session_place)
    return places


def sight(heads: dict[Place, Head]) -> Gathered:
    """An empty gathering that knows the clocks and phases, which is all that visibility needs."""
    return Gathered(
        ticks={place: head.tick for place, head in heads.items()},
        phases={place: head.phase for place, head in heads.items()},
        counts={place: dict(head.counts) for place, head in heads.items()},
    )
