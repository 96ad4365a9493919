"""Goals S1 and S2 on a server: tenants that share ids, names and words see nothing of each other, and the wall is the
database's own: it holds for statements recollect would never send."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace

import psycopg
import pytest
from conversations import SOAK, Actor, Step, conversations, difference, law, open_memory, play, policies
from hypothesis import given

from recollect.adapters.stores.postgres.reader import SQL, PostgresReader
from recollect.adapters.stores.postgres.schema import WALLED
from recollect.adapters.stores.postgres.store import PostgresRepository, PostgresStore
from recollect.adapters.stores.postgres.writer import PostgresWriter
from recollect.core.values import Kind, Place, Space
from recollect.errors import RecollectError, StoreError
from recollect.testing.commits import ANA, keep, keep_many, offered, sitting
from recollect.testing.postgres_server import PostgresServer

Wipe = Callable[[], None]
OURS = (Actor(), Actor(session="s1"), Actor(persona="coach", project="apollo"))
# Every name, word, ref and command is shared; only the tenant differs, by as little as it can.
TENANTS = ("acme", "Default", "default ", "ｄefault", "default'--", "%", "../x", "default\u200b")


@pytest.mark.soak
def test_tenants_do_not_interfere_on_a_server(postgres_url: str, wipe: Wipe) -> None:
    """Whatever other tenants do with the same names and words, every answer and trace of ours is the same, byte for
    byte, as without them."""
    server = open_memory("default", postgres_url)
    store = server._parts.store
    played = 0

    @law(10 if SOAK == 1 else 130)
    @given(conversations(actors=OURS), conversations(actors=OURS), policies)
    def hold(ours: list[Step], theirs: list[Step], policy: str) -> None:
        nonlocal played
        others = [
            replace(
                step,
                at_ms=step.at_ms + 500,
                actor=replace(step.actor, tenant=TENANTS[number % len(TENANTS)]),
            )
            for number, step in enumerate(theirs)
        ]
        told = []
        for steps in (ours, sorted([*ours, *others], key=lambda step: step.at_ms)):
            wipe()
            memory = open_memory(policy, store)
            pages = play(memory, steps).of(lambda actor: actor in OURS)
            played += len(steps)
            traces = [actor.at(memory).traces(limit=10_000) for actor in OURS]
            told.append(([answer for _, answer in pages], traces, memory.state_hash(), memory.stats()))
            assert memory.verify().is_ok
        assert difference(told[1], told[0]) == ""

    with server:
        hold()
    assert played >= (50_000 if SOAK > 1 else 200)


def test_foreign_id_answers_like_a_missing_one(postgres_url: str) -> None:
    """An id that exists only for another tenant is missing here, in every call that takes one."""
    with open_memory("default", postgres_url) as memory:
        theirs = memory.session(user="ana", tenant="acme").remember("We decided to use Postgres.").items[-1]
        ours = memory.session(user="ana")
        told = []
        for item_id in (theirs.id, "user:ana:semantic:999"):
            answers = []
            for call in (ours.get, ours.pin, ours.forget, ours.erase):
                try:
                    answers.append(str(call(item_id)).replace(item_id, "ID"))
                except RecollectError as error:
                    answers.append(f"{type(error).__name__} {error}".replace(item_id, "ID"))
            told.append(answers)
        assert told[0] == told[1]
        assert memory.session(user="ana", tenant="acme").get(theirs.id).text == theirs.text


@pytest.fixture
def two_tenants(postgres_url: str) -> str:
    store = PostgresStore(postgres_url)
    for tenant in ("ours", "theirs"):
        with sitting(store.repository(tenant), ANA) as desk:
            keep(desk, offered(ANA, f"{tenant} canary"))
    store.close()
    return postgres_url


@pytest.mark.parametrize("table", WALLED)
def test_wall_is_the_databases_own(table: str, two_tenants: str) -> None:
    """Without a tenant nothing is visible; with one, no statement reaches another's rows, even by name."""
    with psycopg.connect(two_tenants, autocommit=True) as connection:
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
        for name in ("", "nobody"):
            connection.execute("SELECT set_config('recollect.tenant', %s, false)", (name,))
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
        connection.execute("SELECT set_config('recollect.tenant', 'ours', false)")
        assert connection.execute(f"SELECT count(*) FROM {table} WHERE tenant <> 'ours'").fetchone() == (0,)
        assert connection.execute(f"SELECT count(*) FROM {table} WHERE tenant = 'theirs'").fetchone() == (0,)


