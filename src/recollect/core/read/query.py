"""What a question asks for, by rules: whose words, about when, and what kind of answer.

    whose      a speaker's name leaves the words and becomes a preference for that speaker's turns (names stand mostly
               in what the *other* one says), and stays a name that can be looked up; "you suggested" asks for the
               assistant's turns, anything else for the user's
    when       a year, a month, a day named in the question
    kind       when -> a time, how many -> a number, who or where -> a name
    now        whether it asks how things are now, or how they were at first

Never: reads a store, a clock, or anything but the question and the names it may contain.
Spec: retrieval.md ("the speaker trap", dates, answer type).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

MONTHS = "january february march april may june july august september october november december".split()
_MONTH_NUMBER = {name: index for index, name in enumerate(MONTHS, start=1)}
_MONTH_NUMBER |= {name[:3]: index for index, name in enumerate(MONTHS, start=1)}
_YEAR = re.compile(r"\b(19\d\d|20\d\d)\b")
_MONTH = re.compile(rf"\b({'|'.join(sorted(_MONTH_NUMBER, key=len, reverse=True))})\b")
# "may" and "march" are months only where something beside them says so.
_UNSURE_MONTHS = frozenset({"may", "march", "mar"})
_UNSURE = re.compile(
    r"\b(?:in|on|of|since|until|by|during|early|late|mid|last|next)\s+(?:may|march|mar)\b"
    r"|\b(?:may|march|mar)\s+\d|\d(?:st|nd|rd|th)?\s+(?:of\s+)?(?:may|march|mar)\b"
)
_DAY_FIRST = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?[a-z]{3,9}\b")
_DAY_LAST = re.compile(r"\b[a-z]{3,9}\s+(\d{1,2})(?:st|nd|rd|th)?\b(?!\s*\d)")
_ASSISTANT = re.compile(
    r"\byou\s+(?:\w+\s+)?(?:said|suggested|recommended|told|mentioned|gave|listed|proposed|explained|wrote|advised|"
    r"came\s+up|warned|described|named|quoted|estimated|calculated|offered|picked|pointed)\b"
    r"|\bdid\s+you\s+(?:\w+\s+)?(?:say|suggest|recommend|tell|mention|give|list|propose|explain|write|advise|come\s+up|"
    r"warn|describe|name|quote|estimate|calculate|offer|pick|point)\b"
    r"|\byour\s+(?:suggestions?|recommendations?|advice|answer|proposal|plan|estimate|list|explanation)\b"
    r"|\b(?:the\s+)?assistant\b"
)
_NOW = re.compile(
    r"\b(?:now|nowadays|current|currently|these\s+days|at\s+the\s+moment|in\s+the\s+end|final|finally|latest|still|today|"
    r"anymore|ended\s+up|settled?|ab|abhi|aakhir)\b"
)
_ONCE = re.compile(
    r"\b(?:first|original|originally|initial|initially|before|used\s+to|earlier|previous|previously|old|pehle)\b"
)
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("time", re.compile(r"\bwhen\b|\b(?:what|which)\s+(?:date|day|month|year|time)\b|\bhow\s+long\b|\bsince\b")),
    (
        "number",
        re.compile(r"\bhow\s+(?:many|much|old|often|far|tall|big)\b|\bwhat\s+(?:number|percentage|price|cost)\b"),
    ),
    ("name", re.compile(r"\b(?:who|whose|whom|where|which)\b|\bwhat\b.{0,60}\b(?:names?|called)\b")),
)
_TOKEN = re.compile(r"\w+")
READ_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, understood. `names` are the speakers' names that were taken out of `text`;
    `now` is 1 where it asks how things stand now, -1 where it asks how they once were."""

    text: str
    names: str = ""
    speaker: str = ""
    whose: str = ""
    kind: str = ""
    now: int = 0
    year: int = 0
    month: int = 0
    day: int = 0


def understand(question: str, speakers: Sequence[str]) -> Asked:
    """Read a question against the names that speak in a memory."""
    head = question[:READ_CHARACTERS]
    named = [name for name in speakers if name and _mentions(name, head)]
    text = head
    for name in named:
        text = re.sub(rf"\b{re.escape(name)}\b(?:['’]s)?", " ", text, flags=re.IGNORECASE)
    lowered = head.lower()
    said = frozenset(_TOKEN.findall(lowered))
    year, month, day = _date(lowered, said)
    return Asked(
        text=text + question[READ_CHARACTERS:],
        names=" ".join(named),
        speaker=named[0] if len(named) == 1 else "",
        whose=_whose(lowered, said),
        kind=_kind(lowered, said),
        now=_now(lowered, said),
        year=year,
        month=month,
        day=day,
    )


