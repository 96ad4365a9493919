"""The store on a PostgreSQL server, shared by any number of processes on any number of machines.

1. Reading is one snapshot; writing locks the rows of its places in a fixed order, so each place has one writer.
2. The tenant is named to the server in every transaction, and the server's answer is compared with it.
3. A commit whose answer never came is looked for afterwards: it is there, or it is not, or nobody can say
   (`OutcomeUnknown`, which repeating the call with its command_id resolves).

Never: decides, and never leaves a transaction open.
Spec: ports/store.py; reliability.md "Outcomes of a write".
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import psycopg
from psycopg.pq import TransactionStatus

from recollect import errors
from recollect.adapters.stores.postgres import nearest, schema
from recollect.adapters.stores.postgres.connect import LOST, POOL_SIZE, Connection, Pool, connect, read_address
from recollect.adapters.stores.postgres.reader import SQL, Asked, Known, PostgresReader, addresses
from recollect.adapters.stores.postgres.trouble import in_words, translated
from recollect.adapters.stores.postgres.writer import LastRecord, PostgresWriter
from recollect.adapters.stores.rows import Row
from recollect.core.canonical import ordered
from recollect.core.values import Place

BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# Not `READ WRITE`: whoever set a server read-only meant it.
BEGIN_WRITING = "BEGIN ISOLATION LEVEL READ COMMITTED"
# Names locked one by one; beyond that only those without a row, so that the server's lock table never fills up.
NAMES_LOCKED = 64
LOCK_TRIES = 5
# What `recollect_commit` says when a place has moved since it was decided upon.
OVERTAKEN = "RC001"
RESOLVE_SECONDS = 20
RESOLVE_PAUSE_SECONDS = 0.2
# Rewriting a table keeps everybody out; above this size it is left to its owner.
REWRITE_BYTES = 1_073_741_824
WORDS = ("items", "sheets", "scopes", "phases", "commands", "recalls")
PENDING_LOG = "The server's write-ahead log holds what was erased until it is recycled; so do its archives."
PENDING_BACKUPS = "Backups and replicas made before hold it until they are replaced."


class PostgresStore:
    """All tenants of one database."""

    def __init__(
        self, url: str, *, is_owner_allowed: bool = False, is_approximate: bool = False, pool_size: int = POOL_SIZE
    ) -> None:
        self._address = read_address(url)
        self._pid = os.getpid()
        self._is_closed = False
        with connect(self._address) as connection:
            self.seen = schema.look(connection)
            schema.refuse_unusable(self.seen, is_owner_allowed=is_owner_allowed)
            self.near = nearest.statements(connection) if is_approximate else {}
        self._pool = Pool(self._address, pool_size)

    def repository(self, tenant: str) -> PostgresRepository:
        return PostgresRepository(self, tenant)

    def files(self) -> list[Path]:
        return []

    def check(self) -> list[str]:
        """What is wrong with the connection, the schema, the walls and the role."""
        self.check_usable()
        with connect(self._address) as connection:
            return schema.check(connection)

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        if self._pid == os.getpid():
            self._pool.close()

    def pool_stats(self) -> dict[str, int]:
        """What the pool counts, for metrics."""
        return self._pool.stats()

    @contextmanager
    def transaction(self, begin: str, tenant: str, *asked: Asked) -> Iterator[tuple[Connection, list[list[Row]]]]:
        """A borrowed connection inside a transaction, behind the tenant's wall; rolled back unless it was ended.

        What is asked goes along with the beginning, in one round trip, and its rows come back beside the connection.
        """
        self.check_usable()
        connection, rows = self._begun(begin, tenant, asked)
        try:
            yield connection, rows
            if begin == BEGIN_READING:
                self._end_look(connection)
        finally:
            self._roll_back(connection)
            self._pool.give_back(connection)

    def _begun(self, begin: str, tenant: str, asked: Sequence[Asked]) -> tuple[Connection, list[list[Row]]]:
        """Take a connection and begin; a dead one is thrown away and the next one is tried."""
        for _ in range(self._pool.size + 1):
            connection = self._pool.take()
            try:
                named, *rows = _first_words(connection, begin, tenant, asked)
                if named != [(tenant,)]:
                    raise errors.StoreError("The server did not raise the wall of this tenant.", reason="wall_down")
                return connection, rows
            except LOST as error:
                is_dead = _is_cut(error, connection)
                self._roll_back(connection)
                self._pool.give_back(connection)
                if not is_dead:
                    raise
                self._pool.look_over()
            except BaseException:
                self._roll_back(connection)
                self._pool.give_back(connection)
                raise
        raise errors.StoreLost("The server cuts every connection.", hint="Nothing was changed; try again.")

    @staticmethod
    def _end_look(connection: Connection) -> None:
        """End a look that changed nothing by COMMIT: after a ROLLBACK the driver forgets what it had prepared."""
        if connection.info.transaction_status == TransactionStatus.INTRANS:
            # Everything was read by now; a connection that was cut since is thrown away by the pool.
            with suppress(psycopg.Error):
                connection.execute("COMMIT")

    @staticmethod
    def _roll_back(connection: Connection) -> None:
        if connection.closed or connection.info.transaction_status == TransactionStatus.IDLE:
            return
        # A connection that cannot even roll back is closed by the pool; the server rolls back for it.
        with suppress(psycopg.Error):
            connection.execute("ROLLBACK")

    @contextmanager
    def lent(self) -> Iterator[Connection]:
        """A connection for one statement that begins and ends by itself."""
        self.check_usable()
        with self._pool.borrowed() as connection:
            yield connection

    def vacuum(self) -> list[str]:
        """Take what was deleted out of the tables' files, as far as this role may; what is pending, in words."""
        pending: list[str] = []
        with connect(self._address) as connection, translated():
            connection.execute("SET statement_timeout = 0")
            for table in (*WORDS, *self.seen.optional) if self.seen.can_vacuum else ():
                pending.extend(_rewrite(connection, table))
        if not self.seen.can_vacuum:
            pending.append(
                "This role may not vacuum: deleted rows stay in the tables' files until the owner runs VACUUM FULL."
            )
        return [*pending, PENDING_LOG, PENDING_BACKUPS]

    def check_usable(self) -> None:
        """Stop a call on a memory that was closed, or opened by the parent of this process."""
        if self._is_closed:
            raise errors.StoreClosed("The memory was closed.", hint="Open it again.")
        if self._pid != os.getpid():
            raise errors.StoreError(
                "The memory was opened in another process.", hint="Open it after the fork.", reason="forked"
            )


