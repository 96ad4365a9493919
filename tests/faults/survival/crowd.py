"""Many processes on one file: nobody's update is lost, nobody is sent away before five seconds are over.

Every worker says things of its own, states one claim that all of them state (a counter: each statement is counted as
a mention), gives commands that all of them give (one effect, the same answer for all), and asks questions. What was
answered is written to a diary line by line, so that it counts even when the worker is killed right after.

1. Own words: every answered id exists, holds the words it was given for, and was given to nobody else.
2. The claim: as many mentions as statements.
3. Commands: exactly one first answer each, and the same ids in all of them.
4. Waiting: no "busy" below five seconds.

Never: forks while a connection is open. Run: python -m survival.crowd FOLDER WORKERS OPERATIONS STORE KILLS
Spec: goal R5.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

import apsw

from recollect import Memory, Receipt
from recollect.adapters.stores.sqlite.store import SqliteStore
from recollect.assemble import open_memory
from recollect.errors import StoreBusy
from survival.chains import broken_links
from survival.planted import DeferredStore, StaleStore
from survival.sizes import SOURCES

FILE = "memory.db"
PATIENCE_S = 5.0
CLAIM = "The office is on the third floor."
STORES: dict[str, type[SqliteStore]] = {"ordinary": SqliteStore, "deferred": DeferredStore, "stale": StaleStore}
# Of a hundred operations, how many are which.
SHARES = (("own", 55), ("claim", 15), ("command", 15), ("ask", 15))


@dataclass(slots=True)
class Outcome:
    """What a crowd did, and what was wrong with it."""

    operations: int = 0
    busy: int = 0
    longest_wait_s: float = 0.0
    kills: int = 0
    problems: list[str] = field(default_factory=list)


def run_worker(folder: Path, number: int, operations: int, store: str) -> None:
    """One process's share of the work."""
    chance = random.Random(f"worker-{number}")
    words, weights = zip(*SHARES, strict=True)
    diary = os.open(folder / f"diary-{number}.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with open_memory(STORES[store](str(folder / FILE))) as memory:
        for index in range(operations):
            verb = chance.choices(words, weights)[0]
            begin = time.perf_counter()
            try:
                line = _operate(memory, verb, number, index)
            except StoreBusy:
                line = {"verb": "busy"}
            line["seconds"] = time.perf_counter() - begin
            os.write(diary, (json.dumps(line) + "\n").encode())


def _operate(memory: Memory, verb: str, number: int, index: int) -> dict[str, object]:
    match verb:
        case "own":
            text = f"Worker {number} finished piece {index} of the fence."
            receipt = memory.session(user=f"worker{number}", session="day").remember(text, ref=f"piece-{index}")
            return {"verb": verb, "user": f"worker{number}", "text": text, "ids": _semantic(receipt)}
        case "claim":
            memory.session(user="team", session=f"desk{number}").remember_fact(CLAIM, key="office")
            return {"verb": verb}
        case "command":
            name = f"order-{index // 8}"
            session = memory.session(user="team", session="board")
            receipt = session.remember_fact(f"Order {name} is placed.", key=name, command_id=name)
            return {"verb": verb, "name": name, "ids": list(receipt.ids), "is_repeat": receipt.is_repeat}
        case _:
            memory.session(user="team", session=f"desk{number}").recall("Where is the office?")
            return {"verb": verb}


def _semantic(receipt: Receipt) -> list[str]:
    return [item_id for item_id in receipt.ids if ":semantic:" in item_id]


def crowd(folder: Path, workers: int, operations: int, store: str = "ordinary", kills: int = 0) -> Outcome:
    """Let them loose, kill some, and look at what they left. Forks: use `in_server` from a test."""
    chance = random.Random(f"crowd-{workers}-{operations}")
    running = {_fork(folder, number, operations, store): number for number in range(workers)}
    outcome = Outcome()
    while running:
        if outcome.kills < kills:
            time.sleep(0.2 + chance.random() * 0.3)
            victim = chance.choice(sorted(running))
            os.kill(victim, signal.SIGKILL)
        pid, status = os.waitpid(-1, 0)
        del running[pid]
        if os.WIFSIGNALED(status) and outcome.kills < kills:
            outcome.kills += 1
            running[_fork(folder, workers + outcome.kills, operations, store)] = workers + outcome.kills
        elif not os.WIFEXITED(status) or os.WEXITSTATUS(status):
            outcome.problems.append("a worker ended by an error of its own")
    _examine(folder, outcome)
    return outcome


def _fork(folder: Path, number: int, operations: int, store: str) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        run_worker(folder, number, operations, store)
        code = 0
    finally:
        if code:
            traceback.print_exc()
        os._exit(code)


def _examine(folder: Path, outcome: Outcome) -> None:
    lines = [json.loads(line) for path in sorted(folder.glob("diary-*")) for line in path.read_text().splitlines()]
    outcome.operations = len(lines)
    outcome.longest_wait_s = round(max((line["seconds"] for line in lines), default=0.0), 3)
    sent_away = [line["seconds"] for line in lines if line["verb"] == "busy"]
    outcome.busy = len(sent_away)
    if any(seconds < PATIENCE_S for seconds in sent_away):
        outcome.problems.append(f"{len(sent_away)} were sent away, the first after {min(sent_away):.2f} s")
    with open_memory(SqliteStore(str(folder / FILE))) as memory:
        outcome.problems += _lost_words(memory, [line for line in lines if line["verb"] == "own"])
        claims = sum(line["verb"] == "claim" for line in lines)
        outcome.problems += _lost_mentions(memory, claims, outcome.kills)
        outcome.problems += _doubled_commands(memory, [line for line in lines if line["verb"] == "command"])
        outcome.problems += [f"not the fold of its log: {difference}" for difference in memory.replay()]
        outcome.problems += [f"integrity: {line}" for line in memory.check()]
    connection = apsw.Connection(str(folder / FILE), flags=apsw.SQLITE_OPEN_READONLY)
    outcome.problems += broken_links(connection)
    connection.close()
    outcome.problems = outcome.problems[:20]


def _lost_words(memory: Memory, lines: list[dict[str, object]]) -> list[str]:
    held: dict[str, str] = {}
    for user in sorted({str(line["user"]) for line in lines}):
        session, cursor = memory.session(user=user, session="day"), ""
        while True:
            page = session.list(kind="semantic", limit=1_000, cursor=cursor)
            held.update({item.id: item.text for item in page.items})
            cursor = page.cursor
            if not cursor:
                break
    problems = []
    seen: set[str] = set()
    for line in lines:
        for item_id in line["ids"]:  # type: ignore[attr-defined]
            if held.get(item_id) != line["text"]:
                problems.append(f"lost: {item_id}")
            if item_id in seen:
                problems.append(f"given twice: {item_id}")
            seen.add(item_id)
    return problems


def _lost_mentions(memory: Memory, statements: int, kills: int) -> list[str]:
    found = memory.session(user="team", session="board").list(kind="profile", contains=CLAIM).items
    counted = sum(item.standing.mentions for item in found)
    # A killed worker may have stated it without living to write it down.
    if (statements and len(found) != 1) or not statements <= counted <= statements + kills:
        return [f"the claim was stated {statements} times and counted {counted} times on {len(found)} items"]
    return []


def _doubled_commands(memory: Memory, lines: list[dict[str, object]]) -> list[str]:
    problems = []
    firsts = Counter(str(line["name"]) for line in lines if not line["is_repeat"])
    answers: dict[str, set[str]] = {}
    for line in lines:
        answers.setdefault(str(line["name"]), set()).add(json.dumps(line["ids"]))
    for name, different in answers.items():
        if firsts[name] > 1 or len(different) != 1:
            problems.append(f"{name} was done {firsts[name]} times, with {len(different)} answers")
    effects = memory.session(user="team", session="board").list(kind="profile", contains="is placed", limit=1_000)
    if len(effects.items) < len(answers):
        problems.append(f"{len(answers)} orders, {len(effects.items)} effects")
    return problems


def creators(folder: Path, workers: int, rounds: int) -> Outcome:
    """All processes open the same new file at the same moment, again and again."""
    outcome = Outcome()
    for number in range(rounds):
        path = folder / f"new-{number}.db"
        start, go = os.pipe()
        children = [_creator(path, start, go) for _ in range(workers)]
        os.close(start)
        os.close(go)
        for pid in children:
            _, status = os.waitpid(pid, 0)
            outcome.operations += 1
            if os.WEXITSTATUS(status):
                outcome.problems.append(f"round {number}: somebody could not open the file")
    return outcome


def _creator(path: Path, start: int, go: int) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        os.close(go)
        os.read(start, 1)
        with open_memory(SqliteStore(str(path))) as memory:
            memory.session(user="ana").remember("I was here.")
        code = 0
    finally:
        if code:
            traceback.print_exc()
        os._exit(code)


def in_server(folder: Path, workers: int, operations: int, store: str = "ordinary", kills: int = 0) -> Outcome:
    """The same in a process of its own, which may fork. `store` may also be `creators`."""
    environment = {**os.environ, "PYTHONPATH": SOURCES, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "survival.crowd", str(folder), str(workers), str(operations), store, str(kills)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=3_600, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the crowd server failed:\n{done.stderr[-2_000:]}")
    outcome = Outcome(**json.loads(done.stdout))
    if outcome.problems and done.stderr:
        outcome.problems.append(done.stderr[-1_000:])
    return outcome


def warm_up() -> None:
    """Load what is loaded on first use, so that forked workers do not each pay for it."""
    with open_memory(":memory:") as memory:
        memory.session(user="ana").remember("I live in Lisbon.")
        memory.session(user="ana").recall("Where do I live?")


if __name__ == "__main__":
    warm_up()
    place, how_many, each, which, deaths = sys.argv[1:]
    if which == "creators":
        result = creators(Path(place), int(how_many), int(each))
    else:
        result = crowd(Path(place), int(how_many), int(each), which, int(deaths))
    print(json.dumps(asdict(result)))
