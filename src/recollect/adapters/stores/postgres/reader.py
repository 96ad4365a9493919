"""One consistent look at one tenant's memory in PostgreSQL.

1. Every statement gets the tenant as its first value, and none runs before the server has confirmed the wall.
2. Nothing is begun before something is asked; the first question goes along with the beginning, in one round trip.
3. What is large is streamed through a cursor of the server; memory stays bounded however large an owner is.
4. A reader remembers nothing about places beyond its transaction: another process may bury and name them at any time.
   What a writer remembers of them is compared by the server before anything is written (`writer.py`).

Never: decides, and never takes a tenant from a caller.
Spec: ports/store.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import psycopg
from psycopg import RawServerCursor

from recollect import errors
from recollect.adapters.stores.dump import TABLES, to_plain
from recollect.adapters.stores.named_queries import load_queries
from recollect.adapters.stores.postgres.connect import Connection
from recollect.adapters.stores.postgres.trouble import in_words, kind_of, translated
from recollect.adapters.stores.rows import Row, names_of, read_item, read_standing
from recollect.core.canonical import digest, ordered, short_key
from recollect.core.events import KINDS, kind_code
from recollect.core.item import MemoryItem, Phase, Standing
from recollect.core.log import GENESIS, Entry, read_record
from recollect.core.state import Head
from recollect.core.values import ItemRef, Kind, Place, Space
from recollect.ports.store import Answer, Chain, Filed, Filter, Sealed, Sheet
from recollect.ports.store import Row as DumpRow

SQL = load_queries(__package__)
# A statement by its name, and the values after the tenant.
Asked = tuple[str, Row]
# Begins the transaction of a reader, asks what goes along, and gives the rows of each back.
Begin = Callable[["PostgresReader", Sequence[Asked]], list[list[Row]]]
PAGE_SCAN = 500
STREAM_ROWS = 2_000
DECODED_KEPT = 16_384
PLACES_KEPT = 4_096
ERASED_PLACE = Place(Space.SESSION, "(erased)")
DUMPERS = {table: f"dump_{table}" for table in TABLES}


class Stood(NamedTuple):
    """Where a place stood: its head, its chain, and whether this process was the last to write it before that."""

    head: Head
    chain: tuple[int, bytes]
    is_alone: bool


@dataclass(slots=True)
class Known:
    """What a repository may remember between transactions: by the numbers of places, which are never used again."""

    phases: dict[tuple[int, int], Phase] = field(default_factory=dict)
    # The statements of the approximate index, where a memory was opened with it.
    near: Mapping[str, str] = field(default_factory=dict)
    policies: set[str] = field(default_factory=set)
    makers: set[str] = field(default_factory=set)
    decoded: dict[tuple[int, int, int], MemoryItem] = field(default_factory=dict)
    # Where places stood after the last look under their lock: for deciding at once, and never for reading.
    stood: dict[Place, Stood] = field(default_factory=dict)

    def forget(self) -> None:
        """After an erasure, nothing of it may linger."""
        self.phases = {}
        self.policies = set()
        self.makers = set()
        self.decoded = {}
        self.stood = {}

    def remember(self, place: Place, stood: Stood) -> None:
        """Where a place stands now."""
        if len(self.stood) >= PLACES_KEPT:
            self.stood.clear()
        self.stood[place] = stood


class PostgresReader:
    """One consistent look."""

    def __init__(self, begin: Begin, tenant: str, known: Known) -> None:
        self._begin = begin
        self._tenant = tenant
        self._known = known
        self.connection: Connection | None = None
        self._heads: dict[Place, Head] = {}
        self._numbers: dict[Place, int] = {}
        self._chain: dict[Place, tuple[int, bytes]] = {}
        self._policies: dict[str, dict[str, object] | None] = {}
        self._names: dict[int, Place] = {}
        self._streams = 0

    def stand_on(self, connection: Connection) -> None:
        """The transaction has begun on this connection."""
        self.connection = connection
        self._cursor = connection.cursor(binary=True)

    # places

    def heads(self, places: Sequence[Place]) -> dict[Place, Head]:
        self._learn([place for place in places if place not in self._heads])
        return {place: self._heads[place].copy() for place in places}

    def _learn(self, places: Sequence[Place]) -> None:
        """Read the heads of places; those without a row are fresh."""
        if not places:
            return
        self._take_heads(places, self._all("scope_find", addresses(places)))

    def _take_heads(self, places: Sequence[Place], rows: list[Row]) -> None:
        for place in places:
            self._heads[place] = Head(place=place)
            self._chain[place] = (0, GENESIS)
        wanted = dict.fromkeys(places)
        found = [(named(row[8], row[9]), row) for row in rows]
        self._numbers.update({place: row[0] for place, row in found if place in wanted})
        for place, row in found:
            if place in wanted:
                self._heads[place] = self._head(place, row)
                self._chain[place] = (row[6], row[7])

    def _head(self, place: Place, row: Row) -> Head:
        number, tick, n_short, n_semantic, n_profile, phase, seq = row[:7]
        return Head(
            place=place,
            tick=tick,
            counts={Kind.SHORT_TERM: n_short, Kind.SEMANTIC: n_semantic, Kind.PROFILE: n_profile},
            phase=self._phase(place, phase) if phase else None,
            seq=seq,
            number=number,
        )

    def places_of(self, space: Space, user: str) -> list[Place]:
        return [Place(space, row[0]) for row in self._all("scope_of_user", (space.value, *names_of(user)))]

    def places(self, space: str = "", owner_prefix: str = "") -> list[Place]:
        found = (named(row[0], row[1]) for row in self._all("scope_list", ()))
        return [p for p in found if (not space or p.space == space) and p.owner.startswith(owner_prefix)]

    def restless(self, now_ms: int, policy_hash: str) -> list[Place]:
        rows = self._all("rest_over", (Space.USER.value, policy_hash, now_ms))
        return [named(row[0], row[1]) for row in rows]

    def phases(self, place: Place) -> list[Phase]:
        rows = self._of(place, "phase_list", ())
        return [Phase(index=row[0], started_at=row[1], name=row[2], reason=row[3]) for row in rows]

    # items

    def window(self, place: Place) -> list[MemoryItem]:
        return self._items(place, "item_window", ())

    def keyed(self, place: Place, keys: Sequence[str]) -> list[MemoryItem]:
        if not keys:
            return []
        found = self._items(place, "item_keyed", ([short_key(key) for key in keys],))
        return [item for item in found if item.dedup_key in keys]

    def fetch(self, refs: Sequence[ItemRef]) -> dict[ItemRef, MemoryItem]:
        found: dict[ItemRef, MemoryItem] = {}
        for (place, kind), numbers in _by_kind(refs).items():
            for item in self._items(place, "item_find", (kind_code(kind), numbers)):
                found[item.ref] = item
        return found

    def ageing(self, place: Place, kind: Kind, created_before: int) -> list[MemoryItem]:
        return self._items(place, "item_ageing", (kind_code(kind), created_before))

    def foremost(self, places: Sequence[Place], limit: int) -> list[MemoryItem]:
        numbers = {number: place for place in places if (number := self._number(place)) is not None}
        rows = self._all("item_foremost", ([*numbers], limit)) if numbers else []
        found = [self._item(numbers[row[0]], row[0], row[1:]) for row in rows]
        at = {place: index for index, place in enumerate(places)}
        return sorted(found, key=lambda item: (at[item.ref.place], *_foremost_order(item)))

    def newest(self, place: Place, kind: Kind, limit: int) -> list[MemoryItem]:
        return self._items(place, "item_newest", (kind_code(kind), limit))

    def page(self, place: Place, wanted: Filter, after: tuple[str, int] | None, limit: int) -> list[MemoryItem]:
        kind, n = (kind_code(Kind(after[0])), after[1]) if after is not None else (-1, 0)
        found: list[MemoryItem] = []
        while len(found) < limit:
            if wanted.ref:
                rows = self._items(place, "item_by_ref", (wanted.ref, kind, n, PAGE_SCAN))
            else:
                rows = self._items(place, "item_page", (kind, n, PAGE_SCAN))
            found.extend(item for item in rows if wanted.matches(item))
            if len(rows) < PAGE_SCAN:
                break
            kind, n = kind_code(rows[-1].kind), rows[-1].ref.n
        return found[:limit]

    def documents(self, place: Place) -> Iterator[MemoryItem]:
        number = self._number(place)
        if number is None:
            return
        for row in self._stream("item_documents", (number,)):
            yield read_item(place, row, self._phase, self._place)

    def makers(self) -> dict[int, str]:
        return {row[0]: row[1] for row in self._all("maker_list", ())}

    def filed(self, place: Place, after: tuple[int, int], limit: int) -> list[Filed]:
        return [Filed._make(row) for row in self._of(place, "sheet_filed", (*after, limit))]

    def sheets(self, refs: Sequence[ItemRef]) -> dict[ItemRef, Sheet]:
        names = {0: "", **self.makers()} if refs else {}
        found: dict[ItemRef, Sheet] = {}
        for (place, kind), numbers in _by_kind(refs).items():
            for n, recipe, card, model, vector in self._of(place, "sheet_find", (kind_code(kind), numbers)):
                found[ItemRef(place, kind, n)] = Sheet(names[recipe], card, names[model], vector)
        return found

    def nearest(self, place: Place, model: str, vector: bytes, limit: int) -> list[ItemRef] | None:
        near, number = self._known.near, self._number(place)
        if not near or number is None:
            return None
        makers = {name: maker for maker, name in self.makers().items()}
        self._all(near["near_begin"], ())
        rows = self._all(near["near_find"], (number, makers.get(model, 0), vector, limit))
        self._all(near["near_end"], ())
        return sorted(ItemRef(place, KINDS[kind], n) for kind, n in rows)

    # the log

    def log(self, place: Place, after_seq: int, limit: int) -> list[Entry]:
        rows = self.records(place, after_seq, limit)
        return [self.read(place, seq, record) for seq, record, _ in rows]

    def read(self, place: Place, seq: int, record: str) -> Entry:
        return read_record(place, seq, record, self._place)

    def records(self, place: Place, after_seq: int, limit: int) -> list[tuple[int, str, bytes]]:
        return [(row[0], row[1], row[2]) for row in self._of(place, "log_read", (after_seq, limit))]

    def answer(self, owner: Place, command_id: str) -> Answer | None:
        rows = self._of(owner, "command_find", (command_id,))
        return Answer(rows[0][0], rows[0][1]) if rows else None

    def policy(self, policy_hash: str) -> dict[str, object] | None:
        if policy_hash not in self._policies:
            rows = self._all("policy_find", (policy_hash,))
            is_whole = bool(rows) and digest(rows[0][0])[:16] == policy_hash
            self._policies[policy_hash] = json.loads(rows[0][0]) if is_whole else None
        return self._policies[policy_hash]

    def recalls(self, place: Place, limit: int) -> list[str]:
        rows = self._all("recall_list", (short_key(place.owner), limit))
        return [row[0] for row in reversed(rows)]

    def kept_recalls(self) -> Iterator[tuple[str, str]]:
        for _, _, owner, body in self._stream("recall_all", ()):
            yield owner, body

    def commands(self, place: Place) -> list[tuple[str, str]]:
        return self._of(place, "command_all", ())

    # lineage

    def made_from(self, refs: Sequence[ItemRef]) -> list[tuple[ItemRef, ItemRef]]:
        found: list[tuple[ItemRef, ItemRef]] = []
        for (place, kind), numbers in _by_kind(refs).items():
            for n, *child in self._of(place, "edge_children", (kind_code(kind), numbers)):
                found.append((ItemRef(self._place(child[0]), KINDS[child[1]], child[2]), ItemRef(place, kind, n)))
        return sorted(found)

    def sources_of(self, ref: ItemRef) -> list[ItemRef]:
        rows = self._of(ref.place, "edge_parents", (kind_code(ref.kind), ref.n))
        return sorted(ItemRef(self._place(row[0]), KINDS[row[1]], row[2]) for row in rows)

    def made_in(self, place: Place) -> list[tuple[ItemRef, ItemRef]]:
        rows = self._of(place, "edge_out", ())
        return sorted(
            (ItemRef(self._place(row[0]), KINDS[row[1]], row[2]), ItemRef(place, KINDS[row[3]], row[4])) for row in rows
        )

    def edges(self, place: Place) -> list[tuple[ItemRef, ItemRef]]:
        rows = self._of(place, "edge_list", ())
        try:
            return sorted(
                (ItemRef(place, KINDS[row[0]], row[1]), ItemRef(self._place(row[2]), KINDS[row[3]], row[4]))
                for row in rows
            )
        except IndexError as error:
            raise errors.StoreDamaged("A link between memories is of no known kind.") from error

    # proof and moving

    def chains(self) -> list[Chain]:
        rows = self._all("chain_list", ())
        return [Chain(row[0], named(row[1], row[2]), row[3], row[4]) for row in rows]

    def sealed(self, place: Place) -> Iterator[Sealed]:
        number = self._number(place)
        if number is None:
            return
        named = self._all("scope_salt", (number,))
        if named and named[0][0]:
            yield Sealed(place, named[0][0], ordered([self._tenant, *place]))
        for kind, n, salt, body, created_at, key, ref in self._stream("sealed_items", (number,)):
            if not 0 <= kind < len(KINDS):
                raise errors.StoreDamaged("A stored memory is of no known kind.")
            yield Sealed(ItemRef(place, KINDS[kind], n), salt, body, (created_at, key, ref))
        for index, salt, name, reason, started_at in self._all("sealed_phases", (number,)):
            yield Sealed((place, index), salt, ordered([name, reason, started_at]))

    def standings(self, place: Place) -> Iterator[tuple[ItemRef, Standing]]:
        number = self._number(place)
        rows = self._stream("item_standings", (number,)) if number is not None else ()
        return (read_standing(place, row, self._place) for row in rows)

    def strays(self) -> list[int]:
        return [row[0] for row in self._all("stray_list", ())]

    def dump(self) -> Iterator[tuple[str, DumpRow]]:
        for table in TABLES:
            for row in self._stream(DUMPERS[table], ()):
                yield table, to_plain(table, row)

    def counts(self) -> dict[str, int]:
        counted = {f"{KINDS[kind]}.{status}": n for kind, status, n in self._all("count_items", ())}
        places, records = self._all("count_scopes", ())[0]
        return {**counted, "places": places, "records": records}

    # the ground

    def _items(self, place: Place, query: str, values: Row) -> list[MemoryItem]:
        number = self._number(place)
        if number is None:
            return []
        return [self._item(place, number, row) for row in self._all(query, (number, *values))]

    def _item(self, place: Place, number: int, row: Row) -> MemoryItem:
        decoded, address = self._known.decoded, (number, row[0], row[1])
        known = decoded.get(address)
        item = read_item(place, row, self._phase, self._place, known)
        if known is None and len(decoded) >= DECODED_KEPT:
            decoded.clear()
        # The newest standing seen is kept, so that one that changed is not put together again at every look.
        decoded[address] = item
        return item

    def _of(self, place: Place, query: str, values: Row) -> list[Row]:
        number = self._number(place)
        return self._all(query, (number, *values)) if number is not None else []

    def _number(self, place: Place) -> int | None:
        if place not in self._numbers and place not in self._heads:
            self._learn([place])
        return self._numbers.get(place)

    def _place(self, number: int) -> Place:
        if not self._names:
            self._names = {known: place for place, known in self._numbers.items()}
        if number not in self._names:
            rows = self._all("scope_by_number", (number,))
            self._names[number] = named(rows[0][0], rows[0][1]) if rows else ERASED_PLACE
        return self._names[number]

    def _phase(self, place: Place, index: int) -> Phase:
        number = self._number(place) or 0
        phase = self._known.phases.get((number, index))
        if phase is None:
            rows = self._all("phase_find", (number, index))
            if not rows:
                return Phase(index=index, started_at=0)
            phase = Phase(index=rows[0][0], started_at=rows[0][1], name=rows[0][2], reason=rows[0][3])
            self._known.phases[(number, index)] = phase
        return phase

    def _all(self, query: str, values: Row) -> list[Row]:
        try:
            return self._ask(query, values)
        except psycopg.Error as error:
            raise in_words(error) from kind_of(error)

    def _ask(self, query: str, values: Row) -> list[Row]:
        if self.connection is None:
            return self._begin(self, [(query, values)])[0]
        return self._cursor.execute(SQL.get(query, query), (self._tenant, *values), prepare=True).fetchall()

    def _stream(self, query: str, values: Row) -> Iterator[Row]:
        self._streams += 1
        if self.connection is None:
            self._begin(self, [])
        assert self.connection is not None
        cursor: RawServerCursor[Any] = RawServerCursor(self.connection, f"stream_{self._streams}")
        with translated(), cursor:
            cursor.itersize = STREAM_ROWS
            cursor.execute(SQL[query], (self._tenant, *values), binary=True)
            yield from cursor


def place_key(space: str, owner: str) -> bytes:
    """What stands for a place in an index; the names themselves are compared after the look-up."""
    return short_key(f"{space}:{owner}")


def addresses(places: Sequence[Place]) -> Row:
    """Places as the statements that look for them take them."""
    return ([place_key(place.space.value, place.owner) for place in places],)


def _foremost_order(item: MemoryItem) -> tuple[int, bool, int, int]:
    """Facts before episodes; pinned first, then the more important, then the newer."""
    return -kind_code(item.kind), not item.standing.is_pinned, -item.importance, -item.ref.n


def _by_kind(refs: Sequence[ItemRef]) -> dict[tuple[Place, Kind], list[int]]:
    wanted: dict[tuple[Place, Kind], list[int]] = {}
    for ref in refs:
        wanted.setdefault((ref.place, ref.kind), []).append(ref.n)
    return wanted


def named(space: str, owner: str) -> Place:
    """The place of a row."""
    try:
        return Place(Space(space), owner)
    except ValueError as error:
        raise errors.StoreDamaged("A place is in no known space.", hint="Run `recollect verify`.") from error
