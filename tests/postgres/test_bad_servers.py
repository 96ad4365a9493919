"""Whatever is wrong with a server, the answer is a typed error that says what to do, and nothing is half written."""

from __future__ import annotations

import logging
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase

import psycopg
import pytest
from conversations import open_memory
from psycopg_pool import PoolTimeout

from recollect import errors
from recollect.adapters.stores.postgres import schema as schema_module
from recollect.adapters.stores.postgres.schema import Schema, make_role, migrate
from recollect.adapters.stores.postgres.store import PostgresStore
from recollect.testing.commits import ANA
from recollect.testing.postgres_server import NOBODY, OLDEST, PASSWORD_ROLE, PostgresServer, free_port


def refused(url: str) -> errors.RecollectError:
    """The error of opening a memory there."""
    with pytest.raises(errors.RecollectError) as caught:
        open_memory("default", url)
    error = caught.value
    assert error.hint, error
    assert "hunter2" not in str(error)
    return error


def schema_of(url: str) -> str:
    return url.rsplit("%3D", 1)[1]


def as_superuser(server: PostgresServer, url: str, statement: str) -> None:
    with psycopg.connect(server.url(schema=schema_of(url)), autocommit=True) as connection:
        connection.execute(statement.encode())


def test_wrong_password(postgres_server: PostgresServer) -> None:
    """A wrong password and a missing one are told as such."""
    with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
        connection.execute(f"DROP ROLE IF EXISTS {PASSWORD_ROLE}")
        connection.execute(f"CREATE ROLE {PASSWORD_ROLE} LOGIN PASSWORD 'right one'")
    for password in ("hunter2hunter2", ""):
        error = refused(postgres_server.url(PASSWORD_ROLE, password=password))
        assert (type(error), error.reason) == (errors.StoreUnreachable, "wrong_password")


def test_unreachable_servers(postgres_server: PostgresServer) -> None:
    """No listener, no host, no database, no role: each has its own reason."""
    assert refused(f"postgresql://x:hunter2@127.0.0.1:{free_port()}/x").reason == "nobody_listens"
    assert refused("postgresql://x:hunter2@no-such-host.invalid/x").reason == "no_such_host"
    assert refused(postgres_server.url(database="no_such_database")).reason == "no_such_database"
    assert refused(postgres_server.url("no_such_role")).reason == "no_such_database"


@pytest.mark.parametrize("url", ["postgresql://[", "postgresql://h:port/x", "postgresql://h/x?nonsense=1"])
def test_address_that_is_none(url: str) -> None:
    """An address that cannot be read is the caller's mistake."""
    assert refused(url).reason in {"bad_target", "no_such_host", "unreachable"}


def test_database_without_a_memory(postgres_server: PostgresServer) -> None:
    """An empty database is not turned into a memory by opening it."""
    assert refused(postgres_server.url(schema="pg_temp")).reason == "not_initialised"


def test_newer_and_older_schema(postgres_server: PostgresServer, postgres_url: str) -> None:
    """A schema this version does not know is left alone; an older one is told to be migrated, by its owner."""
    as_superuser(postgres_server, postgres_url, "INSERT INTO recollect_schema VALUES (9999)")
    assert isinstance(refused(postgres_url), errors.StoreNewer)
    owner = postgres_url.replace("recollect_app", "recollect_owner")
    with pytest.raises(errors.StoreNewer):
        Schema(owner).migrate()
    as_superuser(postgres_server, postgres_url, "DELETE FROM recollect_schema WHERE version > 1")
    assert refused(postgres_url).reason == "schema_older"


