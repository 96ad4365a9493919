"""The condenser: what was selected, as Facts, Constraints and Open Issues, every line with the item it stands on.

    Constraints   what must, must not, always or never holds, and the standing rules
    Open Issues   questions nobody answered in the selection, what is blocked, to do or contradicted
    Facts         the rest, the best first

What two items say in the same words is said once, by the better one. Of a summary only its sentences count: its title
and the note of what it stands for are no facts.

Never: writes a line without a citation, or a word no item holds.
Spec: document 002 "Schema validation" (A4); facts 2.1, 2.6 (SAF-G2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.core.digest import extract
from recollect.core.read.choice import Choice
from recollect.core.read.question import Conflict

SECTIONS = ("Facts", "Constraints", "Open Issues")
NONE = "- none"
LINES = 12
ITEM_CHARACTERS = 320
_BINDS = re.compile(
    r"\b(?:must|never|always|should(?:n't)?|may not|required?|only|at (?:most|least)|forbidden)\b", re.I
)
_OPEN = re.compile(
    r"\b(?:todo|fixme|blocked|not yet|still (?:open|fails?|broken|need)|unclear|undecided|pending|open issue"
    r"|not (?:been )?decided)\b|\?(?=\s|$)",
    re.I,
)
_SPEAKER = re.compile(r"^[^\s:]{1,40}: ")
_LINE = re.compile(r"- .+ \[[^\[\]\n]+\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Condensed:
    """The selected context in three sections; every line cites an item."""

    facts: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    open_issues: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        parts = zip(SECTIONS, (self.facts, self.constraints, self.open_issues), strict=True)
        return "\n".join(f"{name}\n" + "\n".join(lines or (NONE,)) for name, lines in parts) + "\n"


def condense(choices: Sequence[Choice], conflicts: Sequence[Conflict] = ()) -> Condensed:
    """The kept items in the document's three sections."""
    found: dict[str, list[str]] = {name: [] for name in SECTIONS}
    said: dict[str, bool] = {}
    for choice in choices:
        if choice.verdict != "kept" or choice.block == "window":
            continue
        for sentence in _sentences(choice):
            section = _section(choice, sentence)
            if len(found[section]) < LINES and sentence.casefold() not in said:
                said[sentence.casefold()] = True
                found[section].append(f"- {sentence} [{choice.item.id}]")
    for conflict in conflicts[:LINES]:
        found["Open Issues"].append(f"- conflict over {_flat(conflict.sentence)} [{conflict.kept}]")
    facts, constraints, open_issues = (tuple(found[name]) for name in SECTIONS)
    return Condensed(facts=facts, constraints=constraints, open_issues=open_issues)


def faults(text: str, known: Sequence[str]) -> list[str]:
    """What is wrong with a condensed text: sections missing or out of order, lines that cite no known item."""
    lines = text.rstrip("\n").split("\n")
    found = [line for line in lines if line in SECTIONS]
    wrong = [] if found == [*SECTIONS] and lines[:1] == ["Facts"] else ["sections"]
    ids = dict.fromkeys(known)
    for line in lines:
        if line in SECTIONS or line == NONE:
            continue
        cited = line.rsplit("[", 1)[-1].rstrip("]")
        if not _LINE.fullmatch(line) or cited not in ids:
            wrong.append("citation")
            break
    return wrong


def _sentences(choice: Choice) -> list[str]:
    text = choice.item.text
    if choice.item.made_how == "span":
        return [_flat(_SPEAKER.sub("", line)) for line in text.split("\n")[1:-1] if line.strip()]
    if choice.block in {"rules", "facts"} or len(text) <= 160:
        return [_flat(text[:ITEM_CHARACTERS])] if text.strip() else []
    told = extract([("", text, choice.item.importance)], ITEM_CHARACTERS)
    return [_flat(sentence) for _, sentence in told] or [_flat(text[:ITEM_CHARACTERS])]


def _section(choice: Choice, sentence: str) -> str:
    if choice.block == "rules":
        return "Constraints"
    if _OPEN.search(sentence):
        return "Open Issues"
    return "Constraints" if _BINDS.search(sentence) else "Facts"


def _flat(text: str) -> str:
    """One line, whatever line breaks it held; brackets at the end would look like the citation."""
    return " ".join(text.split()).rstrip("[]")
