"""The store on one SQLite file.

1. One writing connection behind a lock, a small pool of reading ones; several processes may share the file.
2. A write is `BEGIN IMMEDIATE`: SQLite lets one writer in at a time, so every place has one writer.
3. A commit applies standings before new items, so that a key is free before its next holder takes it.

Never: decides, and never leaves a transaction open.
Spec: ports/store.py; reliability.md.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from recollect import errors
from recollect.adapters.stores.dump import TABLES, from_plain, to_plain
from recollect.adapters.stores.named_queries import load_queries
from recollect.adapters.stores.rows import Row, item_row, read_item, read_standing, standing_row
from recollect.adapters.stores.sqlite.ballast import Ballast
from recollect.adapters.stores.sqlite.connect import BUSY_TIMEOUT_MS, PRAGMAS, connect, prepare, translated
from recollect.adapters.stores.sqlite.gaps import zero_gaps
from recollect.core.canonical import canonical, commitment, digest, ordered, short_key
from recollect.core.events import KINDS, kind_code
from recollect.core.item import MemoryItem, Phase, Standing, to_body
from recollect.core.log import GENESIS, Chains, Entry, read_record, write_act
from recollect.core.state import Head
from recollect.core.values import ItemRef, Kind, Place, Space
from recollect.ports.store import Answer, Chain, Commit, Filed, Filter, Sealed, Sheet
from recollect.ports.store import Row as DumpRow

SQL = load_queries(__package__)
PAGE_SCAN = 500
READERS_KEPT = 8
DECODED_KEPT = 16_384
CHECKPOINT_WAIT_MS = 500
SCRUB_TRIES = 3
ERASED_PLACE = Place(Space.SESSION, "(erased)")
NumberOf = Callable[[Place], int]
DUMPERS = {
    "place": "dump_place",
    "phase": "dump_phase",
    "item": "dump_item",
    "edge": "dump_edge",
    "record": "dump_record",
    "command": "dump_command",
    "policy": "dump_policy",
}
LOADERS = {
    "phase": "phase_add",
    "item": "item_add",
    "edge": "load_edge",
    "record": "log_add",
    "command": "command_add",
    "policy": "policy_add",
}


class SqliteStore:
    """All tenants of one file."""

    def __init__(self, path: str, *, vfs: str | None = None, pragmas: Sequence[str] = PRAGMAS) -> None:
        self._path = path
        # Another file system layer or other pragmas are for the harnesses that hunt for faults.
        self._vfs = vfs
        self._pragmas = tuple(pragmas)
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._pool_lock = threading.Lock()
        self._readers: list[apsw.Connection] = []
        self._is_closed = False
        self._is_suspect = False
        self.ballast = Ballast(Path(f"{path}-ballast"))
        self._writer = self._open()
        self.ballast.keep()

    def _open(self) -> apsw.Connection:
        """Look at the file and connect; on a full disk the ballast makes room for what SQLite keeps beside it."""
        try:
            prepare(self._path, self._vfs)
            return self._connect()
        except errors.StoreFull:
            if not self.ballast.drop():
                raise
            prepare(self._path, self._vfs)
            return self._connect()

    def _connect(self) -> apsw.Connection:
        return connect(self._path, self._vfs, self._pragmas)

    def repository(self, tenant: str) -> SqliteRepository:
        return SqliteRepository(self, tenant)

    def check(self) -> list[str]:
        """SQLite's own integrity check."""
        with self.reader() as connection, translated():
            rows = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
        return [] if rows == ["ok"] else rows

    def files(self) -> list[Path]:
        return [Path(f"{self._path}{tail}") for tail in ("", "-wal", "-shm", "-ballast")]

    def close(self) -> None:
        with self._lock, self._pool_lock:
            if self._is_closed:
                return
            self._is_closed = True
            connections = [*self._readers, self._writer] if self._pid == os.getpid() else []
            self._readers.clear()
            for connection in connections:
                # Everything acknowledged is in the log already; a disk that fails now can take nothing back.
                with suppress(apsw.Error):
                    connection.close()

    def settle(self) -> list[str]:
        """Empty the write-ahead log, where old pages linger."""
        with self._lock:
            self._check_usable()
            return self._empty_log()

    def scrub(self) -> list[str]:
        """Leave nothing of what was deleted in any file: empty the log, zero what lies between the cells."""
        with self._lock:
            self._check_usable()
            for _ in range(SCRUB_TRIES):
                pending = self._empty_log()
                if pending:
                    return pending
                if self._zero_gaps():
                    return self._empty_log()
        return ["Other writers kept the database busy; the last traces go at the next erase or scrub."]

    def _empty_log(self) -> list[str]:
        with self._pool_lock:
            idle, self._readers = self._readers, []
        for connection in idle:
            connection.close()
        with translated():
            # Whoever reads right now may go on reading; the answer says that something is pending.
            self._writer.set_busy_timeout(CHECKPOINT_WAIT_MS)
            try:
                busy, _, _ = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
            finally:
                self._writer.set_busy_timeout(BUSY_TIMEOUT_MS)
        return ["A reader holds the write-ahead log open; it is emptied at the next erase or scrub."] if busy else []

    def _zero_gaps(self) -> bool:
        """Zero the gaps while nobody can write; False when somebody wrote in between."""
        with translated():
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                log = Path(f"{self._path}-wal")
                if log.exists() and log.stat().st_size > 0:
                    return False
                zero_gaps(self._path, self._vfs)
                # A commit makes every other connection drop its cached pages, which still hold the old gaps.
                self._writer.execute(SQL["upkeep_count"], ("scrubs",))
                self._writer.execute("COMMIT")
            finally:
                self._roll_back(self._writer)
            self._writer.close()
            self._writer = self._connect()
        return True

    @contextmanager
    def reader(self) -> Iterator[apsw.Connection]:
        """Borrow a reading connection."""
        self._check_usable()
        with self._pool_lock:
            connection = self._readers.pop() if self._readers else None
        if connection is None:
            connection = self._connect()
        try:
            yield connection
        finally:
            with self._pool_lock:
                keep = not self._is_closed and len(self._readers) < READERS_KEPT
                if keep:
                    self._readers.append(connection)
            if not keep:
                connection.close()

    @contextmanager
    def writer(self, on_roll_back: Callable[[], None]) -> Iterator[apsw.Connection]:
        """Borrow the writing connection, inside a transaction that ends with the block."""
        self._check_usable()
        with self._lock:
            self._check_usable()
            connection = self._healthy_writer()
            try:
                with translated():
                    connection.execute("BEGIN IMMEDIATE")
                with translated():
                    yield connection
                self._commit(connection)
            except BaseException as error:
                self._roll_back(connection)
                on_roll_back()
                # A connection whose disk failed once may stay crippled for its whole life.
                self._is_suspect = isinstance(error, errors.StoreError) and not isinstance(error, errors.StoreBusy)
                raise

    def _healthy_writer(self) -> apsw.Connection:
        if self._is_suspect:
            self._writer.close()
            self._writer = self._connect()
            self._is_suspect = False
        return self._writer

    def _commit(self, connection: apsw.Connection) -> None:
        try:
            with translated():
                connection.execute("COMMIT")
        except (errors.StoreBusy, errors.StoreFull):
            raise
        except errors.StoreError as error:
            raise errors.OutcomeUnknown(
                "The disk failed while committing.",
                hint="Repeat the call with the same command_id: it will not be done twice.",
            ) from error

    @staticmethod
    def _roll_back(connection: apsw.Connection) -> None:
        if connection.in_transaction:
            with translated():
                connection.execute("ROLLBACK")

    def _check_usable(self) -> None:
        if self._is_closed:
            raise errors.StoreClosed("The memory was closed.", hint="Open it again.")
        if self._pid != os.getpid():
            raise errors.StoreError(
                "The memory was opened in another process.", hint="Open it after the fork.", reason="forked"
            )


