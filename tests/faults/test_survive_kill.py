"""R1: a process that is killed loses nothing it had answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from survival.kill import in_server
from survival.sizes import runs


@pytest.mark.soak
def test_killed_writers_lose_nothing(arena: Path) -> None:
    """After kill -9 at a random moment every answered step is there, at most one more, and everything adds up."""
    tally = in_server(runs(1_000, 100), arena)
    assert tally.is_clean, tally.examples
    assert tally.count == runs(1_000, 100)


def test_planted_late_commit_is_caught(arena: Path) -> None:
    """A store that answers before it commits is found losing answered steps."""
    assert in_server(16, arena, "late").lost > 0


def test_planted_second_transaction_is_caught(arena: Path) -> None:
    """A store that commits in two transactions is found with half an act."""
    assert in_server(12, arena, "two_step").inconsistent > 0
