"""The numbers of the core: writes, batches, recall by size, cold open, many owners, import time.

Every number stands beside the machine's own limit or beside its twin, measured in the same run, alternating, so that
a busy machine slows both. Run: make bench-core   (or: python bench/core.py --quick)
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import apsw

from recollect import Memory

WORDS = (
    "garden kitchen meeting deadline tomato river budget invoice piano train window coffee doctor project camera "
    "holiday bicycle server database contract school recipe mountain airport letter ticket phone printer novel"
).split()
NAMES = "Ana Ben Chloe Dev Elif Farid Grace Hugo Ines Jonas Kira Liam Mona Nils Olga Priya".split()
VERBS = "bought fixed lost visited planned cancelled finished called moved painted cooked reviewed".split()


def sentence(chance: random.Random) -> str:
    """An invented turn of everyday length."""
    name, verb = chance.choice(NAMES), chance.choice(VERBS)
    things = " and the ".join(chance.sample(WORDS, 2))
    tail = " ".join(chance.choice(WORDS) for _ in range(chance.randint(2, 9)))
    return f"{name} {verb} the {things} on day {chance.randint(1, 9999)}, something about {tail}"


def turns(count: int, seed: int) -> list[dict[str, object]]:
    chance = random.Random(seed)
    roles = ("user", "assistant")
    return [{"text": sentence(chance), "role": roles[i % 2], "at": 1_700_000_000_000 + i * 1_000} for i in range(count)]


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def fill(memory: Memory, user: str, count: int, seed: int) -> None:
    session = memory.session(user=user, session="bulk")
    for start in range(0, count, 5_000):
        session.remember_many(turns(min(5_000, count - start), seed + start))


def bench_single_writes(folder: Path, rounds: int) -> list[tuple[str, str, str]]:
    """One durable write at a time, against the machine's own one-row commit."""
    raw = apsw.Connection(str(folder / "raw.db"))
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
    memory = Memory.open(str(folder / "single.db"))
    session = memory.session(user="ana", session="one")
    texts = turns(rounds * 50, seed=1)

    def raw_round() -> None:
        for _ in range(50):
            raw.execute("BEGIN IMMEDIATE")
            raw.execute("INSERT INTO t (b) VALUES (?)", ("x" * 120,))
            raw.execute("COMMIT")

    def our_round(start: int) -> None:
        for turn in texts[start : start + 50]:
            session.remember(str(turn["text"]), role=str(turn["role"]))

    ours, machine = [], []
    for index in range(rounds):
        machine.append(timed(raw_round) / 50)
        ours.append(timed(lambda index=index: our_round(index * 50)) / 50)
    memory.close()
    ratio = statistics.median(machine) / statistics.median(ours)
    return [
        ("one-row WAL-FULL commits/s (machine)", f"{1 / statistics.median(machine):,.0f}", ""),
        ("remember/s, one at a time, durable", f"{1 / statistics.median(ours):,.0f}", f"{ratio:.0%} of it (goal 30 %)"),
    ]


def bench_batch(folder: Path, rounds: int) -> list[tuple[str, str, str]]:
    memory = Memory.open(str(folder / "batch.db"))
    session = memory.session(user="ana", session="bulk")
    batches = [turns(2_000, seed=index * 7) for index in range(rounds)]
    spent = [timed(lambda batch=batch: session.remember_many(batch)) / 2_000 for batch in batches]
    memory.close()
    return [("remember_many, turns/s", f"{1 / statistics.median(spent):,.0f}", "goal 10,000")]


def recall_ms(session: object, questions: list[str]) -> tuple[float, float]:
    spent = sorted(timed(lambda q=q: session.recall(q)) * 1_000 for q in questions)  # type: ignore[attr-defined]
    return spent[len(spent) // 2], spent[int(len(spent) * 0.95)]


def bench_recall(folder: Path, sizes: list[int]) -> list[tuple[str, str, str]]:
    rows = []
    chance = random.Random(5)
    questions = [
        f"what did {chance.choice(NAMES)} say about the {chance.choice(WORDS)} and the {chance.choice(WORDS)}?"
        for _ in range(200)
    ]
    goals = {10_000: "goal 3 ms", 100_000: "goal 15 ms"}
    for size in sizes:
        memory = Memory.open(str(folder / f"recall{size}.db"))
        fill(memory, "ana", size, seed=size)
        session = memory.session(user="ana", session="asking")
        session.recall("warm up the index")
        p50, p95 = recall_ms(session, questions)
        memory.close()
        rows.append((f"recall p50 / p95 at {size:,}", f"{p50:.2f} / {p95:.2f} ms", goals.get(size, "")))
    return rows


def bench_cold_open(folder: Path, size: int) -> list[tuple[str, str, str]]:
    path = folder / f"recall{size}.db"
    with Memory.open(str(path)) as memory:
        memory.session(user="small").remember("I keep the spare key under the blue pot.")

    def open_and_ask() -> None:
        with Memory.open(str(path)) as memory:
            memory.session(user="small").recall("where is the spare key?")

    spent = [timed(open_and_ask) for _ in range(5)]
    return [(f"open a file of {size:,} and recall of a small owner", f"{min(spent) * 1_000:.0f} ms", "goal 500 ms")]


def bench_many_owners(folder: Path, owners: int) -> list[tuple[str, str, str]]:
    """One owner's recall in a file of its own, against the same owner among many."""
    alone, crowd = Memory.open(str(folder / "alone.db")), Memory.open(str(folder / "crowd.db"))
    for index in range(owners):
        crowd.session(user=f"user{index}").remember_many(turns(2, seed=index))
    sessions = []
    for memory in (alone, crowd):
        fill(memory, "ana", 2_000, seed=3)
        sessions.append(memory.session(user="ana", session="asking"))
        sessions[-1].recall("warm up")
    questions = [f"the {word} of {name}" for word in WORDS for name in NAMES[:8]]
    spent: list[list[float]] = [[], []]
    for question in questions:
        for which, session in enumerate(sessions):
            spent[which].append(timed(lambda s=session, q=question: s.recall(q)))
    ratio = statistics.median(spent[1]) / statistics.median(spent[0])
    alone.close()
    crowd.close()
    return [(f"recall among {owners:,} owners / alone", f"{ratio:.2f} ×", "goal 1.10 ×")]


def bench_import() -> list[tuple[str, str, str]]:
    code = "import time; t = time.perf_counter(); import recollect; print(time.perf_counter() - t)"
    command = [sys.executable, "-c", code]
    spent = [float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(7)]
    return [("import recollect", f"{min(spent) * 1_000:.0f} ms", "goal 300 ms")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, for a look")
    quick = parser.parse_args().quick
    folder = Path(tempfile.mkdtemp(prefix="recollect-bench-"))
    try:
        rows = [
            *bench_import(),
            *bench_single_writes(folder, 4 if quick else 20),
            *bench_batch(folder, 3 if quick else 10),
            *bench_recall(folder, [1_000, 10_000] if quick else [1_000, 10_000, 100_000]),
            *bench_cold_open(folder, 10_000 if quick else 100_000),
            *bench_many_owners(folder, 500 if quick else 10_000),
        ]
    finally:
        shutil.rmtree(folder)
    width = max(len(name) for name, _, _ in rows)
    for name, value, goal in rows:
        print(f"{name:<{width}}  {value:>20}  {goal}")


if __name__ == "__main__":
    main()
