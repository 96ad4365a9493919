"""Kills a writing process again and again and judges what is left each time.

    server (warm, one process)          child (forked for each kill)
    fork ------------------------------> open the memory, go on where the file stands
    count answers  <------ one byte ---- each step that was answered
    SIGKILL ---------------------------> x
    judge the file, fork again

Two kinds of moment, both from the seed: after so many answers and a short random wait, and at the k-th call to the
file system, which hits every kind of call, however short. The server is a process of its own, started once: a cycle
costs a fork, not a start of Python. A file goes on through several kills without ever being closed.

Never: forks while a connection is open. Run: python -m survival.kill COUNT FOLDER STORE SEED
Spec: goal R1.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict
from itertools import count
from pathlib import Path

import apsw

from recollect.adapters.stores.sqlite.store import SqliteStore
from survival.planted import LateStore, TwoStepStore
from survival.power import OFTEN
from survival.sizes import SOURCES
from survival.verdict import Tally, judge
from survival.workload import Truth, open_on, perform, truth

STEPS = 60
FILE = "memory.db"
LONGEST_WAIT_S = 0.003
# How many calls to the file system a child may live for: about what twenty steps need.
MOST_CALLS = 400
STORES: dict[str, type[SqliteStore]] = {"ordinary": SqliteStore, "two_step": TwoStepStore, "late": LateStore}


class DeadlyVfs(apsw.VFS):
    """The ordinary file system, which kills the process in the middle of its k-th writing call."""

    def __init__(self, calls: int) -> None:
        self.calls_left = calls
        super().__init__("deadly", "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        self.count_down()
        return _DeadlyFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self.count_down()
        super().xDelete(filename, syncdir)

    def count_down(self) -> None:
        self.calls_left -= 1
        if self.calls_left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class _DeadlyFile(apsw.VFSFile):
    def __init__(self, vfs: DeadlyVfs, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._vfs = vfs

    def xWrite(self, data: bytes, offset: int) -> None:
        if self._vfs.calls_left == 1 and len(data) > 1:
            super().xWrite(data[: len(data) // 2], offset)
        self._vfs.count_down()
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        self._vfs.count_down()
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        self._vfs.count_down()


def _child(path: Path, told: Truth, first: int, make: Callable[..., SqliteStore], answers: int, calls: int) -> None:
    """Go on writing until somebody ends it; a byte for each answered step."""
    vfs = DeadlyVfs(calls) if calls else None
    store = make(str(path), vfs="deadly" if vfs else None, pragmas=OFTEN)
    memory = open_on(store, told.policy)
    for step in told.steps[first:]:
        perform(memory, step)
        os.write(answers, b".")
    if calls:
        memory.close()
    signal.pause()


def _kill_one(path: Path, told: Truth, first: int, make: type[SqliteStore], chance: random.Random) -> int:
    """One child, one death; how many steps it was heard to answer."""
    calls = chance.randrange(1, MOST_CALLS) if chance.random() < 0.5 else 0
    wanted = chance.randrange(0, min(20, len(told.steps) - first) + 1)
    wait_s = chance.random() * LONGEST_WAIT_S
    hear, say = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(hear)
            _child(path, told, first, make, say, calls)
        finally:
            # Only an error gets here: the child does not end by itself.
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
    os.close(say)
    heard = 0
    while heard < (len(told.steps) - first if calls else wanted) and (got := os.read(hear, 4096)):
        heard += len(got)
    time.sleep(wait_s)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    if os.WIFEXITED(status):
        raise RuntimeError("the writer ended by an error of its own")
    while got := os.read(hear, 4096):
        heard += len(got)
    os.close(hear)
    return heard


def kill_cycles(total: int, folder: Path, store: str = "ordinary", first_seed: int = 0) -> Tally:
    """Kill so many times, in this process. Prefer `in_server`: forking wants a process that does nothing else."""
    tally = Tally()
    for seed in count(first_seed):
        if tally.count >= total:
            break
        shutil.rmtree(folder / "life", ignore_errors=True)
        (folder / "life").mkdir()
        tally.merge(_one_life(folder / "life" / FILE, seed, STORES[store], total - tally.count))
    shutil.rmtree(folder / "life", ignore_errors=True)
    return tally


def _one_life(path: Path, seed: int, make: type[SqliteStore], most: int) -> Tally:
    """Kill the writers of one file until its scenario is through."""
    told, chance, tally = truth(seed, STEPS), random.Random(f"kill-{seed}"), Tally()
    make(str(path)).close()
    first = 0
    while first < len(told.steps) and tally.count < most:
        heard = _kill_one(path, told, first, make, chance)
        verdict = judge(path, told, first + heard)
        tally.add(verdict, f"scenario {seed}, {first} + {heard} steps answered")
        if verdict.prefix is None:
            break
        first = verdict.prefix
    return tally


def in_server(total: int, folder: Path, store: str = "ordinary", first_seed: int = 0) -> Tally:
    """Kill so many times in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": SOURCES, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "survival.kill", str(total), str(folder), store, str(first_seed)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=3_600, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the kill server failed:\n{done.stderr[-2_000:]}")
    return Tally(**json.loads(done.stdout))


if __name__ == "__main__":
    counted = kill_cycles(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
    print(json.dumps(asdict(counted)))