def test_older_server(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server below the supported version is refused by its number."""
    monkeypatch.setattr(schema_module, "OLDEST_SERVER", 990_000)
    error = refused(postgres_url)
    assert error.reason == "server_too_old"
    assert "99" in error.message


def test_missing_grant(postgres_server: PostgresServer, postgres_url: str) -> None:
    """A role that may not write is told which command gives it what it needs; nothing is half written."""
    as_superuser(postgres_server, postgres_url, "REVOKE INSERT ON log FROM recollect_app")
    with open_memory("default", postgres_url) as memory:
        with pytest.raises(errors.StoreReadOnly) as caught:
            memory.session(user="ana").remember("I live in Lisbon.")
        assert caught.value.reason == "missing_grant"
        assert memory.stats() == {"places": 0, "records": 0}


def test_exhausted_pool(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When every connection of this process is in use, the answer is `busy` after a bounded wait."""
    store = PostgresStore(postgres_url, pool_size=1)
    store._pool._borrow_seconds = 0.2
    repository = store.repository("default")
    with repository.reading() as reader:
        assert reader.places() == []
        with pytest.raises(errors.StoreBusy) as caught, repository.reading() as second:
            second.places()
        assert caught.value.reason == "pool_exhausted"
    store.close()


def test_server_that_came_back_is_not_taken_for_a_full_pool(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart the pool may wait in vain for its own next try; a server that answers is asked once more."""
    store = PostgresStore(postgres_url)
    real, waits = store._pool._pool.getconn, []

    def getconn(timeout: float) -> object:
        waits.append(timeout)
        if len(waits) == 1:
            raise PoolTimeout("the pool was still pausing")
        return real(timeout=timeout)

    monkeypatch.setattr(store._pool._pool, "getconn", getconn)
    try:
        with store.repository("default").reading() as reader:
            assert reader.places() == []
        assert len(waits) == 2
    finally:
        store.close()


def test_pool_writes_to_nobodys_terminal(postgres_server: PostgresServer, postgres_url: str) -> None:
    """What the driver's pool logs about failed tries is not printed by a program that configured no logging."""
    assert logging.getLogger("psycopg.pool").handlers


def test_server_without_a_free_connection(postgres_server: PostgresServer, postgres_url: str) -> None:
    """A server that takes no more connections is `busy`, when a memory is opened and when it is used."""
    role = f"crowded_{schema_of(postgres_url)}"
    make_role(postgres_url.replace("recollect_app", "recollect_owner"), role)
    as_superuser(postgres_server, postgres_url, f"ALTER ROLE {role} CONNECTION LIMIT 1")
    url = postgres_url.replace("recollect_app", role)
    try:
        with open_memory("default", url) as memory:
            memory.session(user="ana").remember("I live in Lisbon.")
            error = refused(url)
            assert (type(error), error.reason) == (errors.StoreBusy, "server_exhausted")
    finally:
        as_superuser(postgres_server, postgres_url, f"DROP OWNED BY {role}; DROP ROLE {role}")


def test_server_that_was_set_read_only(postgres_server: PostgresServer, postgres_url: str) -> None:
    """Where the operator has switched writing off, no memory opens and no table is changed."""
    role = f"quiet_{schema_of(postgres_url)}"
    make_role(postgres_url.replace("recollect_app", "recollect_owner"), role)
    url = postgres_url.replace("recollect_app", role)
    try:
        with open_memory("default", url) as memory:
            memory.session(user="ana").remember("I live in Lisbon.")
            as_superuser(postgres_server, postgres_url, f"ALTER ROLE {role} SET default_transaction_read_only = on")
            before = memory.state_hash()
        assert refused(url).reason == "read_only_replica"
        with pytest.raises(errors.StoreReadOnly):
            Schema(url).migrate()
        with open_memory("default", postgres_url) as memory:
            assert memory.state_hash() == before
    finally:
        as_superuser(postgres_server, postgres_url, f"DROP OWNED BY {role}; DROP ROLE {role}")


@pytest.mark.parametrize("is_hopeful", [True, False], ids=["as one statement", "under locks"])
def test_server_that_turns_read_only_meanwhile(
    is_hopeful: bool, postgres_server: PostgresServer, postgres_url: str
) -> None:
    """While a server is set read-only, each write of an open memory gets a typed error, and reading goes on."""
    with open_memory("default", postgres_url) as memory:
        chat = memory.session(user="ana")
        chat.remember("I live in Lisbon.")
        before = memory.state_hash()
        with memory._parts.store.lent() as connection:  # type: ignore[attr-defined]
            connection.execute("SET default_transaction_read_only = on")
        with pytest.raises(errors.StoreReadOnly) as caught:
            chat.remember("The boat was old.") if is_hopeful else memory.session(user="bob").remember("Hello there.")
        assert caught.value.reason == "read_only_replica"
        assert memory.state_hash() == before
        assert "Lisbon" in chat.recall("where do I live?").text


@pytest.mark.parametrize("tenant", ["../x", "a/b", "x' OR '1'='1", "%", "…", "*"])
def test_strange_tenants_are_tenants_like_any_other(tenant: str, postgres_url: str) -> None:
    """A tenant's name is data: it opens no path, breaks no statement and matches nobody else."""
    with open_memory("default", postgres_url) as memory:
        memory.session(user="ana", tenant="plain").remember("I live in Oslo.")
        memory.session(user="ana", tenant=tenant).remember("I live in Lisbon.")
        told = memory.session(user="ana", tenant=tenant).recall("where do I live?").text
        assert "Lisbon" in told
        assert "Oslo" not in told
        assert memory.verify(tenant=tenant).is_ok


@pytest.mark.parametrize("tenant", ["", " ", "\t"])
def test_empty_tenant_is_refused_on_a_server(tenant: str, postgres_url: str) -> None:
    """Nobody ends up behind a wall without a name, and nothing is written."""
    with open_memory("default", postgres_url) as memory:
        with pytest.raises(errors.InvalidInput):
            memory.session(user="ana", tenant=tenant).remember("I live in Lisbon.")
        assert memory.stats() == {"places": 0, "records": 0}


@pytest.mark.skipif(os.getuid() != 0, reason="a small disk is mounted, which only root may")
def test_disk_that_is_really_full(postgres_server: PostgresServer, postgres_url: str, room: Path) -> None:
    """On a full disk the answer is `store_full`, nothing is half written, and with room again everything goes on."""
    disk = room / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=777", "tmpfs", str(disk)], check=False)
    if mounted.returncode != 0:
        pytest.skip("no small disk can be mounted here")
    name = f"small_{schema_of(postgres_url)}"
    try:
        room.chmod(0o755)
        shutil.chown(disk, NOBODY, NOBODY)
        with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
            connection.execute(f"CREATE TABLESPACE {name} LOCATION '{disk}'".encode())
        as_superuser(postgres_server, postgres_url, f"ALTER TABLE items SET TABLESPACE {name}")
        with open_memory("default", postgres_url) as memory:
            chat, chance = memory.session(user="ana"), random.Random(1)
            with pytest.raises(errors.StoreFull):
                for _ in range(1_000):
                    # The server packs what repeats itself; this does not.
                    chat.remember(" ".join("".join(chance.choices(ascii_lowercase, k=6)) for _ in range(600)))
            before = memory.state_hash()
            assert memory.verify().is_ok
            subprocess.run(["mount", "-o", "remount,size=16m", str(disk)], check=True)
            chat.remember("There is room again.")
            assert memory.state_hash() != before
            assert memory.verify().is_ok
        as_superuser(postgres_server, postgres_url, "ALTER TABLE items SET TABLESPACE pg_default")
    finally:
        with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
            connection.execute(f"DROP SCHEMA {schema_of(postgres_url)} CASCADE".encode())
            connection.execute("CHECKPOINT")
            connection.execute(f"DROP TABLESPACE IF EXISTS {name}".encode())
        subprocess.run(["umount", "-l", str(disk)], check=False)


def test_lock_is_not_waited_for_without_end(postgres_url: str) -> None:
    """Whoever waits too long for a place that another writer holds is sent away with `busy`; nothing is changed."""
    holder = PostgresStore(postgres_url)
    waiter = PostgresStore(postgres_url.replace("options=", "options=-clock_timeout%3D200%20"))
    held = holder.repository("default").writing((ANA,))
    with held, pytest.raises(errors.StoreBusy), waiter.repository("default").writing((ANA,)):
        raise AssertionError("two writers of one place")
    with waiter.repository("default").writing((ANA,)) as writer:
        assert writer.heads([ANA])[ANA].seq == 0
    holder.close()
    waiter.close()


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("53100", errors.StoreFull),
        ("25006", errors.StoreReadOnly),
        ("57014", errors.StoreBusy),
        ("23514", errors.StoreError),
        ("XX001", errors.StoreDamaged),
    ],
)
def test_server_that_fails_in_the_middle(
    state: str, kind: type[errors.StoreError], postgres_server: PostgresServer, postgres_url: str
) -> None:
    """A full disk, a server that turned read-only, a timeout, damage: typed, whole, and gone when it is over."""
    as_superuser(
        postgres_server,
        postgres_url,
        f"CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the words of a row'"
        f" USING ERRCODE = '{state}'; END $$; CREATE TRIGGER fail BEFORE UPDATE ON scopes EXECUTE FUNCTION fail()",
    )
    with open_memory("default", postgres_url) as memory:
        with pytest.raises(kind) as caught:
            memory.session(user="ana").remember("I live in Lisbon.")
        assert "words of a row" not in str(caught.value)
        assert memory.stats() == {"places": 0, "records": 0}
        as_superuser(postgres_server, postgres_url, "DROP TRIGGER fail ON scopes")
        memory.session(user="ana").remember("I live in Lisbon.")
        assert "Lisbon" in memory.session(user="ana").recall("where do I live?").text
        assert memory.verify().is_ok


