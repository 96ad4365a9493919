"""Runs one story once for every call it makes to the operating system, each time with that call failing.

A story opens a memory, writes a few steps, asks a question and closes. Whatever fails, the caller gets an error of
recollect's own, does what its hint says (repeats, by the same name where there is one), and in the end everything is
there exactly once. In the moment of the error the file is copied away and judged: the step is wholly there or wholly
absent, and everything answered before it is there.

Never: forgives an error of another make, a second effect, or an answer without its effect.
Spec: goal R3.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recollect import Memory, RecollectError
from recollect.adapters.stores.sqlite.store import SqliteStore
from recollect.errors import InvalidInput, OutcomeUnknown
from survival.breaker import FAULTS, LAYER, Breaker, Fault
from survival.power import OFTEN
from survival.verdict import Verdict, judge
from survival.workload import DOORS, Truth, open_on, perform, truth

FILE = "memory.db"
STEPS = 10
# The story of a grown file begins here; the steps before are in its log already, left by somebody who was killed.
GROWN = 5
MakeStore = Callable[[str, str | None, Sequence[str]], SqliteStore]


def ordinary(path: str, vfs: str | None, pragmas: Sequence[str]) -> SqliteStore:
    return SqliteStore(path, vfs=vfs, pragmas=pragmas)


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Where a story begins, and what it runs on."""

    told: Truth
    folder: Path
    first: int = 0
    make_store: MakeStore = ordinary

    @property
    def path(self) -> Path:
        return self.folder / "now" / FILE


@dataclass(slots=True)
class Report:
    """What a failing call led to."""

    fault: Fault | None
    problems: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def grown(folder: Path, seed: int, make_store: MakeStore = ordinary) -> Story:
    """A file with a few steps in its write-ahead log: opening it means recovering them."""
    told = truth(seed, STEPS)
    begin = folder / "begin"
    begin.mkdir()
    memory = open_on(SqliteStore(str(begin / FILE)), told.policy)
    for step in told.steps[:GROWN]:
        perform(memory, step)
    (folder / "grown").mkdir()
    _copy([part for part in begin.iterdir() if not part.name.endswith(("-shm", "-ballast"))], folder / "grown")
    memory.close()
    return Story(told=told, folder=folder, first=GROWN, make_store=make_store)


def newborn(folder: Path, seed: int, make_store: MakeStore = ordinary) -> Story:
    """No file yet: creating it is part of the story."""
    (folder / "grown").mkdir()
    return Story(told=truth(seed, 2), folder=folder, make_store=make_store)


def faults_of(story: Story, breaker: Breaker, *, is_lasting: bool = False) -> list[Fault]:
    """Every way in which one call of a story can fail, call after call."""
    found = []
    for layer in (None, LAYER):
        report = run(story, breaker, None, layer)
        if report.problems or report.errors:
            raise AssertionError(f"the story fails by itself: {report}")
        for call, count in breaker.counts.items():
            if (call == "sync") is (layer == LAYER):
                found += [
                    Fault(at=number, call=call, error=error, is_lasting=is_lasting)
                    for number in range(1, count + 1)
                    for error in FAULTS[call]
                ]
    return found


