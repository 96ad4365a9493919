"""Damaged files: never silently wrong, never an empty start."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from survival.damage import Findings, change_cells, harm
from survival.planted import start_over
from survival.sizes import runs

from recollect import Memory
from recollect.errors import StoreDamaged


def told(findings: Findings) -> str:
    return f"{findings.table()}\n" + "\n".join(findings.examples[:20])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(runs(20, 2)))
def test_damage_is_never_silent(arena: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Bits flipped, pages lost, files cut, logs swapped: refused, reported, or nothing stored has changed."""
    findings = harm(arena, seed, runs(50, 10))
    with capsys.disabled():
        print(f"\n{findings.table()}")
    assert findings.bad == 0, told(findings)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(runs(10, 1)))
def test_no_stored_value_changes_unnoticed(arena: Path, seed: int) -> None:
    """Whichever column of whichever table is changed behind recollect's back, somebody says so."""
    findings = change_cells(arena, seed, runs(6, 2))
    assert findings.bad == 0, told(findings)


@pytest.mark.parametrize("answer", ["[[{", "[[{}]]", "7", ""])
def test_damaged_answer_is_typed(arena: Path, answer: str) -> None:
    """When the answer kept for a command cannot be read, repeating the command says so in recollect's own words."""
    path = str(arena / "memory.db")
    with Memory.open(path) as memory:
        memory.session(user="ana").remember("The deposit is paid.", command_id="msg-81")
    connection = apsw.Connection(path)
    connection.execute("UPDATE commands SET receipt = ?", (answer,))
    connection.close()
    with Memory.open(path) as memory, pytest.raises(StoreDamaged):
        memory.session(user="ana").remember("The deposit is paid.", command_id="msg-81")


def test_planted_fresh_start_is_caught(arena: Path) -> None:
    """A store that begins anew where it cannot read the old file is found."""
    findings = harm(arena, 0, 2, start_over)
    assert sum(counted["empty"] for counted in findings.counts.values()) > 0
