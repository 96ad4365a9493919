"""PostgreSQL's statements: the names SQLite's have, none without the tenant, all ordered, all valid on a server."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import psycopg
import pytest
import sql_rules

from recollect.adapters.stores.named_queries import load_queries
from recollect.adapters.stores.postgres.schema import GRANTS, WALLED, migrations
from recollect.testing.postgres_server import PostgresServer

PACKAGE = "recollect.adapters.stores.postgres"
FOLDER = Path(__file__).parents[2] / "src" / "recollect" / "adapters" / "stores" / "postgres"
QUERIES = load_queries(PACKAGE)
SQLITE = load_queries("recollect.adapters.stores.sqlite")
# A file has an identity, counts scrubs and sees all tenants; a server has walls, locks and unanswered commits, and
# writes a whole decision by one call of its own function.
WRITTEN_BY_THE_FUNCTION = {
    *("scope_move", "item_stand", "item_delete", "sheet_add", "sheet_delete", "edge_add", "edge_delete"),
}
# `item_foremost` finds the pinned ones too, and of many places at once.
ONLY_IN_A_FILE = {"identity_add", "upkeep_count", "stray_names", "item_pinned", *WRITTEN_BY_THE_FUNCTION}
ONLY_ON_A_SERVER = {"tenant_name", "scope_lock", "scope_take", "log_find", "commit_put"}
_TABLE = re.compile(r"CREATE TABLE (\w+) \((.*?)\n\);", re.DOTALL)
_KEY = re.compile(r"(?:PRIMARY KEY|UNIQUE) \(([^)]*)\)")


def schema_text() -> str:
    return files(PACKAGE).joinpath("schema.sql").read_text(encoding="utf-8")


def unique_keys() -> dict[str, tuple[frozenset[str], ...]]:
    found = {}
    for table, body in _TABLE.findall(schema_text()):
        keys = [frozenset(part.strip() for part in key.split(",")) for key in _KEY.findall(body)]
        found[table] = tuple(keys)
    return found


KEYS = unique_keys()


def test_query_names_are_the_same_on_both_stores() -> None:
    """Who knows one store's statements knows the other's."""
    assert set(SQLITE) - set(QUERIES) == ONLY_IN_A_FILE
    assert set(QUERIES) - set(SQLITE) == ONLY_ON_A_SERVER


@pytest.mark.parametrize("name", QUERIES)
def test_no_query_without_the_tenant(name: str) -> None:
    """Every touch of every table names the tenant, as the first value."""
    assert sql_rules.without_tenant(QUERIES[name], frozenset(WALLED)) == ""
    assert "$1" in QUERIES[name]


def function_statements() -> list[str]:
    """Every statement of the function that writes decisions, with its tenant named as statements name it."""
    body = schema_text().split("CREATE FUNCTION", 1)[1].split("$$")[1]
    lines = [line for line in body.splitlines() if not line.strip().startswith("--")]
    return [re.sub(r"\bnamed\b", "$1", part) for part in re.split(r";|\bLOOP\b|\bTHEN\b", "\n".join(lines))]


def test_function_names_the_tenant_too() -> None:
    """What the server's own function touches, it touches behind the tenant's name."""
    touching = [part for part in function_statements() if re.search(r"\b(FROM|INTO|UPDATE)\s+[a-z]", part)]
    assert len(touching) >= 10
    for statement in touching:
        assert sql_rules.without_tenant(statement, frozenset(WALLED)) == ""


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 FROM items WHERE scope = $1",
        "SELECT 1 FROM items WHERE tenant = $10",
        "DELETE FROM edges WHERE tenant = $2 AND scope = $1",
        "SELECT 1 FROM items WHERE tenant = $1 AND scope IN (SELECT number FROM scopes)",
        "INSERT INTO log (scope, tenant) VALUES ($2, $1)",
        "UPDATE items SET n = 1",
    ],
)
def test_planted_query_without_tenant_is_found(sql: str) -> None:
    """The rule fires on every way of forgetting the tenant."""
    assert sql_rules.without_tenant(sql, frozenset(WALLED))


@pytest.mark.parametrize("name", QUERIES)
def test_every_order_is_total(name: str) -> None:
    """Every ORDER BY ends in a unique key, and no LIMIT cuts an order that was not named."""
    assert sql_rules.unordered(QUERIES[name], KEYS) == ""
    assert not sql_rules.limited_without_order(QUERIES[name])


@pytest.mark.parametrize("name", [name for name in QUERIES if name != "tenant_name"])
def test_values_come_in_as_parameters(name: str) -> None:
    """No statement carries a caller's value in its text."""
    assert sql_rules.foreign_literals(QUERIES[name]) == []


def test_every_key_starts_with_the_tenant() -> None:
    """No key, index or constraint crosses a tenant; there is no sequence and no foreign key."""
    text = "\n".join(line for line in schema_text().splitlines() if not line.startswith("--"))
    for table in WALLED:
        assert KEYS[table]
        assert f"ALTER TABLE {table} " in re.sub(r" +", " ", text).replace("  ", " ")
    keys = _KEY.findall(text) + re.findall(r"CREATE (?:UNIQUE )?INDEX \w+ ON \w+ \(([^)]*)\)", text)
    assert [key for key in keys if not key.startswith("tenant")] == []
    assert not re.search(r"\b(serial|identity|sequence|references|foreign key)\b", text, re.IGNORECASE)


def test_every_query_is_used_and_explained() -> None:
    """A named query is asked for somewhere in the store, and says in one line what it is for."""
    names = {
        node.value
        for path in FOLDER.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    made = {name for name in QUERIES if name.startswith("dump_")}
    assert set(QUERIES) - names - made == set()
    lines = (FOLDER / "queries.sql").read_text(encoding="utf-8").splitlines()
    for at, line in enumerate(lines):
        if line.startswith("-- name:"):
            assert lines[at + 1].startswith("-- "), line


@pytest.fixture
def two_schemas(postgres_server: PostgresServer) -> Iterator[tuple[str, str]]:
    names = ("sum_fresh", "sum_migrated")
    with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
        for name in names:
            connection.execute(f"CREATE SCHEMA {name}")
        yield names
        for name in names:
            connection.execute(f"DROP SCHEMA {name} CASCADE")


def test_schema_is_the_sum_of_the_migrations(postgres_server: PostgresServer, two_schemas: tuple[str, str]) -> None:
    """A fresh database and one that went through every migration have the same schema; every query is valid on it."""
    scripts = ([schema_text()], [script for _, script in migrations()])
    dumps = []
    for name, script in zip(two_schemas, scripts, strict=True):
        with psycopg.connect(postgres_server.url(schema=name), autocommit=True) as connection:
            for part in script:
                connection.execute(part.encode())
            for number, query in enumerate(QUERIES.values()):
                connection.execute(f"PREPARE q{number} AS {query}".encode())
        dumped = postgres_server.run(
            "pg_dump", "--schema-only", "--no-owner", f"--schema={name}", postgres_server.url()
        )
        lines = [line.replace(name, "x") for line in dumped.splitlines() if not line.startswith(("--", "\\"))]
        dumps.append(lines)
    assert dumps[0] == dumps[1]
    assert sum(line.startswith("CREATE TABLE") for line in dumps[0]) == len(GRANTS)


def test_migrations_are_numbered_without_gaps() -> None:
    """Migrations count from one, each number once."""
    numbers = [number for number, _ in migrations()]
    assert numbers == list(range(1, len(numbers) + 1))