def sample(faults: Sequence[Fault], share: int, seed: int) -> list[Fault]:
    """One fault in `share`, but at least two of each kind there is."""
    chance = random.Random(f"faults-{seed}")
    kinds: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        kinds.setdefault((fault.call, fault.error), []).append(fault)
    return [fault for same in kinds.values() for fault in chance.sample(same, min(len(same), 2 + len(same) // share))]


def run(story: Story, breaker: Breaker, fault: Fault | None, layer: str | None = None) -> Report:
    """Live through one story with one fault, or with none."""
    shutil.rmtree(story.path.parent, ignore_errors=True)
    shutil.copytree(story.folder / "grown", story.path.parent)
    report = Report(fault=fault)
    breaker.arm(fault)
    memory = _open(story, breaker, report, fault.layer if fault else layer)
    if memory is not None:
        for number in range(story.first, len(story.told.steps)):
            if not _do(memory, story, breaker, number, report):
                break
        _ask(memory, breaker, report)
        _close(memory, breaker, report)
    breaker.repair()
    if not report.problems:
        _note(report, judge(story.path, story.told, len(story.told.steps), in_flight=0), "in the end")
    return report


def _open(story: Story, breaker: Breaker, report: Report, layer: str | None) -> Memory | None:
    """Open; when that fails, repair the disk and open again."""
    for _ in range(2):
        try:
            return open_on(story.make_store(str(story.path), layer, OFTEN), story.told.policy)
        except RecollectError as error:
            report.errors.append(f"open: {type(error).__name__}")
            breaker.repair()
        except Exception as error:  # noqa: BLE001 - any other error is what is looked for
            report.problems.append(f"untyped while opening: {error!r}")
            return None
    report.problems.append("does not open on the repaired disk")
    return None


def _do(memory: Memory, story: Story, breaker: Breaker, number: int, report: Report) -> bool:
    """One step: done, or failed with a typed error, judged at that moment, and repeated."""
    step = story.told.steps[number]
    try:
        perform(memory, step)
        return True
    except RecollectError as error:
        report.errors.append(f"{step.verb}: {type(error).__name__}")
        is_unknown = isinstance(error, OutcomeUnknown)
    except Exception as error:  # noqa: BLE001
        report.problems.append(f"untyped in {step.verb}: {error!r}")
        return False
    breaker.repair()
    verdict = _judge_copy(story, number)
    _note(report, verdict, f"when {step.verb} failed")
    if not is_unknown and verdict.prefix == number + 1 and story.told.hashes[number] != story.told.hashes[number + 1]:
        report.problems.append(f"{step.verb} said that nothing was done, and it was done")
    return _repeat(memory, story, number, report)


def _repeat(memory: Memory, story: Story, number: int, report: Report) -> bool:
    step = story.told.steps[number]
    try:
        is_done = not step.command and memory.state_hash() == story.told.hashes[number + 1]
        if not is_done:
            perform(memory, step)
    except Exception as error:  # noqa: BLE001
        report.problems.append(f"{step.verb} cannot be repeated on the repaired disk: {error!r}")
        return False
    return True


def _ask(memory: Memory, breaker: Breaker, report: Report) -> None:
    session = memory.session(**DOORS[0])
    try:
        session.recall("Where do I live?")
        session.list(limit=5)
    except InvalidInput as error:
        report.problems.append(f"a question was called wrong: {error!r}")
    except RecollectError as error:
        report.errors.append(f"recall: {type(error).__name__}")
    except Exception as error:  # noqa: BLE001
        report.problems.append(f"untyped in recall: {error!r}")


def _close(memory: Memory, breaker: Breaker, report: Report) -> None:
    try:
        memory.close()
    except RecollectError as error:
        report.errors.append(f"close: {type(error).__name__}")
    except Exception as error:  # noqa: BLE001
        report.problems.append(f"untyped while closing: {error!r}")
    breaker.repair()


def _judge_copy(story: Story, acknowledged: int) -> Verdict:
    """What somebody would find who looked at the files now."""
    place = story.folder / "copy"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    _copy([part for part in story.path.parent.iterdir() if not part.name.endswith(("-shm", "-ballast"))], place)
    return judge(place / FILE, story.told, acknowledged)


def _copy(parts: Sequence[Path], target: Path) -> None:
    # Another process copies: to close a file here would give up the locks SQLite holds on it.
    if parts:
        subprocess.run(["cp", *map(str, parts), str(target)], check=True)


def _note(report: Report, verdict: Verdict, when: str) -> None:
    if verdict.is_lost:
        report.problems.append(f"{when}: an acknowledged step is gone")
    report.problems += [f"{when}: {problem}" for problem in verdict.problems]