def test_forked_process_is_told_to_open_its_own(postgres_url: str) -> None:
    """A memory that was opened before a fork is not used after it."""
    with open_memory("default", postgres_url) as memory:
        memory._parts.store._pid += 1  # type: ignore[attr-defined]
        with pytest.raises(errors.StoreError) as caught:
            memory.stats()
        assert caught.value.reason == "forked"
        memory._parts.store._pid -= 1  # type: ignore[attr-defined]


# copies of a server, by its own tools


@pytest.fixture
def room() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="recollect-pg-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_replica_and_base_backup(postgres_server: PostgresServer, postgres_url: str, room: Path) -> None:
    """A base backup starts as a read-only replica, which is refused by name, and, promoted, is the same memory."""
    with open_memory("default", postgres_url) as memory:
        memory.session(user="ana").remember("I live in Lisbon.")
        expected = (memory.state_hash(), memory.anchor())
    copy = PostgresServer(room, free_port(), postgres_server.programs)
    room.chmod(0o777)
    copy.run("pg_basebackup", "-D", copy.data, "-d", postgres_server.url(), "-R", "-c", "fast", "--no-sync")
    copy.start(("fsync=off",))
    try:
        there = copy.url("recollect_app", schema=schema_of(postgres_url))
        assert refused(there).reason == "read_only_replica"
        assert isinstance(refused(f"{there}&target_session_attrs=read-write"), errors.StoreReadOnly)
        copy.run("pg_ctl", "-D", copy.data, "-w", "promote")
        with open_memory("default", there) as memory:
            assert (memory.state_hash(), memory.anchor()) == expected
            assert memory.verify().is_ok
            memory.session(user="ana").remember("Actually, I live in Berlin now.")
    finally:
        copy.stop("immediate")


