"""`recollect worker`: everybody who is due is looked after, by one worker, once; on a file and on a server."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from cli_runner import Line
from conversations import START_MS

from recollect import Memory
from recollect.adapters.clock.system import FixedClock
from recollect.engine.worker import LEASE_MS

HOUR_MS = 3_600_000
USERS = 6


@pytest.fixture(params=["file", "server"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "memory.db") if request.param == "file" else request.getfixturevalue("postgres_url")


def opened(target: str, at_ms: int) -> Memory:
    return Memory.open(target, policy="companion", clock=FixedClock(at_ms=at_ms))


def speak(target: str) -> None:
    with opened(target, START_MS) as memory:
        for number in range(USERS):
            memory.session(user=f"user{number}", session="morning").remember("I live in Lisbon with my sister Maria.")


def test_workers_share_what_is_due(target: str) -> None:
    """Two workers at once end every session exactly once, and a third finds nothing left to do."""
    speak(target)
    shifts = []

    def run() -> None:
        with opened(target, START_MS + 2 * HOUR_MS) as memory:
            shifts.append(memory.work(every_seconds=3_600))

    workers = [threading.Thread(target=run) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    run()
    assert sum(shift.users for shift in shifts) == USERS
    assert sum(shift.done.get("sessions_closed", 0) for shift in shifts) == USERS
    with opened(target, START_MS + 2 * HOUR_MS) as memory:
        assert memory.work(every_seconds=3_600).users == 0
        assert memory.replay() == []


def test_dead_worker_is_replaced(target: str) -> None:
    """A user that a worker took and never ended is looked after by another, when the first had its time."""
    speak(target)
    now = START_MS + 2 * HOUR_MS
    with opened(target, now) as memory:
        repository = memory._parts.store.repository("default")
        while (dead := repository.take_chore(now, now - HOUR_MS, now - LEASE_MS)) is not None and "~" in dead.owner:
            repository.end_chore(dead, now)
        assert dead is not None
        assert memory.work(every_seconds=3_600).users == USERS - 1
    with opened(target, now + LEASE_MS + 1) as memory:
        shift = memory.work(every_seconds=3_600)
        assert (shift.users, shift.done["sessions_closed"]) == (1, 1)


def test_command_does_one_round(target: str, tmp_path: Path) -> None:
    """`recollect worker --once` looks after everybody and says so."""
    speak(target)
    line = Line(tmp_path)
    said = line("worker", "--once", "--policy", "companion", "--db", target, "--json").json
    assert said["users"] == USERS
    assert said["done"]["sessions_closed"] == USERS
    assert line("worker", "--once", "--policy", "companion", "--db", target, "--json").json["users"] == 0
