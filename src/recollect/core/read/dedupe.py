"""Takes out what would be said twice: an episode whose turn is in the window, and older copies of the same words.

Never: drops the window, a rule or a fact.
Spec: document 002, sections 5 and 6 (near-duplicates come with the gate; this is the exact part).
"""

from __future__ import annotations

from recollect.core.read.choice import Candidate, Selection
from recollect.core.read.question import Gathered, Question
from recollect.core.text import normalise


def dedupe(question: Question, gathered: Gathered, selection: Selection) -> None:
    """Keep one of each: the window's own line first, then the newest copy."""
    in_window = {_words(c): True for c in selection.alive if c.block == "window"}
    newest: dict[tuple[str, str], Candidate] = {}
    for candidate in selection.alive:
        if candidate.block == "episodes":
            held = newest.get(_words(candidate))
            if held is None or _age(candidate) > _age(held):
                newest[_words(candidate)] = candidate
    staying = []
    for candidate in selection.alive:
        if candidate.block != "episodes":
            staying.append(candidate)
        elif _words(candidate) in in_window:
            selection.drop(candidate, "in_window")
        elif newest[_words(candidate)] is not candidate:
            selection.drop(candidate, "older_duplicate")
        else:
            staying.append(candidate)
    selection.alive = staying


def _words(candidate: Candidate) -> tuple[str, str]:
    """Who said it, and the words without case and punctuation: the same words by another person are not a copy."""
    item = candidate.item
    return f"{item.source}/{item.origin.speaker}", normalise(item.text) or item.text


def _age(candidate: Candidate) -> tuple[int, int, str]:
    return candidate.item.origin.at_ms, candidate.item.created_at, candidate.item.id
