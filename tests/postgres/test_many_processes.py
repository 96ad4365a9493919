"""Goals R5 and R6 on a server: many processes, cut connections, crashes; nothing acknowledged is lost or doubled."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from conversations import SOAK, open_memory
from server_crowd import in_process, outcome_of

from recollect import Memory
from recollect.adapters.stores.postgres.schema import make_role, migrate
from recollect.adapters.stores.postgres.store import PostgresRepository
from recollect.adapters.stores.postgres.writer import PostgresWriter
from recollect.errors import OutcomeUnknown, StoreLost
from recollect.testing.postgres_server import NoServer, PostgresServer

WORKERS = 8


@pytest.mark.soak
def test_a_crowd_loses_no_update(postgres_url: str, tmp_path: Path) -> None:
    """Eight processes write at once: every answer holds, every mention counts, every command is done once."""
    operations = 5_000 if SOAK > 1 else 150
    outcome = outcome_of(in_process(postgres_url, tmp_path, WORKERS, operations))
    assert outcome.problems == []
    assert outcome.operations == WORKERS * operations


def test_planted_store_without_locks_is_caught(postgres_url: str, tmp_path: Path) -> None:
    """A store that forgets its row locks lets writers collide, and is found."""
    outcome = outcome_of(in_process(postgres_url, tmp_path, 4, 40, "unlocked"))
    assert outcome.problems


# cuts


def texts(memory: Memory) -> Counter[str]:
    return Counter(item.text for item in memory.session(user="ana").list(kind="semantic", limit=1_000).items)


@pytest.mark.parametrize("is_done", [True, False], ids=["after the commit", "before the commit"])
@pytest.mark.parametrize("is_hopeful", [True, False], ids=["as one statement", "under locks"])
def test_cut_during_a_commit_is_resolved(
    is_done: bool, is_hopeful: bool, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the commit went through or not, the caller gets the right answer and the words are there once."""
    real = PostgresWriter.send
    cuts = 0

    def send(self: PostgresWriter, ending: str = "") -> None:
        nonlocal cuts
        if cuts or is_hopeful is bool(ending):
            real(self, ending)
            return
        cuts += 1
        if is_done:
            real(self, ending)
        assert self.connection is not None
        self.connection.close()
        raise psycopg.OperationalError("cut")

    with open_memory("default", postgres_url) as memory:
        chat = memory.session(user="ana")
        chat.remember("The first turn of all.") if is_hopeful else None
        monkeypatch.setattr(PostgresWriter, "send", send)
        receipt = chat.remember("The boat was old and green.")
        assert cuts == 1
        assert receipt.status == "committed"
        assert texts(memory)["The boat was old and green."] == 1
        assert memory.verify().is_ok


def cut_off(handle: int) -> None:
    """End a connection as a failing network does: nobody is told."""
    with socket.socket(fileno=handle) as line:
        line.shutdown(socket.SHUT_RDWR)


