"""Runs `recall`: plans what to look up, gathers it in one snapshot, lets the core select.

    tiers: 0 named files, window | 1 facts, pinned, rules | 2 terms, companion | 3 snippets, likeness, entailment

A tier runs whole or not at all; before each the deadline is looked at, and what could not run is named. Files come
before the store is looked at and the third tier after it, so that nothing slow is waited for inside a snapshot.

Never: changes state. Never looks into a place that is not this session's.
Spec: rulings 4a, 11, 17; reliability.md "Contract of a recall"; laws 5, 6, 10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from recollect.core.canonical import canonical
from recollect.core.item import MemoryItem
from recollect.core.policy import Policy
from recollect.core.read.choice import Choice
from recollect.core.read.pipeline import Selected, select
from recollect.core.read.question import Gathered, Proposal, Question
from recollect.core.spaces import may_read
from recollect.core.state import Head
from recollect.core.text import one_line
from recollect.core.values import BorderAction, ItemRef, Kind, Lens, Place, Space, Status
from recollect.core.wire import TRACE_VERSION, Wire, redact
from recollect.core.write.retain import expires_at
from recollect.core.write.secrets import find_secrets, mask
from recollect.core.write.window import carried
from recollect.engine.asking import Embed, QuestionVectors, Unembedded
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
from recollect.engine.outdated import outdated
from recollect.engine.reading import notice
from recollect.engine.receipt import Receipt
from recollect.engine.shelves import Ahead
from recollect.errors import StoreLost
from recollect.ports.index import Hit
from recollect.ports.store import Filter, Reader

SNAPSHOT_TRIES = 5
NOT_EXACT = (
    "A place is larger than the indexes may be: the server's approximate index proposed what is near,"
    " and only that was scored."
)
AS_OF_ITEMS = 20_000
# Selecting takes 2 to 5 ms of processor, and others want the processor too.
SELECTING_MS = 10


def recall(office: Office, question: Question, deadline: Deadline, use: Callable[[Sequence[str]], Receipt]) -> Context:
    """Bring back what helps with a question."""
    tiers = planned(office, question)
    # What was found must still be selected: gathering ends a little before the time does.
    until = deadline.before(SELECTING_MS)
    gathered = within(office, question, until, ("window", *tiers), partial(_gather, office, question, tiers, until))
    selected = answered(gathered, select(question, gathered, office.tokens.count))
    # Tracing never changes a result: it is told after everything is decided.
    tell = partial(_trace, question, gathered, selected)
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


@dataclass(slots=True, kw_only=True)
class Look:
    """One look at the memory: what a tier of the store needs."""

    office: Office
    reader: Reader
    question: Question
    heads: dict[Place, Head]
    embed: Embed
    _stood: dict[ItemRef, MemoryItem] | None = None

    def stood(self) -> dict[ItemRef, MemoryItem]:
        """What was written before a moment, and not archived before it."""
        if self._stood is None:
            everything = Filter(kinds=(Kind.SEMANTIC, Kind.PROFILE), statuses=(Status.ACTIVE, Status.ARCHIVED))
            items = [i for place in self.heads for i in self.reader.page(place, everything, None, AS_OF_ITEMS)]
            self._stood = {item.ref: item for item in items if _stood(item, self.question.as_of_ms)}
        return self._stood


Tier = Callable[[Look, Gathered], None]
Fetch = Callable[[list[ItemRef]], Mapping[ItemRef, MemoryItem]]


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


def _gather(office: Office, question: Question, tiers: Sequence[str], deadline: Deadline, lay: Lay) -> Gathered:
    """Everything a question needs, laid down tier by tier."""
    opened = remembered(office, question)
    if "files" in tiers:
        opened = run_tier(opened, "files", partial(read_files, office, question, deadline))
    lay(opened)
    gathered = _snapshot(office, question, (tiers, deadline, lay), opened)
    for name in tiers:
        if name in AFTER:
            gathered = _next(gathered, name, partial(AFTER[name], office, question, deadline), (tiers, deadline, lay))
    return gathered


Outer = tuple[Sequence[str], Deadline, Lay]
AFTER = {"snippets": notice, "likeness": compare, "entailment": entail}


def _next(gathered: Gathered, name: str, run: Callable[[Gathered], None], outer: Outer) -> Gathered:
    """Run a tier if there is time, after laying down what is whole without it."""
    _, deadline, lay = outer
    lay(gathered)
    if deadline.is_over:
        gathered.tiers[name] = "skipped: deadline"
        return gathered
    return run_tier(gathered, name, run)


def _snapshot(office: Office, question: Question, outer: Outer, opened: Gathered) -> Gathered:
    """Gather in one consistent look; look again when an index has seen a newer one, or the connection was cut."""
    deadline = outer[1]
    vectors = QuestionVectors(office.filing)
    tries = 0
    while True:
        try:
            with office.repository.reading() as reader:
                heads = reader.heads(read_places(question))
                for place in heads if tries >= SNAPSHOT_TRIES else ():
                    office.shelves.forget(place)
                look = Look(office=office, reader=reader, question=question, heads=heads, embed=vectors.of)
                return _look(look, outer, opened, vectors.failure)
        except Ahead:
            if tries > SNAPSHOT_TRIES:
                raise
        except StoreLost:
            if deadline.is_over or tries >= SNAPSHOT_TRIES:
                raise
        except Unembedded as needed:
            vectors.learn_by(needed.text, partial(_half, office, deadline))
            continue
        tries += 1


def _half(office: Office, deadline: Deadline, work: Callable[[], None]) -> str:
    """Wait for an embedder, for half of what is left: the words must still be looked up in the other half."""
    return unanswered(*office.workers.run("embedder", work, deadline.half()))


def _look(look: Look, outer: Outer, opened: Gathered, unembedded: str) -> Gathered:
    """The window, and the tiers of the store."""
    gathered = sight(look.heads)
    gathered.window = _window(look)
    gathered.tiers["window"] = "ran"
    gathered.files = opened.files
    gathered.tiers |= {name: state for name, state in opened.tiers.items() if name != "window"}
    if unembedded:
        gathered.tiers["vectors"] = unembedded
    if look.question.is_locked:
        gathered.tiers["terms"] = "empty"
    for name in outer[0]:
        if name in OF_THE_STORE:
            gathered = _next(gathered, name, partial(OF_THE_STORE[name], look), outer)
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


def _window(look: Look) -> list[MemoryItem]:
    question = look.question
    items = look.office.windows.read(look.reader, look.heads[question.lens.session_place])
    return carried([i for i in items if not question.as_of_ms or i.origin.at_ms <= question.as_of_ms], question.policy)


def _facts(look: Look, gathered: Gathered) -> None:
    """Rules, pinned items and the foremost facts of each place."""
    limit = look.question.policy.facts.limit
    if look.question.as_of_ms:
        lasting = [item for item in look.stood().values() if item.kind is Kind.PROFILE]
        by_place = [[item for item in lasting if item.ref.place == place] for place in look.heads]
        gathered.facts.extend(Proposal(item=item) for own in by_place for item in own[-limit:])
        return
    filled = [p for p, head in look.heads.items() if head.counts[Kind.PROFILE] or head.counts[Kind.SEMANTIC]]
    gathered.facts.extend(Proposal(item=item) for item in look.reader.foremost(filled, limit))


def _terms(look: Look, gathered: Gathered) -> None:
    """What matches the question: then, or now, the way the policy scores."""
    way = "past" if look.question.as_of_ms else look.question.policy.recall.scoring
    GATHER[way](look, gathered)


def _newest(look: Look, gathered: Gathered) -> None:
    """The contract scores every episode of a space; retention keeps that few."""
    known = {proposal.item.ref: True for proposal in gathered.facts}
    for place in look.heads:
        for item in look.reader.newest(place, Kind.SEMANTIC, look.question.policy.recall.candidates):
            if item.ref not in known:
                gathered.episodes.append(Proposal(item=item))


def _searched(look: Look, gathered: Gathered) -> None:
    """The best matches of each place by its own index, and what in quarantine would have matched."""
    reader, question, shelves = look.reader, look.question, look.office.shelves
    for head in look.heads.values():
        hits = [*shelves.search(reader, head, question, question.policy.recall.candidates, look.embed)]
        hits += shelves.search(reader, head, question, 5, look.embed, is_quarantined=True)
        _propose(gathered, hits, reader.fetch)
        gathered.is_exact = gathered.is_exact and shelves.is_exact(head.place)
    _mark_outdated(reader, gathered)


def _past(look: Look, gathered: Gathered) -> None:
    """The best matches among what stood at a moment."""
    stood = look.stood()
    for place in look.heads:
        own = [item for item in stood.values() if item.ref.place == place]
        candidates = look.question.policy.recall.candidates
        hits = look.office.shelves.rank(look.reader, own, look.question, candidates, look.embed)
        _propose(gathered, hits, lambda refs: stood)


def _propose(gathered: Gathered, hits: Sequence[Hit], fetch: Fetch) -> None:
    """Put what was found among the facts or the episodes; a fact that is there already gets its match."""
    known = {proposal.item.ref: index for index, proposal in enumerate(gathered.facts)}
    items = fetch([hit.ref for hit in hits if hit.ref not in known])
    for hit in hits:
        if hit.ref in known:
            held = gathered.facts[known[hit.ref]]
            gathered.facts[known[hit.ref]] = Proposal(item=held.item, match=hit.score, terms=hit.terms)
        elif hit.ref in items:
            proposal = Proposal(item=items[hit.ref], match=hit.score, terms=hit.terms, vector=hit.vector)
            (gathered.facts if hit.ref.kind is Kind.PROFILE else gathered.episodes).append(proposal)


def _mark_outdated(reader: Reader, gathered: Gathered) -> None:
    """Say of each turn that is outdated what is so now."""
    since = outdated(reader, [proposal.item for proposal in gathered.episodes])
    for at, proposal in enumerate(gathered.episodes):
        if proposal.item.ref in since:
            gathered.episodes[at] = replace(proposal, outdated=since[proposal.item.ref].fact.text)


def _companion(look: Look, gathered: Gathered) -> None:
    # Other policies never load this.
    from recollect.engine.companion.gather import gather_companion

    gather_companion(look.office, look.reader, look.question, gathered, look.embed)


GATHER: dict[str, Tier] = {"hybrid": _newest, "blend": _searched, "past": _past}
OF_THE_STORE: dict[str, Tier] = {"facts": _facts, "terms": _terms, "companion": _companion}


def _stood(item: MemoryItem, as_of_ms: int) -> bool:
    return item.origin.at_ms <= as_of_ms and (item.status is Status.ACTIVE or item.standing.changed_ms > as_of_ms)


def _trace(question: Question, gathered: Gathered, selected: Selected) -> list[Wire]:
    """The recall as the contract's events: what came back, then who asked at which border."""
    lens, policy = question.lens, question.policy
    kept = [choice for choice in selected.choices if choice.verdict == "kept"]
    recalled = [redact(c.item.to_wire(recall_reason=list(c.recall_reasons), **_added(c, policy))) for c in kept]
    spaces = [str(space) for space in policy.spaces.read_order if lens.places(space)]
    phase = gathered.phases.get(lens.session_place)
    head: Wire = {"trace_version": TRACE_VERSION, "ai_profile": lens.ai_profile, "session": lens.session_place.owner}
    told: Wire = {
        "type": "memory_recall",
        **head,
        "query": one_line(mask(question.text, find_secrets(question.text))),
        "recalled": recalled,
        "policy": policy.snapshot,
        "deterministic_hash": selected.recall_hash,
        "spaces_consulted": spaces,
        "recall_counts": {space: sum(c.item.ref.place.space == space for c in kept) for space in spaces},
        "current_phase": phase.to_wire() if phase is not None else {},
        "phase_counts": _phase_counts(kept_refs=[(c.item.ref, c.item.phase.id) for c in kept]),
        "choices": [choice.to_wire() for choice in selected.choices],
        "status": selected.status,
        "tiers": gathered.tiers,
        "tokens": selected.tokens,
        "budget_tokens": question.budget_tokens,
        "context_hash": selected.hash,
        **({} if gathered.is_exact else {"exact": False, "exact_reason": NOT_EXACT}),
        **_opened(selected),
    }
    return [told, *(_border(space, policy, lens, head) for space in Space)]


