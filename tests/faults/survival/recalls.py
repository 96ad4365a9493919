"""Recalls while parts of the memory hang, dawdle, fail and lie, on a real file; what each answer promised and held.

1. The memory is whole and healthy first: what it answers then is the truth every later answer is held against.
2. For each recall a seed chooses a deadline and one or two faults; the parts are set free when the answer is there.
3. An answer is late, or it lies, or it lacks the window: each is counted by itself. `ok` must be the healthy answer
   byte for byte; a tier said to have run must hold what it holds in health; a part that surely failed must be named.
4. Beside each recall a bare timer of the same length is waited for, and a fixed bit of work done after it, as an answer
   must still be selected: what that is late, the machine is late.

Never: counts as late what ended in time, and never excuses an answer for the machine.
Spec: goal R10; reliability.md "Contract of a recall".
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import apsw

from recollect import Context, Memory, Session
from recollect.adapters.embedders.static import StaticEmbedder
from recollect.adapters.stores.sqlite.connect import PRAGMAS
from recollect.adapters.stores.sqlite.store import SqliteStore
from recollect.assemble import open_memory
from recollect.core.read.files import FileText
from recollect.errors import StoreBusy
from recollect.ports.store import Reader
from survival.sizes import SOURCES

GRACE_MS = 25
WORK = 100_000
QUESTION = "which port does the billing service use, and who decided it?"
FAULTS = (
    *(f"embedder {how}" for how in ("hung", "slow", "fails", "lies")),
    *(f"store {how}" for how in ("hung", "slow", "fails")),
    *(f"index {how}" for how in ("slow", "fails")),
    *(f"likeness {how}" for how in ("hung", "fails")),
    *(f"entailment {how}" for how in ("hung", "slow", "fails", "lies")),
    *(f"files {how}" for how in ("hung", "slow", "fails")),
    "disk slow",
    "writer locked",
)
# The tier that must be named when a part surely gave no answer, or one before it without which it is not asked.
NAMED = {
    "embedder": ("vectors", "terms"),
    "store": ("facts",),
    "index": ("terms",),
    "likeness": ("likeness", "terms"),
    "entailment": ("entailment", "likeness", "terms"),
    "files": ("files",),
    "writer": ("trace",),
}
POLICY = "[trace]\ndurable_recalls = true\nring = 50\n"
# Nothing is kept in memory, so that a slow disk is felt.
COLD = tuple(pragma.replace("-32768", "1") for pragma in PRAGMAS)
Recall = Callable[[Session, int], Context]


class Ward:
    """What is wrong right now."""

    def __init__(self) -> None:
        self.faults: tuple[str, ...] = ()
        self.pause_s = 0.0
        self.freed = threading.Event()

    def fall_ill(self, faults: tuple[str, ...], pause_s: float) -> None:
        self.freed = threading.Event()
        self.faults, self.pause_s = faults, pause_s

    def recover(self) -> None:
        self.faults = ()
        self.freed.set()

    def lies(self, part: str) -> bool:
        """Be as ill as this part is now; whether it goes on to answer nonsense."""
        freed = self.freed
        for fault in self.faults:
            name, _, how = fault.partition(" ")
            if name != part:
                continue
            if how == "hung":
                freed.wait(20)
            elif how == "slow":
                time.sleep(self.pause_s)
            elif how == "fails":
                raise StoreBusy("locked") if part == "store" else ZeroDivisionError(part)
            elif how == "lies":
                return True
        return False


class Sick:
    """Some part of the memory that is ill in one of its methods, and itself in all others."""

    def __init__(self, inner: object, ward: Ward, part: str) -> None:
        self._inner, self._ward, self._part = inner, ward, part

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)


class SickRepository(Sick):
    @contextmanager
    def reading(self) -> Iterator[Reader]:
        self._ward.lies(self._part)
        with self._inner.reading() as reader:  # type: ignore[attr-defined]
            yield reader


class SickShelves(Sick):
    def search(self, *given: object, **more: object) -> object:
        self._ward.lies(self._part)
        return self._inner.search(*given, **more)  # type: ignore[attr-defined]


class SickLikeness(Sick):
    def compare(self, *given: object, **more: object) -> object:
        self._ward.lies(self._part)
        return self._inner.compare(*given, **more)  # type: ignore[attr-defined]


class SickFiles(Sick):
    def read(self, path: str, limit: int) -> FileText:
        self._ward.lies(self._part)
        found: FileText = self._inner.read(path, limit)  # type: ignore[attr-defined]
        return found


class SickJudge:
    """An entailment model that finds nothing, when it is well."""

    def __init__(self, ward: Ward) -> None:
        self._ward = ward

    def relate(self, pairs: Sequence[tuple[str, str]], *, timeout_ms: int) -> list[str]:
        return ["same"] if self._ward.lies("entailment") else ["neither"] * len(pairs)


class SickEmbedder:
    """The built-in table, taken for a slow one."""

    is_quick = False

    def __init__(self, ward: Ward) -> None:
        self._ward, self._inner = ward, StaticEmbedder()
        self.name, self.version, self.digest = self._inner.name, self._inner.version, self._inner.digest
        self.dimensions = self._inner.dimensions

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return [] if self._ward.lies("embedder") else self._inner.embed(texts)


class SlowDisk(apsw.VFS):
    """The ordinary file system, with a disk that takes its time."""

    def __init__(self, name: str, ward: Ward) -> None:
        self.name, self.ward = name, ward
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return SlowFile(self, name, flags)

    def xSleep(self, microseconds: int) -> int:
        # The inherited one would keep all of Python waiting, which no ordinary file system layer does.
        time.sleep(microseconds / 1e6)
        return microseconds


class SlowFile(apsw.VFSFile):
    def __init__(self, disk: SlowDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._ward = disk.ward

    def xRead(self, amount: int, offset: int) -> bytes:
        self._ward.lies("disk")
        return super().xRead(amount, offset)


@dataclass(slots=True)
class Outcome:
    """What became of many recalls; `examples` are the first answers that were not as promised."""

    count: int = 0
    late: int = 0
    windowless: int = 0
    lies: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    overruns_ms: list[float] = field(default_factory=list)
    timer_ms: list[float] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)

    def merge(self, other: Outcome) -> None:
        self.count += other.count
        self.late += other.late
        self.windowless += other.windowless
        self.lies += other.lies
        self.statuses = dict(Counter(self.statuses) + Counter(other.statuses))
        self.overruns_ms += other.overruns_ms
        self.timer_ms += other.timer_ms
        self.examples = [*self.examples, *other.examples][:20]


def shares(measured: Sequence[float]) -> str:
    """p50 / p99 / max of many milliseconds."""
    ordered = sorted(measured) or [0.0]
    picked = (ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)], ordered[-1])
    return " / ".join(f"{value:.1f}" for value in picked)


class Clinic:
    """A memory whose parts can fall ill."""

    def __init__(self, folder: Path) -> None:
        self.ward = Ward()
        self._disk = SlowDisk(f"slow-{folder.name}-{os.getpid()}", self.ward)
        (folder / "ports.toml").write_text("billing = 8412\nfrontend = 3000\n", encoding="utf-8")
        path = str(folder / "memory.db")
        self._memory: Memory = open_memory(
            SqliteStore(path, vfs=self._disk.name, pragmas=COLD),
            policy=POLICY,
            embedder=SickEmbedder(self.ward),
            roots=[folder],
            entailment=SickJudge(self.ward),
        )
        chat = self._memory.session(user="ana", session="one")
        _talk(chat)
        office, ward = chat._office, self.ward
        aids = replace(
            office.aids,
            files=SickFiles(office.aids.files, ward, "files"),  # type: ignore[arg-type]
            likeness=SickLikeness(office.aids.likeness, ward, "likeness"),  # type: ignore[arg-type]
        )
        ill = replace(
            office,
            repository=SickRepository(office.repository, ward, "store"),  # type: ignore[arg-type]
            shelves=SickShelves(office.shelves, ward, "index"),  # type: ignore[arg-type]
            aids=aids,
        )
        self.chat = Session(ill, chat._lens)
        self._office = ill
        # Somebody else who can hold the writer's place.
        self._other = apsw.Connection(path)
        self.truth = self.chat.recall(QUESTION, files=["ports.toml"], lock=False)
        assert self.truth.status == "ok", self.truth.tiers

    @contextmanager
    def ill(self, faults: tuple[str, ...], pause_s: float) -> Iterator[None]:
        """The faults hold while the block runs; afterwards everybody who was left behind comes home."""
        is_locked = "writer locked" in faults
        if is_locked:
            self._other.execute("BEGIN IMMEDIATE")
        self.ward.fall_ill(faults, pause_s)
        try:
            yield
        finally:
            self.ward.recover()
            if is_locked:
                self._other.execute("ROLLBACK")
            parts = ("recall", "embedder", "files", "entailment", "trace")
            patience = time.monotonic() + 10
            while any(map(self._office.workers.left_behind, parts)) and time.monotonic() < patience:
                time.sleep(0.001)

    def close(self) -> None:
        self._other.close()
        self._memory.close()
        self._disk.unregister()


def _talk(chat: Session) -> None:
    chat.add_rule("Answer in one sentence.")
    chat.remember_fact("The billing service belongs to Ines.", key="billing owner")
    for n in range(30):
        chat.remember(f"Service {n} of billing listens on port {8400 + n}; we decided so in week {n}.")
        chat.remember(f"Noted, service {n}.", role="assistant")


def honest(chat: Session, deadline_ms: int) -> Context:
    return chat.recall(QUESTION, files=["ports.toml"], lock=False, deadline_ms=deadline_ms)


def play(folder: Path, count: int, seed: int, recall: Recall = honest) -> Outcome:
    """So many recalls of one memory, faults mixed by the seed."""
    clinic, chance, outcome = Clinic(folder), random.Random(f"recalls-{seed}"), Outcome()
    try:
        for number in range(count):
            deadline_ms = chance.choice((15, 25, 40, 60))
            faults = tuple(sorted(chance.sample(FAULTS, chance.choice((0, 1, 1, 1, 2)))))
            pause_s = deadline_ms * chance.choice((0.05, 0.3, 0.9, 1.5)) / 1_000
            if "disk slow" in faults:
                pause_s /= 8
            outcome.timer_ms.append(_timer_ms(deadline_ms))
            with clinic.ill(faults, pause_s):
                began = time.monotonic_ns()
                context = recall(clinic.chat, deadline_ms)
                over = (time.monotonic_ns() - began) / 1e6 - deadline_ms
            _count(outcome, clinic.truth, context, faults, over, f"{seed}/{number} {deadline_ms} ms {faults}")
    finally:
        clinic.close()
    return outcome


def _timer_ms(deadline_ms: int) -> float:
    """How late a bare timer and two milliseconds of work are: what the machine alone costs."""
    began = time.monotonic_ns()
    threading.Event().wait(deadline_ms / 1_000)
    sum(range(WORK))
    return (time.monotonic_ns() - began) / 1e6 - deadline_ms


def _count(
    outcome: Outcome, truth: Context, context: Context, faults: tuple[str, ...], over: float, label: str
) -> None:
    outcome.count += 1
    outcome.overruns_ms.append(over)
    outcome.statuses[context.status] = outcome.statuses.get(context.status, 0) + 1
    lies = list(_lies(truth, context, faults))
    is_windowless = not _has_window(truth, context)
    outcome.late += over > GRACE_MS
    outcome.lies += bool(lies)
    outcome.windowless += is_windowless
    if lies or is_windowless or over > GRACE_MS:
        said = f"{label}: {over:.0f} ms over, {context.status} {context.tiers} {'; '.join(lies)}"
        outcome.examples = [*outcome.examples, said][:20]


def _has_window(truth: Context, context: Context) -> bool:
    wanted = [choice.item for choice in truth.kept if choice.block == "window"]
    shown = [choice.item.id for choice in context.kept if choice.block == "window"]
    return shown == [item.id for item in wanted] and all(item.text in context.text for item in wanted)


def _lies(truth: Context, context: Context, faults: tuple[str, ...]) -> Iterator[str]:
    """Everything an answer says of itself that is not so."""
    missing = [tier for tier, state in context.tiers.items() if state not in {"ran", "empty"}]
    if context.status == "ok" and context.hash != truth.hash:
        yield "it is ok, and not the healthy answer"
    if (context.status == "degraded") != bool(missing):
        yield f"it is {context.status} with {missing} missing"
    for fault in faults:
        part, _, how = fault.partition(" ")
        if how != "slow" and not any(tier in missing for tier in NAMED[part]):
            yield f"{fault}, and nobody says so"
    for tier in ("facts", "episodes", "files"):
        name = "terms" if tier == "episodes" else tier
        is_whole = context.tiers.get(name) == "ran" and not (name == "terms" and "vectors" in context.tiers)
        if is_whole and _found(context, tier) != _found(truth, tier):
            yield f"{name} ran, and found something else"
    # A store that fails takes everything with it; another part only its own tier.
    guilty = [NAMED[part][0] for fault in faults if (part := fault.partition(" ")[0]) in NAMED]
    for tier, state in context.tiers.items() if "store fails" not in faults else ():
        if state.startswith("failed") and tier not in guilty:
            yield f"{tier} {state}, and nothing was wrong with it"


def _found(context: Context, tier: str) -> list[str]:
    if tier == "files":
        return sorted(shown.path for shown in context.files if shown.is_kept)
    wanted = {"facts": ("facts", "rules"), "episodes": ("episodes",)}[tier]
    return sorted(choice.item.id for choice in context.choices if choice.block in wanted)


def in_processes(folder: Path, count: int, processes: int, seed: int = 0) -> Outcome:
    """The same from several processes at once, each with a memory of its own: waiting costs no processor."""
    environment = {**os.environ, "PYTHONPATH": SOURCES, "OPENBLAS_NUM_THREADS": "1"}
    running = []
    for number in range(processes):
        place = folder / f"clinic-{number}"
        place.mkdir()
        share = count // processes + (number < count % processes)
        command = [sys.executable, "-m", "survival.recalls", str(place), str(share), str(seed * 1_000 + number)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        running.append(subprocess.Popen(command, env=environment, text=True, **pipes))  # type: ignore[call-overload]
    outcome = Outcome()
    for process in running:
        said, wrong = process.communicate(timeout=3_600)
        if process.returncode != 0:
            raise RuntimeError(f"a clinic failed:\n{wrong[-2_000:]}")
        outcome.merge(Outcome(**json.loads(said)))
    return outcome


if __name__ == "__main__":
    place, how_many, which = sys.argv[1:]
    print(json.dumps(asdict(play(Path(place), int(how_many), int(which)))))
