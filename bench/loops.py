"""How well promises, habits, threads and frictions are read without a model.

Run: python bench/loops.py [--failures]

The labelled set is bench/data/loops.jsonl: id, text, expect (the kinds a turn holds, [] for none). A kind counts as
right once for each time it is expected. Where the LoCoMo conversations lie beside the project, the share of turns that
yield a todo is reported too, and `--samples` prints 40 of them, drawn with a fixed seed, to be judged by this rubric:

    right   the speaker says that they will do, do again and again, keep open or keep stumbling over something
    junk    a way of speaking, somebody else's intention, a thing of the past, or talk about the talk
"""

import argparse
import json
import random
from collections import Counter
from pathlib import Path

from recollect.core.companion.loops import Loop, read_loops

ROOT = Path(__file__).resolve().parent.parent
LABELLED = ROOT / "bench" / "data" / "loops.jsonl"
LOCOMO = ROOT.parent / "shared" / "data" / "locomo"
SAMPLES, SEED = 40, 22


def judge(show: bool) -> None:
    right, claimed, expected = Counter[str](), Counter[str](), Counter[str]()
    rows = [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        found = Counter(str(draft.kind) for draft in read_loops(row["text"]))
        wanted = Counter(row["expect"])
        right.update(found & wanted)
        claimed.update(found)
        expected.update(wanted)
        if show and found != wanted:
            print(f"{row['id']} {dict(found)} instead of {dict(wanted)}: {row['text']}")
    print(f"{len(rows)} texts\n{'kind':<12}{'expected':>9}{'claimed':>9}{'right':>7}{'precision':>11}{'recall':>8}")
    for kind in (*Loop, "all"):
        r, c, e = (sum(n.values()) if kind == "all" else n[kind] for n in (right, claimed, expected))
        print(f"{kind:<12}{e:>9}{c:>9}{r:>7}{r / max(1, c):>11.3f}{r / max(1, e):>8.3f}")


def sample(show: bool) -> None:
    if not LOCOMO.exists():
        print("LoCoMo is not here; its turns were not read.")
        return
    turns = [turn["text"] for path in sorted(LOCOMO.glob("*.json*")) for turn in _turns(path)]
    hits = [(draft, text) for text in turns for draft in read_loops(text)]
    print(f"LoCoMo: {len(turns)} turns, {len(hits)} todos ({len(hits) * 1000 // max(1, len(turns))} per 1,000 turns)")
    for draft, text in random.Random(SEED).sample(hits, min(SAMPLES, len(hits))) if show else ():
        print(f"{draft.kind:<11} {draft.content[:70]!r:<74} <- {text[:110]!r}")


def _turns(path: Path) -> list[dict[str, str]]:
    text = path.read_text(encoding="utf-8")
    raw = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else json.loads(text)
    rows = raw if isinstance(raw, list) else raw.get("turns", [])
    return [row for row in rows if isinstance(row, dict) and isinstance(row.get("text"), str)]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--samples", action="store_true")
    args = parser.parse_args()
    judge(args.failures)
    sample(args.samples)


if __name__ == "__main__":
    main()