def _mentions(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text, flags=re.IGNORECASE) is not None


# A pattern is looked for only where a word stands with which it begins: looking for a word is much quicker.
_ONCE_BEGINS = frozenset(
    "first original originally initial initially before used earlier previous previously old pehle".split()
)
_NOW_BEGINS = frozenset(
    "now nowadays current currently these at in final finally latest still today anymore ended settle settled ab abhi "
    "aakhir".split()
)
_ASSISTANT_BEGINS = frozenset("you did your the assistant".split())
_USERS = frozenset("i my mine me we our us user".split())
_KINDS_BEGIN = frozenset("when what which how since who whose whom where".split())


def _now(lowered: str, said: frozenset[str]) -> int:
    if not said.isdisjoint(_ONCE_BEGINS) and _ONCE.search(lowered):
        return -1
    return 1 if not said.isdisjoint(_NOW_BEGINS) and _NOW.search(lowered) else 0


def _whose(lowered: str, said: frozenset[str]) -> str:
    if not said.isdisjoint(_ASSISTANT_BEGINS) and _ASSISTANT.search(lowered):
        return "assistant"
    return "user" if not said.isdisjoint(_USERS) else ""


def _kind(lowered: str, said: frozenset[str]) -> str:
    if said.isdisjoint(_KINDS_BEGIN):
        return ""
    return next((kind for kind, pattern in _KINDS if pattern.search(lowered)), "")


def _date(lowered: str, said: frozenset[str]) -> tuple[int, int, int]:
    year = _YEAR.search(lowered)
    month = 0
    # Looked up once: a question may be nothing but such words.
    is_sure = said.isdisjoint(_UNSURE_MONTHS) or _UNSURE.search(lowered) is not None
    for match in _MONTH.finditer(lowered) if not said.isdisjoint(_MONTH_NUMBER) else ():
        if match.group() in _UNSURE_MONTHS and not is_sure:
            continue
        month = _MONTH_NUMBER[match.group()]
        break
    day = 0
    if month:
        for match in [*_DAY_FIRST.finditer(lowered), *_DAY_LAST.finditer(lowered)]:
            words = re.findall(r"[a-z]+", match.group())
            if any(_MONTH_NUMBER.get(word) == month for word in words) and 1 <= int(match.group(1)) <= 31:
                day = int(match.group(1))
                break
    return int(year.group()) if year else 0, month, day


_NUMBERS = frozenset("one two three four five six seven eight nine ten dozen couple".split())
_TIMES = frozenset(
    (
        *"yesterday today tonight tomorrow last next ago week weeks month months year years weekend morning".split(),
        *"evening monday tuesday wednesday thursday friday saturday sunday recently".split(),
        *MONTHS,
    )
)
# Words that stand for something said before.
_REFERRING = frozenset("he she they him her them it those there wo woh voh uska uski uske usne unka unki".split())
_REFERRING_PHRASES = re.compile(r"\b(?:that|this) one\b")
_PLAIN_TOKENS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
_NAME = re.compile(r" (?<=[a-z,;] )[A-Z][a-z]")


class Reading(NamedTuple):
    """What a turn could answer, and whether what it is about stands before it ("it", "she")."""

    is_question: bool
    has_number: bool
    has_time: bool
    has_name: bool
    refers: bool


def read_answer(text: str) -> Reading:
    """Read what a turn could answer. Runs for every item that is written, so its words are split once."""
    head = text[:READ_CHARACTERS]
    lowered = head.lower()
    words = lowered.translate(_PLAIN_TOKENS).split() if lowered.isascii() else _TOKEN.findall(lowered)
    said = frozenset(words)
    digits = [word for word in words if word.isdecimal()]
    return Reading(
        is_question=head.rstrip().endswith("?"),
        has_number=bool(digits) or not said.isdisjoint(_NUMBERS),
        has_time=not said.isdisjoint(_TIMES) or any(len(word) == 4 for word in digits),
        has_name=_NAME.search(head) is not None,
        refers=not said.isdisjoint(_REFERRING) or ("one" in said and _REFERRING_PHRASES.search(lowered) is not None),
    )
