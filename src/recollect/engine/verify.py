"""Proves that the log is whole: every chain from its first record, every sealed word against its commitment.

    ok                everything hangs together, and with the anchor if one was given
    altered           a record, a text or a standing is not what the log says it was
    truncated         records are missing at the end, or a whole chain is
    rewritten         the chain hangs together but is not the one that was anchored
    unanchored_tail   all is well up to the anchor; what came after it is consistent, but nobody else has seen it

Never: repairs, and never trusts a stored hash it did not compute itself.
Spec: ruling 10a; S13.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from recollect.core.canonical import canonical, commitment, digest, link, short_key
from recollect.core.events import Archived, Conflict, Deleted, Denied, Erased, Merged, PhaseStarted, Written
from recollect.core.lineage import Edge, Lineage
from recollect.core.log import GENESIS, Entry, SealKey
from recollect.core.values import ItemRef, Place
from recollect.engine.collector import paused
from recollect.engine.paging import walk
from recollect.engine.replay import Fold, differences
from recollect.errors import InvalidInput, StoreDamaged
from recollect.ports.store import Chain, Reader, Sealed

Verdict = Literal["ok", "altered", "truncated", "rewritten", "unanchored_tail"]
WORST: tuple[Verdict, ...] = ("altered", "truncated", "rewritten", "unanchored_tail", "ok")
PAGE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong, or worth knowing, and where."""

    verdict: Verdict
    chain: int
    seq: int
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """Where all chains stood at a moment. Keep it somewhere else: it makes rewriting and truncating detectable."""

    root: str
    chains: tuple[tuple[int, int, str], ...]

    def to_dict(self) -> dict[str, object]:
        return {"recollect": "anchor", "version": 1, "root": self.root, "chains": [list(c) for c in self.chains]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The verdict over everything, and each finding behind it."""

    verdict: Verdict
    findings: tuple[Finding, ...]
    chains: int
    records: int
    events: int
    root: str

    @property
    def is_ok(self) -> bool:
        return self.verdict in {"ok", "unanchored_tail"}

    def to_dict(self) -> dict[str, object]:
        return {
            "verdict": self.verdict,
            "chains": self.chains,
            "records": self.records,
            "events": self.events,
            "root": self.root,
            "findings": [
                {"verdict": f.verdict, "chain": f.chain, "seq": f.seq, "sentence": f.sentence} for f in self.findings
            ],
        }


@dataclass(slots=True)
class _Work:
    findings: list[Finding] = field(default_factory=list)
    records: int = 0
    events: int = 0
    # Which act each record belongs to, and how many events each record tells with its highest position.
    home_of: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    told: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def hear(self, number: int, entry: Entry) -> None:
        here = (number, entry.seq)
        self.told[here] = (len(entry.events), max((index for index, _ in entry.events), default=-1))
        if entry.is_home:
            self.home_of |= {here: here, **dict.fromkeys(entry.sibling_numbers, here)}

    def add(self, verdict: Verdict, chain: int, seq: int, sentence: str) -> None:
        self.findings.append(Finding(verdict=verdict, chain=chain, seq=seq, sentence=sentence))


def anchor(reader: Reader) -> Anchor:
    """The heads of all chains and the root over them."""
    return _anchored(reader.chains())


def _anchored(chains: list[Chain]) -> Anchor:
    heads = tuple((chain.number, chain.seq, chain.head.hex()) for chain in chains if chain.seq)
    return Anchor(root=digest(canonical(heads)), chains=heads)


def read_anchor(raw: object) -> Anchor:
    """An anchor that was kept, checked against its own root."""
    try:
        assert isinstance(raw, dict)
        chains = tuple((int(n), int(seq), str(head)) for n, seq, head in raw["chains"])
        root = str(raw["root"])
    except (AssertionError, KeyError, TypeError, ValueError) as error:
        raise InvalidInput("This is not an anchor.", hint="Make one with `recollect anchor`.") from error
    if digest(canonical(chains)) != root:
        raise InvalidInput("The anchor does not match its own root.", reason="anchor_altered")
    return Anchor(root=root, chains=chains)


def verify(
    reader: Reader, kept: Anchor | None = None, on_progress: Callable[[int, int], None] | None = None
) -> Verification:
    """Check every chain, every seal, every link, and the state against the fold of its log."""
    work = _Work()
    try:
        chains = reader.chains()
    except StoreDamaged as error:
        work.add("altered", 0, 0, f"The places cannot be read: {error.message}")
        chains = []
    seqs = {chain.number: chain.seq for chain in chains}
    with paused(sum(seqs.values())):
        for index, chain in enumerate(chains):
            _check_chain(reader, chain, seqs, work)
            if on_progress is not None:
                on_progress(index + 1, len(chains))
    _check_acts(work)
    for number in reader.strays():
        work.add("truncated", number, 1, f"Chain {number} has rows, but its place is gone.")
    if kept is not None:
        _check_anchor(reader, chains, kept, work)
    found = {finding.verdict for finding in work.findings}
    verdict: Verdict = next((word for word in WORST if word in found), WORST[-1])
    return Verification(
        verdict=verdict,
        findings=tuple(work.findings),
        chains=len(chains),
        records=work.records,
        events=work.events,
        root=_anchored(chains).root,
    )


def _check_chain(reader: Reader, chain: Chain, seqs: dict[int, int], work: _Work) -> None:
    """One place: its links, its seals, its columns, its edges, its state. What cannot even be read was altered."""
    before = len(work.findings)
    try:
        story = _walk(reader, chain, seqs, work)
        if len(work.findings) > before:
            return
        _check_seals(reader, chain, story, work)
        _check_edges(reader, chain, story, work)
        for difference in differences(reader, story.fold):
            work.add("altered", chain.number, 0, f"{difference.where} is not what its log says.")
    except (StoreDamaged, ValueError, KeyError, IndexError, TypeError, AttributeError):
        # What cannot even be read was altered; what was raised may quote it and is not passed on.
        work.add("altered", chain.number, 0, f"Something of chain {chain.number} cannot be read.")


@dataclass(slots=True)
class _Story:
    """What a chain says should be there."""

    fold: Fold
    seals: dict[SealKey, str] = field(default_factory=dict)
    ticks: dict[ItemRef, int] = field(default_factory=dict)
    lineage: Lineage = field(default_factory=Lineage)
    tick: int = 0


def _walk(reader: Reader, chain: Chain, seqs: dict[int, int], work: _Work) -> _Story:
    """Walk a chain from its first record, computing every hash anew."""
    previous, expected = GENESIS, 1
    story = _Story(Fold(chain.place, {phase.index: phase for phase in reader.phases(chain.place)}))
    for seq, body, stored in _records(reader, chain.place):
        if seq != expected:
            work.add("altered", chain.number, expected, f"Record {expected} is missing.")
            return story
        previous = link(previous, body.encode("utf-8"))
        if previous != stored:
            work.add("altered", chain.number, seq, f"Record {seq} does not follow from the one before it.")
            return story
        entry = reader.read(chain.place, seq, body)
        _check_siblings(chain, entry, seqs, work)
        work.hear(chain.number, entry)
        if reader.policy(entry.policy_hash) is None:
            work.add("altered", chain.number, seq, f"The policy of record {seq} is gone or was changed.")
        _listen(chain, entry, story)
        story.fold.take(entry)
        work.records += 1
        work.events += len(entry.events)
        expected += 1
    if expected - 1 < chain.seq:
        work.add("truncated", chain.number, expected, f"Records {expected} to {chain.seq} are missing.")
    elif expected - 1 > chain.seq:
        work.add("altered", chain.number, chain.seq + 1, "The place does not know the end of its own chain.")
    elif previous != chain.head:
        work.add("altered", chain.number, chain.seq, "The head is not the hash of the last record.")
    return story


def _check_acts(work: _Work) -> None:
    """Every record belongs to an act, and the events of an act count up from 0 without a gap."""
    acts: dict[tuple[int, int], tuple[int, int]] = {}
    for here, (count, highest) in work.told.items():
        home = work.home_of.get(here)
        if home is None:
            # The act's first record, which would name this one, is gone from the end of its own chain.
            work.add("truncated", here[0], here[1], f"Record {here[1]} of chain {here[0]} belongs to no act.")
            continue
        held = acts.get(home, (0, -1))
        acts[home] = (held[0] + count, max(held[1], highest))
    for (number, seq), (count, highest) in acts.items():
        if count != highest + 1:
            work.add("altered", number, seq, f"The act at record {seq} of chain {number} is not whole.")


def _check_siblings(chain: Chain, entry: Entry, seqs: dict[int, int], work: _Work) -> None:
    """An act's records in other places must be there: that finds a cut tail and a removed chain without any anchor."""
    for number, seq in entry.sibling_numbers:
        if seqs.get(number, 0) < seq:
            here = f"Record {entry.seq} of chain {chain.number}"
            work.add("truncated", number, seq, f"{here} belongs with record {seq} of chain {number}, which is gone.")


def _listen(chain: Chain, entry: Entry, story: _Story) -> None:
    """Take in what a record says should be there."""
    if entry.place_seal:
        story.seals[chain.place] = entry.place_seal
    for _, event in entry.events:
        story.lineage.take(event)
        match event:
            case Written(ref=ref, seal=seal):
                story.tick += 1
                if seal:
                    story.seals[ref] = seal
                    story.ticks[ref] = story.tick
            case Denied() | Merged():
                story.tick += 1
            case PhaseStarted(number=number, tick=tick, seal=seal):
                story.tick = tick
                story.seals[(chain.place, number)] = seal
            case Conflict(loser=loser) if loser.place == chain.place and loser not in story.ticks:
                story.tick += _is_offered(entry, loser)
            case Deleted(ref=ref) | Erased(ref=ref):
                story.seals.pop(ref, None)
            case _:
                pass


def _is_offered(entry: Entry, loser: ItemRef) -> bool:
    """Whether the loser of a conflict was offered in this act and never written: its tick is spent all the same."""
    return not any(isinstance(event, (Written, Deleted, Archived)) and event.ref == loser for _, event in entry.events)


def _check_seals(reader: Reader, chain: Chain, story: _Story, work: _Work) -> None:
    seen: dict[SealKey, bool] = {}
    for sealed in reader.sealed(chain.place):
        seen[sealed.key] = True
        name = _name(sealed.key)
        if sealed.key not in story.seals:
            work.add("altered", chain.number, 0, f"{name} is stored, but the log never wrote it.")
        elif commitment(sealed.salt, sealed.body.encode("utf-8")) != story.seals[sealed.key]:
            work.add("altered", chain.number, 0, f"The words of {name} are not the ones that were written.")
        elif sealed.columns is not None and sealed.columns != _columns(sealed, story):
            work.add("altered", chain.number, 0, f"What {name} is looked up by is not what was written.")
    is_buried = chain.place.owner.startswith("(erased)")
    for key in story.seals:
        if key not in seen and (isinstance(key, ItemRef) or not is_buried):
            work.add("altered", chain.number, 0, f"{_name(key)} was written and is gone without an event.")


def _name(key: SealKey) -> str:
    if isinstance(key, ItemRef):
        return key.id
    return f"the place {key.space}:{key.owner}" if isinstance(key, Place) else f"phase-{key[1]}"


def _columns(sealed: Sealed, story: _Story) -> tuple[int, bytes | None, str | None]:
    """What a store should keep beside a body, from the body and the log alone."""
    body = json.loads(sealed.body)
    assert isinstance(sealed.key, ItemRef)
    key = short_key(body["key"]) if body["key"] else None
    return story.ticks.get(sealed.key, 0), key, body.get("ref")


def _check_edges(reader: Reader, chain: Chain, story: _Story, work: _Work) -> None:
    """Erasing follows edges, so an edge that was cut or added is as bad as a changed word."""
    told = dict.fromkeys(story.lineage.edges(), True) | dict.fromkeys(_in_bodies(reader, story), True)
    stored = dict.fromkeys(reader.edges(chain.place), True)
    for edge in sorted({**told, **stored}):
        # Of what an older log wrote and deleted again, nothing but the edge itself knows its parents.
        is_open = edge[0] in story.lineage.open and edge[0] not in story.fold.standings
        if (edge in told) != (edge in stored) and not is_open and edge[1].place.owner != "(erased)":
            work.add("altered", chain.number, 0, f"What {edge[0].id} was made from is not what was written.")


def _in_bodies(reader: Reader, story: _Story) -> Iterator[Edge]:
    """The parents that an older log did not name, from the items themselves."""
    living = [ref for ref in story.lineage.open if ref in story.fold.standings]
    for start in range(0, len(living), PAGE):
        for item in reader.fetch(living[start : start + PAGE]).values():
            yield from ((item.ref, parent) for parent in item.made_from if item.made_how != "summary")


def _check_anchor(reader: Reader, chains: list[Chain], kept: Anchor, work: _Work) -> None:
    now = {chain.number: chain for chain in chains}
    for number, seq, head in kept.chains:
        chain = now.pop(number, None)
        if chain is None:
            work.add("truncated", number, 1, f"Chain {number} was anchored at {seq} and is gone.")
        elif chain.seq < seq:
            work.add(
                "truncated", number, chain.seq + 1, f"Chain {number} was anchored at {seq} and ends at {chain.seq}."
            )
        elif next((h for _, _, h in reader.records(chain.place, seq - 1, 1)), b"").hex() != head:
            work.add("rewritten", number, seq, f"Record {seq} of chain {number} is not the one that was anchored.")
        elif chain.seq > seq:
            work.add("unanchored_tail", number, seq + 1, f"Chain {number} has grown since the anchor.")
    for number, chain in sorted(now.items()):
        if chain.seq:
            work.add("unanchored_tail", number, 1, f"Chain {number} is newer than the anchor.")


def _records(reader: Reader, place: Place) -> Iterator[tuple[int, str, bytes]]:
    return walk(lambda seq: reader.records(place, seq, PAGE), lambda record: record[0], 0)
