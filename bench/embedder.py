"""How good and how fast the static embedder is, alone: no terms, no neighbours, no speakers' turns preferred.

    python bench/embedder.py                    the table that ships
    python bench/embedder.py DIR DIR ...        tables made by scripts/distil_static_embedder.py, beside the shipped one

Quality is the share of a question's evidence turns among the first 10 by dot product, averaged over questions. Three
readings of LoCoMo (people chatting; public, non-commercial, so it is read from ../shared/data and never copied here):
``text`` is the turn's own text, ``named`` puts the speaker's name before it, and ``asked`` takes the names out of the
question and adds a fixed bonus to the turns of the one person it names, which is closest to what recollect's ranking
does with speakers. ``chats`` is the project's own set of user-assistant chats, all of it and the held part alone.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from recollect.adapters.embedders.static import SCALE, StaticEmbedder

HERE = Path(__file__).parent
LOCOMO = HERE.parents[1] / "shared" / "data" / "locomo"
CHATS = HERE / "data" / "chats"
FIRST = 10
# A fifth of the cosine's range: enough to prefer a speaker, too little to bury everybody else.
SPEAKER_BONUS = SCALE * SCALE // 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message that a question may be about."""

    ref: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and the turns that answer it."""

    text: str
    kind: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One store's worth of turns with its questions."""

    turns: list[Turn]
    questions: list[Question]


def locomo() -> Iterator[Conversation]:
    """Categories 1 to 4: the adversarial questions have no answer to find."""
    for path in sorted(LOCOMO.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        yield Conversation(
            turns=[Turn(ref=turn["ref"], speaker=turn["speaker"], text=turn["text"]) for turn in data["turns"]],
            questions=[
                Question(
                    text=asked["question"],
                    kind=asked["category"],
                    evidence=frozenset(asked.get("evidence_audited") or asked["evidence"]),
                )
                for asked in data["questions"]
                if asked["category"] != "adversarial"
            ],
        )


def chats(split: str = "") -> Iterator[Conversation]:
    """The project's own chats, or one part of them."""
    for path in sorted(CHATS.glob("*.jsonl")):
        head, *lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
        if split in ("", head["split"]):
            yield Conversation(
                turns=[Turn(ref=at["ref"], speaker=at["role"], text=at["text"]) for at in lines if "ref" in at],
                questions=[
                    Question(text=at["question"], kind=at["kind"], evidence=frozenset(at["evidence"]))
                    for at in lines
                    if "question" in at
                ],
            )


def similarities(embedder: StaticEmbedder, asked: list[str], told: list[str]) -> npt.NDArray[np.float64]:
    """Every question against every turn. Integer-valued float64 sums below 2**53 are exact, and quick through BLAS."""
    left, right = (
        np.frombuffer(b"".join(embedder.embed(texts)), dtype=np.int8).reshape(len(texts), -1).astype(np.float64)
        for texts in (asked, told)
    )
    return np.asarray(left @ right.T)


def scores(embedder: StaticEmbedder, talk: Conversation, reading: str) -> npt.NDArray[np.float64]:
    """The similarities under one of the three readings."""
    told = [f"{turn.speaker}: {turn.text}" if reading == "named" else turn.text for turn in talk.turns]
    asked = [question.text for question in talk.questions]
    if reading != "asked":
        return similarities(embedder, asked, told)
    names = sorted({turn.speaker for turn in talk.turns})
    stripped = [re.sub(rf"\b({'|'.join(names)})('s)?\b", "", text) for text in asked]
    found = similarities(embedder, stripped, told)
    for row, text in enumerate(asked):
        named = [name for name in names if name in text]
        if len(named) == 1:
            found[row] += [SPEAKER_BONUS * (turn.speaker == named[0]) for turn in talk.turns]
    return found


def recall(embedder: StaticEmbedder, talks: list[Conversation], reading: str = "text") -> dict[str, float]:
    """Percent of evidence among the first ten, by kind of question and for all."""
    shares: dict[str, list[float]] = defaultdict(list)
    for talk in talks:
        ranked = np.argsort(-scores(embedder, talk, reading), axis=1, kind="stable")[:, :FIRST]
        for question, order in zip(talk.questions, ranked, strict=True):
            hits = question.evidence & {talk.turns[at].ref for at in order}
            share = len(hits) / len(question.evidence)
            shares["all"].append(share)
            shares[question.kind].append(share)
    return {kind: 100 * sum(found) / len(found) for kind, found in sorted(shares.items())}


def microseconds(embedder: StaticEmbedder, texts: list[str]) -> float:
    """Best of five passes over the texts, once the words are known."""
    embedder.embed(texts)
    best = min(_timed(embedder, texts) for _ in range(5))
    return best / len(texts) * 1e6


def _timed(embedder: StaticEmbedder, texts: list[str]) -> float:
    start = time.perf_counter()
    embedder.embed(texts)
    return time.perf_counter() - start


def report(directory: Path | None) -> None:
    """One table's numbers, a line each."""
    embedder = StaticEmbedder(directory)
    load_seconds = _timed(embedder, ["first use"])
    print(f"\n{embedder.name} {embedder.version} {embedder.digest[:12]} ({directory or 'shipped'})")
    print(f"  load          {load_seconds * 1e3:6.1f} ms")
    people, ours, held = list(locomo()), list(chats()), list(chats("held"))
    for label, talks, reading in (
        ("locomo text", people, "text"),
        ("locomo named", people, "named"),
        ("locomo asked", people, "asked"),
        ("chats", ours, "text"),
        ("chats held", held, "text"),
    ):
        if talks:
            found = recall(embedder, talks, reading)
            kinds = "  ".join(f"{kind} {value:.1f}" for kind, value in found.items() if kind != "all")
            print(f"  {label:13} {found['all']:6.1f} R@{FIRST}   {kinds}")
        else:
            print(f"  {label:13} no data here")
    turns = [turn.text for talk in people or ours for turn in talk.turns]
    print(f"  embed         {microseconds(embedder, turns):6.1f} µs a turn of {_words(turns):.0f} words")


def _words(texts: list[str]) -> float:
    return sum(len(text.split()) for text in texts) / len(texts)


def main() -> int:
    """Report on the shipped table and on any others named."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("tables", nargs="*", type=Path)
    for directory in (None, *arguments.parse_args().tables):
        report(directory)
    return 0


if __name__ == "__main__":
    sys.exit(main())
