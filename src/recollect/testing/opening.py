"""How a contract gets at the adapter it tries.

Never: shares a store between two tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from recollect.ports.store import Repository, Store


class OpensStore:
    """The hook a third-party adapter fills in, and what the contracts build on it."""

    def make_store(self) -> Store:
        """A fresh store that holds nothing."""
        raise NotImplementedError

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """A store for one test, closed at its end."""
        store = self.make_store()
        try:
            yield store
        finally:
            store.close()

    @contextmanager
    def repository(self) -> Iterator[Repository]:
        """The memory of one tenant of a store for one test."""
        with self.opened() as store:
            yield store.repository("default")
