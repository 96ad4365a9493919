"""How well facts are read without a model: precision, recall and time.

Run: python bench/facts.py [--part dev|held|all] [--failures] [--samples]

The labelled set is bench/data/facts.jsonl: id, family, text, expect ([memory_key, value] pairs), part, and where
needed recent (earlier turns), speaker, user, correction (the text corrects something). Its "held" part was written
before the rules, and only its totals are looked at while rules change; `--failures` therefore shows the "dev" part
alone. Both parts come from one hand, so the held numbers flatter: strangers write sentences nobody here thought of. A
fact counts as right when its memory_key and its value both match.

Where the LoCoMo conversations lie beside the project, the number of facts per 1,000 turns is reported too, and
`--samples` prints 40 of them, drawn with a fixed seed, for a person to judge.
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recollect.core.write.facts import FactDraft, Heard, extract_facts

ROOT = Path(__file__).resolve().parent.parent
LABELLED = ROOT / "bench" / "data" / "facts.jsonl"
LOCOMO = ROOT.parent / "shared" / "data" / "locomo"
SAMPLES = 40
SEED = 20


@dataclass
class Score:
    """Counts for one family of one part."""

    right: int = 0
    claimed: int = 0
    expected: int = 0
    sentences: int = 0
    clean: int = 0
    wrong: list[tuple[str, list[str], list[str]]] = field(default_factory=list)

    def line(self, name: str) -> str:
        precision = f"{self.right / self.claimed:.3f}" if self.claimed else "  –  "
        recall = f"{self.right / self.expected:.3f}" if self.expected else "  –  "
        return (
            f"{name:<14}{self.sentences:>6}{self.expected:>8}{self.claimed:>8}{self.right:>7}"
            f"{precision:>11}{recall:>9}{self.clean:>8}"
        )


def extracted(row: dict[str, Any]) -> tuple[FactDraft, ...]:
    recent = tuple(Heard(**turn) for turn in row.get("recent", ()))
    return extract_facts(row["text"], speaker=row.get("speaker", ""), user=row.get("user", ""), recent=recent)


def judge(rows: list[dict[str, Any]]) -> dict[str, Score]:
    scores: dict[str, Score] = defaultdict(Score)
    for row in rows:
        claimed = [(draft.memory_key, draft.value.casefold()) for draft in extracted(row)]
        expected = [(key, value.casefold()) for key, value in row["expect"]]
        for score in (scores[row["family"]], scores["TOTAL"]):
            score.sentences += 1
            score.expected += len(expected)
            score.claimed += len(claimed)
            score.right += sum((Counter(claimed) & Counter(expected)).values())
            score.clean += Counter(claimed) == Counter(expected)
        if Counter(claimed) != Counter(expected):
            extra = [f"{key} = {value}" for key, value in claimed if (key, value) not in expected]
            missing = [f"{key} = {value}" for key, value in expected if (key, value) not in claimed]
            scores["TOTAL"].wrong.append((f"{row['id']} {row['text']}", extra, missing))
    return scores


def corrections(rows: list[dict[str, Any]]) -> tuple[int, int, int]:
    """Sentences that correct, of them flagged as such, and others flagged wrongly."""
    marked = [(bool(row.get("correction")), extracted(row)) for row in rows]
    flagged = sum(any(draft.is_correction for draft in drafts) for wanted, drafts in marked if wanted)
    false = sum(any(draft.is_correction for draft in drafts) for wanted, drafts in marked if not wanted)
    return sum(wanted for wanted, _ in marked), flagged, false


def timed(texts: list[str], rounds: int = 5) -> list[float]:
    """Microseconds per turn, each the best of several rounds."""
    best = [float("inf")] * len(texts)
    for _ in range(rounds):
        for index, text in enumerate(texts):
            start = time.perf_counter_ns()
            extract_facts(text)
            best[index] = min(best[index], (time.perf_counter_ns() - start) / 1000)
    return best


def report_times(name: str, texts: list[str]) -> None:
    times = sorted(timed(texts))
    p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
    print(
        f"{name:<34} {len(times):>6} turns  median {statistics.median(times):8.1f} µs"
        f"  mean {statistics.fmean(times):8.1f} µs  p99 {p99:8.1f} µs"
    )


def hostile() -> list[str]:
    return [
        "I live in " * 6500,
        "my " * 21000,
        '"' * 64000,
        "I" + " really" * 9000 + " live in Lisbon",
        "My sister " + "Anna " * 12000,
        "the deadline for " + "A" * 64000,
        "'" + "a b " * 16000,
        "```" + "x" * 64000,
        "I love " + "very " * 12000 + "tea",
        "(" * 32000 + ")" * 32000,
        "I'm a " + "senior " * 9000 + "engineer",
        "\n".join(["x = 1;"] * 10000),
    ]


def locomo_turns() -> list[tuple[str, str, str]]:
    found = []
    for path in sorted(LOCOMO.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        found += [(data["id"], turn["speaker"], turn["text"]) for turn in data["turns"]]
    return found


def report_locomo(samples: bool) -> None:
    if not LOCOMO.is_dir():
        print("LoCoMo: not present, skipped")
        return
    turns = locomo_turns()
    found: list[tuple[str, FactDraft]] = []
    heard: list[Heard] = []
    talk = ""
    for conversation, speaker, text in turns:
        heard = heard if talk == conversation else []
        talk = conversation
        found += [(text, draft) for draft in extract_facts(text, speaker=speaker, recent=tuple(heard[-8:]))]
        heard.append(Heard(text=text, is_user=False, speaker=speaker))
    print(f"LoCoMo: {len(turns)} turns, {len(found)} facts, {1000 * len(found) / len(turns):.0f} per 1,000 turns")
    kinds = Counter(draft.fact_type for _, draft in found)
    print("  " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    report_times("LoCoMo turns", [text for _, _, text in turns])
    if samples:
        for text, draft in random.Random(SEED).sample(found, min(SAMPLES, len(found))):
            print(
                f"\n  {draft.text}\n    {draft.memory_key}\n    < {text[max(0, draft.start - 40) : draft.end + 60]!r}"
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--part", choices=("dev", "held", "all"), default="all")
    parser.add_argument("--failures", action="store_true", help="show what went wrong in the dev part")
    parser.add_argument("--samples", action="store_true", help="print facts read from LoCoMo, for a person to judge")
    options = parser.parse_args()
    rows = [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]
    for part in ("dev", "held") if options.part == "all" else (options.part,):
        chosen = [row for row in rows if row["part"] == part]
        if not chosen:
            continue
        scores = judge(chosen)
        print(
            f"\n{part:<14}{'texts':>6}{'facts':>8}{'claimed':>8}{'right':>7}{'precision':>11}{'recall':>9}{'exact':>8}"
        )
        for name in (*sorted(name for name in scores if name != "TOTAL"), "TOTAL"):
            print(scores[name].line(name))
        wanted, flagged, false = corrections(chosen)
        print(f"corrections: {flagged} of {wanted} flagged as such, {false} other texts flagged")
        if options.failures and part == "dev":
            for text, extra, missing in scores["TOTAL"].wrong:
                print(f"\n  {text}\n    + {extra}\n    - {missing}")
    print()
    report_times("labelled set", [row["text"] for row in rows])
    report_times("labelled, nothing to find", [row["text"] for row in rows if not row["expect"]])
    idle = [
        "The weather report said rain until noon, then sun.",
        "Thanks, that worked!",
        "Could you explain the second step again?",
        "The build failed with exit code 2 after the upgrade.",
    ]
    report_times("no trigger", idle * 20)
    report_times("hostile, 64 kB", hostile())
    report_locomo(options.samples)
    return 0


if __name__ == "__main__":
    sys.exit(main())