class SqliteRepository:
    """One tenant's memory in the file."""

    def __init__(self, store: SqliteStore, tenant: str) -> None:
        self._store = store
        self._tenant = tenant
        # Numbers of places never change while the file lives, so looking them up once is enough.
        self.numbers: dict[Place, int] = {}
        self.phases: dict[tuple[int, int], Phase] = {}
        self.known_policies: set[str] = set()
        # By the place's number, which is never used again: a name can be buried and come back.
        self.decoded: dict[tuple[int, int, int], MemoryItem] = {}
        self.makers: dict[str, int] = {"": 0}

    @contextmanager
    def reading(self) -> Iterator[SqliteReader]:
        with self._store.reader() as connection, translated():
            connection.execute("BEGIN")
            try:
                yield SqliteReader(self, connection, self._tenant)
            finally:
                if connection.in_transaction:
                    connection.execute("COMMIT")

    @contextmanager
    def writing(self, places: Sequence[Place]) -> Iterator[SqliteWriter]:
        with self._store.writer(self.unlearn) as connection:
            yield SqliteWriter(self, connection, self._tenant)

    def take_chore(self, now_ms: int, due_ms: int, stale_ms: int) -> Place | None:
        with self.writing(()) as writer:
            return writer.take_chore(now_ms, due_ms, stale_ms)

    def end_chore(self, place: Place, now_ms: int) -> None:
        with self.writing(()) as writer:
            writer.end_chore(place, now_ms)

    def keep_ballast(self) -> None:
        self._store.ballast.keep()

    def drop_ballast(self) -> bool:
        return self._store.ballast.drop()

    def settle(self) -> list[str]:
        return self._store.settle()

    def scrub(self) -> list[str]:
        self.unlearn()
        return self._store.scrub()

    def unlearn(self) -> None:
        """Forget what was read: after a roll-back, which takes new numbers with it, and after an erasure."""
        self.numbers = {}
        self.phases = {}
        self.known_policies = set()
        self.decoded = {}
        self.makers = {"": 0}


