"""The store on one SQLite file.

1. One writing connection behind a lock, a small pool of reading ones; several processes may share the file.
2. A write is `BEGIN IMMEDIATE`: SQLite lets one writer in at a time, so every place has one writer.
3. What is read stands in `reader.py`, what a commit becomes in `writer.py`.

Never: decides, and never leaves a transaction open.
Spec: ports/store.py; reliability.md.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from recollect import errors
from recollect.adapters.stores.sqlite.ballast import Ballast
from recollect.adapters.stores.sqlite.connect import BUSY_TIMEOUT_MS, PRAGMAS, connect, prepare, translated
from recollect.adapters.stores.sqlite.gaps import zero_gaps
from recollect.adapters.stores.sqlite.reader import SQL, Known, SqliteReader
from recollect.adapters.stores.sqlite.writer import SqliteWriter
from recollect.core.values import Place

READERS_KEPT = 8
# Reading goes through a whole place once, to build an index, and then looks here and there. What SQLite keeps of that,
# the system keeps too, and a larger cache for each reader makes nothing quicker.
READER_CACHE = "PRAGMA cache_size = -8192"
CHECKPOINT_WAIT_MS = 500
SCRUB_TRIES = 3


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
            connection.execute(READER_CACHE)
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
        self._known = Known()

    @contextmanager
    def reading(self) -> Iterator[SqliteReader]:
        with self._store.reader() as connection, translated():
            connection.execute("BEGIN")
            try:
                yield SqliteReader(self._known, connection, self._tenant)
            finally:
                if connection.in_transaction:
                    connection.execute("COMMIT")

    @contextmanager
    def writing(self, places: Sequence[Place], *, is_hopeful: bool = False) -> Iterator[SqliteWriter]:
        with self._store.writer(self._known.unlearn) as connection:
            yield SqliteWriter(self._known, connection, self._tenant)

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
        self._store.ballast.keep()

    def drop_ballast(self) -> bool:
        return self._store.ballast.drop()

    def settle(self) -> list[str]:
        return self._store.settle()

    def scrub(self) -> list[str]:
        self._known.unlearn()
        return self._store.scrub()
