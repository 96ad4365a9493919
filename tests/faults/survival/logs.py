"""Plays random logs in different worlds and compares what comes out, byte for byte.

A world is a store, a hash seed and a time zone; each is a process of its own. Every log is played there as a tenant
of its own, folded from its records and compared with what is stored, and asked a question; in one of the worlds it
is also exported and restored into an empty memory. What a world has to say about a log is one digest; all worlds
must say the same.

What is left out of the digest is what is salted by chance on purpose: the seals in the log. The export leg keeps them:
there they must come through unchanged.

Never: compares two runs of one process. Run: python -m survival.logs STORE FIRST COUNT FOLDER EXPORT
Spec: goal R7; laws 1 and 2.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from recollect import Memory
from recollect.adapters.stores.memory import MemoryStore
from recollect.adapters.stores.sqlite.connect import PRAGMAS
from recollect.adapters.stores.sqlite.store import SqliteStore
from recollect.ports.store import Reader, Store
from survival.planted import ShuffledStore
from survival.sizes import SOURCES
from survival.workload import DOORS, POLICIES, START_MS, STEP_MS, open_on, perform, scenario

STEPS = 9
# Restoring into a file costs more than into memory, so only one log in so many goes there.
FILE_EVERY = 20
# A log that never synced: durability is not what is looked at here.
QUICK = (*PRAGMAS, "PRAGMA synchronous = OFF")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Where logs are played."""

    store: str
    hash_seed: str
    zone: str
    is_exporting: bool = False


# Zones in the form that needs no zone files: far west with a half hour and summer time, far east with a quarter.
WORLDS = (
    World(store="sqlite", hash_seed="0", zone="UTC0"),
    World(store="memory", hash_seed="1", zone="NST3:30NDT,M3.2.0,M11.1.0"),
    World(store="sqlite", hash_seed="4242", zone="KTM-5:45", is_exporting=True),
)
STORES: dict[str, Callable[[Path], Store]] = {
    "sqlite": lambda path: SqliteStore(str(path), pragmas=QUICK),
    "memory": lambda path: MemoryStore(),
    "shuffled": lambda path: ShuffledStore(),
}


def play(store: str, first: int, count: int, folder: Path, *, is_exporting: bool = False) -> list[str]:
    """The digest of each log, or what was wrong with it."""
    memories = {name: open_on(STORES[store](folder / f"{name}.db"), name) for name in POLICIES}
    answers = []
    for seed in range(first, first + count):
        policy = POLICIES[seed % len(POLICIES)]
        fault = ""
        digest = _play_one(memories[policy], seed)
        if is_exporting:
            fault = export_leg(memories[policy], policy, seed, folder)
        answers.append(fault or digest)
    for memory in memories.values():
        memory.close()
    return answers


def _play_one(memory: Memory, seed: int) -> str:
    tenant = tenant_of(seed)
    told: list[object] = []
    for step in scenario(seed, STEPS):
        receipt = perform(memory, step, tenant)
        told.append(receipt.to_dict() if receipt is not None else None)
    differences = memory.replay(tenant=tenant)
    if differences:
        return f"log {seed} does not fold to its state: {differences[0]}"
    return _digest([told, _state(memory, tenant), _asked(memory, tenant)])


def tenant_of(seed: int) -> str:
    return f"log-{seed}"


def _asked(memory: Memory, tenant: str) -> list[object]:
    at = START_MS + STEPS * STEP_MS
    answers: list[object] = []
    for door in DOORS:
        session = memory.session(**door, tenant=tenant)
        context = session.recall("Where do I live, and what is decided?", at=at)
        answers += [context.to_dict(), session.traces(recalls=False)]
    return answers


def _state(memory: Memory, tenant: str, *, with_seals: bool = False) -> list[object]:
    """The state hash and every record as events, places by name and not by number."""
    parts: list[object] = [memory.state_hash(tenant=tenant)]
    with memory._parts.store.repository(tenant).reading() as reader:
        for place in reader.places():
            parts.append([place, _records(reader, place, with_seals=with_seals)])
    return parts


def _records(reader: Reader, place: object, *, with_seals: bool) -> list[object]:
    entries = []
    for entry in reader.log(place, 0, 10_000):  # type: ignore[arg-type]
        events = [
            [
                index,
                type(event).__name__,
                event if with_seals or not hasattr(event, "seal") else event._replace(seal=""),
            ]
            for index, event in entry.events
        ]
        entries.append([entry.seq, entry.at_ms, entry.policy_hash, entry.phase, events, entry.siblings, entry.is_home])
    return entries


def export_leg(memory: Memory, policy: str, seed: int, folder: Path) -> str:
    """Export a log and restore it into an empty memory: the same state, the same records, the same seals."""
    tenant = tenant_of(seed)
    path = folder / "export.jsonl"
    path.unlink(missing_ok=True)
    memory.export(path, tenant=tenant)
    target = folder / "restored.db"
    for old in folder.glob("restored.db*"):
        old.unlink()
    store = STORES["sqlite" if seed % FILE_EVERY == 0 else "memory"](target)
    with open_on(store, policy) as other:
        other.restore(path, tenant=tenant)
        if _state(other, tenant, with_seals=True) != _state(memory, tenant, with_seals=True):
            return f"log {seed} comes out of its export changed"
    return ""


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()


def play_everywhere(count: int, folder: Path, worlds: tuple[World, ...] = WORLDS, first: int = 0) -> list[str]:
    """Play logs in all worlds, side by side; what was wrong, log by log."""
    running = [_start(world, first, count, folder / f"world-{number}") for number, world in enumerate(worlds)]
    answers: list[list[str]] = []
    for process in running:
        out, err = process.communicate(timeout=3 * 3_600)
        if process.returncode:
            raise RuntimeError(f"a world ended: {err[-2_000:]}")
        answers.append(json.loads(out))
    problems = []
    for seed, said in enumerate(zip(*answers, strict=True), start=first):
        problems += [answer for answer in said if answer.startswith("log ")]
        if len(set(said)) != 1:
            problems.append(f"log {seed} is different in different worlds")
    return problems


def _start(world: World, first: int, count: int, folder: Path) -> subprocess.Popen[str]:
    folder.mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": SOURCES,
        "PYTHONHASHSEED": world.hash_seed,
        "TZ": world.zone,
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "survival.logs", world.store, str(first), str(count), str(folder)]
    command.append("export" if world.is_exporting else "")
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


if __name__ == "__main__":
    which, begin, number, place, extra = sys.argv[1:]
    print(json.dumps(play(which, int(begin), int(number), Path(place), is_exporting=extra == "export")))
