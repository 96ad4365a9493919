"""Which spellings may be one person, and what follows from a user saying that they are.

1. Two names of one kind may be one when they sound alike or differ by a slip: compared by sound (vowels and doubled
   letters fall away), by edit distance, and across scripts (मुकेश is written mukesh). Somebody's mother and somebody's
   sister are never proposed as one.
2. A proposal is worked out anew from what is remembered; only the user's answer is kept: one record for a pair, either
   "one" or "two". Merging changes no memory, so nothing can be lost in it, and taking it back restores everything.
   Which of two claims under two spellings stands is told at every look (`one_name.py`).

Never: merges by itself, unless the policy says so.
Spec: state and memory model "Entity key variants"; facts 3.6; ruling 27.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from recollect.core.item import MemoryItem
from recollect.core.recent import by_word

MOST_NAMES = 400
# Devanagari as it is commonly written in Latin letters; the inherent vowel is `a`.
_CONSONANTS = dict(
    zip(
        "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहळ",
        "k kh g gh n ch chh j jh n t th d dh n t th d dh n p ph b bh m y r l v sh sh s h l".split(),
        strict=True,
    )
)
_VOWELS = dict(zip("अआइईउऊऋएऐओऔ", "a a i i u u ri e ai o au".split(), strict=True))
_SIGNS = dict(zip("ािीुूृेैोौ", "a i i u u ri e ai o au".split(), strict=True))
_MARKS = {"ं": "n", "ँ": "n", "ः": "h"}
_VIRAMA, _NUKTA = "्", "़"
# Letters that are heard alike; applied in order to the Latin form. 9 stands for the sound of `ch`.
_SOUNDS: tuple[tuple[str, str], ...] = (
    ("chh", "9"),
    ("ch", "9"),
    ("sh", "s"),
    ("ph", "f"),
    ("kh", "k"),
    ("gh", "g"),
    ("th", "t"),
    ("dh", "d"),
    ("bh", "b"),
    ("jh", "j"),
    ("ck", "k"),
    ("q", "k"),
    ("x", "ks"),
    ("z", "s"),
    ("w", "v"),
    ("y", "i"),
)
_SOFT_C = re.compile(r"c(?=[eiy])")


@by_word(16_384)
def latin(name: str) -> str:
    """A name in plain Latin letters: accents off, Devanagari written out."""
    out: list[str] = []
    is_open = False  # whether the last consonant still carries its own `a`
    for char in unicodedata.normalize("NFC", name.casefold()):
        if char in _CONSONANTS:
            out.append(("a" if is_open else "") + _CONSONANTS[char])
            is_open = True
        elif char in _SIGNS:
            out.append(_SIGNS[char])
            is_open = False
        elif char == _VIRAMA:
            is_open = False
        elif char == _NUKTA:
            continue
        else:
            out.append(("a" if is_open and char in _MARKS else "") + (_VOWELS.get(char) or _MARKS.get(char) or char))
            is_open = False
    plain = unicodedata.normalize("NFKD", "".join(out))
    return "".join(char for char in plain if char.isascii() and (char.isalnum() or char == "_"))


@by_word(16_384)
def sound(name: str) -> str:
    """How a name is heard: its first letter, then its consonants, each once in a row."""
    # A hard and a soft c are two sounds; what is spelled with c before e or i is heard as s.
    heard = latin(name)
    for letters, like in _SOUNDS:
        heard = heard.replace(letters, like)
    heard = _SOFT_C.sub("s", heard).replace("c", "k")
    if not heard:
        return ""
    kept = [heard[0]]
    for char in heard[1:]:
        if char not in "aeiouh_" and kept[-1] != char:
            kept.append(char)
    return "".join(kept)


def distance(one: str, other: str, most: int) -> int:
    """The edits between two words, a swap of neighbours being one; `most` + 1 where there are more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        now = [i]
        for j, b in enumerate(other, start=1):
            step = min(row[j] + 1, now[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                step = min(step, before[j - 2] + 1)
            now.append(step)
        before, row = row, now
    return min(row[-1], most + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Two references that may be one thing, and why."""

    one: str
    other: str
    reason: str

    def to_dict(self) -> dict[str, str]:
        return {"one": self.one, "other": self.other, "reason": self.reason, "sentence": SENTENCES[self.reason]}


SENTENCES: Mapping[str, str] = {
    "script": "the same name in another script",
    "sound": "they sound alike",
    "spelling": "they differ by a slip of the pen",
    "part": "one is the first name of the other",
}


def may_be_one(one: str, other: str) -> str:
    """Why two references may be one thing, or ''."""
    kind, _, first = one.partition(":")
    other_kind, _, second = other.partition(":")
    if kind != other_kind or first == second:
        return ""
    a, b = latin(first), latin(second)
    if not a or not b or any(char.isdigit() for char in a + b):
        return ""
    if a == b:
        return "script" if not (first.isascii() and second.isascii()) else "spelling"
    is_mixed = first.isascii() != second.isascii()
    words = (a.split("_"), b.split("_"))
    if kind == "person" and len(words[0]) != len(words[1]):
        short, long = sorted(words, key=len)
        return "part" if len(short) == 1 and len(short[0]) > 2 and long[0] == short[0] else ""
    if len(words[0]) != len(words[1]):
        return ""
    reasons = [_alike(x, y) for x, y in zip(*words, strict=True)]
    if not all(reasons):
        return ""
    return "script" if is_mixed else next((reason for reason in reasons if reason != "same"), "")


def _alike(one: str, other: str) -> str:
    if one == other:
        return "same"
    if min(len(one), len(other)) < 4:
        return ""
    is_near = distance(one, other, 2) <= 2
    if sound(one) == sound(other) and is_near and len(sound(one)) > 1:
        return "sound"
    most = 1 if min(len(one), len(other)) < 8 else 2
    return "spelling" if one[0] == other[0] and distance(one, other, most) <= most else ""


def propose(refs: Iterable[str], settled: Iterable[tuple[str, str]]) -> list[Variant]:
    """Every pair that may be one and that nobody has answered yet."""
    known = frozenset(tuple(sorted(pair)) for pair in settled)
    names = sorted(dict.fromkeys(refs))[:MOST_NAMES]
    found = []
    for one, other in combinations(names, 2):
        reason = may_be_one(one, other)
        if reason and (one, other) not in known:
            found.append(Variant(one=one, other=other, reason=reason))
    return found


def answers_in(records: Sequence[MemoryItem]) -> list[tuple[str, str, bool]]:
    """(spelling, other, whether they are one) of every live answer."""
    found = []
    for item in records:
        if item.fact is not None and item.fact.type == "ALIAS" and len(item.fact.entity_refs) == 2:
            found.append((item.fact.entity_refs[0], item.fact.entity_refs[1], item.fact.fact_type == "one"))
    return found


def canonical_refs(records: Sequence[MemoryItem]) -> dict[str, str]:
    """Each merged spelling with the reference that stands for it, chains followed to their end."""
    into = {ref: other for ref, other, is_one in answers_in(records) if is_one}
    settled: dict[str, str] = {}
    for ref in into:
        seen = {ref: True}
        end = into[ref]
        while end in into and end not in seen:
            seen[end] = True
            end = into[end]
        settled[ref] = end
    return settled
