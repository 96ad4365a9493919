"""`recollect db`, `doctor` and `migrate-store` on a server, as an administrator meets them."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from cli_runner import Line

from recollect.testing.postgres_server import PostgresServer

OWNER = "recollect_owner"


@pytest.fixture
def line(tmp_path: Path) -> Line:
    return Line(tmp_path)


@pytest.fixture
def empty_url(postgres_server: PostgresServer, tmp_path: Path) -> str:
    """The address of an empty schema, as its owner."""
    schema = f"cli_{abs(hash(tmp_path)) % 10**12}"
    with psycopg.connect(postgres_server.url(OWNER), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}".encode())
    return postgres_server.url(OWNER, schema=schema)


def as_app(url: str) -> str:
    return url.replace(OWNER, "recollect_app")


def test_from_nothing_to_a_memory(line: Line, empty_url: str) -> None:
    """init, role, check, remember, recall: five commands from an empty database to an answer."""
    refused = line("remember", "I live in Lisbon.", "--db", as_app(empty_url), "--json", code=8)
    assert refused.json["error"]["reason"] in {"not_initialised", "missing_grant"}
    assert line("db", "init", "--db", empty_url, "--json").json["from"] == 0
    again = line("db", "init", "--db", empty_url, "--json").json
    assert again["from"] == again["to"]
    line("db", "migrate", "--db", empty_url)
    assert line("db", "role", "recollect_app", "--db", empty_url, "--json").json["role"] == "recollect_app"
    assert line("db", "check", "--db", as_app(empty_url), "--json").json == {"healthy": True, "findings": []}
    line("remember", "I live in Lisbon.", "--db", as_app(empty_url))
    assert "Lisbon" in line("recall", "where do I live?", "--db", as_app(empty_url)).out
    assert line("doctor", "--db", as_app(empty_url), "--json").json["healthy"]


def test_too_strong_a_role_is_refused_unless_told(
    line: Line, empty_url: str, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner and a superuser are refused with the reason; who knows why can say so."""
    line("db", "init", "--db", empty_url)
    for url, word in ((empty_url, "owns the tables"), (empty_url.replace(OWNER, "postgres"), "superuser")):
        said = line("remember", "I live in Lisbon.", "--db", url, "--json", code=8).json["error"]
        assert said["reason"] == "role_too_strong"
        assert word in said["message"]
        assert "recollect db role" in said["hint"]
        assert line("db", "check", "--db", url, code=8).out
    monkeypatch.setenv("RECOLLECT_ALLOW_OWNER", "1")
    line("remember", "I live in Lisbon.", "--db", empty_url)


def test_role_is_never_a_strong_one(line: Line, empty_url: str) -> None:
    """`db role` does not hand a memory to its owner or to a superuser."""
    line("db", "init", "--db", empty_url)
    for name in ("postgres", OWNER):
        assert (
            line("db", "role", name, "--db", empty_url, "--json", code=8).json["error"]["reason"] == "role_too_strong"
        )


def test_password_is_in_no_answer(line: Line, postgres_server: PostgresServer) -> None:
    """Whatever fails, the password in the address is printed nowhere."""
    url = postgres_server.url("nobody_there", password="hunter2hunter2")
    for words in (("stats",), ("doctor",), ("db", "check"), ("db", "init"), ("remember", "x")):
        for style in ((), ("--json",)):
            said = line(*words, "--db", url, *style, code=8)
            assert "hunter2" not in said.out + said.err
            assert said.out + said.err


def test_commands_for_a_server_say_so_on_a_file(line: Line) -> None:
    """On a file, `db` explains that it is for a server."""
    for words in (("init",), ("migrate",), ("check",), ("role", "x")):
        assert line("db", *words, "--json", code=2).json["error"]["reason"] == "not_a_server"


def test_store_is_moved_there_and_back(line: Line, postgres_url: str, tmp_path: Path) -> None:
    """A file, a server and a new file give the same hash; the new file has its name only when it is whole."""
    for tenant in ("default", "acme"):
        line("remember", "I live in Lisbon.", "--tenant", tenant)
    there = line("migrate-store", "--to", postgres_url, "--tenants", "default,acme", "--json").json["tenants"]
    back = tmp_path / "back.db"
    line("migrate-store", "--db", postgres_url, "--to", str(back), "--tenants", "default,acme")
    assert sorted(path.name for path in tmp_path.glob("back*moving*")) == []
    for tenant in ("default", "acme"):
        hashes = [
            line("stats", "--hash", "--db", db, "--tenant", tenant, "--json").json["state_hash"]
            for db in (str(line.db), postgres_url, str(back))
        ]
        assert hashes == [there[tenant]["state_hash"]] * 3
    assert line("migrate-store", "--to", str(back), "--json", code=2).json["error"]["reason"] == "file_exists"