def test_nobody_writes_through_the_wall(two_tenants: str) -> None:
    """A row cannot be put behind another tenant's wall, moved there, or taken from there."""
    with psycopg.connect(two_tenants, autocommit=True) as connection:
        connection.execute("SELECT set_config('recollect.tenant', 'ours', false)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("INSERT INTO policies (tenant, hash, body) VALUES ('theirs', 'h', 'b')")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("UPDATE items SET tenant = 'theirs'")
        assert connection.execute("DELETE FROM items WHERE tenant = 'theirs'").rowcount == 0
        assert connection.execute("UPDATE items SET body = 'x' WHERE tenant = 'theirs'").rowcount == 0


def test_log_cannot_be_changed_by_the_application(two_tenants: str) -> None:
    """The restricted role adds to the log; it cannot change or remove a record, or take a wall down."""
    statements = (
        "UPDATE log SET record = '{}'",
        "DELETE FROM log",
        "TRUNCATE log",
        "DELETE FROM scopes",
        "ALTER TABLE items DISABLE ROW LEVEL SECURITY",
        "DROP POLICY wall ON items",
        "CREATE TABLE mine (n int)",
    )
    with psycopg.connect(two_tenants, autocommit=True) as connection:
        connection.execute("SELECT set_config('recollect.tenant', 'ours', false)")
        for statement in statements:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())


def test_tenant_is_asserted_in_code(two_tenants: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the server would not confirm the tenant, nothing is read: the answer is an error, not an empty memory."""
    monkeypatch.setitem(SQL, "tenant_name", "SELECT set_config('recollect.tenant', $1 || 'x', true)")
    store = PostgresStore(two_tenants)
    try:
        with pytest.raises(StoreError) as refused, store.repository("ours").reading() as reader:
            reader.places()
        assert refused.value.reason == "wall_down"
    finally:
        store.close()


def test_no_method_takes_a_tenant() -> None:
    """A repository is built for one tenant; nothing it can be asked names another."""
    for kind in (PostgresReader, PostgresWriter, PostgresRepository):
        for name, method in inspect.getmembers(kind, inspect.isfunction):
            assert name == "__init__" or "tenant" not in inspect.signature(method).parameters, name


@pytest.mark.parametrize("tenant", ["", " ", "\0", "a" * 201, "\ud800"])
def test_bad_tenant_is_a_typed_error(tenant: str, postgres_url: str) -> None:
    """A tenant that is empty or cannot be stored is refused before anything is asked of the server."""
    with open_memory("default", postgres_url) as memory, pytest.raises(RecollectError):
        memory.session(user="ana", tenant=tenant).remember("hello there")


@pytest.mark.parametrize("tenant", ["../x", "default'--", "%s", "$1", "a" * 200, "🦔" * 200])
def test_odd_tenant_is_only_a_name(tenant: str, postgres_url: str) -> None:
    """A tenant is data: whatever it is called, it is one more tenant."""
    with open_memory("default", postgres_url) as memory:
        memory.session(user="ana").remember("I live in Lisbon.")
        memory.session(user="ana", tenant=tenant).remember("I live in Oslo.")
        assert "Oslo" in memory.session(user="ana", tenant=tenant).recall("where do I live?").text
        assert "Oslo" not in memory.session(user="ana").recall("where do I live?").text


def test_a_dropped_wall_is_noticed(postgres_url: str, postgres_server: PostgresServer) -> None:
    """A memory is not opened on tables whose wall is down, whoever took it down."""
    schema = postgres_url.rsplit("%3D", 1)[1]
    with psycopg.connect(postgres_server.url(schema=schema), autocommit=True) as connection:
        connection.execute("ALTER TABLE items NO FORCE ROW LEVEL SECURITY")
    with pytest.raises(StoreError) as refused:
        open_memory("default", postgres_url)
    assert refused.value.reason == "wall_down"


def test_many_places_are_locked_at_once(postgres_url: str) -> None:
    """A write over thousands of places at once works, whether they have rows yet or not."""
    store = PostgresStore(postgres_url)
    repository = store.repository("default")
    places = tuple(Place(Space.SESSION, f"s{number}") for number in range(3_000))
    keep_many(repository, places[7], Kind.SEMANTIC, 1)
    with repository.writing(places) as writer:
        heads = writer.heads(places)
        assert heads[places[7]].seq == 1
        assert heads[places[8]].seq == 0
    store.close()
