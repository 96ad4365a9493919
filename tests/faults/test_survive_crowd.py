"""R5: many processes on one file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from survival.crowd import in_server
from survival.sizes import runs

from recollect import Memory

WORKERS = 8


@pytest.mark.soak
def test_a_crowd_loses_no_update(arena: Path) -> None:
    """Eight processes write at once: every answer holds, every mention counts, every command is done once."""
    operations = runs(5_000, 300)
    outcome = in_server(arena, WORKERS, operations)
    assert outcome.problems == []
    assert outcome.operations == WORKERS * operations


def test_a_crowd_with_deaths_loses_no_update(arena: Path) -> None:
    """The same while some of them are killed: the others go on, and what the dead had answered is there."""
    outcome = in_server(arena, WORKERS, runs(2_000, 120), kills=runs(10, 3))
    assert outcome.problems == []
    assert outcome.kills > 0


def test_all_may_create_the_file_at_once(arena: Path) -> None:
    """Processes that open the same new file at the same moment all get the same memory."""
    outcome = in_server(arena, WORKERS, runs(100, 6), "creators")
    assert outcome.problems == []


def test_opening_twice_keeps_the_first_one_safe(arena: Path) -> None:
    """A second opening in one process does not give up the locks of the first, so nobody removes its log."""
    path = str(arena / "memory.db")
    first = Memory.open(path)
    first.session(user="ana").remember_fact("The key is under the pot.", key="key")
    second = Memory.open(path)
    second.close()
    first.session(user="ana").remember_fact("The spare is in the shed.", key="spare")
    code = (
        "import sys; from recollect import Memory\n"
        "with Memory.open(sys.argv[1]) as memory:\n"
        "    print(len(memory.session(user='ana').list(kind='profile').items), memory.verify().verdict)"
    )
    for _ in range(2):
        seen = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
        assert seen.stdout.split() == ["2", "ok"]
    first.session(user="ana").remember_fact("The third is lost.", key="third")
    first.close()
    with Memory.open(path) as memory:
        assert len(memory.session(user="ana").list(kind="profile").items) == 3


def test_a_forked_child_that_ends_harms_nobody(arena: Path) -> None:
    """A child that inherits an open memory and ends the ordinary way takes neither locks nor log away."""
    code = (
        "import os, sys; from recollect import Memory\n"
        "memory = Memory.open(sys.argv[1])\n"
        "for number in range(4):\n"
        "    if (pid := os.fork()) == 0: sys.exit(0)\n"
        "    os.waitpid(pid, 0)\n"
        "    memory.session(user='ana').remember_fact(f'Key {number} is under the pot.', key=f'key{number}')\n"
        "    with Memory.open(sys.argv[1]) as other:\n"
        "        print(len(other.session(user='ana').list(kind='profile').items), other.verify().verdict)\n"
        "os._exit(0)"
    )
    path = str(arena / "memory.db")
    seen = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert seen.stdout.splitlines() == [f"{number} ok" for number in range(1, 5)]
    with Memory.open(path) as memory:
        assert len(memory.session(user="ana").list(kind="profile").items) == 4


def test_planted_deferred_transaction_is_caught(arena: Path) -> None:
    """A store that reads before it takes the writer's place sends callers away at once, and is found."""
    outcome = in_server(arena, 4, 40, "deferred")
    assert any("sent away" in problem for problem in outcome.problems)


def test_planted_lost_update_is_caught(arena: Path) -> None:
    """A store that believes what it read before others wrote loses mentions, and is found."""
    outcome = in_server(arena, 4, 40, "stale")
    assert any("counted" in problem for problem in outcome.problems)
