"""One consistent look at one tenant's memory in a SQLite file.

Never: writes, decides, or takes a tenant from a caller.
Spec: ports/store.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import apsw

from recollect import errors
from recollect.adapters.stores.dump import TABLES, to_plain
from recollect.adapters.stores.named_queries import load_queries
from recollect.adapters.stores.rows import Row, names_of, read_item, read_standing
from recollect.core.canonical import commitment, digest, ordered, short_key
from recollect.core.events import KINDS, kind_code
from recollect.core.item import MemoryItem, Phase, Standing
from recollect.core.log import GENESIS, Entry, read_record
from recollect.core.state import Head
from recollect.core.values import ItemRef, Kind, Place, Space
from recollect.ports.store import Answer, Chain, Filed, Filter, Sealed, Sheet
from recollect.ports.store import Row as DumpRow

SQL = load_queries(__package__)
PAGE_SCAN = 500
DECODED_KEPT = 16_384
UNKNOWN: tuple[None, Row] = (None, ())
ERASED_PLACE = Place(Space.SESSION, "(erased)")
DUMPERS = {
    "place": "dump_place",
    "phase": "dump_phase",
    "item": "dump_item",
    "edge": "dump_edge",
    "record": "dump_record",
    "command": "dump_command",
    "policy": "dump_policy",
}


class Known:
    """What was learned of one tenant and stays true while the file lives; shared by its readers and its writer."""

    def __init__(self) -> None:
        self.unlearn()

    def unlearn(self) -> None:
        """Forget what was read: after a roll-back, which takes new numbers with it, and after an erasure."""
        # Numbers of places never change while the file lives, so looking them up once is enough.
        self.numbers: dict[Place, int] = {}
        self.phases: dict[tuple[int, int], Phase] = {}
        self.policies: set[str] = set()
        # By the place's number, which is never used again: a name can be buried and come back.
        self.decoded: dict[tuple[int, int, int], tuple[MemoryItem | None, Row]] = {}
        self.makers: dict[str, int] = {"": 0}


class SqliteReader:
    """One consistent look."""

    def __init__(self, known: Known, connection: apsw.Connection, tenant: str) -> None:
        self._known = known
        self._connection = connection
        self._tenant = tenant
        self._chain: dict[Place, tuple[int, bytes]] = {}
        self._policies: dict[str, dict[str, object] | None] = {}
        self._names: dict[int, Place] = {}

    # places

    def heads(self, places: Sequence[Place]) -> dict[Place, Head]:
        return {place: self._head(place) for place in places}

    def _head(self, place: Place) -> Head:
        row = self._one("scope_find", (self._tenant, place.space, place.owner))
        if row is None:
            # Another process may have buried a place of this name; its number must not be used again.
            self._known.numbers.pop(place, None)
            self._chain[place] = (0, GENESIS)
            return Head(place=place)
        number, tick, n_short, n_semantic, n_profile, phase, seq, head = row
        self._known.numbers[place] = number
        self._chain[place] = (seq, head)
        return Head(
            place=place,
            tick=tick,
            counts={Kind.SHORT_TERM: n_short, Kind.SEMANTIC: n_semantic, Kind.PROFILE: n_profile},
            phase=self._phase(place, phase) if phase else None,
            seq=seq,
            number=number,
        )

    def places_of(self, space: Space, user: str) -> list[Place]:
        return [Place(space, row[0]) for row in self._all("scope_of_user", (self._tenant, space, *names_of(user)))]

    def places(self, space: str = "", owner_prefix: str = "") -> list[Place]:
        rows = self._all("scope_list", (self._tenant,))
        found = (_named(row[0], row[1]) for row in rows)
        return [p for p in found if (not space or p.space == space) and p.owner.startswith(owner_prefix)]

    def restless(self, now_ms: int, policy_hash: str) -> list[Place]:
        rows = self._all("rest_over", (self._tenant, Space.USER, policy_hash, now_ms))
        return [_named(row[0], row[1]) for row in rows]

    def phases(self, place: Place) -> list[Phase]:
        number = self._number(place)
        rows = self._all("phase_list", (number,)) if number is not None else []
        return [Phase(index=row[0], started_at=row[1], name=row[2], reason=row[3]) for row in rows]

    # items

    def window(self, place: Place) -> list[MemoryItem]:
        return self._items(place, "item_window", ())

    def keyed(self, place: Place, keys: Sequence[str]) -> list[MemoryItem]:
        found = [item for key in keys for item in self._items(place, "item_keyed", (short_key(key),))]
        return [item for item in found if item.dedup_key in keys]

    def fetch(self, refs: Sequence[ItemRef]) -> dict[ItemRef, MemoryItem]:
        wanted: dict[tuple[Place, Kind], list[int]] = {}
        for ref in refs:
            wanted.setdefault((ref.place, ref.kind), []).append(ref.n)
        found: dict[ItemRef, MemoryItem] = {}
        for (place, kind), numbers in wanted.items():
            number, code = self._number(place), kind_code(kind)
            if number is None:
                continue
            # One look for each is quicker than to read a list of them into SQL first.
            addresses = [(number, code, n) for n in sorted(numbers)]
            for row in self._each("item_find", addresses):
                item = self._item(place, number, row)
                found[item.ref] = item
        return found

    def ageing(self, place: Place, kind: Kind, created_before: int) -> list[MemoryItem]:
        return self._items(place, "item_ageing", (kind_code(kind), created_before))

    def foremost(self, places: Sequence[Place], limit: int) -> list[MemoryItem]:
        found: list[MemoryItem] = []
        for place in places:
            found += self._items(place, "item_foremost", (limit,))
            found += self._items(place, "item_pinned", (kind_code(Kind.SEMANTIC), limit))
        return found

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
        for row in self._connection.execute(SQL["item_documents"], (number,)):
            yield read_item(place, row, self._phase, self._place)

    def makers(self) -> dict[int, str]:
        return dict(self._all("maker_list", ()))

    def filed(self, place: Place, after: tuple[int, int], limit: int) -> list[Filed]:
        number = self._number(place)
        rows = self._all("sheet_filed", (number, *after, limit)) if number is not None else []
        return [Filed._make(row) for row in rows]

    def sheets(self, refs: Sequence[ItemRef]) -> dict[ItemRef, Sheet]:
        wanted: dict[tuple[Place, Kind], list[int]] = {}
        for ref in refs:
            wanted.setdefault((ref.place, ref.kind), []).append(ref.n)
        names = {0: "", **self.makers()} if refs else {}
        found: dict[ItemRef, Sheet] = {}
        for (place, kind), numbers in wanted.items():
            for n, recipe, card, model, vector in self._all(
                "sheet_find", (self._number(place), kind_code(kind), ordered(numbers))
            ):
                # A number that names no maker is damage; nobody's sheet is made again by whoever asks.
                found[ItemRef(place, kind, n)] = Sheet(names.get(recipe, ""), card, names.get(model, ""), vector)
        return found

    def nearest(self, place: Place, model: str, vector: bytes, limit: int) -> list[ItemRef] | None:
        return None

    # the log

    def log(self, place: Place, after_seq: int, limit: int) -> list[Entry]:
        rows = self.records(place, after_seq, limit)
        return [self.read(place, seq, record) for seq, record, _ in rows]

    def read(self, place: Place, seq: int, record: str) -> Entry:
        return read_record(place, seq, record, self._place)

    def records(self, place: Place, after_seq: int, limit: int) -> list[tuple[int, str, bytes]]:
        number = self._number(place)
        return self._all("log_read", (number, after_seq, limit)) if number is not None else []

    def answer(self, owner: Place, command_id: str) -> Answer | None:
        number = self._number(owner)
        row = self._one("command_find", (number, command_id)) if number is not None else None
        return Answer(row[0], row[1]) if row is not None else None

    def policy(self, policy_hash: str) -> dict[str, object] | None:
        if policy_hash not in self._policies:
            row = self._one("policy_find", (policy_hash,))
            is_whole = row is not None and digest(row[0])[:16] == policy_hash
            self._policies[policy_hash] = json.loads(row[0]) if row is not None and is_whole else None
        return self._policies[policy_hash]

    def recalls(self, place: Place, limit: int) -> list[str]:
        rows = self._all("recall_list", (self._tenant, place.owner, limit))
        return [row[0] for row in reversed(rows)]

    def kept_recalls(self) -> Iterator[tuple[str, str]]:
        for owner, _, body in self._connection.execute(SQL["recall_all"], (self._tenant,)):
            yield owner, body

    def commands(self, place: Place) -> list[tuple[str, str]]:
        number = self._number(place)
        return self._all("command_all", (number,)) if number is not None else []

    def made_from(self, refs: Sequence[ItemRef]) -> list[tuple[ItemRef, ItemRef]]:
        wanted: dict[tuple[Place, Kind], list[int]] = {}
        for ref in refs:
            wanted.setdefault((ref.place, ref.kind), []).append(ref.n)
        found: list[tuple[ItemRef, ItemRef]] = []
        for (place, kind), numbers in wanted.items():
            number, code = self._number(place), kind_code(kind)
            rows = self._each("edge_children", [(number, code, n) for n in numbers])
            found.extend(
                (ItemRef(self._place(scope), KINDS[code], n), ItemRef(place, kind, parent))
                for scope, code, n, parent in rows
            )
        return sorted(found)

    def sources_of(self, ref: ItemRef) -> list[ItemRef]:
        number = self._number(ref.place)
        rows = self._all("edge_parents", (number, kind_code(ref.kind), ref.n)) if number is not None else []
        return sorted(ItemRef(self._place(row[0]), KINDS[row[1]], row[2]) for row in rows)

    def chains(self) -> list[Chain]:
        rows = self._all("chain_list", (self._tenant,))
        return [Chain(row[0], _named(row[1], row[2]), row[3], row[4]) for row in rows]

    def sealed(self, place: Place) -> Iterator[Sealed]:
        number = self._number(place)
        if number is None:
            return
        named = self._one("scope_salt", (number,))
        salt = named[0] if named is not None else b""
        if salt:
            yield Sealed(place, salt, ordered([self._tenant, *place]))
        for kind, n, salt, body, created_at, key, ref in self._connection.execute(SQL["sealed_items"], (number,)):
            if not 0 <= kind < len(KINDS):
                raise errors.StoreDamaged("A stored memory is of no known kind.")
            yield Sealed(ItemRef(place, KINDS[kind], n), salt, body, (created_at, key, ref))
        for index, salt, name, reason, started_at in self._all("sealed_phases", (number,)):
            yield Sealed((place, index), salt, ordered([name, reason, started_at]))

    def standings(self, place: Place) -> Iterator[tuple[ItemRef, Standing]]:
        number = self._number(place)
        rows = self._connection.execute(SQL["item_standings"], (number,)) if number is not None else ()
        return (read_standing(place, row, self._place) for row in rows)

    def made_in(self, place: Place) -> list[tuple[ItemRef, ItemRef]]:
        number = self._number(place)
        rows = self._all("edge_out", (number,)) if number is not None else []
        return sorted(
            (ItemRef(self._place(row[0]), KINDS[row[1]], row[2]), ItemRef(place, KINDS[row[3]], row[4])) for row in rows
        )

    def edges(self, place: Place) -> list[tuple[ItemRef, ItemRef]]:
        number = self._number(place)
        rows = self._all("edge_list", (number,)) if number is not None else []
        try:
            return sorted(
                (ItemRef(place, KINDS[row[0]], row[1]), ItemRef(self._place(row[2]), KINDS[row[3]], row[4]))
                for row in rows
            )
        except IndexError as error:
            raise errors.StoreDamaged("A link between memories is of no known kind.") from error

    def strays(self) -> list[int]:
        homeless = [row[0] for row in self._all("stray_list", ())]
        # A place that was given to another tenant is missing here, and only its own first record tells.
        others = self._all("stray_names", (self._tenant,))
        return homeless + [number for number, *name in others if _is_named(self._tenant, *name)]

    def dump(self) -> Iterator[tuple[str, DumpRow]]:
        for table in TABLES:
            for row in self._connection.execute(SQL[DUMPERS[table]], (self._tenant,)):
                yield table, to_plain(table, row)

    def counts(self) -> dict[str, int]:
        counted = {f"{KINDS[kind]}.{status}": n for kind, status, n in self._all("count_items", (self._tenant,))}
        places, records = self._all("count_scopes", (self._tenant,))[0]
        return {**counted, "places": places, "records": records}

    # the ground

    def _items(self, place: Place, query: str, values: Row) -> list[MemoryItem]:
        number = self._number(place)
        if number is None:
            return []
        rows = self._connection.execute(SQL[query], (number, *values)).fetchall()
        return [self._item(place, number, row) for row in rows]

    def _item(self, place: Place, number: int, row: Row) -> MemoryItem:
        decoded, address, columns = self._known.decoded, (number, row[0], row[1]), row[2:-1]
        known, standing = decoded.get(address, UNKNOWN)
        # An address of another item is read anew each time: its place may have been buried since.
        if standing == columns and known is not None and known.standing.replaced_by is None:
            return known
        item = read_item(place, row, self._phase, self._place, known)
        if known is None and len(decoded) >= DECODED_KEPT:
            decoded.clear()
        # The newest standing seen is kept, so that one that changed is not put together again at every look.
        decoded[address] = (item, columns)
        return item

    def _number(self, place: Place) -> int | None:
        number = self._known.numbers.get(place)
        if number is None:
            row = self._one("scope_find", (self._tenant, place.space, place.owner))
            if row is None:
                return None
            number = self._known.numbers[place] = row[0]
        return number

    def _place(self, number: int) -> Place:
        if number not in self._names:
            row = self._one("scope_by_number", (number, self._tenant))
            self._names[number] = _named(row[0], row[1]) if row is not None else ERASED_PLACE
        return self._names[number]

    def _phase(self, place: Place, index: int) -> Phase:
        number = self._number(place)
        phase = self._known.phases.get((number or 0, index))
        if phase is None:
            row = self._one("phase_find", (number, index))
            if row is None:
                return Phase(index=index, started_at=0)
            phase = Phase(index=row[0], started_at=row[1], name=row[2], reason=row[3])
            self._known.phases[(number or 0, index)] = phase
        return phase

    def _one(self, query: str, values: Row) -> Row | None:
        return self._connection.execute(SQL[query], values).fetchone()

    def _each(self, query: str, values: Sequence[Row]) -> list[Row]:
        return self._connection.executemany(SQL[query], values).fetchall()

    def _all(self, query: str, values: Row) -> list[Row]:
        return self._connection.execute(SQL[query], values).fetchall()


def _is_named(tenant: str, space: str, owner: str, salt: bytes, record: str) -> bool:
    """Whether the first record of a chain committed to this name."""
    try:
        seal = json.loads(record)["place"]
    except (ValueError, KeyError, TypeError):
        return False
    return bool(seal == commitment(salt, ordered([tenant, space, owner]).encode("utf-8")))


def _named(space: str, owner: str) -> Place:
    try:
        return Place(Space(space), owner)
    except ValueError as error:
        raise errors.StoreDamaged("A place is in no known space.", hint="Run `recollect verify`.") from error
