"""Both of our own stores pass the shipped store contract, all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.adapters.stores.memory import MemoryStore
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


def test_no_store_skips_a_part() -> None:
    """Neither store overrides a test of the contract."""
    for case in (TestMemoryStore, TestSqliteStore):
        assert [name for name in vars(case) if name.startswith("test_")] == []
