"""What the question's files leave in play: a file switched off takes its snippets and the talk about it with it, and
under Exact File Lock only the window stays beside the named files.

Never: drops the window.
Spec: facts 2.2, 2.4 (CH-03.8, CH-03.9); ruling 16.
"""

from __future__ import annotations

from recollect.core.item import MemoryItem
from recollect.core.read.choice import Selection
from recollect.core.read.question import Gathered, Question


def scope(question: Question, gathered: Gathered, selection: Selection) -> None:
    """Take out what the files of this turn shut out."""
    if not question.is_locked and not question.off:
        return
    off = [path for path in question.off if path not in [shown.path for shown in gathered.shown if shown.is_kept]]
    staying = []
    for candidate in selection.alive:
        if candidate.block == "window" or candidate.block == "rules":
            staying.append(candidate)
        elif question.is_locked:
            selection.drop(candidate, "locked")
        elif any(points_at(candidate.item, path) for path in off):
            selection.drop(candidate, "file_off")
        else:
            staying.append(candidate)
    selection.alive = staying


def points_at(item: MemoryItem, path: str) -> bool:
    """Whether an item was read from a file, was said about it, or names its path."""
    return item.origin.source == f"file:{path}" or path in item.origin.files or path in item.text
