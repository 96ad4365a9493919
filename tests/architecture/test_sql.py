"""SQL is an asset: named, deterministic, totally ordered, used, and its schema is the sum of its migrations."""

from __future__ import annotations

import ast
from importlib.resources import files
from pathlib import Path

import apsw
import pytest
import sql_rules

from recollect.adapters.stores.named_queries import load_queries
from recollect.adapters.stores.sqlite.connect import migrations

STORES = Path(__file__).parents[2] / "src" / "recollect" / "adapters" / "stores"
SQL_FILES = sorted(STORES.rglob("*.sql"))
PACKAGE = "recollect.adapters.stores.sqlite"
QUERIES = load_queries(PACKAGE)


def database(*scripts: str) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    for script in scripts:
        connection.execute(script)
    return connection


def schema_text() -> str:
    return files(PACKAGE).joinpath("schema.sql").read_text(encoding="utf-8")


def unique_keys() -> dict[str, tuple[frozenset[str], ...]]:
    """Every unique key of every table, read from a database made of the schema. Partial indexes do not count."""
    connection = database(schema_text())
    keys: dict[str, tuple[frozenset[str], ...]] = {}
    for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        found = [frozenset(row[1] for row in columns if row[5])]
        for _, index, is_unique, _, is_partial in connection.execute(f"PRAGMA index_list({table})").fetchall():
            if is_unique and not is_partial:
                found.append(frozenset(row[2] for row in connection.execute(f"PRAGMA index_info({index})").fetchall()))
        keys[table] = tuple(key for key in found if key)
    return keys


KEYS = unique_keys()


@pytest.mark.parametrize("path", SQL_FILES, ids=lambda path: path.name)
def test_no_sql_reads_a_clock_or_chance(path: Path) -> None:
    """Time and randomness come in as data, never from the database."""
    statements = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("--")]
    assert not sql_rules.reads_clock_or_chance("\n".join(statements))


@pytest.mark.parametrize("name", QUERIES)
def test_every_order_is_total(name: str) -> None:
    """Every ORDER BY ends in a unique key, and no LIMIT cuts an order that was not named."""
    assert sql_rules.unordered(QUERIES[name], KEYS) == ""
    assert not sql_rules.limited_without_order(QUERIES[name])


@pytest.mark.parametrize("name", QUERIES)
def test_values_come_in_as_parameters(name: str) -> None:
    """No statement carries a caller's value in its text."""
    assert sql_rules.foreign_literals(QUERIES[name]) == []


@pytest.mark.parametrize("name", QUERIES)
def test_every_named_query_is_used_and_valid(name: str) -> None:
    """A named query is asked for somewhere in the store, and SQLite can prepare it against the schema."""
    names = {
        node.value
        for path in (STORES / "sqlite").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert name in names
    connection = database(schema_text())
    connection.execute(f"EXPLAIN {QUERIES[name]}", (None,) * QUERIES[name].count("?"))


def test_every_query_says_what_it_is_for() -> None:
    """Each named query carries one line of purpose."""
    text = files(PACKAGE).joinpath("queries.sql").read_text(encoding="utf-8")
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if line.startswith("-- name:"):
            assert lines[at + 1].startswith("-- "), line
    assert len(QUERIES) == text.count("-- name:")


def test_schema_is_the_sum_of_the_migrations() -> None:
    """A fresh database and one that went through every migration have the same schema."""
    fresh = database(schema_text())
    migrated = database(*(script for _, script in migrations()))
    listing = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    assert fresh.execute(listing).fetchall() == migrated.execute(listing).fetchall()


def test_migrations_are_numbered_without_gaps() -> None:
    """Migrations count from one, each number once."""
    numbers = [number for number, _ in migrations()]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize(
    ("sql", "is_total"),
    [
        ("SELECT * FROM items WHERE scope = ? AND kind = ? ORDER BY importance DESC, n DESC", True),
        ("SELECT * FROM items WHERE scope = ? ORDER BY kind, n", True),
        ("SELECT * FROM items WHERE scope = ? ORDER BY n", False),
        ("SELECT * FROM items WHERE scope = ? AND kind = 2 ORDER BY importance", False),
        ("SELECT * FROM items WHERE scope = ? AND kind = ? ORDER BY n, importance", False),
        ("SELECT * FROM scopes WHERE tenant = ? ORDER BY owner", False),
        ("SELECT kind, count(*) FROM items GROUP BY kind ORDER BY kind", True),
        ("SELECT scope FROM (SELECT scope FROM log UNION SELECT scope FROM items) ORDER BY scope", True),
        ("SELECT scope FROM (SELECT scope FROM log UNION ALL SELECT scope FROM items) ORDER BY scope", False),
        ("SELECT kind, count(*) FROM items GROUP BY kind, status ORDER BY kind", False),
    ],
)
def test_planted_orders_are_judged(sql: str, is_total: bool) -> None:
    """The rule for total orders tells a tie from a unique key."""
    assert (sql_rules.unordered(sql, KEYS) == "") is is_total


@pytest.mark.parametrize(
    "sql",
    ["SELECT now()", "SELECT RANDOM()", "SELECT CURRENT_TIMESTAMP", "SELECT datetime('now')", "SELECT unixepoch()"],
)
def test_planted_clocks_are_found(sql: str) -> None:
    """The rule against clocks and chance fires."""
    assert sql_rules.reads_clock_or_chance(sql)


def test_planted_literals_and_limits_are_found() -> None:
    """The rules against values in statements and unordered limits fire."""
    assert sql_rules.foreign_literals("SELECT 1 FROM items WHERE key = 'ana'") == ["ana"]
    assert sql_rules.limited_without_order("SELECT 1 FROM items LIMIT 1")
