"""Goal S12 on a server: after an erasure no byte of it is in the tables' files; the write-ahead log and the backups are
named as pending."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from canary import remains
from conversations import open_memory

from recollect.adapters.stores.postgres.store import PostgresStore
from recollect.testing.postgres_server import PostgresServer

WORD = "xylocanaryphone"
DURABLE = "[trace]\ndurable_recalls = true\n"


def settle(server: PostgresServer, schema: str) -> None:
    """Write everything out, samples of the planner included."""
    with psycopg.connect(server.url(schema=schema), autocommit=True) as connection:
        connection.execute("ANALYZE")
        connection.execute("CHECKPOINT")


def speak(url: str) -> None:
    with open_memory(DURABLE, url) as memory:
        for user in (f"ana-{WORD}", "bob"):
            word = WORD if user != "bob" else "harmless"
            chat = memory.session(user=user, session=f"s-{word}", persona=f"p-{word}", project="")
            chat.start_phase(f"phase {word}")
            for number in range(40):
                chat.remember(
                    f"I live in {word} number {number}.",
                    ref=f"r-{word}-{number}",
                    speaker=f"S {word}",
                    command_id=f"c-{word}-{number}",
                )
            chat.recall(f"what about {word}?")


@pytest.fixture
def schema(postgres_url: str) -> str:
    return postgres_url.rsplit("%3D", 1)[1]


def test_nothing_is_left_in_the_tables(postgres_server: PostgresServer, postgres_url: str, schema: str) -> None:
    """Words, names, refs, commands, phases, recall traces and the planner's samples: no byte is left in a table."""
    tables = postgres_server.data / "base"
    speak(postgres_url)
    settle(postgres_server, schema)
    # The search is shown to find them.
    assert remains(tables, WORD)
    with open_memory(DURABLE, postgres_url) as memory:
        receipt = memory.erase_user(f"ana-{WORD}")
        assert receipt.total > 0
        assert any("write-ahead log" in sentence for sentence in receipt.pending)
        assert any("Backups" in sentence for sentence in receipt.pending)
        assert memory.verify().is_ok
        assert memory.replay() == []
        assert (
            "harmless" in memory.session(user="bob", session="s-harmless", persona="p-harmless").recall("where?").text
        )
    settle(postgres_server, schema)
    assert remains(tables, WORD) == {}


def test_role_that_may_not_vacuum_says_so(postgres_url: str, postgres_server: PostgresServer, schema: str) -> None:
    """Where the role cannot rewrite tables, the receipt says what is left and who has to do it."""
    with psycopg.connect(postgres_server.url(schema=schema), autocommit=True) as connection:
        connection.execute("REVOKE MAINTAIN ON items FROM recollect_app")
    store = PostgresStore(postgres_url)
    try:
        pending = store.repository("default").scrub()
        assert any("may not vacuum" in sentence for sentence in pending)
    finally:
        store.close()


def test_erasure_by_item_reaches_the_tables_too(
    postgres_server: PostgresServer, postgres_url: str, schema: str, tmp_path: Path
) -> None:
    """One erased memory leaves no byte of its words in a table."""
    word = "quaggafeather"
    with open_memory("default", postgres_url) as memory:
        chat = memory.session(user="ana")
        for number in range(30):
            chat.remember(f"I have {number} plain things.")
        item = chat.remember(f"My favourite is the {word}.", ref="r1").items[-1]
        settle(postgres_server, schema)
        assert remains(postgres_server.data / "base", word)
        chat.erase(item.id)
    settle(postgres_server, schema)
    assert remains(postgres_server.data / "base", word) == {}
