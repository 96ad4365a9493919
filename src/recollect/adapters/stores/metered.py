"""A store that counts and times what is asked of another one, through OpenTelemetry; an optional extra.

    recollect.store.seconds   how long a reading or a writing took    operation = reading | writing, outcome = ok | …
    recollect.store.pool      what the pool of a server counts        name = pool_size, requests_waiting, …

Nothing is sent anywhere by itself: without a configured meter provider the numbers go nowhere.

Never: sees a word, a name, a tenant or an id; an attribute is one of a few words of our own.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from opentelemetry.metrics import CallbackOptions, Histogram, Observation, get_meter

from recollect.core.values import Place
from recollect.errors import RecollectError
from recollect.ports.store import Overtaken, Reader, Repository, Store, Writer

POOL_NAMES = ("pool_size", "pool_available", "requests_waiting", "requests_num", "requests_errors", "connections_lost")


class MeteredStore:
    """Another store, watched."""

    def __init__(self, store: Store) -> None:
        self._store = store
        meter = get_meter("recollect")
        self._seconds = meter.create_histogram("recollect.store.seconds", unit="s", description="Store transactions.")
        if hasattr(store, "pool_stats"):
            meter.create_observable_gauge("recollect.store.pool", callbacks=[self._pool], description="The pool.")

    def repository(self, tenant: str) -> MeteredRepository:
        return MeteredRepository(self._store.repository(tenant), self._seconds)

    def files(self) -> list[Path]:
        return self._store.files()

    def check(self) -> list[str]:
        return self._store.check()

    def close(self) -> None:
        self._store.close()

    def _pool(self, options: CallbackOptions) -> Iterable[Observation]:
        stats: dict[str, int] = self._store.pool_stats()  # type: ignore[attr-defined]
        return [Observation(stats.get(name, 0), {"name": name}) for name in POOL_NAMES]


class MeteredRepository:
    """One tenant of another store, watched."""

    def __init__(self, repository: Repository, seconds: Histogram) -> None:
        self._repository = repository
        self._seconds = seconds

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        with self._timed("reading"), self._repository.reading() as reader:
            yield reader

    @contextmanager
    def writing(self, places: Sequence[Place], *, is_hopeful: bool = False) -> Iterator[Writer]:
        with self._timed("writing"), self._repository.writing(places, is_hopeful=is_hopeful) as writer:
            yield writer

    @contextmanager
    def _timed(self, operation: str) -> Iterator[None]:
        start, outcome = time.perf_counter(), "ok"
        try:
            yield
        except RecollectError as error:
            outcome = type(error).code
            raise
        except Overtaken:
            outcome = "overtaken"
            raise
        finally:
            self._seconds.record(time.perf_counter() - start, {"operation": operation, "outcome": outcome})

    def take_chore(self, now_ms: int, due_ms: int, stale_ms: int) -> Place | None:
        return self._repository.take_chore(now_ms, due_ms, stale_ms)

    def end_chore(self, place: Place, now_ms: int) -> None:
        self._repository.end_chore(place, now_ms)

    def restless(self, now_ms: int, policy_hash: str) -> list[Place]:
        return self._repository.restless(now_ms, policy_hash)

    def rest(self, seqs: Mapping[Place, int], until_ms: int, policy_hash: str) -> None:
        self._repository.rest(seqs, until_ms, policy_hash)

    def keep_ballast(self) -> None:
        self._repository.keep_ballast()

    def drop_ballast(self) -> bool:
        return self._repository.drop_ballast()

    def settle(self) -> list[str]:
        return self._repository.settle()

    def scrub(self) -> list[str]:
        return self._repository.scrub()
