"""R3: whatever the operating system refuses, the answer is typed and true."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from survival.breaker import Breaker, Fault
from survival.broken_io import Report, Story, faults_of, grown, newborn, run, sample
from survival.planted import RawStore, TrustingStore
from survival.sizes import IS_SOAK

from recollect.adapters.stores.sqlite.store import SqliteStore


def trusting(path: str, vfs: str | None, pragmas: Sequence[str]) -> SqliteStore:
    return TrustingStore(path, vfs=vfs, pragmas=pragmas)


def raw(path: str, vfs: str | None, pragmas: Sequence[str]) -> SqliteStore:
    return RawStore(path, vfs=vfs, pragmas=pragmas)


def failures(story: Story, breaker: Breaker, faults: Sequence[Fault]) -> list[Report]:
    """The faults that led to something that must not be."""
    reports = [run(story, breaker, fault) for fault in faults]
    return [report for report in reports if report.problems]


# SQLite goes on after some failed syncs (while it changes its journal's mode) and tells nobody; the error then has
# nowhere to go but here. What it did to the file is judged all the same.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.soak
@pytest.mark.parametrize("is_lasting", [False, True], ids=["once", "until repaired"])
@pytest.mark.parametrize("begin", [grown, newborn], ids=["grown file", "new file"])
def test_every_failing_call_is_answered_truly(
    arena: Path, begin: Callable[[Path, int], Story], is_lasting: bool
) -> None:
    """A typed error, no corruption, no false success, and repeating it on the repaired disk does it exactly once."""
    breaker = Breaker()
    with breaker.in_place():
        story = begin(arena, 2)
        faults = faults_of(story, breaker, is_lasting=is_lasting)
        chosen = faults if IS_SOAK else sample(faults, 25, seed=int(is_lasting))
        found = failures(story, breaker, chosen)
    assert not found, [f"{report.fault}: {report.problems}" for report in found[:5]]
    assert len(faults) > 300


def test_planted_trust_in_a_failed_commit_is_caught(arena: Path) -> None:
    """A store that takes a refused commit for a commit is found giving false answers."""
    breaker = Breaker()
    with breaker.in_place():
        story = grown(arena, 2, trusting)
        faults = [fault for fault in faults_of(story, breaker) if fault.call in {"pwrite64", "sync"}]
        found = failures(story, breaker, faults[::12])
    assert any("in the end" in problem for report in found for problem in report.problems)


def test_planted_foreign_error_is_caught(arena: Path) -> None:
    """A store that lets SQLite's own errors out is found."""
    breaker = Breaker()
    with breaker.in_place():
        story = grown(arena, 2, raw)
        faults = [fault for fault in faults_of(story, breaker) if fault.call == "pwrite64"]
        found = failures(story, breaker, faults[::12])
    assert any("untyped" in problem for report in found for problem in report.problems)
