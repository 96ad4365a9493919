"""The numbers of keeping, proving and erasing: verify, erase, export, restore, extraction, the secret scan.

One memory of many users is made once and everything is measured on it, in one run. Rates are by the clock on the wall;
beside them stands the rate per second of processor time, which a busy machine does not change.

Run: make bench-keep   (or: python bench/keep.py --quick)
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import apsw

from recollect import Memory
from recollect.core.write.facts.extract import extract_facts
from recollect.core.write.secrets import find_secrets

ROOT = Path(__file__).resolve().parent.parent
LABELLED = ROOT / "bench" / "data" / "facts.jsonl"
START_MS = 1_767_225_600_000
Row = tuple[str, str, str]
THINGS = "garden kitchen meeting deadline tomato river budget invoice piano train window coffee doctor camera".split()
NAMES = "Ana Ben Chloe Dev Elif Farid Grace Hugo Ines Jonas Kira Liam Mona Nils Olga Priya".split()
PLACES = "Lisbon Porto Berlin Oslo Turin Lyon Ghent Cork Bergen Graz Bilbao Aarhus".split()
SAID = (
    "{name} bought the {thing} and the {other} on day {n}, something about {place}.",
    "We decided to use the {thing} for the {other}, plan {n}.",
    "I live in {place}.",
    "My sister {name} works at the {thing} shop in {place}.",
    "I prefer the {thing} to the {other}, as I said {n} times.",
    "What did {name} say about the {thing}?",
)


def turns(count: int, seed: int) -> list[dict[str, object]]:
    """Invented turns of everyday length, facts and corrections among them."""
    chance = random.Random(seed)
    made: list[dict[str, object]] = []
    for number in range(count):
        thing, other = chance.sample(THINGS, 2)
        words = {"name": chance.choice(NAMES), "place": chance.choice(PLACES), "n": chance.randint(1, 9_999)}
        text = chance.choice(SAID).format(thing=thing, other=other, **words)
        role = "assistant" if number % 3 == 2 else "user"
        made.append({"text": text, "role": role, "ref": f"m{number}", "at": START_MS + 1_000 * number})
    return made


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def spent_on(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the wall, and seconds of processor time."""
    wall, processor = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - processor


def rate(name: str, count: int, spent: tuple[float, float], told: str) -> Row:
    return name, f"{count / spent[0]:,.0f}", f"{count / spent[1]:,.0f} a processor second; {told}"


def percentile(spent: Sequence[float], share: float) -> float:
    ordered = sorted(spent)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def fill(path: Path, users: int, each: int) -> int:
    """A memory of many users; how many items it holds."""
    with Memory.open(str(path)) as memory:
        for number in range(users):
            memory.session(user=f"user{number}", session="s1").remember_many(turns(each, seed=number))
        counts = memory.stats()
        memory.scrub()
    return sum(count for name, count in counts.items() if "." in name)


