"""Blows the fuse in the middle of an erasure, and just after it was confirmed.

1. Whenever the power fails, the memory opens again, adds up, and everybody else's words are there.
2. An erasure that was confirmed stays done: not a byte of it is in any file that survives.
3. One that was not is finished by asking again, and then not a byte is left either.

Never: looks at files that are not the memory's own.
Spec: goals R2 and S12.
"""

from __future__ import annotations

import random
from pathlib import Path

import apsw

from recollect import Memory, RecollectError
from recollect.adapters.stores.sqlite.connect import PRAGMAS
from recollect.adapters.stores.sqlite.store import SqliteStore
from recollect.errors import NotFound
from survival.chains import broken_links
from survival.disk import Acknowledged, Recording, RecordingVfs, Survivors, losses
from survival.power import FILE, OFTEN, MakeStore, fresh, ordinary
from survival.verdict import Tally, Verdict
from survival.workload import THINGS, open_on

CANARY = "quetzal{number}canary"
TURNS = 12
CONFIRMED = 1


def live(folder: Path, seed: int, make_store: MakeStore = ordinary) -> Recording:
    """Two people talk, one of them is erased, the other goes on. Step 1 is the confirmed erasure."""
    chance = random.Random(f"erasing-{seed}")
    path = str(folder / FILE)
    # With rare checkpoints the log is full of old pages, with frequent ones the file is full of old gaps.
    pragmas = OFTEN if seed % 2 else PRAGMAS
    with open_on(SqliteStore(path, pragmas=pragmas), "default") as memory:
        talk(memory, chance)
    with (
        RecordingVfs(folder) as vfs,
        open_on(make_store(path, vfs.name, pragmas), "default") as memory,
    ):
        talk(memory, chance)
        vfs.recording.acknowledge(0)
        receipt = memory.erase_user("ana")
        assert receipt.pending == ()
        vfs.recording.acknowledge(CONFIRMED)
        memory.session(user="ben", session="1").remember("Is somebody there?", at=2)
        return vfs.recording


def word(number: int) -> str:
    return CANARY.format(number=number)


def talk(memory: Memory, chance: random.Random) -> None:
    """Turns of both, mixed, so that they share pages; long ones, so that they spill over."""
    for number in range(TURNS):
        long = " and on" * chance.choice((1, 20, 1_200))
        text = f"I keep {word(number)} in the {chance.choice(THINGS)}, and so on{long}."
        memory.session(user="ana", session=str(number % 3)).remember(text, at=number + 1)
        memory.session(user="ben", session="1").remember(
            f"Ben's {chance.choice(THINGS)} is number {number}.", at=number + 1
        )


def traces_in(files: dict[str, bytes]) -> list[str]:
    """The files that still hold a word of the erased."""
    needle = CANARY.split("{")[0].encode()
    return sorted(name for name, data in files.items() if needle in data)


def judge(survivors: Survivors, folder: Path) -> Verdict:
    """Open what is left, finish what was not confirmed, and look for words."""
    if survivors.acknowledged == CONFIRMED and traces_in(survivors.files):
        return Verdict(prefix=None, problems=(f"confirmed, and still in {traces_in(survivors.files)}",))
    with fresh(folder) as place:
        survivors.lay_out(place)
        try:
            return _judge_open(place, survivors.acknowledged == CONFIRMED)
        except RecollectError as error:
            return Verdict(prefix=None, problems=(f"does not open or go on: {error!r}",))


def _judge_open(place: Path, is_confirmed: bool) -> Verdict:
    with open_on(SqliteStore(str(place / FILE)), "default") as memory:
        problems = _faults(memory, place / FILE)
        if not is_confirmed:
            try:
                memory.erase_user("ana")
            except NotFound:
                # Everything went, but the last traces between the pages may not have been zeroed yet.
                memory.scrub()
            problems += _faults(memory, place / FILE)
        if memory.session(user="ana", session="1").list(status="all").items:
            problems.append("the erased person still has memories")
        said = memory.session(user="ben", session="1").list(kind="semantic", contains="is number", limit=200).items
        is_lost = len(said) != 2 * TURNS
    left = traces_in({path.name: path.read_bytes() for path in place.iterdir()})
    if left:
        problems.append(f"asked again, and still in {left}")
    return Verdict(prefix=None, is_lost=is_lost, problems=tuple(problems))


def _faults(memory: Memory, path: Path) -> list[str]:
    problems = [f"not the fold of its log: {difference}" for difference in memory.replay()]
    problems += [f"integrity: {line}" for line in memory.check()]
    problems += [f"verify: {finding.sentence}" for finding in memory.verify().findings]
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    problems += broken_links(connection)
    connection.close()
    return problems


def _points(recording: Recording, chance: random.Random, count: int) -> list[int]:
    """Half of the losses come after the confirmation, where nothing may be left."""
    end = len(recording.events) + 1
    begun = recording.events.index(Acknowledged(0)) + 1
    confirmed = recording.events.index(Acknowledged(CONFIRMED)) + 1
    return [chance.randrange(confirmed if number % 2 else begun, end) for number in range(count)]


def erasure_losses(folder: Path, lives: int, each: int, make_store: MakeStore = ordinary) -> Tally:
    """So many losses in each of so many lives."""
    tally = Tally()
    for seed in range(lives):
        chance = random.Random(f"erasure-loss-{seed}")
        with fresh(folder) as place:
            recording = live(place, seed, make_store)
        points = sorted(_points(recording, chance, each))
        for survivors in losses(recording, points, chance):
            tally.add(judge(survivors, folder), f"life {seed}, event {survivors.point} of {len(recording.events)}")
    return tally
