"""How often the right turn is found, beside plain BM25, plain vectors and the systems people use.

R@5, R@10, R@20: share of the evidence turns among the first 5, 10, 20. MRR: one over the place of the first. nDCG@10:
how high they stand. S@5: share of the evidence sessions among the first five sessions. No model is in the loop; one
memory a turn; one set of weights and one embedder for all. Peers get the speaker's name in the text, which serves them
best; they run in an environment of their own (scripts/peers.sh) and are left out with a word where it is missing.

Run: make bench-quality   (or: python bench/quality.py --only own --no-peers)
"""

from __future__ import annotations

import argparse
import base64
import json
import math
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bm25 import Bm25
from corpora import LOCOMO, ROOT, Corpus, chats, hindi, locomo
from recollect import Memory
from recollect.adapters.embedders.static import StaticEmbedder

PEERS = ROOT / "bench" / "peers" / ".venv" / "bin" / "python"
DEPTH = 20
COLUMNS = ("R@5", "R@10", "R@20", "MRR", "nDCG@10", "S@5")
Groups = list[list[Corpus]]
Ranker = Callable[[str], list[str]]
Ranked = list[list[str]]


EMBEDDER = ["static"]


def ours(corpora: list[Corpus], memory: Memory | None = None, tenant: str = "default") -> Ranker:
    memory = memory or Memory.open(":memory:", embedder=EMBEDDER[0])
    for corpus in corpora:
        by_session: dict[str, list[dict[str, object]]] = {}
        for turn in corpus.turns:
            entry: dict[str, object] = {key: value for key, value in turn.items() if key != "session"}
            entry["ref"] = f"{corpus.name}/{turn['ref']}"
            by_session.setdefault(turn["session"], []).append(entry)
        for session, turns in by_session.items():
            memory.session(user="u", session=f"{corpus.name}-{session}", tenant=tenant).remember_many(turns)
    asking = memory.session(user="u", session="asking", tenant=tenant)

    def rank(question: str) -> list[str]:
        refs = [ref for hit in asking.search(question, limit=DEPTH * 2) for ref in hit.refs]
        return list(dict.fromkeys(refs))[:DEPTH]

    return rank


def _refs(corpora: list[Corpus]) -> list[str]:
    return [f"{corpus.name}/{turn['ref']}" for corpus in corpora for turn in corpus.turns]


def _texts(corpora: list[Corpus]) -> list[str]:
    return [text for corpus in corpora for text in corpus.said()]


def plain_words(corpora: list[Corpus]) -> Ranker:
    refs, index = _refs(corpora), Bm25(_texts(corpora))
    return lambda question: [refs[number] for number in index.rank(question, DEPTH)]


def plain_vectors(corpora: list[Corpus]) -> Ranker:
    embedder, refs, texts = StaticEmbedder(), _refs(corpora), _texts(corpora)
    matrix = np.frombuffer(b"".join(embedder.embed(texts)), dtype=np.int8).reshape(len(texts), -1).astype(np.int32)

    def rank(question: str) -> list[str]:
        query = np.frombuffer(embedder.embed([question])[0], dtype=np.int8).astype(np.int32)
        return [refs[i] for i in np.argsort(-(matrix @ query), kind="stable")[:DEPTH]]

    return rank


SYSTEMS: dict[str, Callable[[list[Corpus]], Ranker]] = {
    "recollect": ours,
    "BM25 alone": plain_words,
    "vectors alone": plain_vectors,
}


def measure(groups: Groups, make: Callable[[list[Corpus]], Ranker]) -> dict[str, list[float]]:
    ranked = []
    for corpora in groups:
        rank = make(corpora)
        ranked.append([rank(question) for corpus in corpora for _, question, _ in corpus.questions])
    return scored(groups, ranked)


def scored(groups: Groups, ranked: list[Ranked]) -> dict[str, list[float]]:
    """The mean of every column, for all questions and by kind."""
    rows: dict[str, list[list[float]]] = {}
    for corpora, answers in zip(groups, ranked, strict=True):
        asked = [(corpus, *question) for corpus in corpora for question in corpus.questions]
        for (corpus, kind, _, evidence), found in zip(asked, answers, strict=True):
            row = _row(corpus, found, [f"{corpus.name}/{ref}" for ref in evidence])
            for name in (kind, "all"):
                rows.setdefault(name, []).append(row)
    return {name: [float(np.mean(column)) for column in zip(*held, strict=True)] for name, held in rows.items()}


