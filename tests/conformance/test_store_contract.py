"""All of our own stores pass the shipped store contract, all of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.adapters.stores.memory import MemoryStore
from recollect.adapters.stores.postgres.store import PostgresStore
from recollect.adapters.stores.sqlite.store import SqliteStore
from recollect.ports.store import Store
from recollect.testing.store import StoreContract


class TestMemoryStore(StoreContract):
    """The oracle."""

    def make_store(self) -> Store:
        return MemoryStore()


class TestSqliteStore(StoreContract):
    """One SQLite file."""

    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def make_store(self) -> Store:
        # A contract may ask for a second store beside the first.
        number = len(list(self.folder.glob("*.db")))
        return SqliteStore(str(self.folder / f"memory-{number}.db"))


class TestPostgresStore(StoreContract):
    """A schema of its own on a real PostgreSQL server, as the restricted role."""

    @pytest.fixture(autouse=True)
    def _server(self, make_postgres_url: Callable[..., str]) -> None:
        self.make_url = make_postgres_url

    def make_store(self) -> Store:
        return PostgresStore(self.make_url())


def test_no_store_skips_a_part() -> None:
    """No store overrides a test of the contract."""
    for case in (TestMemoryStore, TestSqliteStore, TestPostgresStore):
        assert [name for name in vars(case) if name.startswith("test_")] == []
