"""The gate: no echo of an open file, no second copy, no stale word beside the one that replaced it.

    1  chat or a snippet that repeats or overlaps a file of the ❖ FILES block goes (`duplicate_of_files`)
    2  what contradicts a file of the block goes, and the conflict is listed (`contradicts_files`)
    3  a snippet read in earlier gives way to a newer word in chat until its file is read in again (`newer_chat`)
    4  of two that say almost the same the newer stays (`older_duplicate`)
    5  of two that claim different values the newer stays, and the conflict is listed (`older_claim`)
    6  a summary goes where half of the turns it sums up are there themselves (`turns_shown`)

The order is that of authority: files shown this turn, then the newer item, then the older. The window and facts are
never dropped here, and they count as things said: an episode that the window contradicts is the older claim.

Never: changes a text. An entailment model may add what rules cannot see (`Gathered.relations`), by the same five rules.
Spec: document 002, sections 5, 6, 7; ruling 14.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from recollect.core.item import MemoryItem
from recollect.core.read.choice import Candidate, Selection
from recollect.core.read.claims import Claims, assigned, contradictions, said
from recollect.core.read.files import Shown
from recollect.core.read.likeness import (
    Shape,
    code_of,
    hard_of,
    inside_percent,
    is_same,
    lines_of,
    quoted_lines,
    shape_of,
)
from recollect.core.read.question import Conflict, Gathered, Question
from recollect.core.values import ItemRef

QUOTED_LINES = 2
# Compared in full only up to here; a recall proposes far fewer.
COMPARED = 400
# Copies share their words, and so most of their vector; below this the words are not even looked at.
ALIKE_AT_LEAST = 70


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A file of the block, ready to be compared with."""

    path: str
    shape: Shape
    lines: frozenset[str]
    claims: Claims


def gate(question: Question, gathered: Gathered, selection: Selection) -> None:
    """Take out echoes, copies and what was overtaken."""
    if not question.policy.context.duplicate_percent:
        return
    opened = [_open(shown) for shown in gathered.shown if shown.text]
    guarded = [c for c in selection.alive if c.block in {"episodes", "project"} and not c.item.standing.is_pinned]
    for candidate in guarded:
        code = _against_files(question, gathered, candidate, opened)
        if code:
            _out(selection, candidate, code)
    _among_themselves(question, gathered, selection)
    there = {candidate.item.ref: True for candidate in selection.alive}
    for candidate in [c for c in selection.alive if c.item.made_how == "span" and not c.item.standing.is_pinned]:
        turns = candidate.item.made_from
        if turns and sum(ref in there for ref in turns) * 2 >= len(turns):
            _out(selection, candidate, "turns_shown")


def static_path(item: MemoryItem) -> str:
    """The path of the file a snippet was read from; '' for talk."""
    source = item.origin.source
    return source[5:] if source.startswith("file:") else ""


def _open(shown: Shown) -> Opened:
    text = shown.text
    return Opened(path=shown.path, shape=shape_of(text), lines=lines_of(text), claims=assigned(text))


def _against_files(question: Question, gathered: Gathered, candidate: Candidate, opened: list[Opened]) -> str:
    item = candidate.item
    for file in opened:
        if static_path(item) == file.path:
            return "duplicate_of_files"
        code = code_of(item.text)
        strict = question.policy.context.duplicate_percent
        part = shape_of(code)
        is_long = len(part.shingles) >= 4
        if (is_long and inside_percent(part, file.shape) >= strict) or quoted_lines(code, file.lines) >= QUOTED_LINES:
            return "duplicate_of_files"
        found = contradictions(file.claims, said(item.text))
        if found:
            name, there, here = found[0]
            gathered.conflicts.append(
                Conflict(kept=f"file:{file.path}", dropped=item.id, about=name, kept_says=there, dropped_says=here)
            )
            return "contradicts_files"
    return ""


@dataclass(frozen=True, kw_only=True)
class Heard:
    """A candidate that stands so far: what it claims, and its row in the table of likeness."""

    candidate: Candidate
    claims: Claims
    row: int

    @cached_property
    def hard(self) -> tuple[str, ...]:
        """Its hard words; read only where somebody is alike, which is seldom."""
        return hard_of(self.candidate.item.text)


def _among_themselves(question: Question, gathered: Gathered, selection: Selection) -> None:
    """Compare newest first, so that the older one of a pair is always the one that goes."""
    strict = (question.policy.context.duplicate_percent, question.policy.context.similar_percent)
    compared = [c for c in selection.alive if c.block in {"window", "episodes", "project"}]
    standing: list[Heard] = []
    for candidate in sorted(compared, key=_newest_first)[:COMPARED]:
        item = candidate.item
        heard = Heard(
            candidate=candidate,
            claims=assigned(item.text) if static_path(item) else said(item.text),
            row=gathered.order.get(item.ref, -1),
        )
        code = ""
        if candidate.block != "window" and not item.standing.is_pinned:
            rivals = _rivals(gathered, heard, standing)
            code = next((c for newer in rivals if (c := _overtaken(gathered, heard, newer, strict))), "")
        if code:
            _out(selection, candidate, code)
        elif item.made_how not in {"summary", "span"}:
            standing.append(heard)


def _newest_first(candidate: Candidate) -> tuple[int, int, ItemRef]:
    return -candidate.item.origin.at_ms, -candidate.item.created_at, candidate.item.ref


def _rivals(gathered: Gathered, older: Heard, standing: list[Heard]) -> list[Heard]:
    """Whom a candidate could give way to. Most pairs end here: neither claims anything, and they are not alike."""
    if older.claims.firm or gathered.relations:
        return standing
    if not gathered.table:
        return [newer for newer in standing if newer.claims.firm or newer.hard == older.hard]
    row = gathered.table[older.row] if older.row >= 0 else ()
    return [
        newer
        for newer in standing
        if newer.claims.firm
        or (row and newer.row >= 0 and row[newer.row] >= ALIKE_AT_LEAST and newer.hard == older.hard)
    ]


def _overtaken(gathered: Gathered, older: Heard, newer: Heard, strict: tuple[int, int]) -> str:
    """Why an older candidate gives way to a newer one, or ''."""
    item, other = older.candidate.item, newer.candidate.item
    relation = gathered.relations.get((item.ref, other.ref), "") if gathered.relations else ""
    if relation == "same" or _says_the_same(gathered, older, newer, strict):
        return "in_window" if newer.candidate.block == "window" else "older_duplicate"
    found = contradictions(older.claims, newer.claims)
    if not found and relation != "contradicts":
        return ""
    name, was, now = found[0] if found else ("meaning", "", "")
    gathered.conflicts.append(Conflict(kept=other.id, dropped=item.id, about=name, kept_says=now, dropped_says=was))
    return "newer_chat" if static_path(item) and not static_path(other) else "older_claim"


def _says_the_same(gathered: Gathered, older: Heard, newer: Heard, strict: tuple[int, int]) -> bool:
    """Near-duplicates by one voice; what is not even alike is not compared word by word."""
    alike = gathered.alike(older.row, newer.row)
    if older.hard != newer.hard or (gathered.table and alike < ALIKE_AT_LEAST):
        return False
    item, other = older.candidate.item, newer.candidate.item
    is_one_voice = bool(static_path(item)) or item.source == other.source
    return is_one_voice and is_same(shape_of(item.text), shape_of(other.text), alike, strict)


def _out(selection: Selection, candidate: Candidate, code: str) -> None:
    selection.alive = [other for other in selection.alive if other is not candidate]
    selection.drop(candidate, code)
