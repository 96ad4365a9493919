"""How often the right turn is found: R@5, R@10, R@20, MRR by kind of question, beside plain BM25 and plain vectors.

Two kinds of data: LoCoMo (people chatting; read from ../shared/data where it is present, for measuring only) and the
project's own long user-assistant chats in bench/data/chats. No model is in the loop; one memory per turn; the same
weights for both. Run: make bench-quality   (or: python bench/quality.py --pooled)
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bm25 import Bm25
from recollect import Memory
from recollect.adapters.embedders.static import StaticEmbedder

ROOT = Path(__file__).resolve().parents[1]
LOCOMO = next((p / "shared" / "data" / "locomo" for p in ROOT.parents if (p / "shared").is_dir()), ROOT / "locomo")
CHATS = ROOT / "bench" / "data" / "chats"
DEPTH = 20


@dataclass
class Corpus:
    """One conversation and the questions about it."""

    name: str
    turns: list[dict[str, str]]
    questions: list[tuple[str, str, list[str]]] = field(default_factory=list)


def locomo() -> Iterator[Corpus]:
    for path in sorted(LOCOMO.glob("*.json")):
        raw = json.loads(path.read_text(encoding="utf-8"))
        turns = [
            {"text": t["text"], "speaker": t["speaker"], "ref": t["ref"], "at": t["at"], "session": str(t["session"])}
            for t in raw["turns"]
        ]
        questions = [
            (q["category"], q["question"], q.get("evidence_audited") or q["evidence"])
            for q in raw["questions"]
            if q["category"] != "adversarial"
        ]
        yield Corpus(raw["id"], turns, questions)


def chats(split: str) -> Iterator[Corpus]:
    for path in sorted(CHATS.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        if split and rows[0]["split"] != split:
            continue
        turns = [
            {"text": r["text"], "role": r["role"], "ref": r["ref"], "at": r["at"], "session": str(r["session"])}
            for r in rows[1:]
            if "ref" in r
        ]
        questions = [(r["kind"], r["question"], r["evidence"]) for r in rows[1:] if "question" in r]
        yield Corpus(rows[0]["chat"], turns, questions)


Ranker = Callable[[str], list[str]]


def ours(corpora: list[Corpus]) -> Ranker:
    memory = Memory.open(":memory:")
    for corpus in corpora:
        by_session: dict[str, list[dict[str, object]]] = {}
        for turn in corpus.turns:
            entry = {key: value for key, value in turn.items() if key != "session"}
            entry["ref"] = f"{corpus.name}/{turn['ref']}"
            by_session.setdefault(turn["session"], []).append(entry)
        for session, turns in by_session.items():
            memory.session(user="u", session=f"{corpus.name}-{session}").remember_many(turns)
    asking = memory.session(user="u", session="asking")

    def rank(question: str) -> list[str]:
        refs = [ref for hit in asking.search(question, limit=DEPTH * 2) for ref in hit.refs]
        return list(dict.fromkeys(refs))[:DEPTH]

    return rank


def plain_words(corpora: list[Corpus]) -> Ranker:
    refs = [f"{corpus.name}/{t['ref']}" for corpus in corpora for t in corpus.turns]
    index = Bm25([t["text"] for corpus in corpora for t in corpus.turns])

    def rank(question: str) -> list[str]:
        return [refs[number] for number in index.rank(question, DEPTH)]

    return rank


def plain_vectors(corpora: list[Corpus]) -> Ranker:
    embedder = StaticEmbedder()
    refs = [f"{corpus.name}/{t['ref']}" for corpus in corpora for t in corpus.turns]
    texts = [t["text"] for corpus in corpora for t in corpus.turns]
    matrix = np.frombuffer(b"".join(embedder.embed(texts)), dtype=np.int8).reshape(len(texts), -1).astype(np.int32)

    def rank(question: str) -> list[str]:
        query = np.frombuffer(embedder.embed([question])[0], dtype=np.int8).astype(np.int32)
        return [refs[i] for i in np.argsort(-(matrix @ query), kind="stable")[:DEPTH]]

    return rank


SYSTEMS: dict[str, Callable[[list[Corpus]], Ranker]] = {
    "BM25 alone": plain_words,
    "vectors alone": plain_vectors,
    "recollect": ours,
}


def measure(groups: list[list[Corpus]], make: Callable[[list[Corpus]], Ranker]) -> dict[str, list[float]]:
    scores: dict[str, list[list[float]]] = {}
    for corpora in groups:
        rank = make(corpora)
        for corpus in corpora:
            for kind, question, evidence in corpus.questions:
                wanted = [f"{corpus.name}/{ref}" for ref in evidence]
                found = rank(question)
                places = [found.index(ref) for ref in wanted if ref in found]
                row = [sum(p < k for p in places) / len(wanted) for k in (5, 10, 20)]
                row.append(1 / (1 + min(places)) if places else 0.0)
                for name in (kind, "all"):
                    scores.setdefault(name, []).append(row)
    return {name: [float(np.mean(column)) for column in zip(*rows, strict=True)] for name, rows in scores.items()}


def show(title: str, groups: list[list[Corpus]]) -> None:
    count = sum(len(c.questions) for corpora in groups for c in corpora)
    print(f"\n{title} ({count} questions)")
    print(f"  {'system':<16}{'kind':<14}{'R@5':>7}{'R@10':>7}{'R@20':>7}{'MRR':>8}")
    for system, make in SYSTEMS.items():
        found = measure(groups, make)
        kinds = sorted(found, key=lambda name: (name != "all", name)) if system == "recollect" else ["all"]
        for kind in kinds:
            r5, r10, r20, mrr = found[kind]
            print(f"  {system:<16}{kind:<14}{100 * r5:7.1f}{100 * r10:7.1f}{100 * r20:7.1f}{mrr:8.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pooled", action="store_true", help="also all LoCoMo conversations in one memory")
    parser.add_argument("--split", default="", choices=("", "fit", "held"), help="which part of the own chats")
    arguments = parser.parse_args()
    if LOCOMO.is_dir():
        conversations = list(locomo())
        show("LoCoMo, a memory per conversation", [[corpus] for corpus in conversations])
        if arguments.pooled:
            show("LoCoMo, all conversations in one memory", [conversations])
    else:
        print(f"LoCoMo is not here ({LOCOMO.name}); measuring the own chats alone.")
    own = list(chats(arguments.split))
    if own:
        show("own chats, a memory per chat", [[corpus] for corpus in own])
        show("own chats, all in one memory", [own])


if __name__ == "__main__":
    main()
