"""The data of the quality bench: conversations and the questions about them, with the turns that answer each.

LoCoMo     people chatting; read from ../shared/data where it is present, for measuring only
chats      the project's own long user-assistant chats, bench/data/chats; `fit` may be fitted on, `held` not
hindi      short turns in Devanagari and in Latin letters, asked about in the other script or another spelling
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCOMO = next((p / "shared" / "data" / "locomo" for p in ROOT.parents if (p / "shared").is_dir()), ROOT / "locomo")
CHATS = ROOT / "bench" / "data" / "chats"
HINDI = ROOT / "bench" / "data" / "hindi"


@dataclass
class Corpus:
    """One conversation and the questions about it."""

    name: str
    turns: list[dict[str, str]]
    questions: list[tuple[str, str, list[str]]] = field(default_factory=list)

    def said(self) -> list[str]:
        """The turns as a store that knows no speakers gets them: with the name in the text, which serves it best."""
        return [f"{turn['speaker']}: {turn['text']}" if "speaker" in turn else turn["text"] for turn in self.turns]


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
        rows = _rows(path)
        if not split or rows[0]["split"] == split:
            yield _corpus(rows[0]["chat"], rows)


def hindi() -> Iterator[Corpus]:
    for path in sorted(HINDI.glob("*.jsonl")):
        yield _corpus("hindi", _rows(path))


def _rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _corpus(name: str, rows: list[dict]) -> Corpus:
    turns = [
        {"text": r["text"], "role": r["role"], "ref": r["ref"], "at": r["at"], "session": str(r["session"])}
        for r in rows[1:]
        if "ref" in r
    ]
    questions = [(r["kind"], r["question"], r["evidence"]) for r in rows[1:] if "question" in r]
    return Corpus(name, turns, questions)
