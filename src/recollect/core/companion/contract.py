"""The contract of reading by a model: what of its answer is believed. What it is asked is in `forms.py`.

    {"memories": [{type, content, confidence, subtype{entityType, factType}, entityRefs[], entityLabel, importance}],
     "loops":    [{kind, content, dedupe_key, confidence}]}

1. Only explicit statements of the user are asked for, and only the user's words with this persona are shown.
2. An answer is data from outside: it is parsed, checked and cut to size; what does not hold is dropped with a reason.
   People need a relation the user stated; a persona is never a fact; talk about the talk is junk.
3. The rules and a model give the same drafts, so everything after this does not know who read.

Never: calls anybody. Fields a model invents are not read.
Spec: facts 3.3 to 3.5, 3.10; rulings 6, 20, 30a.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.core.companion.loops import LOOPS_PER_TURN, PASSING, Loop, LoopDraft, draft, settled_kind
from recollect.core.companion.memories import Stated, read_memory
from recollect.core.text import normalise
from recollect.core.values import MICRO

WINDOW_TURNS = 4
MOST_MEMORIES = 5
MAX_TOKENS = 350
TIMEOUT_MS = 5_000
ANSWER_CHARACTERS = 20_000
RELATIONS = (
    "mom mother dad father parent parents sister brother wife husband partner girlfriend boyfriend fiance fiancee "
    "spouse friend cofounder co-founder colleague teammate manager boss client mentor son daughter cousin uncle "
    "aunt grandma grandmother grandpa grandfather neighbour neighbor roommate flatmate teacher doctor bhai behen "
    "didi papa mummy dost beta beti bahu sasur saas bhabhi chacha mama nani dadi"
)
_JUNK = re.compile(r"testing|frustrat|grateful|supportive|assistant|conversation|ready to help", re.I)
_WORDS = "|".join(re.escape(word) for word in RELATIONS.split())
_RELATION = re.compile(rf"\b(?:my|our|{_WORDS})\b", re.I)
_STATED = re.compile(rf"\b(?:my|our|mera|meri|mere|hamara|hamari)\b.{{0,40}}?\b(?:{_WORDS})\b", re.I | re.S)
_FENCE = re.compile(r"^\s*```[a-z]*\s*|\s*```\s*$", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What is believed of an answer, and what was dropped with its reason."""

    memories: tuple[Stated, ...]
    loops: tuple[LoopDraft, ...]
    dropped: tuple[str, ...]


def parse(text: str) -> dict[str, object] | None:
    """The object an answer holds: fences off, a list unwrapped, else from the first brace to the last."""
    cut = _FENCE.sub("", text[:ANSWER_CHARACTERS]).strip()
    found = _json(cut)
    if found is None and "{" in cut and "}" in cut:
        found = _json(cut[cut.index("{") : cut.rindex("}") + 1])
    if isinstance(found, list):
        if len(found) == 1 and isinstance(found[0], dict) and ("memories" in found[0] or "loops" in found[0]):
            found = found[0]
        else:
            found = {"memories": found, "loops": []}
    if not isinstance(found, dict) or not ("memories" in found or "loops" in found):
        return None
    is_listed = all(isinstance(found.get(name, []), list) for name in ("memories", "loops"))
    return found if is_listed else None


def parse_summary(text: str) -> dict[str, object] | None:
    """The six fields a summary holds, or None where an answer has no such object."""
    cut = _FENCE.sub("", text[:ANSWER_CHARACTERS]).strip()
    found = _json(cut[cut.index("{") : cut.rindex("}") + 1]) if "{" in cut and "}" in cut else None
    return found if isinstance(found, dict) and isinstance(found.get("one_liner"), str) else None


def _json(text: str) -> object:
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def extracted(raw: dict[str, object], said: Sequence[str], personas: Sequence[str]) -> Extracted:
    """What of an answer is believed, given what the user really said."""
    dropped: list[str] = []
    memories = []
    listed = raw.get("memories", [])
    for entry in listed[:MOST_MEMORIES] if isinstance(listed, list) else ():
        stated = read_memory(entry)
        code = stated if isinstance(stated, str) else _junk(stated, said, personas)
        if code:
            dropped.append(code)
        elif isinstance(stated, Stated):
            memories.append(stated)
    loops = raw.get("loops", [])
    drafts = [_loop(entry) for entry in loops[:LOOPS_PER_TURN]] if isinstance(loops, list) else []
    found = {(entry.kind, entry.dedupe_key): entry for entry in drafts if entry is not None}
    return Extracted(memories=tuple(memories), loops=tuple(found.values()), dropped=tuple(dropped))


def _junk(stated: Stated, said: Sequence[str], personas: Sequence[str]) -> str:
    if stated.type == "OPEN_LOOP":
        return "open_loop"
    if _JUNK.search(stated.content):
        return "talk_about_the_talk"
    if stated.type == "PROFILE" and normalise(stated.content) in {normalise(name) for name in personas}:
        return "persona_name"
    if stated.type == "PEOPLE":
        is_related = _RELATION.search(stated.content) and any(_STATED.search(text) for text in said)
        return "" if is_related else "no_stated_relation"
    return ""


def _loop(raw: object) -> LoopDraft | None:
    if not isinstance(raw, dict) or not isinstance(raw.get("content"), str) or not normalise(raw["content"]):
        return None
    content = raw["content"]
    name = str(raw.get("kind", "")).strip().upper()
    kind = settled_kind(Loop(name) if name in set(Loop) else Loop.THREAD, content)
    if kind is Loop.THREAD and PASSING.search(content):
        return None
    key = raw.get("dedupe_key")
    return draft(kind, content, key if isinstance(key, str) else "", confidence=9 * MICRO // 10)
