"""The numbers of the store on PostgreSQL: beside SQLite's, and beside the server's own commits, in the same run.

A server is started for the run, with its durability on, on the loopback address. Every number is a ratio of two things
measured alternately, so that a busy machine slows both. Run: make bench-postgres  (or: python bench/postgres.py --full)
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from core import fill, sentence
from corpora import chats, locomo
from quality import ours
from recollect import Memory
from recollect.adapters.stores.postgres.schema import make_role, migrate
from recollect.testing.postgres_server import PostgresServer

Rows = list[tuple[str, str, str]]
QUESTIONS = ("who fixed the piano?", "what about the budget and the invoice?", "when did Priya visit the airport?")
PROCESSES = 8
ROUNDS = 6


@contextmanager
def server() -> Iterator[PostgresServer]:
    """A server with its safety on, and a memory's schema in it."""
    folder = Path(tempfile.mkdtemp(prefix="recollect-bench-"))
    made = PostgresServer.make(folder, settings=("fsync=on", "synchronous_commit=on", "max_wal_size=4GB"))
    try:
        with psycopg.connect(made.url(), autocommit=True) as connection:
            connection.execute("CREATE ROLE owner LOGIN CREATEROLE")
            connection.execute("CREATE SCHEMA memory AUTHORIZATION owner")
            connection.execute("CREATE TABLE raw (n bigserial PRIMARY KEY, body text)")
            connection.execute("GRANT ALL ON raw, raw_n_seq TO PUBLIC")
        migrate(made.url("owner", schema="memory"), is_first=True)
        make_role(made.url("owner", schema="memory"), "app")
        yield made
    finally:
        try:
            made.stop("immediate")
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def bench_recall(url: str, folder: Path, size: int, rounds: int) -> Rows:
    """Warm recall of one owner on both stores, alternating; then the first recall of a process that knows nothing."""
    path = str(folder / f"{size}.db")
    user = f"user{size}"
    with Memory.open(path) as file, Memory.open(url) as there:
        for memory in (file, there):
            fill(memory, user, size, seed=size)
            memory.session(user=user, session="bulk").recall(QUESTIONS[0])
        took: dict[str, list[float]] = {"file": [], "server": []}
        for number in range(rounds):
            question = QUESTIONS[number % len(QUESTIONS)]
            for name, memory in (("file", file), ("server", there)):
                session = memory.session(user=user, session="bulk")
                took[name].append(timed(lambda s=session, q=question: s.recall(q)))  # type: ignore[misc]
    warm = {name: statistics.median(times) for name, times in took.items()}
    cold: dict[str, float] = {}
    for name, target in (("file", path), ("server", url)):
        tries = []
        for _ in range(3):
            with Memory.open(target) as memory:
                session = memory.session(user=user, session="bulk")
                tries.append(timed(lambda s=session: s.recall(QUESTIONS[0])))  # type: ignore[misc]
        cold[name] = min(tries)
    return [
        (
            f"warm recall, {size:,} items, PostgreSQL : SQLite",
            f"{warm['server'] / warm['file']:.2f} ({warm['server'] * 1e3:.1f} : {warm['file'] * 1e3:.1f} ms)",
            "1.5",
        ),
        (
            f"first recall of a process, {size:,} items",
            f"{cold['server'] * 1e3:.0f} ms (SQLite {cold['file'] * 1e3:.0f} ms)",
            "250 ms at 10,000",
        ),
    ]


