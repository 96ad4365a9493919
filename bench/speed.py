"""How fast search is: p50, p95, p99 by size of one owner, writes with and without vectors, memory, cold open.

Every search stands beside the machine's own limit, one bare int8 scan of as many vectors, measured in the same run; the
clock on the wall and this thread's own processor time are both told, because other work slows only the first.

    python bench/speed.py                   1k, 10k, 100k
    python bench/speed.py --million         1M too (the file of 100k, copied ten times with new numbers)
    python bench/speed.py --no-peers        without the other systems (scripts/peers.sh installs them)

Run: make bench-speed
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import numpy as np
from simsimd import cdist

import recollect
from recollect import Memory
from recollect.adapters.embedders.static import StaticEmbedder
from recollect.engine.filing import SEAL_BYTES, first_sum, model_name, seal_of

GOALS_MS = {10_000: 0.8, 100_000: 6.0, 1_000_000: 60.0}
QUESTIONS = 200
SESSION_TURNS = 2_500
STOP = "the a to and i of in it is that was for on with my you we this have be".split()
PEERS = Path(__file__).with_name("speed_peers.py")
# What scripts/peers.sh makes.
PEERS_PYTHON = Path(__file__).with_name("peers") / ".venv" / "bin" / "python"
PATIENCE_S = 180


def vocabulary() -> tuple[list[str], list[float]]:
    """Words of the shipped table with the frequencies of a language: the n-th word is about 1/n as frequent."""
    path = Path(recollect.__file__).parent / "data" / "embedder" / "vocabulary.txt"
    words = [word for word in path.read_text(encoding="utf-8").split("\n") if re.fullmatch("[a-z]{3,12}", word)]
    return words[:12_000], [1 / (rank + 8) for rank in range(min(12_000, len(words)))]


WORDS, WEIGHTS = vocabulary()


def texts(count: int, seed: int) -> list[str]:
    """Invented turns of 7 to 20 words."""
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        length = chance.randint(5, 12)
        said = chance.choices(WORDS, WEIGHTS, k=length)
        for place in range(0, length, 2):
            said[place] = f"{chance.choice(STOP)} {said[place]}"
        found.append(f"{' '.join(said).capitalize()}.")
    return found


def turns(count: int, seed: int) -> list[dict[str, object]]:
    roles = ("user", "assistant")
    return [
        {"text": text, "role": roles[n % 2], "at": 1_700_000_000_000 + (seed + n) * 60_000}
        for n, text in enumerate(texts(count, seed))
    ]


def questions(count: int = QUESTIONS) -> list[str]:
    chance = random.Random(9)
    return [f"what did i say about the {' and the '.join(chance.choices(WORDS, WEIGHTS, k=3))}?" for _ in range(count)]


def fill(memory: Memory, count: int) -> None:
    for start in range(0, count, SESSION_TURNS):
        session = memory.session(user="ana", session=f"s{start // SESSION_TURNS}")
        session.remember_many(turns(min(SESSION_TURNS, count - start), seed=start))


def spread(call: Callable[[str], object], asked: list[str]) -> tuple[float, float, float, float]:
    """p50, p95, p99 on the wall and p50 of processor time, in ms."""
    wall, own = [], []
    for question in asked:
        start, began = time.perf_counter(), time.thread_time()
        call(question)
        wall.append((time.perf_counter() - start) * 1e3)
        own.append((time.thread_time() - began) * 1e3)
    wall.sort()
    own.sort()
    at = [wall[min(len(wall) - 1, int(len(wall) * share))] for share in (0.5, 0.95, 0.99)]
    return at[0], at[1], at[2], own[len(own) // 2]


def bare_scan(count: int) -> tuple[float, float]:
    """One int8 scan of as many vectors as there are memories: wall and processor p50, in ms."""
    width = StaticEmbedder().dimensions
    matrix = np.frombuffer(random.Random(1).randbytes(count * width), dtype=np.int8).reshape(count, width)
    query = matrix[:1].copy()
    wall, _, _, own = spread(lambda _: cdist(query, matrix, "dot"), [""] * 41)
    return wall, own


def bench_search(folder: Path, sizes: list[int]) -> Iterator[str]:
    heads = "".join(f"{name:>9}" for name in ("p50", "p95", "p99", "own p50", "recall", "bare", "own ×"))
    yield f"{'search, one owner':<22}{heads}  goal"
    for size in sizes:
        path = folder / f"m{size}.db"
        if size == 1_000_000:
            multiply(folder / "m100000.db", path, 10)
        with Memory.open(str(path), index_mb=4_096) as memory:
            if size < 1_000_000:
                fill(memory, size)
            session = memory.session(user="ana", session="asking")
            session.search("warm up")
            asked = questions(QUESTIONS if size <= 100_000 else 50)
            p50, p95, p99, own = spread(session.search, asked)
            recalled = spread(session.recall, asked[:60])[0]
        bare, bare_own = bare_scan(size)
        goal = f"p50 {GOALS_MS[size]} ms" if size in GOALS_MS else ""
        goal += ", within 6 ×" if size == 100_000 else ""
        yield (
            f"{size:>13,} memories{p50:9.2f}{p95:9.2f}{p99:9.2f}{own:9.2f}{recalled:9.2f}{bare:9.2f}"
            f"{own / bare_own:8.1f}×  {goal}"
        )


def multiply(source: Path, target: Path, times: int) -> None:
    """A larger file of the same kind, for searching only: every row again under new numbers."""
    shutil.copy(source, target)
    connection = apsw.Connection(str(target))
    try:
        scope, most, tick = connection.execute(
            "SELECT number, n_semantic, tick FROM scopes WHERE space = 'user' ORDER BY n_semantic DESC LIMIT 1"
        ).get
        items = [row[1] for row in connection.execute("PRAGMA table_info(items)")]
        shifted = {"n": "n + ?1", "created_at": "created_at + ?2", "key": "NULL", "ref": "NULL"}
        columns = ", ".join(shifted.get(name, name) for name in items)
        first = first_sum(model_name(StaticEmbedder()))
        connection.create_scalar_function(
            "reseal", lambda card, vector, n: card[:-SEAL_BYTES] + seal_of(first, 1, n, card[:-SEAL_BYTES], vector)
        )
        connection.execute("BEGIN")
        for copy in range(1, times):
            step = (copy * most, copy * tick, scope, most)
            connection.execute(
                f"INSERT INTO items SELECT {columns} FROM items WHERE scope = ?3 AND kind = 1 AND n <= ?4", step
            )
            connection.execute(
                "INSERT INTO sheets SELECT scope, kind, n + ?1, recipe, reseal(card, vector, n + ?1), model, vector "
                "FROM sheets WHERE scope = ?2 AND kind = 1 AND n <= ?3",
                (copy * most, scope, most),
            )
        connection.execute(
            "UPDATE scopes SET n_semantic = ?, tick = ? WHERE number = ?", (most * times, tick * times, scope)
        )
        connection.execute("COMMIT")
    finally:
        connection.close()


def bench_writes(folder: Path, rounds: int) -> Iterator[str]:
    """The same batches with and without vectors, alternating."""
    yield f"\n{'writes':<34}{'turns/s':>10}{'turns/s of processor time':>28}"
    memories = {name: Memory.open(str(folder / f"w-{name}.db"), embedder=name) for name in ("none", "static")}
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in memories}
    for number in range(rounds):
        batch = turns(1_000, seed=number * 1_000)
        for name, memory in memories.items():
            start, began = time.perf_counter(), time.process_time()
            memory.session(user="ana", session="bulk").remember_many(batch)
            spent[name].append((time.perf_counter() - start, time.process_time() - began))
    for name, memory in memories.items():
        wall, own = (sorted(column)[rounds // 2] for column in zip(*spent[name], strict=True))
        told = "remember_many, with vectors" if name == "static" else "remember_many, words only"
        yield f"{told:<34}{1_000 / wall:>10,.0f}{1_000 / own:>28,.0f}"
        memory.close()


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def cold(path: str) -> None:
    """In a process of its own: what the first question costs, and what the index holds."""
    StaticEmbedder().embed(["load the table first: it is not part of the index"])
    with Memory.open(":memory:") as warm:
        warm.session(user="x").remember("x")
        warm.session(user="x").search("x")
    before, start, began = resident_mb(), time.perf_counter(), time.process_time()
    with Memory.open(path, index_mb=4_096) as memory:
        memory.session(user="ana", session="asking").search(questions(1)[0])
        print(json.dumps([time.perf_counter() - start, time.process_time() - began, resident_mb() - before]))


def bench_cold(path: Path) -> Iterator[str]:
    if not path.exists():
        return
    command = [sys.executable, __file__, "--cold", str(path)]
    runs = [json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout) for _ in range(3)]
    wall, own, held = min(runs)
    yield f"\nopen {path.stem[1:]} memories and answer the first question: {wall:.2f} s ({own:.2f} s of processor time)"
    yield f"resident for them beyond the model: {held:.0f} MB (goal 100 MB per 100,000)"


def bench_peers(folder: Path, sizes: list[int]) -> Iterator[str]:
    """Each peer in a process of its own, with the same texts, questions and embedder."""
    if not PEERS_PYTHON.exists():
        yield "\n(peers are not installed; sh scripts/peers.sh)"
        return
    yield f"\n{'peers, same embedder':<30}{'memories':>10}{'p50 ms':>10}{'p95 ms':>10}{'writes/s':>10}"
    given = {"PYTHONPATH": str(Path(recollect.__file__).parents[1])}
    for peer in ("recollect", "langgraph", "langgraph-sqlite", "chroma", "llamaindex", "mem0"):
        for size in sizes:
            command = [str(PEERS_PYTHON), str(PEERS), peer, str(size), str(folder / f"{peer}{size}")]
            try:
                done = subprocess.run(
                    command, capture_output=True, text=True, env=os.environ | given, timeout=PATIENCE_S, check=False
                )
            except subprocess.TimeoutExpired:
                yield f"{peer:<30}{size:>10,}    not within {PATIENCE_S // 60} minutes"
                break
            if done.returncode:
                yield f"{peer:<30}{size:>10,}    {done.stderr.strip().splitlines()[-1][:90]}"
                break
            p50, p95, rate = json.loads(done.stdout.strip().splitlines()[-1])
            yield f"{peer:<30}{size:>10,}{p50:>10.2f}{p95:>10.2f}{rate:>10,.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="1k and 10k alone")
    parser.add_argument("--million", action="store_true", help="1M memories too")
    parser.add_argument("--sizes", type=int, nargs="*", default=[], help="only these of the sizes")
    parser.add_argument("--no-peers", action="store_true", help="leave the other systems out")
    parser.add_argument("--cold", metavar="FILE", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.cold:
        cold(given.cold)
        return
    sizes = [1_000, 10_000] + ([] if given.quick else [100_000]) + ([1_000_000] if given.million else [])
    sizes = [size for size in sizes if size in given.sizes] if given.sizes else sizes
    folder = Path(tempfile.mkdtemp(prefix="recollect-speed-"))
    try:
        for line in bench_search(folder, sizes):
            print(line, flush=True)
        for line in [*bench_writes(folder, 5 if given.quick else 15), *bench_cold(folder / "m100000.db")]:
            print(line, flush=True)
        for line in () if given.no_peers else bench_peers(folder, [1_000, 10_000]):
            print(line, flush=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
