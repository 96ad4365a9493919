"""What the secret finder finds, what else it flags, and what it costs.

Run: `python bench/secret_finding.py [--samples N] [--hostile]`. Prints tables; writes nothing. Benign texts are read
from `../shared/data` beside the project where they exist; they are never copied.

Never: prints a value, real or fake.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
sys.path.insert(0, str(ROOT / "tests" / "unit"))

from fake_secrets import DISGUISES, Sample, lookalikes, samples  # noqa: E402
from fake_secrets.hostile import hostile  # noqa: E402
from fake_secrets.spoken import ONLY_TALK, spoken  # noqa: E402

from recollect.core.write.secret_rules import RULES, Rule  # noqa: E402
from recollect.core.write.secret_rules.plain import plain_text  # noqa: E402
from recollect.core.write.secrets import _due, _spans, find_secrets, mask  # noqa: E402


def table(title: str, head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    """Print a Markdown table."""
    print(f"\n## {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(str(cell) for cell in row)} |")


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "–"


def is_found(sample: Sample) -> bool:
    return any(f.start <= sample.start and sample.end <= f.end for f in find_secrets(sample.text))


def recall(count: int) -> None:
    """Recall by family, for token-shaped families and for all."""
    drawn = samples(count)
    hits: Counter[str] = Counter(sample.family for sample in drawn if is_found(sample))
    totals: Counter[str] = Counter(sample.family for sample in drawn)
    shaped = {sample.family: sample.token_shaped for sample in drawn}
    rows = [
        (family, "token" if shaped[family] else "other", totals[family], percent(hits[family], totals[family]))
        for family in totals
    ]
    table(f"Recall by family ({len(totals)} families)", ("family", "kind", "samples", "found"), rows)
    groups: tuple[tuple[str, Callable[[str], bool]], ...] = (
        ("token-shaped", lambda family: shaped[family]),
        ("other", lambda family: not shaped[family]),
        ("all", lambda family: True),
    )
    summary = []
    for name, belongs in groups:
        whole = sum(count for family, count in totals.items() if belongs(family))
        part = sum(count for family, count in hits.items() if belongs(family))
        summary.append((name, whole, percent(part, whole)))
    table("Recall", ("group", "samples", "found"), summary)


def in_passing() -> None:
    """Recall on sentences written before looking at the rules; `held` ones were not looked at while mending either."""
    drawn = spoken()
    rows: list[tuple[object, ...]] = []
    for name, group in (("looked at afterwards", False), ("held", True)):
        chosen = [sample for sample, is_held in drawn if is_held is group]
        rows.append((name, len(chosen), percent(sum(map(is_found, chosen)), len(chosen))))
    rows.append(
        ("talk flagged", len(ONLY_TALK), percent(sum(bool(find_secrets(t)) for t in ONLY_TALK), len(ONLY_TALK)))
    )
    table("Said in passing", ("sentences", "count", "found"), rows)


def disguised() -> None:
    """Recall when the text is disguised."""
    drawn = [sample for sample in samples(3) if not sample.family.startswith("phrased_")]
    rows = []
    for name, change in DISGUISES.items():
        kept = 0
        for sample in drawn:
            text = change(sample.text)
            left = plain_text(mask(text, find_secrets(text))).text
            kept += plain_text(sample.value).text not in left
        rows.append((name, len(drawn), percent(kept, len(drawn))))
    table("Recall under disguise", ("disguise", "samples", "found"), rows)


def benign() -> dict[str, list[str]]:
    """Benign texts beside the project, by source."""
    out: dict[str, list[str]] = {}
    turns = [turn["text"] for path in sorted((DATA / "locomo").glob("*.json")) for turn in _json(path)["turns"]]
    if turns:
        out["LoCoMo turns"] = turns
    for name in ("notinject_benign", "deepset_train"):
        path = DATA / "hostile" / f"{name}.jsonl"
        if path.exists():
            rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            out[name] = [row["text"] for row in rows if row["label"] == 0]
    return out


def _json(path: Path) -> dict[str, list[dict[str, str]]]:
    loaded: dict[str, list[dict[str, str]]] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def false_alarms(texts: dict[str, list[str]]) -> None:
    """Flagged look-alikes and benign texts."""
    rows = []
    for name, group in texts.items():
        codes = Counter(finding.code for text in group for finding in find_secrets(text))
        flagged = sum(bool(find_secrets(text)) for text in group)
        rows.append((name, len(group), flagged, percent(flagged, len(group)), dict(codes) or ""))
    table("False alarms", ("texts", "count", "flagged", "share", "codes"), rows)


def microseconds(text: str) -> float:
    """The best of five calls: what the call costs, not what the machine does beside it."""
    best = min(_once(text) for _ in range(5))
    return best / 1_000


def _once(text: str) -> int:
    start = time.perf_counter_ns()
    find_secrets(text)
    return time.perf_counter_ns() - start


def _is_due(text: str) -> bool:
    plain = plain_text(text)
    return bool(_due(plain.text, plain.folded))


def speed(texts: dict[str, list[str]]) -> None:
    """Median and 99th percentile of a call."""
    groups = dict(texts)
    for name, group in texts.items():
        if name == "LoCoMo turns":
            groups["LoCoMo turns of 80 to 120 characters"] = near = [text for text in group if 80 <= len(text) <= 120]
            groups["… that no rule is due for"] = [text for text in near if not _is_due(text)]
    rows = []
    for name, group in groups.items():
        costs = sorted(microseconds(text) for text in group)
        median, high = costs[len(costs) // 2], costs[len(costs) * 99 // 100]
        rows.append((name, len(costs), f"{median:.1f}", f"{high:.1f}", f"{costs[-1]:.0f}"))
    table("Cost of a call, µs", ("texts", "count", "median", "p99", "max"), rows)


def worst_times(size: int) -> None:
    """The worst time of every rule on texts made to be hard for it."""
    broken: dict[str, list[Sample]] = {}
    for sample in samples(2):
        broken.setdefault(sample.family, []).append(sample)
    rows = []
    for rule in RULES:
        made = hostile(rule, broken.get(rule.code, []))
        hardest = max(made, key=lambda one: _rule_seconds(rule, one.text(size // 32)))
        half, whole = (_rule_seconds(rule, hardest.text(length)) for length in (size // 2, size))
        rows.append((whole, rule.code, rule.about, half))
    rows.sort(key=lambda row: row[0], reverse=True)
    shown = [(code, about, f"{half * 1e3:.1f}", f"{whole * 1e3:.1f}") for whole, code, about, half in rows]
    title = f"Worst time of a rule on hostile texts, ms ({len(RULES)} rules)"
    table(title, ("code", "rule", f"{size // 2048} kB", f"{size // 1024} kB"), shown)


def _rule_seconds(rule: Rule, text: str) -> float:
    plain = plain_text(text)
    start = time.process_time()
    for _ in _spans(rule, plain):
        pass
    return time.process_time() - start


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=50, help="samples per family")
    parser.add_argument("--hostile", action="store_true", help="also time every rule on 64 kB of hostile text")
    options = parser.parse_args()
    print("# The secret finder")
    recall(options.samples)
    in_passing()
    disguised()
    texts = benign()
    if not texts:
        print("\nNo benign texts beside the project (../shared/data); false alarms are of the look-alikes alone.")
    false_alarms({f"look-alikes: {kind}": group for kind, group in lookalikes().items()} | texts)
    speed(texts or {f"look-alikes: {kind}": group for kind, group in lookalikes().items()})
    if options.hostile:
        worst_times(64 * 1024)


if __name__ == "__main__":
    main()