def _row(corpus: Corpus, found: list[str], wanted: list[str]) -> list[float]:
    places = sorted(found.index(ref) for ref in wanted if ref in found)
    row = [sum(place < k for place in places) / len(wanted) for k in (5, 10, 20)]
    gain = sum(1 / math.log2(place + 2) for place in places if place < 10)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(wanted))))
    sessions = {f"{corpus.name}/{turn['ref']}": turn["session"] for turn in corpus.turns}
    seen = list(dict.fromkeys(sessions.get(ref, ref) for ref in found))[:5]
    needed = {sessions[ref] for ref in wanted if ref in sessions} or {""}
    return [*row, 1 / (1 + places[0]) if places else 0.0, gain / ideal, len(needed & set(seen)) / len(needed)]


def peers(groups: Groups) -> dict[str, dict[str, list[float]]]:
    """What the systems people use find with the same vectors."""
    if not PEERS.exists():
        print("  (peers are not installed; sh scripts/peers.sh)")
        return {}
    embedder = StaticEmbedder()
    tasks = [
        {"refs": _refs(group), "texts": _texts(group), "questions": [q for c in group for _, q, _ in c.questions]}
        for group in groups
    ]
    texts = list(dict.fromkeys(text for task in tasks for text in (*task["texts"], *task["questions"])))
    vectors = {text: base64.b64encode(v).decode() for text, v in zip(texts, embedder.embed(texts), strict=True)}
    with tempfile.TemporaryDirectory() as folder:
        given, told = Path(folder) / "tasks.json", Path(folder) / "answers.json"
        given.write_text(json.dumps({"dimensions": embedder.dimensions, "vectors": vectors, "groups": tasks}))
        command = [str(PEERS), str(ROOT / "bench" / "peers" / "run.py"), str(given), str(told)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        answers = json.loads(told.read_text())
    found = {}
    for name, answer in answers.items():
        if "skipped" in answer:
            print(f"  ({name} left out: {answer['skipped']})")
        else:
            found[f"{name} {answer['version']}"] = scored(groups, answer["ranked"])
    return found


def show(title: str, groups: Groups, *, with_peers: bool) -> None:
    count = sum(len(c.questions) for corpora in groups for c in corpora)
    print(f"\n{title} ({count} questions)")
    print(f"  {'system':<26}{'kind':<16}" + "".join(f"{name:>9}" for name in COLUMNS), flush=True)
    results = {system: measure(groups, make) for system, make in SYSTEMS.items()}
    for system, found in (results | (peers(groups) if with_peers else {})).items():
        kinds = sorted(found, key=lambda name: (name != "all", name)) if system == "recollect" else ["all"]
        for kind in kinds:
            shares = "".join(
                f"{value:9.3f}" if at == 3 else f"{100 * value:9.1f}" for at, value in enumerate(found[kind])
            )
            print(f"  {system:<26}{kind:<16}{shares}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", choices=("", "locomo", "pooled", "own", "own-pooled", "hindi"))
    parser.add_argument("--split", default="", choices=("", "fit", "held"), help="which part of the own chats")
    parser.add_argument("--embedder", default="static", help="what recollect embeds with; the others keep the table")
    parser.add_argument("--no-peers", action="store_true", help="leave the other systems out")
    arguments = parser.parse_args()
    EMBEDDER[0] = arguments.embedder
    talks, own = list(locomo()), list(chats(arguments.split))
    if not talks:
        print(f"LoCoMo is not here ({LOCOMO.name}); measuring the own data alone.")
    tables: tuple[tuple[str, str, Groups], ...] = (
        ("locomo", "LoCoMo, a memory per conversation", [[corpus] for corpus in talks]),
        ("pooled", "LoCoMo, all conversations in one memory", [talks] if talks else []),
        ("own", "own chats, a memory per chat", [[corpus] for corpus in own]),
        ("own-pooled", "own chats, all in one memory", [own]),
        ("hindi", "Hindi in two scripts", [list(hindi())]),
    )
    for name, title, groups in tables:
        if groups and arguments.only in ("", name):
            show(title, groups, with_peers=not arguments.no_peers)


if __name__ == "__main__":
    main()