def test_dump_and_restore(postgres_server: PostgresServer, postgres_url: str, room: Path) -> None:
    """pg_dump of the memory's schema, restored into another database, is the same memory behind the same walls."""
    with open_memory("default", postgres_url) as memory:
        for tenant in ("default", "acme"):
            memory.session(user="ana", tenant=tenant).remember("I live in Lisbon.")
        expected = memory.state_hash(tenant="acme")
    room.chmod(0o777)
    name = schema_of(postgres_url)
    database = f"restored_{name}"
    file = room / "memory.dump"
    postgres_server.run("pg_dump", "-Fc", "-n", name, "-f", file, "-d", postgres_server.url())
    with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {database}")
        try:
            postgres_server.run("pg_restore", "-d", postgres_server.url(database=database), file)
            with open_memory("default", postgres_server.url("recollect_app", database, name)) as memory:
                assert memory.state_hash(tenant="acme") == expected
                assert memory.verify(tenant="acme").is_ok
                assert memory.check() == []
        finally:
            connection.execute(f"DROP DATABASE {database} WITH (FORCE)")


def test_oldest_server_of_the_wheel_works(room: Path, postgres_server: PostgresServer) -> None:
    """PostgreSQL 16 serves a memory too; what it cannot do (vacuum by a grant) is said."""
    server = PostgresServer.make(room, version=OLDEST)
    try:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("CREATE ROLE recollect_owner LOGIN CREATEROLE")
            connection.execute("CREATE SCHEMA m AUTHORIZATION recollect_owner")
        owner = server.url("recollect_owner", schema="m")
        migrate(owner, is_first=True)
        make_role(owner, "recollect_app")
        with open_memory("default", server.url("recollect_app", schema="m")) as memory:
            chat = memory.session(user="ana")
            chat.remember("I live in Lisbon.")
            assert "Lisbon" in chat.recall("where do I live?").text
            assert any("may not vacuum" in sentence for sentence in memory.erase_user("ana").pending)
            assert memory.verify().is_ok
    finally:
        server.stop("immediate")
