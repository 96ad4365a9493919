"""Stores with a bug planted in them, each the kind of bug one of the harnesses is there to find.

Never: used for anything but showing that a harness does not sleep.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from recollect import errors
from recollect.adapters.stores.memory import MemoryReader, MemoryRepository, MemoryStore
from recollect.adapters.stores.sqlite.store import SqliteRepository, SqliteStore
from recollect.adapters.stores.sqlite.writer import NumberOf, SqliteWriter
from recollect.core.item import MemoryItem
from recollect.core.log import Chains
from recollect.core.values import Place
from recollect.ports.store import Commit

LATE_S = 0.001


class TwoStepWriter(SqliteWriter):
    """Commits the items and the log first and the heads of the places in a second transaction."""

    def _move(self, commit: Commit, chains: Chains, number_of: NumberOf) -> None:
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN IMMEDIATE")
        super()._move(commit, chains, number_of)


class _TwoStepRepository(SqliteRepository):
    @contextmanager
    def writing(self, places: Sequence[Place], *, is_hopeful: bool = False) -> Iterator[SqliteWriter]:
        with self._store.writer(lambda: None) as connection:
            yield TwoStepWriter(self._known, connection, self._tenant)


class TwoStepStore(SqliteStore):
    """Half an act can outlive the other half."""

    def repository(self, tenant: str) -> SqliteRepository:
        return _TwoStepRepository(self, tenant)


class LateStore(SqliteStore):
    """Answers first and commits a moment later; whoever asks in the same process does not notice."""

    _late: threading.Thread | None = None

    def _catch_up(self) -> None:
        if self._late is not None:
            self._late.join()

    @contextmanager
    def reader(self) -> Iterator[apsw.Connection]:
        self._catch_up()
        with super().reader() as connection:
            yield connection

    @contextmanager
    def writer(self, on_roll_back: Callable[[], None]) -> Iterator[apsw.Connection]:
        self._catch_up()
        with super().writer(on_roll_back) as connection:
            yield connection

    def _commit(self, connection: apsw.Connection) -> None:
        def commit() -> None:
            time.sleep(LATE_S)
            connection.execute("COMMIT")

        self._late = threading.Thread(target=commit)
        self._late.start()

    def close(self) -> None:
        self._catch_up()
        super().close()


class SloppyStore(SqliteStore):
    """Confirms an erasure and leaves the old pages where they are."""

    def scrub(self) -> list[str]:
        return []

    def settle(self) -> list[str]:
        return []


class TrustingStore(SqliteStore):
    """Takes a commit that the disk refused for a commit."""

    def _commit(self, connection: apsw.Connection) -> None:
        with suppress(errors.StoreError):
            super()._commit(connection)
        if connection.in_transaction:
            connection.execute("ROLLBACK")


class RawStore(SqliteStore):
    """Lets SQLite's own errors out of a commit."""

    def _commit(self, connection: apsw.Connection) -> None:
        connection.execute("COMMIT")


class DeferredStore(SqliteStore):
    """Reads first and asks for the writer's place afterwards."""

    @contextmanager
    def writer(self, on_roll_back: Callable[[], None]) -> Iterator[apsw.Connection]:
        with self._lock:
            connection = self._writer
            connection.execute("BEGIN")
            try:
                yield connection
                connection.execute("COMMIT")
            except apsw.BusyError as error:
                connection.execute("ROLLBACK")
                on_roll_back()
                raise errors.StoreBusy("Another writer holds the database.") from error


_SEEN: dict[tuple[Place, tuple[str, ...]], list[MemoryItem]] = {}
_SEEN_LOCK = threading.Lock()


class _StaleWriter(SqliteWriter):
    def keyed(self, place: Place, keys: Sequence[str]) -> list[MemoryItem]:
        with _SEEN_LOCK:
            known = _SEEN.get((place, tuple(keys)))
            if known is None:
                known = _SEEN[(place, tuple(keys))] = super().keyed(place, keys)
            return known


class _StaleRepository(SqliteRepository):
    @contextmanager
    def writing(self, places: Sequence[Place], *, is_hopeful: bool = False) -> Iterator[SqliteWriter]:
        with self._store.writer(lambda: None) as connection:
            yield _StaleWriter(self._known, connection, self._tenant)


class StaleStore(SqliteStore):
    """Believes what it read once about a key, whatever other processes have written since."""

    def repository(self, tenant: str) -> SqliteRepository:
        return _StaleRepository(self, tenant)


class _ShuffledReader(MemoryReader):
    def places(self, space: str = "", owner_prefix: str = "") -> list[Place]:
        return list(set(super().places(space, owner_prefix)))


class _ShuffledRepository(MemoryRepository):
    @contextmanager
    def reading(self) -> Iterator[MemoryReader]:
        with super().reading() as reader:
            reader.__class__ = _ShuffledReader
            yield reader


class ShuffledStore(MemoryStore):
    """Lists places in the order of a set, which changes with the hash seed."""

    def repository(self, tenant: str) -> MemoryRepository:
        return _ShuffledRepository(self, tenant)


def start_over(path: str) -> SqliteStore:
    """Opens a file, and where that fails moves it out of the way and begins an empty memory."""
    try:
        return SqliteStore(path)
    except errors.StoreError:
        for old in Path(path).parent.glob(f"{Path(path).name}*"):
            shutil.move(str(old), f"{old}.old")
        return SqliteStore(path)
