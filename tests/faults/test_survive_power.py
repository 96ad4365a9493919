"""R2: when the power fails, what was answered is on the disk."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from survival.disk import losses
from survival.planted import TwoStepStore
from survival.power import FILE, NORMAL, STEPS, Setting, blow, creation_ends, fresh, live, power_losses, syncs_of
from survival.sizes import runs
from survival.verdict import Tally, judge
from survival.workload import truth

from recollect.adapters.stores.sqlite.store import SqliteStore


def two_step(path: str, vfs: str, pragmas: Sequence[str]) -> SqliteStore:
    return TwoStepStore(path, vfs=vfs, pragmas=pragmas)


@pytest.mark.soak
def test_power_losses_lose_nothing(arena: Path) -> None:
    """Unsynced sectors dropped, kept or torn: every answered step is there, and everything adds up."""
    tally = power_losses(Setting(folder=arena), runs(5_000, 500))
    assert tally.is_clean, tally.examples
    assert tally.count == runs(5_000, 500)


def test_planted_lazy_sync_is_caught(arena: Path) -> None:
    """With synchronous=NORMAL the same losses take answered steps with them, and the harness says so."""
    tally = power_losses(Setting(folder=arena, pragmas=NORMAL), 60)
    assert tally.lost > 10


def test_planted_second_transaction_is_caught(arena: Path) -> None:
    """A store that commits in two transactions is found with half an act."""
    tally = power_losses(Setting(folder=arena, make_store=two_step), 60)
    assert tally.inconsistent > 0


def test_losses_during_creation(arena: Path) -> None:
    """When the power fails while the file is being made, it can be made again."""
    chance = random.Random("creation")
    tally = Tally()
    for seed in range(runs(40, 8)):
        told = truth(seed, 4)
        with fresh(arena) as place:
            recording = live(Setting(folder=place), told)
        points = sorted(chance.randrange(creation_ends(recording) + 1) for _ in range(25))
        for survivors in losses(recording, points, chance):
            with fresh(arena) as place:
                survivors.lay_out(place)
                tally.add(judge(place / FILE, told, survivors.acknowledged), f"event {survivors.point}")
    assert tally.is_clean, tally.examples


def test_failed_sync_and_then_no_power(arena: Path) -> None:
    """A sync that failed is never taken for one that worked: what was answered afterwards survives a power loss."""
    told = truth(6, STEPS)
    chance = random.Random("failed sync")
    with fresh(arena) as place:
        count = syncs_of(live(Setting(folder=place), told))
    tally = Tally()
    for failing in range(8, count, runs(1, 6)):
        setting = Setting(folder=arena, failing_sync=failing)
        with fresh(arena) as place:
            recording = live(replace(setting, folder=place), told)
        tally.merge(blow(recording, told, setting, chance, 5))
    assert tally.is_clean, tally.examples
    assert tally.count > 0
