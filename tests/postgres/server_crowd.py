"""Many processes on one PostgreSQL memory, some while the server crashes under them.

What a crowd does and how it is judged is the crowd's of the file store; here each worker also repeats what failed, with
the same command_id, until it is answered, and writes the answer down.

    python server_crowd.py URL FOLDER WORKERS OPERATIONS KIND     KIND: ordinary, unlocked (planted), stubborn

Never: forks while a connection is open. Spec: goals R5 and R6.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
import traceback
from collections import Counter
from dataclasses import asdict
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "faults"))

from survival.crowd import (
    PATIENCE_S,
    SHARES,
    Outcome,
    _doubled_commands,
    _lost_mentions,
    _lost_words,
    _operate,
    warm_up,
)

from recollect import Memory
from recollect.adapters.stores.postgres.reader import addresses
from recollect.adapters.stores.postgres.store import Asked, PostgresRepository, PostgresStore
from recollect.assemble import open_memory
from recollect.core.values import Place
from recollect.errors import StoreBusy, StoreError

STUBBORN_SECONDS = 60
STUBBORN_PAUSE_SECONDS = 0.05


class _UnlockedRepository(PostgresRepository):
    def _locks(self, places: tuple[Place, ...]) -> list[Asked]:
        return [("scope_find", addresses(places))] if places else []


class UnlockedStore(PostgresStore):
    """Forgets to lock: two writers of one place work from the same head."""

    def repository(self, tenant: str) -> PostgresRepository:
        return _UnlockedRepository(self, tenant)


def opened(url: str, kind: str) -> Memory:
    store = UnlockedStore if kind == "unlocked" else PostgresStore
    return open_memory(store(url, pool_size=3))


def run_worker(url: str, folder: Path, number: int, operations: int, kind: str) -> None:
    """One process's share of the work."""
    chance = random.Random(f"worker-{number}")
    words, weights = zip(*SHARES, strict=True)
    diary = os.open(folder / f"diary-{number}.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with opened(url, kind) as memory:
        for index in range(operations):
            begin = time.perf_counter()
            try:
                if kind == "stubborn":
                    line = _insist(memory, number, index)
                else:
                    line = _operate(memory, chance.choices(words, weights)[0], number, index)
            except StoreBusy:
                line = {"verb": "busy"}
            except StoreError as error:
                line = {"verb": "failed", "reason": error.reason}
            line["seconds"] = time.perf_counter() - begin
            os.write(diary, (json.dumps(line) + "\n").encode())


def _insist(memory: Memory, number: int, index: int) -> dict[str, object]:
    """Say one thing until it is answered: the command_id makes sure that it is said once."""
    text = f"Worker {number} finished piece {index} of the fence."
    until = time.monotonic() + STUBBORN_SECONDS
    tries = 0
    while True:
        tries += 1
        try:
            session = memory.session(user=f"worker{number}", session="day")
            receipt = session.remember(text, ref=f"piece-{index}", command_id=f"w{number}-{index}")
            break
        except StoreError:
            if time.monotonic() > until:
                raise
            time.sleep(STUBBORN_PAUSE_SECONDS)
    ids = [item_id for item_id in receipt.ids if ":semantic:" in item_id]
    return {"verb": "own", "user": f"worker{number}", "text": text, "ids": ids, "tries": tries}


def crowd(url: str, folder: Path, workers: int, operations: int, kind: str) -> Outcome:
    """Let them loose, and look at what they left."""
    running = [_fork(url, folder, number, operations, kind) for number in range(workers)]
    outcome = Outcome()
    for pid in running:
        _, status = os.waitpid(pid, 0)
        if not os.WIFEXITED(status) or os.WEXITSTATUS(status):
            outcome.problems.append("a worker ended by an error of its own")
    examine(url, folder, outcome)
    return outcome


def _fork(url: str, folder: Path, number: int, operations: int, kind: str) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        run_worker(url, folder, number, operations, kind)
        code = 0
    finally:
        if code:
            traceback.print_exc()
        os._exit(code)


def examine(url: str, folder: Path, outcome: Outcome) -> None:
    """Compare what was answered with what is there."""
    lines = [json.loads(line) for path in sorted(folder.glob("diary-*")) for line in path.read_text().splitlines()]
    outcome.operations = len(lines)
    outcome.longest_wait_s = round(max((line["seconds"] for line in lines), default=0.0), 3)
    sent_away = [line["seconds"] for line in lines if line["verb"] == "busy"]
    outcome.busy = len(sent_away)
    if any(seconds < PATIENCE_S for seconds in sent_away):
        outcome.problems.append(f"{len(sent_away)} were sent away, the first after {min(sent_away):.2f} s")
    failed = Counter(line["reason"] for line in lines if line["verb"] == "failed")
    outcome.problems += [f"{count} failed: {reason}" for reason, count in failed.items()]
    with opened(url, "ordinary") as memory:
        own = [line for line in lines if line["verb"] == "own"]
        outcome.problems += _lost_words(memory, own)
        outcome.problems += _doubled_words(memory, own)
        outcome.problems += _lost_mentions(memory, sum(line["verb"] == "claim" for line in lines), 0)
        outcome.problems += _doubled_commands(memory, [line for line in lines if line["verb"] == "command"])
        outcome.problems += [f"not the fold of its log: {difference}" for difference in memory.replay()]
        verification = memory.verify()
        outcome.problems += [] if verification.is_ok else [f"verify: {verification.verdict}"]
    outcome.problems = outcome.problems[:20]


def _doubled_words(memory: Memory, lines: list[dict[str, object]]) -> list[str]:
    """Nothing that was said once is there twice."""
    problems = []
    for user in sorted({str(line["user"]) for line in lines}):
        session, cursor = memory.session(user=user, session="day"), ""
        texts: Counter[str] = Counter()
        while True:
            page = session.list(kind="semantic", limit=1_000, cursor=cursor)
            texts.update(item.text for item in page.items)
            cursor = page.cursor
            if not cursor:
                break
        problems += [f"{text!r} is there {count} times" for text, count in texts.items() if count > 1]
    return problems


def in_process(url: str, folder: Path, workers: int, operations: int, kind: str = "ordinary") -> subprocess.Popen[str]:
    """The same in a process of its own, which may fork."""
    sources = str(Path(__file__).parents[2] / "src")
    environment = {**os.environ, "PYTHONPATH": sources, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, url, str(folder), str(workers), str(operations), kind]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def outcome_of(running: subprocess.Popen[str]) -> Outcome:
    """What a crowd came to."""
    said, complained = running.communicate(timeout=3_600)
    if running.returncode != 0:
        raise RuntimeError(f"the crowd failed:\n{complained[-2_000:]}")
    outcome = Outcome(**json.loads(said))
    if outcome.problems and complained:
        outcome.problems.append(complained[-1_000:])
    return outcome


if __name__ == "__main__":
    warm_up()
    where, place, how_many, each, which = sys.argv[1:]
    print(json.dumps(asdict(crowd(where, Path(place), int(how_many), int(each), which))))