def _opened(selected: Selected) -> Wire:
    """What the files of this turn did; nothing where none were named."""
    told: Wire = {}
    if selected.files:
        told["files"] = [shown.to_wire() for shown in selected.files]
    if selected.conflicts:
        told["conflicts"] = [conflict.to_wire() for conflict in selected.conflicts]
    return told


def _added(choice: Choice, policy: Policy) -> dict[str, object]:
    """What a recall adds to its copy of an item: its score, and how retention let it stay."""
    added: dict[str, object] = {"score": choice.score} if choice.score else {}
    end = expires_at(choice.item, policy)
    if end is not None:
        added |= {"expires_at": end, "policy_tags": [*choice.item.policy_tags, "kept_by:retention_rule"]}
    return added


def _phase_counts(kept_refs: list[tuple[ItemRef, str]]) -> dict[str, dict[str, int]]:
    counted: dict[str, dict[str, int]] = {}
    for ref, phase_id in kept_refs:
        space = counted.setdefault(str(ref.place.space), {})
        space[phase_id] = space.get(phase_id, 0) + 1
    return counted


def _border(space: Space, policy: Policy, lens: Lens, head: Wire) -> Wire:
    code = may_read(policy, space) if lens.places(space) else "no_owner"
    return {
        "type": "memory_border_check",
        **head,
        "policy_snapshot": policy.snapshot,
        "action": str(BorderAction.READ),
        "from_space": str(space),
        "allowed": code == "allowed",
        "reason": code,
    }
