"""R2 and S12: an erasure that was confirmed stays done, whatever happens to the power."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from survival.erasing import erasure_losses
from survival.planted import SloppyStore
from survival.sizes import runs

from recollect.adapters.stores.sqlite.store import SqliteStore


def sloppy(path: str, vfs: str, pragmas: Sequence[str]) -> SqliteStore:
    return SloppyStore(path, vfs=vfs, pragmas=pragmas)


@pytest.mark.soak
def test_power_loss_around_an_erasure(arena: Path) -> None:
    """Confirmed means gone from every file that survives; interrupted means that asking again finishes it."""
    tally = erasure_losses(arena, runs(20, 2), runs(50, 25))
    assert tally.is_clean, tally.examples


def test_planted_sloppy_erasure_is_caught(arena: Path) -> None:
    """A store that confirms an erasure and leaves old pages behind is found."""
    tally = erasure_losses(arena, 1, 10, sloppy)
    assert any("still in" in example for example in tally.examples)