class SqliteReader:
    """One consistent look."""

    def __init__(self, repository: SqliteRepository, connection: apsw.Connection, tenant: str) -> None:
        self._repository = repository
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
            self._repository.numbers.pop(place, None)
            self._chain[place] = (0, GENESIS)
            return Head(place=place)
        number, tick, n_short, n_semantic, n_profile, phase, seq, head = row
        self._repository.numbers[place] = number
        self._chain[place] = (seq, head)
        return Head(
            place=place,
            tick=tick,
            counts={Kind.SHORT_TERM: n_short, Kind.SEMANTIC: n_semantic, Kind.PROFILE: n_profile},
            phase=self._phase(place, phase) if phase else None,
            seq=seq,
            number=number,
        )

    def places(self, space: str = "", owner_prefix: str = "") -> list[Place]:
        rows = self._all("scope_list", (self._tenant,))
        found = (_named(row[0], row[1]) for row in rows)
        return [p for p in found if (not space or p.space == space) and p.owner.startswith(owner_prefix)]

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
            for item in self._items(place, "item_find", (kind_code(kind), ordered(numbers))):
                found[item.ref] = item
        return found

    def ageing(self, place: Place, kind: Kind, created_before: int) -> list[MemoryItem]:
        return self._items(place, "item_ageing", (kind_code(kind), created_before))

    def foremost(self, place: Place, kind: Kind, limit: int) -> list[MemoryItem]:
        if kind is Kind.PROFILE:
            return self._items(place, "item_foremost", (limit,))
        return self._items(place, "item_pinned", (kind_code(kind), limit))

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
                found[ItemRef(place, kind, n)] = Sheet(names[recipe], card, names[model], vector)
        return found

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
            rows = self._all("edge_children", (self._number(place), kind_code(kind), ordered(numbers)))
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
        decoded, address = self._repository.decoded, (number, row[0], row[1])
        known = decoded.get(address)
        item = read_item(place, row, self._phase, self._place, known)
        if known is None:
            if len(decoded) >= DECODED_KEPT:
                decoded.clear()
            decoded[address] = item
        return item

    def _number(self, place: Place) -> int | None:
        number = self._repository.numbers.get(place)
        if number is None:
            row = self._one("scope_find", (self._tenant, place.space, place.owner))
            if row is None:
                return None
            number = self._repository.numbers[place] = row[0]
        return number

    def _place(self, number: int) -> Place:
        if number not in self._names:
            row = self._one("scope_by_number", (number, self._tenant))
            self._names[number] = _named(row[0], row[1]) if row is not None else ERASED_PLACE
        return self._names[number]

    def _phase(self, place: Place, index: int) -> Phase:
        number = self._number(place)
        phase = self._repository.phases.get((number or 0, index))
        if phase is None:
            row = self._one("phase_find", (number, index))
            if row is None:
                return Phase(index=index, started_at=0)
            phase = Phase(index=row[0], started_at=row[1], name=row[2], reason=row[3])
            self._repository.phases[(number or 0, index)] = phase
        return phase

    def _one(self, query: str, values: Row) -> Row | None:
        return self._connection.execute(SQL[query], values).fetchone()

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