def test_cut_statement_that_the_server_has_not_begun_is_waited_for(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit that reached the server and was not yet begun is not taken for lost: it counts once, when it ends."""
    real, looked = PostgresWriter.send, PostgresRepository._is_there

    def cut(self: PostgresWriter, ending: str = "") -> None:
        """Send it to a server process that stands still for a while, and lose the connection meanwhile."""
        if ending or self.connection is None:
            real(self, ending)
            return
        served_by = self.connection.info.backend_pid
        os.kill(served_by, signal.SIGSTOP)
        threading.Timer(0.3, cut_off, [os.dup(self.connection.fileno())]).start()
        threading.Timer(1.0, os.kill, [served_by, signal.SIGCONT]).start()
        monkeypatch.setattr(PostgresWriter, "send", real)
        real(self, ending)

    def look(self: PostgresRepository, *asked: Any) -> bool:
        found = looked(self, *asked)
        time.sleep(1.0)
        return found

    with open_memory("default", postgres_url) as memory:
        chat = memory.session(user="ana")
        chat.remember("The first turn of all.")
        monkeypatch.setattr(PostgresWriter, "send", cut)
        monkeypatch.setattr(PostgresRepository, "_is_there", look)
        assert chat.remember("The boat was old and green.").status == "committed"
        assert texts(memory) == {"The first turn of all.": 1, "The boat was old and green.": 1}
        assert memory.verify().is_ok


def test_overtaken_writer_decides_again(postgres_url: str) -> None:
    """A process that decided on what it last saw is told when another was faster, and nothing of either is lost."""
    with open_memory("default", postgres_url) as one, open_memory("default", postgres_url) as other:
        for number in range(6):
            for name, memory in (("one", one), ("other", other)):
                receipt = memory.session(user="ana", session="s").remember(f"Turn {number} of the process {name}.")
                assert receipt.status == "committed"
        assert texts(one) == texts(other)
        assert sum(texts(one).values()) == 12
        assert one.verify().is_ok


def test_outcome_nobody_can_tell_is_resolved_by_its_command(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the server stays away, the answer is `unknown`; the same command_id later gives the one true answer."""
    monkeypatch.setattr("recollect.adapters.stores.postgres.store.RESOLVE_SECONDS", 0)
    real, asked = PostgresWriter.send, PostgresWriter.holds

    def send(self: PostgresWriter, ending: str = "") -> None:
        real(self, ending)
        if ending == "COMMIT":
            assert self.connection is not None
            self.connection.close()
            raise psycopg.OperationalError("cut")

    def away(self: PostgresWriter, record: tuple[int, int, bytes]) -> bool:
        raise StoreLost

    with open_memory("default", postgres_url) as memory:
        chat = memory.session(user="ana")
        with monkeypatch.context() as broken:
            broken.setattr(PostgresWriter, "send", send)
            broken.setattr(PostgresWriter, "holds", away)
            with pytest.raises(OutcomeUnknown):
                chat.remember("We decided to use Postgres.", command_id="c1")
        assert PostgresWriter.holds is asked
        assert chat.remember("We decided to use Postgres.", command_id="c1").is_repeat
        assert texts(memory) == {"We decided to use Postgres.": 1}


def test_cut_connections_are_survived(postgres_url: str, postgres_server: PostgresServer) -> None:
    """While somebody cuts every connection again and again, each call is answered and is done exactly once."""
    count = 400 if SOAK > 1 else 60
    stop = threading.Event()
    cut = 0

    def cutter() -> None:
        nonlocal cut
        with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
            while not stop.is_set():
                rows = connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE application_name = 'cut_me' AND state <> 'idle'"
                ).fetchall()
                cut += len(rows)
                time.sleep(0.05 + 0.2 * (cut % 3))

    with open_memory("default", f"{postgres_url}&application_name=cut_me") as memory:
        chat = memory.session(user="ana")
        chat.remember("The first turn of all.")
        cutting = threading.Thread(target=cutter)
        cutting.start()
        try:
            for number in range(count):
                assert chat.remember(f"Turn number {number} of many.").status == "committed"
                chat.recall("which turn?")
        finally:
            stop.set()
            cutting.join()
        found = texts(memory)
        assert cut > 0
        assert sum(found.values()) == count + 1
        assert set(found.values()) == {1}
        assert memory.verify().is_ok


def test_idle_connections_may_die(postgres_url: str, postgres_server: PostgresServer) -> None:
    """Connections that died in the pool are noticed when they are borrowed; no caller sees it."""
    with open_memory("default", f"{postgres_url}&application_name=idle_ones") as memory:
        for number in range(5):
            memory.session(user="ana").remember(f"Turn number {number} of many.")
            with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'idle_ones'"
                )
        assert sum(texts(memory).values()) == 5


# crashes


@pytest.fixture
def own_server(request: pytest.FixtureRequest, postgres_server: PostgresServer) -> Iterator[PostgresServer]:
    """A server of this test's own, with every safety on: it is going to be crashed."""
    folder = Path(tempfile.mkdtemp(prefix="recollect-pg-"))
    try:
        server = PostgresServer.make(folder, settings=("fsync=on", "synchronous_commit=on"))
    except NoServer:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    try:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("CREATE ROLE recollect_owner LOGIN CREATEROLE")
            connection.execute("CREATE SCHEMA memory AUTHORIZATION recollect_owner")
        owner = server.url("recollect_owner", schema="memory")
        migrate(owner, is_first=True)
        make_role(owner, "recollect_app")
        yield server
    finally:
        try:
            server.stop("immediate")
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.soak
def test_crashes_lose_nothing_and_double_nothing(own_server: PostgresServer, tmp_path: Path) -> None:
    """The server crashes again and again while processes write: every answer holds, and nothing is there twice."""
    crashes, operations = (10, 1_500) if SOAK > 1 else (2, 200)
    url = own_server.url("recollect_app", schema="memory")
    running = in_process(url, tmp_path, 4, operations, "stubborn")
    done = 0
    while running.poll() is None and done < crashes:
        time.sleep(0.7)
        if list(tmp_path.glob("diary-*")):
            own_server.stop("immediate")
            own_server.start()
            done += 1
    outcome = outcome_of(running)
    assert outcome.problems == []
    assert outcome.operations == 4 * operations
    assert done == crashes
