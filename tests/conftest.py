"""A real PostgreSQL server for the tests that need one: one for the whole session, a schema for each test."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator

import psycopg
import pytest

from recollect.adapters.stores.postgres.schema import make_role, migrate
from recollect.testing.postgres_server import NoServer, PostgresServer, borrow

OWNER, APP = "recollect_owner", "recollect_app"


@pytest.fixture(scope="session")
def postgres_server(testrun_uid: str) -> Iterator[PostgresServer]:
    """The server of this session, shared by all its processes. Where CI=true, not having one is a failure."""
    try:
        server, users = borrow(testrun_uid)
    except NoServer as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no PostgreSQL server here: {missing}")
    with users:
        _make_roles(server)
        yield server


def _make_roles(server: PostgresServer) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        # Of several processes that come at once, the first one makes them.
        connection.execute("SELECT pg_advisory_lock(1)")
        known = {row[0] for row in connection.execute("SELECT rolname FROM pg_roles")}
        for role in (OWNER, APP):
            if role not in known:
                connection.execute(
                    f"CREATE ROLE {role} LOGIN CREATEROLE" if role == OWNER else f"CREATE ROLE {role} LOGIN"
                )
        connection.execute(f"GRANT CREATE ON DATABASE postgres TO {OWNER}")


NUMBERS = itertools.count(1)


@pytest.fixture
def make_postgres_url(postgres_server: PostgresServer) -> Iterator[Callable[..., str]]:
    """Gives a fresh memory's address on every call; the schemas go when the test ends."""
    made: list[str] = []

    def make(role: str = APP) -> str:
        schema = f"t{os.getpid()}_{next(NUMBERS)}"
        made.append(schema)
        with psycopg.connect(postgres_server.url(OWNER), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}")
        owner = postgres_server.url(OWNER, schema=schema)
        migrate(owner, is_first=True)
        make_role(owner, APP)
        return postgres_server.url(role, schema=schema)

    yield make
    with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
        for schema in made:
            connection.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")


@pytest.fixture
def postgres_url(make_postgres_url: Callable[..., str]) -> str:
    """The address of one fresh memory, as its restricted role."""
    return make_postgres_url()
