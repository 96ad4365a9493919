"""R7: the same log is the same everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from survival.logs import World, play_everywhere
from survival.sizes import runs


@pytest.mark.soak
def test_logs_are_the_same_in_every_world(arena: Path) -> None:
    """Random logs give the same bytes on every store, under every hash seed, in every time zone, and once restored."""
    assert play_everywhere(runs(10_000, 150), arena) == []


def test_planted_order_of_a_set_is_caught(arena: Path) -> None:
    """A store whose order depends on the hash seed is found."""
    worlds = tuple(World(store="shuffled", hash_seed=seed, zone="UTC0") for seed in ("0", "1"))
    assert play_everywhere(8, arena, worlds)
