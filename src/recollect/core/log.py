"""The log: one record per act and place, chained by hash.

1. A record holds opaque events: numbers for places, commitments for content. Nothing in it must ever be erased.
2. The first record of an act is its home, in the session's own place; it lists the act's records elsewhere, so a
   trace can be put together again without another index.
3. The first record of a chain commits to the name of its place, so that no chain can be given to somebody else.
4. A hash covers the hash before it and the bytes of the record. Each place has its own chain.

Never: holds a word that came from a person.
Spec: ruling 10a; architecture, "Event".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from recollect.core.canonical import link
from recollect.core.events import Event, PhaseStarted, Written, decode, encode, encode_written
from recollect.core.values import ItemRef, Place
from recollect.core.write.desk import Act
from recollect.errors import StoreDamaged

GENESIS = bytes(32)


class Record(NamedTuple):
    """One link of one chain, as stored."""

    place: Place
    seq: int
    body: str
    hash: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One record, read back: events with their position in the act."""

    place: Place
    seq: int
    at_ms: int
    policy_hash: str
    phase: int
    events: tuple[tuple[int, Event], ...]
    siblings: tuple[tuple[Place, int], ...]
    sibling_numbers: tuple[tuple[int, int], ...]
    place_seal: str
    is_home: bool


@dataclass(slots=True, kw_only=True)
class Chains:
    """Where each chain stands, and how places are numbered in this store."""

    heads: dict[Place, tuple[int, bytes]]
    number_of: Callable[[Place], int]

    def append(self, place: Place, body: str) -> Record:
        seq, previous = self.heads[place]
        digest = link(previous, body.encode("utf-8"))
        self.heads[place] = (seq + 1, digest)
        return Record(place, seq + 1, body, digest)


SealKey = ItemRef | tuple[Place, int] | Place
Seals = Callable[[SealKey], str]


def write_act(act: Act, home: Place, policy_hash: str, chains: Chains, seal_of: Seals) -> list[Record]:
    """The records of one act, its home first."""
    number_of = chains.number_of
    by_place: dict[Place, list[str]] = {home: []}
    for index, (place, event) in enumerate(act.events):
        if type(event) is Written:
            form = encode_written(event, number_of, seal_of(event.ref))
        elif type(event) is PhaseStarted:
            form = encode(PhaseStarted(*event[:-1], seal_of((event.place, event.number))), number_of)
        else:
            form = encode(event, number_of)
        told = f"[{index},{form}]"
        if place in by_place:
            by_place[place].append(told)
        else:
            by_place[place] = [told]
    siblings = ",".join(f"[{number_of(place)},{chains.heads[place][0] + 1}]" for place in by_place if place != home)
    records = []
    for place, events in by_place.items():
        phase = act.phases.get(place)
        number = phase.index if phase is not None else 0
        listed = f',"siblings":[{siblings}]' if place == home else ""
        sealed = f',"place":"{seal_of(place)}"' if chains.heads[place][0] == 0 else ""
        body = f'{{"at":{act.at_ms},"policy":"{policy_hash}","phase":{number},"events":[{",".join(events)}]'
        records.append(chains.append(place, f"{body}{listed}{sealed}}}"))
    return records


def read_record(place: Place, seq: int, body: str, place_of: Callable[[int], Place]) -> Entry:
    """A record as events again."""
    try:
        return _entry(place, seq, json.loads(body), place_of)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        raise StoreDamaged(
            "A record of the log cannot be read.", hint="Run `recollect verify` to see what was altered."
        ) from None


def _entry(place: Place, seq: int, raw: dict[str, Any], place_of: Callable[[int], Place]) -> Entry:
    events: Sequence[Sequence[object]] = raw["events"]
    siblings = raw.get("siblings", ())
    return Entry(
        place=place,
        seq=seq,
        at_ms=raw["at"],
        policy_hash=raw["policy"],
        phase=raw["phase"],
        events=tuple([(int(str(event[0])), decode(event[1:], place_of)) for event in events]),
        siblings=tuple((place_of(number), sibling_seq) for number, sibling_seq in siblings),
        sibling_numbers=tuple((number, sibling_seq) for number, sibling_seq in siblings),
        place_seal=raw.get("place", ""),
        is_home="siblings" in raw,
    )