def _server_seconds(made: PostgresServer) -> float:
    """The processor time of the server's processes so far, those that ended included."""
    first = int((made.data / "postmaster.pid").read_text().split()[0])
    ticks = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(entry.name) == first:
                ticks += sum(int(field) for field in fields[11:15])
            elif int(fields[1]) == first:
                ticks += sum(int(field) for field in fields[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")


def bench_processor(made: PostgresServer, url: str, count: int = 1_000) -> Rows:
    """What one writer costs in processor time, here and in the server: it bounds eight of them on few cores."""

    def measured(work: Callable[[], object]) -> tuple[float, float]:
        for _ in range(50):
            work()
        own, there = time.process_time(), _server_seconds(made)
        for _ in range(count):
            work()
        return (time.process_time() - own) / count * 1e3, (_server_seconds(made) - there) / count * 1e3

    chance = random.Random(3)
    with psycopg.connect(made.url("app"), autocommit=True) as connection, Memory.open(url) as memory:
        session = memory.session(user="alone", session="s")
        found = {
            "a one-row commit": measured(
                lambda: connection.execute("INSERT INTO raw (body) VALUES (%s)", ("x" * 120,))
            ),
            "a single turn": measured(lambda: session.remember(sentence(chance))),
            "a turn in a batch of 20": tuple(
                each / 20
                for each in measured(lambda: session.remember_many([{"text": sentence(chance)} for _ in range(20)]))
            ),
        }
    bound = sum(found["a one-row commit"])
    return [
        (
            f"processor time of {what}, in its process and in the server",
            f"{own:.2f} + {there:.2f} ms, {bound / (own + there):.0%} of the rate at full load",
            "",
        )
        for what, (own, there) in found.items()
    ]


def _in_processes(work: Callable[[int], int], seconds: float) -> float:
    """How much per second some processes do together."""
    pipes = []
    for number in range(PROCESSES):
        read, write = os.pipe()
        if os.fork() == 0:
            code = 1
            try:
                os.write(write, str(work(number)).encode())
                code = 0
            finally:
                os._exit(code)
        os.close(write)
        pipes.append(read)
    done = sum(int(os.read(read, 100) or b"0") for read in pipes)
    for read in pipes:
        os.close(read)
        os.wait()
    return done / seconds


def bench_writes(made: PostgresServer, url: str, seconds: float) -> Rows:
    """Eight processes: one-row commits of the server itself, single turns, and turns in batches of twenty."""

    def raw(number: int) -> int:
        with psycopg.connect(made.url("app"), autocommit=True) as connection:
            until, count = time.monotonic() + seconds, 0
            while time.monotonic() < until:
                connection.execute("INSERT INTO raw (body) VALUES (%s)", ("x" * 120,))
                count += 1
            return count

    def one(number: int, batch: int = 1) -> int:
        chance = random.Random(number)
        with Memory.open(url) as memory:
            session = memory.session(user=f"writer{number}", session="s")
            session.remember("The first turn opens the place.")
            until, count = time.monotonic() + seconds, 0
            while time.monotonic() < until:
                if batch == 1:
                    session.remember(sentence(chance))
                else:
                    session.remember_many([{"text": sentence(chance)} for _ in range(batch)])
                count += batch
            return count

    rates: dict[str, list[float]] = {"raw": [], "one": [], "many": []}
    for _ in range(ROUNDS // 2):
        rates["raw"].append(_in_processes(raw, seconds))
        rates["one"].append(_in_processes(one, seconds))
        rates["many"].append(_in_processes(lambda number: one(number, 20), seconds))
    middle = {name: statistics.median(found) for name, found in rates.items()}
    return [
        ("one-row commits of the server, 8 processes", f"{middle['raw']:,.0f} a second", ""),
        (
            "single turns, 8 processes",
            f"{middle['one']:,.0f} a second, {middle['one'] / middle['raw']:.0%} of those",
            "50 %",
        ),
        (
            "turns in batches of 20, 8 processes",
            f"{middle['many']:,.0f} a second, {middle['many'] / middle['raw']:.0%} of those",
            "",
        ),
    ]


MULTIPLY_SCOPES = """
INSERT INTO scopes SELECT s.tenant, s.number + k, s.space, replace(s.owner, 'seed', 'owner' || k),
    substring(sha256(convert_to(s.space || ':' || replace(s.owner, 'seed', 'owner' || k), 'UTF8')) FOR 16),
    s.tick, s.n_short, s.n_semantic, s.n_profile, s.phase, s.seq, s.head, s.salt
FROM scopes s, generate_series(1, %s) k WHERE s.owner LIKE 'seed%%'"""
MULTIPLY_ROWS = """
INSERT INTO {0} SELECT i.tenant, i.scope + k, {1}
FROM {0} i JOIN scopes s ON s.tenant = i.tenant AND s.number = i.scope, generate_series(1, %s) k
WHERE s.owner LIKE 'seed%%'"""
COLUMNS = {
    "items": "i.kind, i.n, i.status, i.created_at, i.importance, i.pinned, i.mentions, i.reason, i.replaced_by,"
    " i.changed_ms, i.key, i.ref, i.salt, i.body",
    "sheets": "i.kind, i.n, i.recipe, i.card, i.model, i.vector",
    "phases": "i.number, i.started_at, i.name, i.reason, i.salt",
}


def bench_many_owners(made: PostgresServer, url: str, owners: int, items: int) -> Rows:
    """Recall of small owners among many: one owner is multiplied inside the server, rows and all."""

    def recalls(names: list[str]) -> float:
        with Memory.open(url) as memory:
            sessions = [memory.session(user=name, session="bulk") for name in names]
            for session in sessions:
                session.recall(QUESTIONS[0])
            return statistics.median(
                timed(lambda s=session, q=question: s.recall(q))  # type: ignore[misc]
                for _ in range(ROUNDS)
                for session in sessions
                for question in QUESTIONS
            )

    with Memory.open(url) as memory:
        fill(memory, "seed", items, seed=5)
    few = [recalls(["seed"]) for _ in range(3)]
    with psycopg.connect(made.url(schema="memory"), autocommit=True) as connection:
        for table, columns in COLUMNS.items():
            connection.execute(MULTIPLY_ROWS.format(table, columns).encode(), (owners,))
        connection.execute(MULTIPLY_SCOPES.encode(), (owners,))
        connection.execute("VACUUM ANALYZE")
        row = connection.execute("SELECT count(*) FROM items").fetchone()
    chance = random.Random(7)
    names = [f"owner{chance.randint(1, owners)}" for _ in range(10)]
    many = []
    for _ in range(3):
        few.append(recalls(["seed"]))
        many.append(recalls(names))
    alone, among = statistics.median(few), statistics.median(many)
    return [
        (
            f"recall among {owners:,} owners and {row[0] if row else 0:,} items : alone",
            f"{among / alone:.2f} ({among * 1e3:.1f} : {alone * 1e3:.1f} ms)",
            "1.10",
        )
    ]


def bench_quality(url: str, folder: Path, conversations: int) -> Rows:
    """The quality bench on all three stores: the first twenty of every question must be the same list."""
    rows: Rows = []
    with Memory.open(":memory:") as near, Memory.open(str(folder / "quality.db")) as file, Memory.open(url) as there:
        corpora = {"LoCoMo": list(locomo())[:conversations], "own chats": list(chats(""))[:conversations]}
        for name, found in corpora.items():
            asked = same = 0
            for corpus in found:
                rankers = [ours([corpus], memory, f"{name} {corpus.name}") for memory in (near, file, there)]
                for _, question, _ in corpus.questions:
                    lists = [rank(question) for rank in rankers]
                    asked += 1
                    same += lists[0] == lists[1] == lists[2]
            rows.append((f"{name}: questions with the same first 20 on three stores", f"{same:,} of {asked:,}", "all"))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--quality", type=int, default=0, metavar="N", help="only this: N conversations on three stores"
    )
    parser.add_argument("--full", action="store_true", help="100,000 items, a million items across 10,000 owners")
    given = parser.parse_args()
    full = given.full
    folder = Path(tempfile.mkdtemp(prefix="recollect-bench-"))
    try:
        with server() as made:
            url = made.url("app", schema="memory")
            if given.quality:
                _show(bench_quality(url, folder, given.quality))
                return
            _show(bench_processor(made, url))
            _show(bench_writes(made, url, seconds=4.0))
            for size in (10_000, 100_000) if full else (10_000,):
                _show(bench_recall(url, folder, size, rounds=60))
            _show(bench_many_owners(made, url, 10_000 if full else 1_000, 100))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _show(rows: Rows) -> None:
    for what, measured, goal in rows:
        print(f"| {what} | {measured} | {goal} |", flush=True)


if __name__ == "__main__":
    main()
