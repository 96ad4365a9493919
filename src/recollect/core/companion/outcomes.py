"""What a user's words do to what is open: done, let go of, or made a habit.

Each needs a match: a word of its own that the sentence shares with the todo. "I already had lunch" is about lunch; it
completes nothing else, not even the only promise there is.

Never: completes a habit or a friction, or takes "I didn't" for "I did".
Spec: facts 3.11 with its traps; ruling 29.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.core.companion.loops import EVERY, READ_CHARACTERS, Loop
from recollect.core.companion.matching import keywords, overlap
from recollect.core.item import MemoryItem

_DONE = re.compile(
    r"\b(?:i (?:have |finally |just |already |actually )*(?:did|done|finished|completed|managed|went|took"
    r"|had|called|sent|bought"
    r"|paid|wrote|cleaned|walked|ran|made|booked|submitted|fixed|read|visited|cooked|exercised|meditated"
    r"|applied|signed"
    r"|started|shipped|emailed|talked|spoke|met|cut|got)|i['’]ve (?:just |already |finally )*\w+(?:ed|ne|en"
    r"|nt|de|ught|t|n)|done with|finished with"
    r"|(?:is|are|was|got) (?:all )?(?:done|finished|completed|sent|paid)|went for|took my|had my|did my"
    r"|went out|went to|just finished|just did"
    r"|just completed|kar (?:liya|diya|chuka|chuki)|ho gaya|ho gayi)\b|कर लिया|कर दिया|हो गया|हो गई",
    re.I,
)
_NOT_DONE = re.compile(
    r"\b(?:did(?:n['’]t| not)|have(?:n['’]t| not)|has(?:n['’]t| not)|could(?:n['’]t| not)|was(?:n['’]t"
    r"| not)|never|not yet|forgot to"
    r"|will|i['’]ll|going to|gonna|should|need to|have to|want to|almost|nearly|tried to|nahi|nahin|if)\b|नहीं",
    re.I,
)
_LET_GO = re.compile(
    r"\b(?:never ?mind|forget (?:about|it)|cancel(?:led)?|drop(?:ped|ping)? (?:the|that|it)|scrap(?:ped)?"
    r"|call(?:ed|ing)? off|skip(?:ping)?"
    r"|(?:i['’]m|i am) not (?:going to|gonna)|i won['’]t|no longer|not anymore|changed my mind"
    r"|decided (?:not to|against)|rehne do|chhodo)\b",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[.!?;।])\s+|\n+|,?\s+(?:and|but|aur|lekin)\s+(?=(?:i|i'm|i'll|i've|main)\b)", re.I)
HABIT_HOURS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """A todo and what became of it."""

    item: MemoryItem
    reason: str
    sentence: str


def may_turn(text: str) -> bool:
    """Whether a turn could change what is open at all: cheap, and asked of every turn."""
    read = text[:READ_CHARACTERS]
    return bool(_DONE.search(read) or _LET_GO.search(read) or EVERY.search(read))


def turned(text: str, todos: Sequence[MemoryItem], said_ms: int) -> tuple[Turned, ...]:
    """What a turn did to the open todos; each todo at most once."""
    found: dict[str, Turned] = {}
    for sentence in _SENTENCE.split(text[:READ_CHARACTERS]):
        if sentence.strip().endswith("?"):
            continue
        open_now = [item for item in todos if item.id not in found]
        one = _turn(sentence, open_now, said_ms)
        if one is not None:
            found[one.item.id] = one
    return tuple(found.values())


def _turn(sentence: str, todos: list[MemoryItem], said_ms: int) -> Turned | None:
    if _LET_GO.search(sentence):
        return _best("dismissed", sentence, [i for i in todos if kind_of(i) is not Loop.FRICTION], said_ms)
    if _DONE.search(sentence) and not _NOT_DONE.search(sentence):
        return _best("completed", sentence, [i for i in todos if kind_of(i) is Loop.COMMITMENT], said_ms)
    if EVERY.search(sentence):
        fresh = said_ms - HABIT_HOURS * 3_600_000
        recent = [i for i in todos if kind_of(i) is Loop.COMMITMENT and i.origin.at_ms >= fresh]
        return _best("became_habit", sentence, recent, said_ms)
    return None


def _best(reason: str, sentence: str, todos: list[MemoryItem], said_ms: int) -> Turned | None:
    """The todo that shares most of its words; the older one where two are alike."""
    scored = [(overlap(item.text, sentence), len(keywords(item.text)), item) for item in todos]
    matching = [entry for entry in scored if entry[0] and entry[2].origin.at_ms <= said_ms]
    if not matching:
        return None
    _, _, item = max(matching, key=lambda entry: (entry[0], entry[0] * 100 // max(1, entry[1]), -entry[2].ref.n))
    return Turned(item=item, reason=reason, sentence=sentence.strip())


def kind_of(item: MemoryItem) -> Loop | None:
    """The kind of a todo; None for anything else."""
    if item.fact is None or item.fact.type != "TODO":
        return None
    return Loop(item.fact.fact_type)
