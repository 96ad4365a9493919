"""One tenant of the store in memory: its state, written out as plain rows and read back.

Never: decides.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from recollect.adapters.stores.dump import from_plain, to_plain
from recollect.adapters.stores.rows import item_row, read_item
from recollect.core.canonical import canonical
from recollect.core.events import kind_code
from recollect.core.item import MemoryItem, Phase
from recollect.core.log import GENESIS, Record
from recollect.core.state import Head
from recollect.core.values import ItemRef, Kind, Place, Space
from recollect.ports.store import Answer, Row, Sheet


@dataclass(slots=True)
class Tenant:
    """What one tenant holds."""

    numbers: dict[Place, int] = field(default_factory=dict)
    heads: dict[Place, Head] = field(default_factory=dict)
    chain: dict[Place, bytes] = field(default_factory=dict)
    phases: dict[Place, list[Phase]] = field(default_factory=dict)
    items: dict[Place, dict[ItemRef, MemoryItem]] = field(default_factory=dict)
    log: dict[Place, list[Record]] = field(default_factory=dict)
    answers: dict[tuple[Place, str], Answer] = field(default_factory=dict)
    policies: dict[str, dict[str, object]] = field(default_factory=dict)
    recalls: dict[Place, list[str]] = field(default_factory=dict)
    edges: dict[tuple[ItemRef, ItemRef], bool] = field(default_factory=dict)
    salts: dict[object, bytes] = field(default_factory=dict)
    bodies: dict[ItemRef, str] = field(default_factory=dict)
    sheets: dict[ItemRef, Sheet] = field(default_factory=dict)
    # By a place's number: when it was last looked after, and since when somebody is at it.
    chores: dict[int, tuple[int, int]] = field(default_factory=dict)
    # By a place's number: at which record and by which policy nothing was due there, and until when.
    rests: dict[int, tuple[int, str, int]] = field(default_factory=dict)

    def dump(self) -> Iterator[tuple[str, Row]]:
        """Everything as rows, in the order of an export."""
        places = sorted(self.numbers, key=self.numbers.__getitem__)
        for place in places:
            yield "place", to_plain("place", self._place_values(place))
        for place in places:
            for phase in self.phases.get(place, []):
                salt = self.salts[(place, phase.index)]
                values = (self.numbers[place], phase.index, phase.started_at, phase.name, phase.reason, salt)
                yield "phase", to_plain("phase", values)
        everything = {ref: item for items in self.items.values() for ref, item in items.items()}
        for ref in sorted(everything, key=self._address):
            item = everything[ref]
            values = item_row(
                item, self.numbers[ref.place], self.salts[ref], self.bodies[ref], self.numbers.__getitem__
            )
            yield "item", to_plain("item", values)
        for edge in sorted((*self._address(child), *self._address(parent)) for child, parent in self.edges):
            yield "edge", to_plain("edge", edge)
        for place in places:
            for record in self.log.get(place, []):
                link = (self.numbers[place], record.seq, record.body, record.hash)
                yield "record", to_plain("record", link)
        answers = sorted((self.numbers[place], name, *given) for (place, name), given in self.answers.items())
        for answer in answers:
            yield "command", to_plain("command", answer)
        for name in sorted(self.policies):
            yield "policy", to_plain("policy", (name, canonical(self.policies[name])))

    def load(self, rows: dict[str, list[Row]]) -> None:
        """Take dumped rows in. The tenant was empty."""
        for row in rows.get("place", []):
            self._load_place(from_plain("place", row))
        names = {number: place for place, number in self.numbers.items()}
        for row in rows.get("phase", []):
            number, index, started_at, name, reason, salt = _values("phase", row)
            phase = Phase(index=index, started_at=started_at, name=name, reason=reason)
            self.phases.setdefault(names[number], []).append(phase)
            self.salts[(names[number], index)] = salt
        for place, head in self.heads.items():
            if head.phase is not None:
                known = [phase for phase in self.phases.get(place, []) if phase.index == head.phase.index]
                head.phase = known[0] if known else head.phase
        for row in rows.get("item", []):
            self._load_item(row, names)
        for row in rows.get("edge", []):
            scope, kind, n, from_scope, from_kind, from_n = _values("edge", row)
            child, parent = ItemRef(names[scope], _kind(kind), n), ItemRef(names[from_scope], _kind(from_kind), from_n)
            self.edges[(child, parent)] = True
        for row in rows.get("record", []):
            number, seq, body, digest = _values("record", row)
            self.log.setdefault(names[number], []).append(Record(names[number], seq, body, digest))
        for row in rows.get("command", []):
            number, name, fingerprint, receipt = _values("command", row)
            self.answers[(names[number], name)] = Answer(fingerprint, receipt)
        for row in rows.get("policy", []):
            name, body = _values("policy", row)
            self.policies[name] = json.loads(body)

    def _load_place(self, values: tuple[Any, ...]) -> None:
        number, space, owner, tick, n_short, n_semantic, n_profile, phase, seq, head, salt = values
        place = Place(Space(space), owner)
        if place in self.numbers or number in self.numbers.values():
            raise ValueError("a row stands twice")
        self.numbers[place] = number
        self.chain[place] = head
        if salt:
            self.salts[place] = salt
        counts = {Kind.SHORT_TERM: n_short, Kind.SEMANTIC: n_semantic, Kind.PROFILE: n_profile}
        current = Phase(index=phase, started_at=0) if phase else None
        self.heads[place] = Head(place=place, tick=tick, counts=counts, phase=current, seq=seq, number=number)

    def _load_item(self, row: Row, names: dict[int, Place]) -> None:
        values = _values("item", row)
        place = names[values[0]]
        columns = (*values[1:11], values[14])
        phases = {phase.index: phase for phase in self.phases.get(place, [])}
        item = read_item(
            place, columns, lambda _, index: phases.get(index) or Phase(index=index, started_at=0), names.__getitem__
        )
        if item.ref in self.items.setdefault(place, {}):
            raise ValueError("a row stands twice")
        self.items[place][item.ref] = item
        self.salts[item.ref] = values[13]
        self.bodies[item.ref] = values[14]

    def _place_values(self, place: Place) -> tuple[object, ...]:
        head = self.heads.get(place) or Head(place=place)
        counts = head.counts
        return (
            self.numbers[place],
            place.space.value,
            place.owner,
            head.tick,
            counts[Kind.SHORT_TERM],
            counts[Kind.SEMANTIC],
            counts[Kind.PROFILE],
            head.phase.index if head.phase else 0,
            head.seq,
            self.chain.get(place, GENESIS),
            self.salts.get(place, b""),
        )

    def _address(self, ref: ItemRef) -> tuple[int, int, int]:
        return self.numbers[ref.place], kind_code(ref.kind), ref.n


def _values(table: str, row: Row) -> Any:
    return from_plain(table, row)


def _kind(code: int) -> Kind:
    return tuple(Kind)[code]
