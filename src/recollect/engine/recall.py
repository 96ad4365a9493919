"""Runs `recall`: plans what to look up, gathers it in one snapshot, lets the core select.

    tiers: 0 window, named files | 1 facts, pinned, rules | 2 terms | 3 likeness of what was found

A tier runs whole or not at all; before each the deadline is looked at, and what could not run is named.

Never: changes state. Never looks into a place that is not this session's.
Spec: rulings 4a, 11, 17; reliability.md "Contract of a recall"; laws 5, 6, 10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
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
from recollect.engine.deadline import Deadline
from recollect.engine.fallback import run_tier
from recollect.engine.gathering import Lay, answered, compare, read_files, wants_likeness, within
from recollect.engine.office import Office
from recollect.engine.outdated import outdated
from recollect.engine.receipt import Receipt
from recollect.engine.shelves import Ahead
from recollect.errors import StoreLost
from recollect.ports.store import Filter, Reader

SNAPSHOT_TRIES = 5
AS_OF_ITEMS = 20_000


def recall(office: Office, question: Question, deadline: Deadline, use: Callable[[Sequence[str]], Receipt]) -> Context:
    """Bring back what helps with a question."""
    gathered = within(office, question, deadline, partial(_snapshot, office, question, deadline))
    selected = answered(gathered, select(question, gathered, office.tokens.count))
    # Tracing never changes a result: it is told after everything is decided.
    tell = partial(_trace, question, gathered, selected)
    if office.is_tracing:
        office.ring.add(question.lens.session_place.owner, tell, lambda: (c.item.ref for c in selected.choices))
    if question.policy.trace.durable_recalls:
        _keep(office, question, tell())
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
        _trace=tell,
        _use=use,
    )


def _keep(office: Office, question: Question, events: list[Wire]) -> None:
    """Write a recall's trace down, where the policy wants that. It is a record beside the state, not part of it."""
    place = question.lens.session_place
    with office.repository.writing((place,)) as writer:
        writer.keep_recall(place, canonical(events), question.policy.trace.ring)


def _snapshot(office: Office, question: Question, deadline: Deadline, lay: Lay) -> Gathered:
    """Gather in one consistent look; look again when an index has seen a newer one, or the connection was cut."""
    vectors = QuestionVectors(office.filing)
    tries = 0
    while True:
        try:
            with office.repository.reading() as reader:
                heads = reader.heads(read_places(question))
                for place in heads if tries >= SNAPSHOT_TRIES else ():
                    office.shelves.forget(place)
                gathered = _gather(office, reader, question, heads, (deadline, lay), vectors.of)
            break
        except Ahead:
            if tries > SNAPSHOT_TRIES:
                raise
        except StoreLost:
            if deadline.is_over or tries >= SNAPSHOT_TRIES:
                raise
        except Unembedded as needed:
            vectors.learn_by(needed.text, deadline.ends_ns)
            continue
        tries += 1
    if vectors.failure:
        gathered.tiers["vectors"] = vectors.failure
    return gathered


def read_places(question: Question) -> list[Place]:
    """The places of this session in the policy's read order; the session's own is always known."""
    order = [space for space in question.policy.spaces.read_order if may_read(question.policy, space) == "allowed"]
    places = [place for space in order for place in question.lens.places(space)]
    if question.lens.session_place not in places:
        places.insert(0, question.lens.session_place)
    return places


def _gather(
    office: Office,
    reader: Reader,
    question: Question,
    heads: dict[Place, Head],
    outer: tuple[Deadline, Lay],
    embed: Embed,
) -> Gathered:
    deadline, lay = outer
    gathered = sight(heads)
    gathered.window = _window(office, reader, question, heads)
    gathered.tiers["window"] = "ran"
    if question.files:
        run_tier(gathered, "files", lambda: gathered.files.extend(read_files(office, question)))
    if question.is_locked:
        # Exact File Lock: nothing is looked for; rules are part of what binds.
        run_tier(gathered, "facts", lambda: gathered.facts.extend(_facts(reader, question.policy, heads)))
        gathered.tiers["terms"] = "empty"
        return gathered
    if question.as_of_ms:
        _as_of(office, reader, question, heads, gathered, embed)
        return gathered
    tiers: tuple[tuple[str, Callable[[], None]], ...] = (
        ("facts", lambda: gathered.facts.extend(_facts(reader, question.policy, heads))),
        ("terms", lambda: GATHER[question.policy.recall.scoring](office, reader, question, heads, gathered, embed)),
        ("likeness", lambda: compare(office, question, gathered)),
    )
    if question.policy.companion is not None:
        from recollect.engine.companion.gather import gather_companion

        tiers = (*tiers, ("companion", lambda: gather_companion(office, reader, question, gathered, embed)))
    for name, run in tiers:
        lay(gathered)
        if deadline.is_over:
            gathered.tiers[name] = "skipped: deadline"
        elif name != "likeness" or wants_likeness(office, question):
            run_tier(gathered, name, run)
    return gathered