def bench_verify(path: Path) -> list[Row]:
    """Every chain, seal and fold of the whole file, beside the bare hashing and parsing of its records."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)

    def bare() -> None:
        head = bytes(32)
        for (record,) in connection.execute("SELECT record FROM log ORDER BY scope, seq"):
            head = sha256(head + record.encode()).digest()
            json.loads(record)

    with Memory.open(str(path)) as memory:
        found = memory.verify()
        assert found.verdict == "ok", found.findings[:3]
        ours = min(spent_on(memory.verify) for _ in range(2))
        machine = min(spent_on(bare) for _ in range(2))
    connection.close()
    return [
        rate("verify, events/s", found.events, ours, f"goal 50,000 ({found.events:,} events)"),
        rate("  hashing and parsing them alone", found.events, machine, "the machine's own limit"),
    ]


def bench_export(path: Path, folder: Path) -> list[Row]:
    """The whole file out, and into a new database with every check."""
    with Memory.open(str(path)) as memory:
        out = spent_on(lambda: memory.export(folder / "export.jsonl"))
        digest = memory.state_hash()
    rows = len((folder / "export.jsonl").read_bytes().splitlines()) - 2
    with Memory.open(str(folder / "restored.db")) as memory:
        back = spent_on(lambda: memory.restore(folder / "export.jsonl"))
        assert memory.state_hash() == digest
    size = (folder / "export.jsonl").stat().st_size / 1_048_576
    return [
        rate("export, rows/s", rows, out, f"{rows:,} rows, {size:,.0f} MB"),
        rate("restore with all checks, rows/s", rows, back, "the same state hash"),
    ]


def bench_erase(path: Path, items: int, users: int) -> list[Row]:
    """One user after the other, each among all the rest."""
    spent, erased = [], 0
    with Memory.open(str(path)) as memory:
        for number in range(users):
            began = time.perf_counter()
            receipt = memory.erase_user(f"user{number * 3}")
            spent.append(time.perf_counter() - began)
            erased += receipt.total
            assert receipt.pending == ()
        refs = []
        for number in range(users):
            chat = memory.session(user=f"user{number * 3 + 1}", session="s1")
            refs.append(timed(lambda chat=chat: chat.erase_ref("m7")))
        assert memory.verify().verdict == "ok"
    told = f"{1_000 * percentile(spent, 0.5):,.0f} / {1_000 * percentile(spent, 0.95):,.0f} ms"
    one = f"{1_000 * percentile(refs, 0.5):,.0f} / {1_000 * percentile(refs, 0.95):,.0f} ms"
    return [
        (
            f"erase one user of {items:,} items, p50 / p95",
            told,
            f"goal p95 < 1,000 ms ({erased // users:,} items each)",
        ),
        (f"erase one message of {items:,} items, p50 / p95", one, ""),
    ]


def bench_extraction(rounds: int) -> list[Row]:
    """Facts by rules, on the labelled sentences and on invented turns."""
    texts = [json.loads(line)["text"] for line in LABELLED.read_text(encoding="utf-8").splitlines()]
    texts += [str(turn["text"]) for turn in turns(1_000, seed=1)]
    extract_facts("I live in Lisbon.", user="ana")
    spent = [timed(lambda text=text: extract_facts(text, user="ana")) for _ in range(rounds) for text in texts]
    median, mean = statistics.median(spent) * 1e6, statistics.mean(spent) * 1e6
    return [("extraction, median / mean", f"{median:,.0f} / {mean:,.0f} µs", "goal 300 µs a turn")]


def bench_secrets(path: Path, rounds: int) -> list[Row]:
    """The secret finder on the same turns, and a scan of everything stored."""
    texts = [str(turn["text"]) for turn in turns(1_000, seed=2)]
    find_secrets("The token is not here.")
    spent = [timed(lambda text=text: find_secrets(text)) for _ in range(rounds) for text in texts]
    with Memory.open(str(path)) as memory:
        scan = memory.scan()
        spent_scanning = spent_on(memory.scan)
    told = f"{statistics.median(spent) * 1e6:,.0f} / {percentile(spent, 0.99) * 1e6:,.0f} µs"
    return [
        ("secret scan of a turn, median / p99", told, "goal median 1,000 µs"),
        rate("scan of what is stored, items/s", scan.items, spent_scanning, f"{len(scan.found)} found"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the size, for a look")
    quick = parser.parse_args().quick
    folder = Path(tempfile.mkdtemp(prefix="recollect-bench-"))
    path = folder / "memory.db"
    try:
        began = time.perf_counter()
        items = fill(path, users=100, each=90 if quick else 900)
        made = time.perf_counter() - began
        rows: list[Row] = [
            ("memory of 100 users, items", f"{items:,}", f"{path.stat().st_size / 1_048_576:,.0f} MB, {made:,.0f} s"),
            *bench_verify(path),
            *bench_secrets(path, 1 if quick else 5),
            *bench_extraction(1 if quick else 5),
            *bench_export(path, folder),
            *bench_erase(path, items, 10 if quick else 30),
        ]
    finally:
        shutil.rmtree(folder)
    width = max(len(name) for name, _, _ in rows)
    for name, value, told in rows:
        print(f"{name:<{width}}  {value:>20}  {told}")


if __name__ == "__main__":
    main()