class SqliteWriter(SqliteReader):
    """The only writer."""

    def commit(self, commit: Commit) -> None:
        seals: dict[object, str] = {}
        for place in commit.heads:
            self._ensure(place, seals)
        number_of = self._repository.numbers.__getitem__
        seals.update(self._add_phases(commit))
        self._stand(commit, number_of)
        seals.update(self._add_items(commit, number_of))
        self._link(commit, number_of)
        chains = Chains(heads={place: self._chain[place] for place in commit.heads}, number_of=number_of)
        rows: list[Row] = []
        for act in commit.acts:
            for record in write_act(act, commit.home, commit.policy.hash, chains, lambda key: seals.get(key, "")):
                rows.append((number_of(record.place), record.seq, record.body, record.hash))
        self._connection.executemany(SQL["log_add"], rows)
        self._move(commit, chains, number_of)
        self._remember_policy(commit)
        if commit.command is not None:
            command = commit.command
            values = (number_of(command.owner), command.id, command.fingerprint, command.receipt)
            self._connection.execute(SQL["command_add"], values)

    def load(self, table: str, row: DumpRow) -> None:
        values = from_plain(table, row)
        if table == "place":
            self._connection.execute(SQL["load_place"], (*values, self._tenant))
        else:
            self._connection.execute(SQL[LOADERS[table]], values)

    def drop_recalls(self, is_doomed: Callable[[str, str], bool]) -> None:
        for owner, n, body in self._all("recall_all", (self._tenant,)):
            if is_doomed(owner, body):
                self._connection.execute(SQL["recall_delete"], (self._tenant, owner, n))

    def drop_commands(self, place: Place, is_doomed: Callable[[str, str], bool]) -> None:
        for name, receipt in self.commands(place):
            if is_doomed(name, receipt):
                self._connection.execute(SQL["command_delete"], (self._number(place), name))

    def take_chore(self, now_ms: int, due_ms: int, stale_ms: int) -> Place | None:
        wanted = (now_ms, due_ms, stale_ms, self._tenant)
        row = self._one("chore_take", wanted)
        if row is None:
            # Only who has nothing to do looks for users that are new.
            self._connection.execute(SQL["chore_find"], (self._tenant, Space.USER))
            row = self._one("chore_take", wanted)
        return self._place(row[0]) if row is not None else None

    def end_chore(self, place: Place, now_ms: int) -> None:
        self._connection.execute(SQL["chore_done"], (now_ms, self._number(place)))

    def bury(self, place: Place) -> None:
        number = self._number(place)
        if number is None:
            return
        self._connection.execute(SQL["scope_bury"], (f"(erased)#{number}", number))
        for query in ("phase_bury", "command_bury"):
            self._connection.execute(SQL[query], (number,))
        self._repository.unlearn()

    def keep_recall(self, place: Place, body: str, ring: int) -> None:
        row = self._one("recall_last", (self._tenant, place.owner))
        n = row[0] + 1 if row is not None else 1
        self._connection.execute(SQL["recall_add"], (self._tenant, place.owner, n, body))
        self._connection.execute(SQL["recall_trim"], (self._tenant, place.owner, n - ring))

    def _ensure(self, place: Place, seals: dict[object, str]) -> None:
        if self._chain.get(place, (0, GENESIS))[0] == 0 and self._number(place) is None:
            salt = os.urandom(16)
            seals[place] = commitment(salt, ordered([self._tenant, *place]).encode("utf-8"))
            values = (self._tenant, place.space, place.owner, GENESIS, salt)
            self._repository.numbers[place] = int(self._connection.execute(SQL["scope_add"], values).get)
        self._chain.setdefault(place, (0, GENESIS))

    def _add_phases(self, commit: Commit) -> dict[object, str]:
        seals: dict[object, str] = {}
        for place, phase in commit.phases:
            salt = os.urandom(16)
            seals[(place, phase.index)] = commitment(
                salt, ordered([phase.name, phase.reason, phase.started_at]).encode()
            )
            values = (self._number(place), phase.index, phase.started_at, phase.name, phase.reason, salt)
            self._connection.execute(SQL["phase_add"], values)
        return seals

    def _stand(self, commit: Commit, number_of: NumberOf) -> None:
        for ref, item in commit.changed.items():
            if item is None:
                address = (number_of(ref.place), kind_code(ref.kind), ref.n)
                self._connection.execute(SQL["item_delete"], address)
                self._connection.execute(SQL["sheet_delete"], address)
                if ref in commit.erased:
                    self._connection.execute(SQL["edge_delete"], address)
            else:
                self._connection.execute(SQL["item_stand"], standing_row(item, number_of(ref.place), number_of))

    def _add_items(self, commit: Commit, number_of: NumberOf) -> dict[object, str]:
        salts = os.urandom(16 * len(commit.created))
        seals: dict[object, str] = {}
        rows: list[Row] = []
        for index, (ref, item) in enumerate(commit.created.items()):
            salt = salts[16 * index : 16 * index + 16]
            body = to_body(item)
            seals[ref] = commitment(salt, body.encode("utf-8"))
            rows.append(item_row(item, number_of(ref.place), salt, body, number_of))
        if rows:
            self._connection.executemany(SQL["item_add"], rows)
        if commit.sheets:
            self._connection.executemany(SQL["sheet_add"], self._sheet_rows(commit.sheets))
        return seals

    def file(self, sheets: Mapping[ItemRef, Sheet]) -> None:
        rows = ((*row[3:], *row[:3]) for row in self._sheet_rows(sheets))
        self._connection.executemany(SQL["sheet_replace"], rows)

    def _sheet_rows(self, sheets: Mapping[ItemRef, Sheet]) -> list[Row]:
        makers = self._repository.makers
        for name in {sheet.recipe: True for sheet in sheets.values()} | {
            sheet.model: True for sheet in sheets.values()
        }:
            if name not in makers:
                self._connection.execute(SQL["maker_add"], (name,))
                makers |= {name: number for number, name in self.makers().items()}
        return [
            (self._number(ref.place), kind_code(ref.kind), ref.n, makers[recipe], card, makers[model], vector)
            for ref, (recipe, card, model, vector) in sheets.items()
        ]

    def _link(self, commit: Commit, number_of: NumberOf) -> None:
        for child, parent in commit.links:
            source = self._number(parent.place)
            if source is None:
                continue
            values = (number_of(child.place), kind_code(child.kind), child.n, source, kind_code(parent.kind), parent.n)
            self._connection.execute(SQL["edge_add"], values)

    def _move(self, commit: Commit, chains: Chains, number_of: NumberOf) -> None:
        for place, head in commit.heads.items():
            seq, digest = chains.heads[place]
            if seq == self._chain[place][0]:
                continue
            counts = head.counts
            values = (
                head.tick,
                counts[Kind.SHORT_TERM],
                counts[Kind.SEMANTIC],
                counts[Kind.PROFILE],
                head.phase.index if head.phase else 0,
                seq,
                digest,
                number_of(place),
            )
            self._connection.execute(SQL["scope_move"], values)
            head.seq = seq
            head.number = number_of(place)

    def _remember_policy(self, commit: Commit) -> None:
        known = self._repository.known_policies
        if commit.policy.hash not in known:
            values = (commit.policy.hash, canonical(commit.policy.snapshot))
            self._connection.execute(SQL["policy_add"], values)
            known.add(commit.policy.hash)