def sight(heads: dict[Place, Head]) -> Gathered:
    """An empty gathering that knows the clocks and phases, which is all that visibility needs."""
    return Gathered(
        ticks={place: head.tick for place, head in heads.items()},
        phases={place: head.phase for place, head in heads.items()},
        counts={place: dict(head.counts) for place, head in heads.items()},
    )


def _window(office: Office, reader: Reader, question: Question, heads: dict[Place, Head]) -> list[MemoryItem]:
    items = office.windows.read(reader, heads[question.lens.session_place])
    return carried([i for i in items if not question.as_of_ms or i.origin.at_ms <= question.as_of_ms], question.policy)


def _facts(reader: Reader, policy: Policy, heads: dict[Place, Head]) -> list[Proposal]:
    """Rules, pinned items and the foremost facts of each place."""
    found: list[Proposal] = []
    for place, head in heads.items():
        if head.seq:
            found.extend(Proposal(item=i) for i in reader.foremost(place, Kind.PROFILE, policy.facts.limit))
            found.extend(Proposal(item=i) for i in reader.foremost(place, Kind.SEMANTIC, policy.facts.limit))
    return found


def _newest(
    office: Office, reader: Reader, question: Question, heads: dict[Place, Head], gathered: Gathered, embed: Embed
) -> None:
    """The contract scores every episode of a space; retention keeps that few."""
    known = {proposal.item.ref: True for proposal in gathered.facts}
    for place in heads:
        for item in reader.newest(place, Kind.SEMANTIC, question.policy.recall.candidates):
            if item.ref not in known:
                gathered.episodes.append(Proposal(item=item))


def _searched(
    office: Office, reader: Reader, question: Question, heads: dict[Place, Head], gathered: Gathered, embed: Embed
) -> None:
    """The best matches of each place by its own index, and what in quarantine would have matched."""
    known = {proposal.item.ref: index for index, proposal in enumerate(gathered.facts)}
    for head in heads.values():
        hits = [*office.shelves.search(reader, head, question, question.policy.recall.candidates, embed)]
        hits += office.shelves.search(reader, head, question, 5, embed, is_quarantined=True)
        items = reader.fetch([hit.ref for hit in hits if hit.ref not in known])
        for hit in hits:
            if hit.ref in known:
                held = gathered.facts[known[hit.ref]]
                gathered.facts[known[hit.ref]] = Proposal(item=held.item, match=hit.score, terms=hit.terms)
            elif hit.ref in items:
                proposal = Proposal(item=items[hit.ref], match=hit.score, terms=hit.terms)
                is_fact = hit.ref.kind is Kind.PROFILE
                (gathered.facts if is_fact else gathered.episodes).append(proposal)
    _mark_outdated(reader, gathered)


def _mark_outdated(reader: Reader, gathered: Gathered) -> None:
    """Say of each turn that is outdated what is so now."""
    since = outdated(reader, [proposal.item for proposal in gathered.episodes])
    for at, proposal in enumerate(gathered.episodes):
        if proposal.item.ref in since:
            gathered.episodes[at] = replace(proposal, outdated=since[proposal.item.ref].fact.text)


GATHER: dict[str, Callable[[Office, Reader, Question, dict[Place, Head], Gathered, Embed], None]] = {
    "hybrid": _newest,
    "blend": _searched,
}


def _as_of(
    office: Office, reader: Reader, question: Question, heads: dict[Place, Head], gathered: Gathered, embed: Embed
) -> None:
    """What stood at a moment: written before it, and not archived before it."""
    everything = Filter(kinds=(Kind.SEMANTIC, Kind.PROFILE), statuses=(Status.ACTIVE, Status.ARCHIVED))
    for place in heads:
        items = reader.page(place, everything, None, AS_OF_ITEMS)
        stood = {item.ref: item for item in items if _stood(item, question.as_of_ms)}
        hits = office.shelves.rank(reader, stood.values(), question, question.policy.recall.candidates, embed)
        for hit in hits:
            proposal = Proposal(item=stood.pop(hit.ref), match=hit.score, terms=hit.terms)
            (gathered.facts if hit.ref.kind is Kind.PROFILE else gathered.episodes).append(proposal)
        lasting = [item for item in stood.values() if item.kind is Kind.PROFILE]
        gathered.facts.extend(Proposal(item=item) for item in lasting[-question.policy.facts.limit :])
    gathered.tiers |= {"facts": "ran", "terms": "ran"}


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
