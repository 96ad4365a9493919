"""A memory that may come back into the prompt, and the verdict on it.

Never: is without a reason once the river has ended.
Spec: ruling 17; "Explained".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from recollect.core.digest import keywords
from recollect.core.item import MemoryItem
from recollect.core.reasons import Reason, reason
from recollect.core.values import Kind

Verdict = Literal["kept", "dropped"]
# The order of authority in a prompt; the window is carried last, marked as conversation.
Block = Literal[
    "rules",
    "project",
    "facts",
    "foundation",
    "cards",
    "relevant",
    "episodes",
    "commitments",
    "habits",
    "threads",
    "frictions",
    "wins",
    "seed",
    "spine",
    "rolling",
    "summary",
    "window",
]
BLOCK_ORDER: tuple[Block, ...] = get_args(Block)


@dataclass(slots=True, kw_only=True)
class Candidate:
    """One proposed memory on its way through the read river."""

    item: MemoryItem
    block: Block
    match: int = 0
    terms: tuple[str, ...] = ()
    outdated: str = ""
    score: int = 0
    parts: tuple[tuple[str, int], ...] = ()
    recall_reasons: tuple[str, ...] = ()
    kept_code: str = ""
    text: str = ""
    tokens: int = 0
    topic: int = 0
    distance: int = 0
    # Said after the mark: whose card it is, or that something is due.
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The verdict on one candidate, as the caller sees it."""

    item: MemoryItem
    verdict: Verdict
    reason: Reason
    block: Block
    score: int
    parts: tuple[tuple[str, int], ...]
    terms: tuple[str, ...]
    recall_reasons: tuple[str, ...]
    tokens: int
    topic: int = 0
    distance: int = 0
    # What is so now, where the item says something that has changed.
    outdated: str = ""

    def to_wire(self) -> dict[str, object]:
        changed = {"outdated": self.outdated} if self.outdated else {}
        return {
            "id": self.item.id,
            "verdict": self.verdict,
            "reason": self.reason.code,
            "sentence": self.reason.sentence,
            "block": self.block,
            "score": self.score,
            "parts": dict(self.parts),
            "terms": list(self.terms),
            "tokens": self.tokens,
            **changed,
        }

    def to_dict(self) -> dict[str, object]:
        """The verdict with the words and the document's metadata: distance, tags, importance, source, version."""
        return {**self.to_wire(), **episode_stamp(self.item, self.distance, self.topic), "text": self.item.text}


@dataclass(slots=True, kw_only=True)
class Selection:
    """What is still alive, and what has been dropped so far with its reason."""

    alive: list[Candidate]
    dropped: list[Choice] = field(default_factory=list)

    def drop(self, candidate: Candidate, code: str) -> None:
        """Take a candidate out by naming why."""
        self.dropped.append(_choice(candidate, "dropped", reason("dropped", code)))

    def kept(self) -> list[Choice]:
        return [_choice(c, "kept", reason("kept", c.kept_code)) for c in self.alive]


def episode_stamp(item: MemoryItem, distance: int, topic: int) -> dict[str, object]:
    """What document 002 wants stamped on an episode; nothing for the other blocks."""
    if item.kind is not Kind.SEMANTIC:
        return {}
    extra = dict(item.origin.extra)
    stamped: dict[str, object] = {
        "turn_distance": distance,
        "topic": topic,
        "keywords": list(keywords(item.text)),
        "importance": item.importance,
        "source": "static" if item.origin.source.startswith("file:") else "chat",
        "path": extra.get("path", "") or ", ".join(item.origin.files),
        "mtime": extra.get("mtime_ms", ""),
        "sha256": extra.get("sha256", ""),
    }
    return {name: value for name, value in stamped.items() if value not in ("", [])}


def _choice(candidate: Candidate, verdict: Verdict, why: Reason) -> Choice:
    return Choice(
        item=candidate.item,
        verdict=verdict,
        reason=why,
        block=candidate.block,
        score=candidate.score,
        parts=candidate.parts,
        terms=candidate.terms,
        recall_reasons=candidate.recall_reasons,
        tokens=candidate.tokens,
        topic=candidate.topic,
        distance=candidate.distance,
        outdated=candidate.outdated,
    )
