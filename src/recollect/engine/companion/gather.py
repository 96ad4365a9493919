"""Gathers what a companion's context is made of: the ledger's records, and facts about those the question is about.

Never: changes state; never reads another persona's ledger.
Spec: state and memory model "Memory retrieval"; facts 3.8 (the traps); ruling 29.
"""

from __future__ import annotations

from recollect.core.companion.layout import Kept
from recollect.core.companion.ledger import Shelf, key_of
from recollect.core.companion.one_name import other_keys
from recollect.core.companion.outcomes import kind_of
from recollect.core.companion.spellings import canonical_refs
from recollect.core.item import MemoryItem
from recollect.core.places import ledger_of, shared_ledger
from recollect.core.read.question import Gathered, Proposal, Question
from recollect.core.values import Kind, Place, Space, Status
from recollect.engine.asking import Embed
from recollect.engine.companion.lay_out import todos_among
from recollect.engine.companion.names import RECORDS, aliases_among
from recollect.engine.office import Office
from recollect.ports.store import Filter, Reader

# How far back among a ledger's records something done not long ago is looked for.
DONE_RECORDS = 300
DEEP = 200
MOST_CARDS_SEARCHED = 5
BLOCKS = {Shelf.ROLLING: "rolling", Shelf.SUMMARY: "summary", Shelf.SPINE: "spine", Shelf.SEED: "seed"}


def gather_companion(office: Office, reader: Reader, question: Question, gathered: Gathered, embed: Embed) -> None:
    """Lay out the ledgers of this user and persona, and look once more for facts the cards need."""
    lens = question.lens
    own, shared = ledger_of(lens), shared_ledger(lens)
    live = reader.newest(own, Kind.PROFILE, RECORDS)
    kept = Kept(into=canonical_refs(aliases_among([*reader.newest(shared, Kind.PROFILE, RECORDS), *live])))
    session = lens.session
    keys = [key_of(Shelf.SESSION, session), key_of(Shelf.ROLLING, session), key_of(Shelf.SUMMARY), key_of(Shelf.SPINE)]
    for item in [*reader.keyed(own, keys), *reader.keyed(shared, [key_of(Shelf.SEED)])]:
        shelf = Shelf(item.fact.type) if item.fact is not None else Shelf.STATE
        if shelf is Shelf.SESSION:
            kept.session = item
        else:
            kept.records.append((BLOCKS[shelf], item))
    kept.todos = todos_among(live)
    kept.done = _done(reader, own)
    gathered.kept = kept
    _more_facts(office, reader, question, gathered, embed)
    _more_about(office, reader, question, gathered)
    _other_spellings(reader, question, kept, gathered)


def _done(reader: Reader, place: Place) -> list[MemoryItem]:
    """Promises kept, among the newest records; what became a habit is not a win."""
    last = reader.heads([place])[place].counts[Kind.PROFILE]
    after = (str(Kind.PROFILE), max(0, last - DONE_RECORDS))
    items = reader.page(place, Filter(statuses=(Status.ARCHIVED,)), after, DONE_RECORDS)
    return [item for item in items if kind_of(item) is not None and item.standing.reason == "completed"]


def _more_facts(office: Office, reader: Reader, question: Question, gathered: Gathered, embed: Embed) -> None:
    """Facts private to this persona stand among its episodes; they are looked for behind them, before any cut."""
    private = question.lens.private_place
    if private is None or Space.USER not in question.policy.spaces.read_order:
        return
    known = {proposal.item.ref: index for index, proposal in enumerate(gathered.facts)}
    head = reader.heads([private])[private]
    if not head.counts[Kind.PROFILE]:
        return
    hits = [hit for hit in office.shelves.search(reader, head, question, DEEP, embed) if hit.ref.kind is Kind.PROFILE]
    items = reader.fetch([hit.ref for hit in hits])
    for hit in hits[: question.policy.recall.candidates]:
        if hit.ref in known:
            gathered.facts[known[hit.ref]] = Proposal(item=items[hit.ref], match=hit.score, terms=hit.terms)
        elif hit.ref in items:
            gathered.facts.append(Proposal(item=items[hit.ref], match=hit.score, terms=hit.terms))


def _by_words(text: str) -> bytes:
    """A name is looked for by its letters; no embedder is asked."""
    return b""


def _more_about(office: Office, reader: Reader, question: Question, gathered: Gathered) -> None:
    """Where somebody has more facts than were gathered, those of the people in question are looked for by name."""
    if len(gathered.facts) < question.policy.facts.limit:
        return
    labels = {
        ref: proposal.item.fact.entity_label
        for proposal in sorted(gathered.facts, key=lambda p: -p.match)
        if proposal.match and proposal.item.fact is not None
        for ref in proposal.item.fact.entity_refs[:1]
    }
    known = {proposal.item.ref: True for proposal in gathered.facts}
    place = question.lens.user_place
    head = reader.heads([place])[place]
    for label in [*dict.fromkeys(label for label in labels.values() if label)][:MOST_CARDS_SEARCHED]:
        hits = office.shelves.search(reader, head, question.about(label), question.policy.recall.candidates, _by_words)
        items = reader.fetch([hit.ref for hit in hits if hit.ref.kind is Kind.PROFILE and hit.ref not in known])
        for item in items.values():
            if item.fact is not None and item.fact.entity_label == label:
                known[item.ref] = True
                gathered.facts.append(Proposal(item=item))


def _other_spellings(reader: Reader, question: Question, kept: Kept, gathered: Gathered) -> None:
    """What is claimed of the same thing under other spellings of a name: the newer claim must be there to win."""
    known = {proposal.item.ref: True for proposal in gathered.facts}
    for proposal in [*gathered.facts] if kept.into else ():
        keys = other_keys(proposal.item.dedup_key, kept.into)
        for item in [i for place in question.lens.places(Space.USER) for i in reader.keyed(place, keys)]:
            if item.ref not in known:
                known[item.ref] = True
                gathered.facts.append(Proposal(item=item, match=proposal.match, terms=proposal.terms))
