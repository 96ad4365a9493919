"""Fits the weights of the search (`[recall.ranking]` of the policy) on the own chats marked `fit`, and on nothing else.

Every hit carries its parts, and the score is their weighed sum; so the parts of all hits are read once, at the same
weight, and any other weights can be tried by adding them up again. It begins at the published weights of retrieval.md,
with nothing for the parts that are not there, and tries one weight after the other in steps. A step is taken only for a
gain that is more than noise and that both halves of the chats show. `vector` stays, for only ratios matter; `speaker`,
`name` and `date`, which these chats hardly show, stay as published. The part marked `held` is reported and never looked
at for a choice.

Run: python bench/fit_ranking.py
"""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

import numpy as np

from corpora import Corpus, chats
from recollect import Memory
from recollect.core.policy import Ranking
from recollect.core.read.query import understand

FITTED = ("words", "next_vector", "user", "answer", "asks", "follows", "kind", "newer", "now")
PUBLISHED = {"words": 100, "next_vector": 40, "user": 200, "assistant": 350, "answer": 30, "asks": -60, "follows": 30}
STEPS = (-40, -20, -10, 10, 20, 40)
# The mean of R@5, R@10 and MRR over 359 questions moves by about this much when one question changes its place.
GAIN = 0.0015
LARGEST = 200  # beyond two deviations a preference has become a filter
# 359 questions cannot tell small differences: of every step away from the published weights, half is kept.
KEPT_PERCENT = 50
UNIT = 100
NAMES = [f.name for f in dataclasses.fields(Ranking)]
# The part of a hit that each weight makes, where the name differs.
PART = {"next_vector": "next", "now": "newer"}


@dataclasses.dataclass
class Question:
    """One question: the parts of all its hits at unit weight, by the name of their weight, and which are evidence."""

    parts: dict[str, np.ndarray]
    refs: list[str]
    wanted: list[str]
    chat: int


def read(corpora: list[Corpus]) -> list[Question]:
    found = []
    table = "".join(f"{name} = {UNIT if name != 'now' else 0}\n" for name in NAMES)
    with tempfile.TemporaryDirectory() as folder:
        policy = Path(folder) / "unit.toml"
        policy.write_text(f'name = "unit"\n[recall.ranking]\n{table}', encoding="utf-8")
        for number, corpus in enumerate(corpora):
            memory = Memory.open(":memory:", policy=str(policy))
            for turn in corpus.turns:
                memory.session(user="u", session=turn["session"]).remember(
                    turn["text"], role=turn["role"], ref=turn["ref"], at=turn["at"]
                )
            asking = memory.session(user="u", session="asking")
            found += [_question(asking.search(q, limit=1_000), q, e, number) for _, q, e in corpus.questions]
    return found


def _question(hits: list, question: str, evidence: list[str], chat: int) -> Question:
    now = understand(question, ()).now
    held = [dict(hit.parts) for hit in hits]
    parts = {name: np.array([part.get(PART.get(name, name), 0) for part in held]) for name in NAMES}
    parts["now"] = parts["now"] * (now == 1)
    return Question(parts, [hit.refs[0] for hit in hits], evidence, chat)


def score(questions: list[Question], weights: dict[str, int]) -> tuple[float, float, float]:
    """R@5, R@10, MRR."""
    rows = []
    for question in questions:
        total = sum(question.parts[name] * weight for name, weight in weights.items())
        order = np.argsort(-total, kind="stable")
        found = list(dict.fromkeys(question.refs[i] for i in order[:40]))[:20]
        places = [found.index(ref) for ref in question.wanted if ref in found]
        share = [sum(place < k for place in places) / len(question.wanted) for k in (5, 10)]
        rows.append((*share, 1 / (1 + min(places)) if places else 0.0))
    return tuple(float(np.mean(column)) for column in zip(*rows, strict=True))  # type: ignore[return-value]


def fit(questions: list[Question], weights: dict[str, int]) -> dict[str, int]:
    halves = ([q for q in questions if q.chat % 2], [q for q in questions if not q.chat % 2])
    worth = [mean(half, weights) for half in halves]
    is_better = True
    while is_better:
        is_better = False
        for name in FITTED:
            tried = [weights | {name: max(-LARGEST, min(LARGEST, weights[name] + step))} for step in STEPS]
            gains = [([mean(half, one) for half in halves], one) for one in tried if one[name] != weights[name]]
            agreed = [
                (both, one) for both, one in gains if all(new >= old for new, old in zip(both, worth, strict=True))
            ]
            both, one = max(agreed, key=lambda pair: sum(pair[0]), default=(worth, weights))
            if sum(both) > sum(worth) + 2 * GAIN:
                worth, weights, is_better = both, one, True
                print(f"  {name} = {weights[name]}: {sum(worth) / 2:.4f}", flush=True)
    return weights


def mean(questions: list[Question], weights: dict[str, int]) -> float:
    return sum(score(questions, weights)) / 3


def main() -> None:
    start = dataclasses.asdict(Ranking())
    blank = start | dict.fromkeys(FITTED, 0) | PUBLISHED
    fitting, held = read(list(chats("fit"))), read(list(chats("held")))
    far = fit(fitting, blank)
    fitted = {name: blank[name] + (far[name] - blank[name]) * KEPT_PERCENT // 100 for name in far}
    for name, weights in (("as published", blank), ("fitted", far), ("half of the way", fitted), ("as shipped", start)):
        told = [" ".join(f"{value:.3f}" for value in score(part, weights)) for part in (fitting, held)]
        print(f"{name:<30} fit (R@5 R@10 MRR) {told[0]}   held {told[1]}")
    print("[recall.ranking]\n" + "".join(f"{name} = {weight}\n" for name, weight in fitted.items()))


if __name__ == "__main__":
    main()
