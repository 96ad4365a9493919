"""Takes out what would be said twice: an episode whose turn is in the window, and older copies of the same words.

Never: drops the window, a rule or a fact.
Spec: document 002, sections 5 and 6 (near-duplicates come with the gate; this is the exact part).
"""

from __future__ import annotations

from recollect.core.read.choice import Candidate, Selection
from recollect.core.read.question import Gathered, Question
from recollect.core.text import normalise
from recollect.core.values import ItemRef


def dedupe(question: Question, gathered: Gathered, selection: Selection) -> None:
    """Keep one of each: the window's own line first, then the newest copy."""
    in_window: dict[tuple[str, str], bool] = {}
    newest: dict[tuple[str, str], Candidate] = {}
    said: list[tuple[Candidate, tuple[str, str]]] = []
    for candidate in selection.alive:
        words = _words(candidate) if candidate.block in {"episodes", "window"} else ("", "")
        said.append((candidate, words))
        if candidate.block == "window":
            in_window[words] = True
        elif candidate.block == "episodes" and (words not in newest or _age(candidate) > _age(newest[words])):
            newest[words] = candidate
    staying = []
    for candidate, words in said:
        if candidate.block != "episodes":
            staying.append(candidate)
        elif words in in_window:
            selection.drop(candidate, "in_window")
        elif newest[words] is not candidate:
            selection.drop(candidate, "older_duplicate")
        else:
            staying.append(candidate)
    selection.alive = staying


def _words(candidate: Candidate) -> tuple[str, str]:
    """Who said it, and the words without case and punctuation: the same words by another person are not a copy."""
    item = candidate.item
    return f"{item.source}/{item.origin.speaker}", normalise(item.text) or item.text


def _age(candidate: Candidate) -> tuple[int, int, ItemRef]:
    return candidate.item.origin.at_ms, candidate.item.created_at, candidate.item.ref