class PostgresRepository:
    """One tenant's memory in the database."""

    def __init__(self, store: PostgresStore, tenant: str) -> None:
        if not isinstance(tenant, str) or not tenant.strip():
            raise errors.InvalidInput("tenant is empty.", reason="empty_tenant")
        self._store = store
        self._tenant = tenant
        self._known = Known(near=store.near)

    @contextmanager
    def reading(self) -> Iterator[PostgresReader]:
        with translated(), ExitStack() as held:
            self._store.check_usable()
            yield PostgresReader(partial(self._look, held), self._tenant, self._known)

    def _look(self, held: ExitStack, reader: PostgresReader, asked: Sequence[Asked]) -> list[list[Row]]:
        connection, rows = held.enter_context(self._store.transaction(BEGIN_READING, self._tenant, *asked))
        reader.stand_on(connection)
        return rows

    @contextmanager
    def writing(self, places: Sequence[Place], *, is_hopeful: bool = False) -> Iterator[PostgresWriter]:
        wanted = tuple(sorted(set(places)))
        with translated(), ExitStack() as held:
            self._store.check_usable()
            writer = self._writer(held, wanted)
            if not (is_hopeful and writer.hope(wanted)):
                writer.lock_now()
            yield writer
            self._end(writer, wanted)

    def _writer(self, held: ExitStack, places: tuple[Place, ...], mark: int = 0) -> PostgresWriter:
        return PostgresWriter(partial(self._lock, held, places, mark), self._tenant, self._known)

    def _lock(
        self, held: ExitStack, places: tuple[Place, ...], mark: int, reader: PostgresReader, asked: Sequence[Asked]
    ) -> list[list[Row]]:
        """Begin a transaction that is the only writer of these places, and ask what goes along."""
        assert isinstance(reader, PostgresWriter)
        locks = self._locks(places, mark)
        for tries_left in reversed(range(LOCK_TRIES)):
            try:
                with ExitStack() as attempt:
                    begun = self._store.transaction(BEGIN_WRITING, self._tenant, *locks, *asked)
                    connection, rows = attempt.enter_context(begun)
                    reader.stand_on(connection)
                    reader.take(places, rows[len(locks) - 1] if places else [])
                    if len(places) > NAMES_LOCKED:
                        missing = tuple(place for place in places if reader.heads([place])[place].number == 0)
                        reader.lock(missing, self._keys(missing))
                    held.push(attempt.pop_all())
                return rows[len(locks) :]
            except psycopg.errors.DeadlockDetected:
                # Two with very many places took each other's turn; the server picked the one to begin anew.
                if not tries_left:
                    raise
        raise AssertionError("unreachable")

    def _locks(self, places: tuple[Place, ...], mark: int) -> list[Asked]:
        """The names of places are locked before their rows: a place without a row has one writer too.

        Very many names would fill the server's lock table; then only those without a row are locked, afterwards.
        """
        keys = [*([mark] if mark else ()), *(self._keys(places) if len(places) <= NAMES_LOCKED else ())]
        names: list[Asked] = [("scope_lock", (keys,))] if keys else []
        return [*names, ("scope_take", addresses(places))] if places else names

    def _keys(self, places: Sequence[Place]) -> list[int]:
        return sorted({_lock_key(self._tenant, place) for place in places})

    def _end(self, writer: PostgresWriter, places: tuple[Place, ...]) -> None:
        """Make it durable, in the transaction that holds the locks or as the one statement that needs none."""
        with ExitStack() as lent:
            if writer.is_one_statement:
                writer.stand_on(lent.enter_context(self._store.lent()))
                ending = ""
            else:
                ending = "COMMIT"
            try:
                writer.send(ending)
            except psycopg.Error as error:
                if error.sqlstate == OVERTAKEN:
                    writer.give_up()
                connection = writer.connection
                if connection is None or not isinstance(error, LOST) or not _is_cut(error, connection):
                    raise
                connection.close()
                self._resolve(writer.last_record, places, connection.mark, error)
        writer.settle()

    def _resolve(self, record: LastRecord | None, places: tuple[Place, ...], mark: int, cut: psycopg.Error) -> None:
        """The answer to a commit never came: find out whether it happened.

        Whoever gets the lock of the cut connection knows that it has ended on the server too, one way or the other;
        its last record is then there, or will never be.
        """
        unknown = errors.OutcomeUnknown(
            "The connection was cut while committing.",
            hint="Repeat the call with the same command_id: it will not be done twice.",
        )
        if record is None:
            raise unknown from in_words(cut)
        until = time.monotonic() + RESOLVE_SECONDS
        while True:
            try:
                is_there = self._is_there(record, places, mark)
                break
            except (psycopg.Error, errors.StoreError) as error:
                if time.monotonic() > until:
                    raise unknown from RuntimeError(type(error).__name__)
                time.sleep(RESOLVE_PAUSE_SECONDS)
        if not is_there:
            raise errors.StoreLost("The connection was cut before the commit.", hint="Nothing was changed; try again.")

    def _is_there(self, record: LastRecord, places: tuple[Place, ...], mark: int) -> bool:
        with ExitStack() as held:
            second = self._writer(held, places, mark)
            second.lock_now()
            return second.holds(record)

    def take_chore(self, now_ms: int, due_ms: int, stale_ms: int) -> Place | None:
        with self.writing(()) as writer:
            return writer.take_chore(now_ms, due_ms, stale_ms)

    def end_chore(self, place: Place, now_ms: int) -> None:
        with self.writing(()) as writer:
            writer.end_chore(place, now_ms)

    def restless(self, now_ms: int, policy_hash: str) -> list[Place]:
        with self.reading() as reader:
            return reader.restless(now_ms, policy_hash)

    def rest(self, seqs: Mapping[Place, int], until_ms: int, policy_hash: str) -> None:
        with self.writing(()) as writer:
            writer.rest(seqs, until_ms, policy_hash)

    def keep_ballast(self) -> None:
        return None

    def drop_ballast(self) -> bool:
        return False

    def settle(self) -> list[str]:
        return []

    def scrub(self) -> list[str]:
        self._known.forget()
        return self._store.vacuum()


