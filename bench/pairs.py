"""The gate on labelled pairs: precision and recall of near-duplicates, for several strictnesses.

Run `python bench/pairs.py`; data in bench/data/pairs.txt.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from recollect.adapters.embedders.static import StaticEmbedder
from recollect.adapters.likeness.vectors import VectorLikeness
from recollect.core.policy import Policy
from recollect.core.read.likeness import is_same, shape_of

DATA = Path(__file__).with_name("data") / "pairs.txt"


def pairs() -> Iterator[tuple[str, str, bool]]:
    """(one, other, whether they say the same) of every labelled pair."""
    first = ""
    for line in DATA.read_text(encoding="utf-8").splitlines():
        text = line[2:].replace("\\n", "\n")
        if line.startswith(": "):
            first = text
        elif line[:2] in {"= ", "! "}:
            yield first, text, line[0] == "="


def judge(strict: tuple[int, int]) -> tuple[int, int, int, int]:
    """True and false positives, false and true negatives."""
    likeness = VectorLikeness(StaticEmbedder().embed, "")
    counted = [0, 0, 0, 0]
    for one, other, is_copy in pairs():
        alike = likeness.compare(one, [other], [b""])[0][0] // 10_000
        said = is_same(shape_of(one), shape_of(other), alike, strict)
        counted[(0 if said else 2) + (0 if is_copy == said else 1)] += 1
    hit, wrong, right, missed = counted
    return hit, wrong, missed, right


def main() -> None:
    labelled = list(pairs())
    print(f"{len(labelled)} pairs, {sum(is_copy for _, _, is_copy in labelled)} of them copies\n")
    print("| shingles % | similarity % | precision | recall |\n|---|---|---|---|")
    rules = Policy().context
    for strict in [(90, 101), (60, 101), (40, 101), (70, 88), (60, 88), (50, 88), (60, 80), (40, 80), (30, 75)]:
        hit, wrong, missed, _ = judge(strict)
        mark = " (default)" if strict == (rules.duplicate_percent, rules.similar_percent) else ""
        print(f"| {strict[0]}{mark} | {strict[1]} | {hit / max(1, hit + wrong):.3f} | {hit / (hit + missed):.3f} |")


if __name__ == "__main__":
    main()
