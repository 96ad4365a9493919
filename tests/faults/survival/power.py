"""Blows the fuse at a random write or sync of a random scenario, and judges what is left.

A life opens the memory three times, checkpoints often, and for a while has somebody reading an old snapshot, so that
the log is written, carried over, reset, removed and created again under the eyes of the harness. A part of the
losses hits a memory that has already survived one.

Never: counts a loss before the file itself existed; `creation` does that.
Spec: goal R2.
"""

from __future__ import annotations

import gc
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import apsw

from recollect.adapters.stores.sqlite.connect import PRAGMAS
from recollect.adapters.stores.sqlite.store import SqliteStore
from recollect.errors import StoreError
from survival.disk import Acknowledged, Recording, RecordingVfs, Survivors, Sync, losses
from survival.verdict import Tally, Verdict, judge
from survival.workload import Truth, open_on, perform, truth

FILE = "memory.db"
STEPS = 30
OPENINGS = 3
LOSSES_PER_LIFE = 25
# A checkpoint every few pages instead of every thousand: the interesting moments come often.
OFTEN = (*PRAGMAS, "PRAGMA wal_autocheckpoint = 12")
NORMAL = tuple(pragma.replace("synchronous = FULL", "synchronous = NORMAL") for pragma in OFTEN)
MakeStore = Callable[[str, str, Sequence[str]], SqliteStore]


def ordinary(path: str, vfs: str, pragmas: Sequence[str]) -> SqliteStore:
    return SqliteStore(path, vfs=vfs, pragmas=pragmas)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What the fuse blows on."""

    folder: Path
    pragmas: Sequence[str] = OFTEN
    make_store: MakeStore = ordinary
    failing_sync: int = 0


def live(setting: Setting, told: Truth, first: int = 0) -> Recording:
    """Run a scenario from a step on, writing down what happens to the disk and when each step was answered."""
    path = str(setting.folder / FILE)
    bounds = [first + (len(told.steps) - first) * part // OPENINGS for part in range(OPENINGS + 1)]
    with RecordingVfs(setting.folder, setting.failing_sync) as vfs:
        vfs.recording.acknowledge(first)
        for start, stop in pairwise(bounds):
            with _opened(setting, path, vfs) as store, _reading_along(path, vfs, is_wanted=start > first):
                if not _run(store, told, range(start, stop), vfs.recording):
                    return vfs.recording
        return vfs.recording


@contextmanager
def _opened(setting: Setting, path: str, vfs: RecordingVfs) -> Iterator[SqliteStore]:
    store = setting.make_store(path, vfs.name, setting.pragmas)
    try:
        yield store
    finally:
        try:
            store.close()
        except StoreError:
            # The sync that was to fail can be one of the last; everything acknowledged is in the log already.
            del store
            gc.collect()


def _run(store: SqliteStore, told: Truth, numbers: range, recording: Recording) -> bool:
    """Do these steps; where the disk fails one, do it again under the same name. False when it cannot be told apart."""
    memory = open_on(store, told.policy)
    for number in numbers:
        step = told.steps[number]
        try:
            perform(memory, step)
        except StoreError:
            if not step.command:
                return False
            perform(memory, step)
        recording.acknowledge(number + 1)
    return True


@contextmanager
def _reading_along(path: str, vfs: RecordingVfs, *, is_wanted: bool) -> Iterator[None]:
    """Somebody looks at an old snapshot, so that checkpoints cannot carry everything over."""
    if not is_wanted:
        yield
        return
    connection = apsw.Connection(path, vfs=vfs.name)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM log").fetchall()
    try:
        yield
    finally:
        connection.execute("COMMIT")
        connection.close()


def creation_ends(recording: Recording) -> int:
    """The event after which the first step was answered: before it there is nothing to lose."""
    return next((i for i, event in enumerate(recording.events) if event == Acknowledged(1)), len(recording.events))


def blow(recording: Recording, told: Truth, setting: Setting, seeds: random.Random, count: int) -> Tally:
    """Judge so many losses at random points of one recording."""
    tally = Tally()
    first = creation_ends(recording)
    points = sorted(seeds.randrange(first, len(recording.events) + 1) for _ in range(count))
    for survivors in losses(recording, points, seeds):
        verdict = _judge(survivors, told, setting.folder)
        tally.add(verdict, f"scenario {told.seed}, event {survivors.point} of {len(recording.events)}")
    return tally


def _judge(survivors: Survivors, told: Truth, folder: Path) -> Verdict:
    with fresh(folder) as place:
        survivors.lay_out(place)
        return judge(place / FILE, told, survivors.acknowledged)


@contextmanager
def fresh(folder: Path) -> Iterator[Path]:
    """An empty folder that goes away again."""
    place = folder / "after"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place)


def power_losses(setting: Setting, total: int, first_seed: int = 0) -> Tally:
    """Blow the fuse so many times, over as many scenarios as it takes."""
    tally = Tally()
    seed = first_seed
    while tally.count < total:
        count = min(LOSSES_PER_LIFE, total - tally.count)
        tally.merge(one_life(setting, seed, count))
        seed += 1
    return tally


def one_life(setting: Setting, seed: int, count: int) -> Tally:
    """One scenario: most losses hit its first life, the rest a second one that began with a loss."""
    chance = random.Random(f"life-{seed}")
    told = truth(seed, STEPS)
    with fresh(setting.folder) as place:
        here = replace(setting, folder=place)
        recording = live(here, told)
    tally = blow(recording, told, setting, chance, count - count // 4)
    for survivors in losses(recording, [chance.randrange(creation_ends(recording), len(recording.events))], chance):
        tally.merge(_second_life(setting, told, survivors, chance, count // 4))
    return tally


def _second_life(setting: Setting, told: Truth, survivors: Survivors, chance: random.Random, count: int) -> Tally:
    with fresh(setting.folder) as place:
        survivors.lay_out(place)
        first = judge(place / FILE, told, survivors.acknowledged).prefix
        if first is None:
            return Tally()
        shutil.rmtree(place)
        place.mkdir()
        survivors.lay_out(place)
        recording = live(replace(setting, folder=place), told, first)
    return blow(recording, told, setting, chance, count)


def syncs_of(recording: Recording) -> int:
    return sum(isinstance(event, Sync) for event in recording.events)
