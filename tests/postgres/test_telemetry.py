"""Metrics through OpenTelemetry: counted where a provider is configured, and never a word of anybody's."""

from __future__ import annotations

import json

import pytest
from conversations import open_memory
from opentelemetry.metrics import set_meter_provider
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from recollect.adapters.stores.memory import MemoryStore
from recollect.adapters.stores.metered import MeteredStore
from recollect.errors import RecollectError
from recollect.ports.store import Store
from recollect.testing.store import StoreContract

READER = InMemoryMetricReader()
set_meter_provider(MeterProvider(metric_readers=[READER]))


class TestMeteredStore(StoreContract):
    """A watched store is a store."""

    def make_store(self) -> Store:
        return MeteredStore(MemoryStore())


def told() -> str:
    data = READER.get_metrics_data()
    return data.to_json() if data is not None else "{}"


def test_transactions_and_pool_are_counted(postgres_url: str) -> None:
    """Readings, writings and their outcomes are timed, the pool is watched, and no attribute holds a name or a word."""
    with open_memory("default", postgres_url, telemetry=True) as memory:
        chat = memory.session(user="canary-user", tenant="canary-tenant")
        chat.remember("I live in canary-town.", ref="canary-ref")
        chat.recall("where is canary-town?")
        with pytest.raises(RecollectError):
            chat.remember("other words here", command_id="c1")
            chat.remember("and others again", command_id="c1")
        said = told()
    names = [m["name"] for r in json.loads(said)["resource_metrics"] for s in r["scope_metrics"] for m in s["metrics"]]
    assert {"recollect.store.seconds", "recollect.store.pool"} <= set(names)
    for word in ('"reading"', '"writing"', '"ok"', '"command_reused"', '"pool_size"'):
        assert word in said
    assert "canary" not in said
