"""What a turn and a recall ask of a server: as little as was promised, and nothing that was prepared before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from conversations import open_memory

from recollect.adapters.stores.postgres.reader import SQL
from recollect.adapters.stores.postgres.store import PostgresStore
from recollect.testing.postgres_server import PostgresServer


@contextmanager
def statements(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every statement this process sends meanwhile."""
    sent: list[str] = []
    real = psycopg.RawCursor.execute

    def execute(self: Any, query: Any, *values: Any, **options: Any) -> Any:
        sent.append(str(query))
        return real(self, query, *values, **options)

    with monkeypatch.context() as watching:
        watching.setattr(psycopg.RawCursor, "execute", execute)
        yield sent


def test_turn_is_one_statement(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where this process was the last to write, a turn is sent as one statement and nothing is read before it."""
    with open_memory("default", postgres_url) as memory:
        chat = memory.session(user="ana")
        chat.remember("The boat was old.")
        with statements(monkeypatch) as sent:
            for number in range(3):
                chat.remember(f"The boat was painted {number} times.")
        assert sent == [SQL["commit_put"]] * 3


@pytest.mark.parametrize(
    ("opening", "led_to"),
    [("The boat was old.", []), ("I live in Lisbon.", ["edge_children", "item_find"])],
    ids=["no fact", "a fact"],
)
def test_warm_recall_asks_four_to_six_times(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, opening: str, led_to: list[str]
) -> None:
    """A warm recall begins with its heads, then reads what is foremost, what was found and, where there are facts, what
    it led to, and ends."""
    with open_memory("default", postgres_url) as memory:
        chat = memory.session(user="ana")
        chat.remember(opening)
        for number in range(20):
            chat.remember(f"The boat was painted {number} times.")
        first = chat.recall("what was painted?")
        with statements(monkeypatch) as sent:
            again = chat.recall("what was painted?")
        assert again.text == first.text
        kept = {text: name for name, text in SQL.items()}
        named = [kept.get(text, text.split()[0]) for text in sent]
        assert named == [
            *("BEGIN", "tenant_name", "scope_find"),
            *("item_foremost", "item_find", *led_to, "COMMIT"),
        ]


def test_looks_leave_prepared_statements_alone(postgres_url: str) -> None:
    """What the driver has prepared is still prepared after a look has ended."""
    store = PostgresStore(postgres_url, pool_size=1)
    try:
        repository = store.repository("default")
        counted = []
        for _ in range(3):
            with repository.reading() as reader:
                reader.places()
            with store.lent() as connection:
                rows = connection.execute("SELECT max(prepare_time) FROM pg_prepared_statements", prepare=True)
                counted.append(rows.fetchall())
        assert counted[1] == counted[2]
    finally:
        store.close()


@pytest.mark.parametrize("is_counted", [False, True], ids=["never analysed", "analysed"])
def test_each_sheet_is_found_by_its_whole_key(
    is_counted: bool, postgres_url: str, postgres_server: PostgresServer
) -> None:
    """An index is filled in time that grows with its place, also before the server has counted its tables."""
    schema = postgres_url.rsplit("%3D", 1)[1]
    with psycopg.connect(postgres_server.url(schema=schema), autocommit=True) as connection:
        if is_counted:
            connection.execute("ANALYZE items, sheets")
        connection.execute(f"PREPARE filing AS {SQL['sheet_filed']}".encode())
        connection.execute("SET plan_cache_mode = force_generic_plan")
        plan = "\n".join(row[0] for row in connection.execute("EXPLAIN EXECUTE filing ('default', 1, 0, 0, 9)"))
    assert "(kind = items.kind) AND (n = items.n)" in plan
