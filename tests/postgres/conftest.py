"""Lets the tests on a server speak the language of the laws' conversations and of the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from recollect.testing.postgres_server import PostgresServer

for folder in ("laws", "surfaces", "keep"):
    sys.path.append(str(Path(__file__).parents[1] / folder))

Wipe = Callable[[], None]


@pytest.fixture
def wipe(postgres_server: PostgresServer, postgres_url: str) -> Wipe:
    """Empties the test's own schema, which is quicker than making another."""
    schema = postgres_url.rsplit("%3D", 1)[1]

    def run() -> None:
        with psycopg.connect(postgres_server.url(schema=schema), autocommit=True) as connection:
            tables = connection.execute(
                "SELECT string_agg(relname, ', ') FROM pg_class WHERE relkind = 'r' AND relname <> 'recollect_schema'"
                " AND relnamespace = current_schema()::regnamespace"
            ).fetchone()
            assert tables is not None
            connection.execute(f"TRUNCATE {tables[0]}".encode())

    return run
