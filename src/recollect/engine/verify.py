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

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from recollect.core.canonical import canonical, commitment, digest, link
from recollect.core.events import Deleted, Erased, PhaseStarted, Written
from recollect.core.log import GENESIS, read_record
from recollect.core.state import subject
from recollect.core.values import ItemRef, Place, Space
from recollect.engine.replay import replay
from recollect.errors import InvalidInput
from recollect.ports.store import Chain, Reader

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
    """Check every chain, every seal, and the state against the fold of its log."""
    work = _Work()
    chains = reader.chains()
    for index, chain in enumerate(chains):
        _check_chain(reader, chain, work)
        if on_progress is not None:
            on_progress(index + 1, len(chains))
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


def _check_chain(reader: Reader, chain: Chain, work: _Work) -> None:
    before = len(work.findings)
    seals = _check_links(reader, chain, work)
    if len(work.findings) > before:
        return
    _check_seals(reader, chain, seals, work)
    for difference in replay(reader, chain.place):
        work.add("altered", chain.number, 0, f"{difference.where} is not what its log says.")


def _check_links(reader: Reader, chain: Chain, work: _Work) -> dict[object, str]:
    """Walk a chain from its first record; the commitments of what should still be there."""
    previous, expected = GENESIS, 1
    seals: dict[object, str] = {}
    for seq, body, stored in _records(reader, chain.place):
        if seq != expected:
            work.add("altered", chain.number, expected, f"Record {expected} is missing.")
            return seals
        previous = link(previous, body.encode("utf-8"))
        if previous != stored:
            work.add("altered", chain.number, seq, f"Record {seq} does not follow from the one before it.")
            return seals
        work.records += 1
        work.events += _take_seals(chain, seq, body, seals)
        expected += 1
    if expected - 1 < chain.seq:
        work.add("truncated", chain.number, expected, f"Records {expected} to {chain.seq} are missing.")
    elif previous != chain.head:
        work.add("altered", chain.number, chain.seq, "The head is not the hash of the last record.")
    return seals


def _take_seals(chain: Chain, seq: int, body: str, seals: dict[object, str]) -> int:
    here = chain.place
    entry = read_record(here, seq, body, lambda number: here if number == chain.number else ELSEWHERE)
    for _, event in entry.events:
        if isinstance(event, Written) and event.seal:
            seals[event.ref] = event.seal
        elif isinstance(event, PhaseStarted):
            seals[(here, event.number)] = event.seal
        else:
            ref = subject(event)
            if ref is not None and isinstance(event, (Deleted, Erased)):
                seals.pop(ref, None)
    return len(entry.events)


ELSEWHERE = Place(Space.SESSION, "(elsewhere)")


def _check_seals(reader: Reader, chain: Chain, seals: dict[object, str], work: _Work) -> None:
    seen: dict[object, bool] = {}
    for sealed in reader.sealed(chain.place):
        seen[sealed.key] = True
        name = sealed.key.id if isinstance(sealed.key, ItemRef) else f"phase-{sealed.key[1]}"
        if sealed.key not in seals:
            work.add("altered", chain.number, 0, f"{name} is stored, but the log never wrote it.")
        elif commitment(sealed.salt, sealed.body.encode("utf-8")) != seals[sealed.key]:
            work.add("altered", chain.number, 0, f"The words of {name} are not the ones that were written.")
    for key in seals:
        if key not in seen and isinstance(key, ItemRef):
            work.add("altered", chain.number, 0, f"{key.id} was written and is gone without an event.")


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
    after = 0
    while page := reader.records(place, after, PAGE):
        yield from page
        after = page[-1][0]
