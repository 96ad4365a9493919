"""The approximate index of very large owners: opted into, behind the walls, erased with its words, and never silent."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from conversations import open_memory

from recollect import Memory, errors
from recollect.adapters.stores.postgres.schema import WALLED, Schema
from recollect.testing.postgres_server import PostgresServer

TURNS = 60
QUESTION = "what colour was the boat?"


@pytest.fixture
def owner_url(postgres_url: str, postgres_server: PostgresServer) -> Iterator[str]:
    """The address of the tables' owner, with the extension where a superuser put it."""
    with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    yield postgres_url.replace("recollect_app@", "recollect_owner@")


def fill(memory: Memory, tenant: str = "default", first: int = 0) -> None:
    chat = memory.session(user="ana", tenant=tenant, session="s")
    chat.remember_many([{"text": f"Box {n} holds {n * 7} nails of {tenant}."} for n in range(first, first + TURNS)])
    chat.remember("The boat was painted green in spring.")


def small(url: str, **options: object) -> Memory:
    """A memory whose indexes may hold almost nothing, so that every owner is too large for it."""
    memory = open_memory("default", url, **options)
    memory._office("default").shelves._bound_bytes = 10
    return memory


def test_answers_say_that_they_are_not_exact(postgres_url: str, owner_url: str) -> None:
    """Beyond the bound, hit, context and trace of a memory that opted in say `exact: false`, and the best is found."""
    with open_memory("default", postgres_url) as memory:
        fill(memory)
    assert Schema(owner_url).vectors(256)
    assert not Schema(owner_url).vectors(256)
    with small(postgres_url) as exact, small(postgres_url, approximate=True) as near:
        told = []
        for memory in (exact, near):
            chat = memory.session(user="ana", session="s")
            hits, context = chat.search(QUESTION), chat.recall(QUESTION)
            told.append((hits, context))
        (expected, whole), (found, part) = told
        assert found[0].item.id == expected[0].item.id
        assert "exact" not in expected[0].to_dict()
        assert found[0].to_dict()["exact"] is False
        assert (whole.is_exact, part.is_exact) == (True, False)
        assert part.to_dict()["exact"] is False
        assert part.trace[0]["exact"] is False
        assert "approximate index" in str(part.trace[0]["exact_reason"])
        assert "exact" not in whole.trace[0]


def test_places_that_fit_are_answered_exactly(postgres_url: str, owner_url: str) -> None:
    """A memory that opted in answers exactly, and with the same bytes, wherever its index can hold the place."""
    with open_memory("default", postgres_url) as memory:
        fill(memory)
        expected = memory.session(user="ana", session="s").recall(QUESTION)
    Schema(owner_url).vectors(256)
    with open_memory("default", postgres_url, approximate=True) as memory:
        found = memory.session(user="ana", session="s").recall(QUESTION)
    assert found.is_exact
    assert (found.text, found.hash, found.trace) == (expected.text, expected.hash, expected.trace)


def test_what_is_written_later_is_near_at_once(postgres_url: str, owner_url: str) -> None:
    """The index follows every commit: what was remembered is found, what was forgotten or erased is not."""
    Schema(owner_url).vectors(256)
    with small(postgres_url, approximate=True) as memory:
        fill(memory)
        chat = memory.session(user="ana", session="s")
        boat = chat.search(QUESTION)[0]
        assert "boat" in boat.item.text
        chat.erase(boat.item.id)
        assert all("boat" not in hit.item.text for hit in chat.search(QUESTION))
        with psycopg.connect(owner_url, autocommit=True) as connection:
            connection.execute("SELECT set_config('recollect.tenant', 'default', false)")
            left = connection.execute("SELECT count(*) FROM vectors").fetchone()
            kept = connection.execute("SELECT count(*) FROM sheets").fetchone()
        assert left == kept


def test_walls_hold_around_the_index(postgres_url: str, owner_url: str) -> None:
    """Vectors of another tenant are neither proposed nor visible, and its wall is checked like the others."""
    Schema(owner_url).vectors(256)
    with small(postgres_url, approximate=True) as memory:
        fill(memory, "acme")
        fill(memory, "default")
        hits = memory.session(user="ana", session="s").search("nails of acme", limit=200)
        assert hits
        assert all("acme" not in hit.item.text for hit in hits)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (0,)
        connection.execute("SELECT set_config('recollect.tenant', 'default', false)")
        assert connection.execute("SELECT count(*) FROM vectors WHERE tenant = 'acme'").fetchone() == (0,)
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("ALTER TABLE vectors NO FORCE ROW LEVEL SECURITY")
    with pytest.raises(errors.StoreDamaged) as refused:
        open_memory("default", postgres_url)
    assert refused.value.reason == "wall_down"
    assert "vectors" not in WALLED


def test_index_proposes_by_its_graph(postgres_url: str, owner_url: str) -> None:
    """What is asked of the server is answered from the graph, not by going through all vectors."""
    with open_memory("default", postgres_url) as memory:
        fill(memory)
    Schema(owner_url).vectors(256)
    with small(postgres_url, approximate=True) as memory:
        near = dict(memory._parts.store.near)  # type: ignore[attr-defined]
    with psycopg.connect(postgres_url, autocommit=False, cursor_factory=psycopg.RawCursor) as connection:
        connection.execute("SELECT set_config('recollect.tenant', 'default', true)")
        connection.execute(near["near_begin"], ("default",))
        question = ("default", 1, 1, bytes(256), 5)
        plan = "\n".join(row[0] for row in connection.execute(f"EXPLAIN {near['near_find']}", question))
    assert "vectors_near" in plan


def test_missing_index_and_extension_say_what_to_do(
    postgres_url: str, postgres_server: PostgresServer, owner_url: str
) -> None:
    """Without the index, without the extension or with impossible dimensions there is a typed error with a way out."""
    with pytest.raises(errors.StoreError) as refused:
        open_memory("default", postgres_url, approximate=True)
    assert refused.value.reason == "no_vectors"
    assert "recollect db vectors" in refused.value.hint
    with pytest.raises(errors.InvalidInput) as impossible:
        Schema(owner_url).vectors(0)
    assert impossible.value.reason == "bad_dimensions"
    with pytest.raises(errors.StoreError) as lesser:
        Schema(postgres_url).vectors(256)
    assert lesser.value.reason == "not_owner"
    bare = "bare_of_vectors"
    with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {bare} OWNER recollect_owner".encode())
    try:
        url = postgres_server.url("recollect_owner", bare)
        Schema(url).init()
        with pytest.raises(errors.StoreError) as missing:
            Schema(url).vectors(256)
        assert missing.value.reason == "missing_extension"
        assert "CREATE EXTENSION vector" in missing.value.hint
    finally:
        with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {bare}".encode())


def test_file_answers_exactly_whatever_is_asked() -> None:
    """On a file and in memory the switch changes nothing: every answer is exact."""
    with small(":memory:", approximate=True) as memory:
        fill(memory)
        assert memory.session(user="ana", session="s").recall(QUESTION).is_exact