def _first_words(connection: Connection, begin: str, tenant: str, asked: Sequence[Asked]) -> list[list[Row]]:
    """Begin, name the tenant and ask, in one round trip; the rows of everything but the beginning."""
    with connection.pipeline():
        connection.execute(begin)
        statements = [("tenant_name", ()), *asked]
        told = [
            connection.cursor(binary=True).execute(SQL[query], (tenant, *values), prepare=True)
            for query, values in statements
        ]
    return [cursor.fetchall() for cursor in told]


def _lock_key(tenant: str, place: Place) -> int:
    """A number that stands for a place in the server's lock table. Two that share one only wait for each other."""
    named = ordered([tenant, place.space.value, place.owner]).encode("utf-8")
    return int.from_bytes(hashlib.sha256(named).digest()[:8], "big", signed=True)


def _is_cut(error: psycopg.Error, connection: Connection) -> bool:
    """Whether it is the connection that failed, so that the outcome of what was sent is not known."""
    state = error.sqlstate or "08"
    return connection.closed or state[:2] == "08" or state[:3] == "57P"


def _rewrite(connection: Connection, table: str) -> list[str]:
    """Write a table anew without what was deleted from it; a large one is only vacuumed."""
    row = connection.execute("SELECT pg_total_relation_size($1::regclass)", (table,)).fetchone()
    if row is not None and row[0] > REWRITE_BYTES:
        connection.execute(f"VACUUM {table}")
        return [f"{table} is large and was not rewritten: freed pages keep old bytes until they are used again."]
    try:
        connection.execute(f"VACUUM FULL {table}")
    except psycopg.errors.LockNotAvailable:
        return [f"{table} was in use and could not be rewritten; the next erase or scrub does it."]
    return []
