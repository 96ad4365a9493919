"""The tiers of a recall that look into the store: facts, terms, and what a companion adds; now, or as of a moment.

    facts      rules, pinned items and the foremost facts of each place
    terms      what matches the question, by the index, by the contract's own list, or among what stood at a moment
    companion  a persona's ledger

Never: changes state, waits for anything outside the store, or looks into a place that is not this session's.
Spec: rulings 4a, 11, 17; laws 5, 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from recollect.core.item import MemoryItem
from recollect.core.read.question import Gathered, Proposal, Question
from recollect.core.state import Head
from recollect.core.values import ItemRef, Kind, Place, Status
from recollect.core.write.window import carried
from recollect.engine.asking import Embed
from recollect.engine.office import Office
from recollect.engine.outdated import outdated
from recollect.ports.index import Hit
from recollect.ports.store import Filter, Reader

AS_OF_ITEMS = 20_000


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


def window_of(look: Look) -> list[MemoryItem]:
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
    # Only a fact makes a turn outdated: where there never was one, nobody is asked.
    if any(head.counts[Kind.PROFILE] for head in look.heads.values()):
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
