"""When two texts say the same, and when one quotes the other.

    shingles     the triples of words (and signs, in code) of a text
    overlap      share of the smaller text's shingles found in the other, in percent
    hard words   numbers, quoted strings, paths, negations: one of them differs, and everything does

Two texts are near-duplicates when their hard words are the same, neither replaces a word of the other, and enough
shingles are shared or, with most of their words the same, they are similar in meaning. Another number is an update.

Never: looks at who said it or when. Whole numbers only.
Spec: document 002, sections 5 and 6.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from recollect.core.recent import by_text
from recollect.core.words import STOP_WORDS

_TOKEN = re.compile(r"[^\W_]+(?:[_'’][^\W_]+)*|[^\w\s]")
_LITERAL = r"\d[\d.,:]*\d|\d|\"[^\"\n]{1,60}\"|`[^`\n]{1,80}`"
_HARD = re.compile(rf"{_LITERAL}|[\w.-]+/[\w./-]+|\b\w+[_.]\w[\w.]*\b")
# The same for a text without a path or a dotted name, which is most of them: those are dear to look for.
_HARD_PLAIN = re.compile(_LITERAL)
_PATHS = re.compile(r"[/_]|\.\w")
_NO = re.compile(
    r"\b(?:not|no|never|none|without|cannot|disable[ds]?|disallow\w*|forbid\w*|remove[ds]?|n't)\b|n['’]t\b"
)
_FENCE = re.compile(r"```[^\n]*\n(.*?)(?:```|\Z)", re.DOTALL)
_COUNTS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "twice",
    "thrice",
    "half",
    "double",
)
_COUNT = re.compile(rf"\b(?:{'|'.join(_COUNTS)})\b")
_SIGN = re.compile(r"[+*%<>]=?|(?<=[\w)\]]) - (?=[\w(\[])|[!=]=")
_CODE = re.compile(r"\breturn\b|\w\(| = |\{$", re.MULTILINE)
SIZE = 3
READ_CHARACTERS = 40_000
LINE_CHARACTERS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A text as it is compared."""

    shingles: frozenset[tuple[str, ...]]
    words: frozenset[str]
    hard: tuple[str, ...]
    negations: int


@by_text(1_024)
def shape_of(text: str) -> Shape:
    """The shape of a text."""
    read = text[:READ_CHARACTERS].casefold()
    tokens = _TOKEN.findall(read)
    said = [token for token in tokens if token[0].isalnum()] if not _is_code(tokens) else tokens
    grams = zip(*(said[start:] for start in range(SIZE)), strict=False) if len(said) >= SIZE else [tuple(said)]
    return Shape(
        shingles=frozenset(grams),
        words=frozenset(
            _stem(word) for word in said if word[0].isalnum() and (word not in STOP_WORDS or word == "may")
        ),
        hard=hard_of(text),
        negations=len(_NO.findall(read)),
    )


@by_text(4_096)
def hard_of(text: str) -> tuple[str, ...]:
    """The hard words of a text, in the order they are said: from 120 to 340 is not from 340 to 120."""
    read = text[:READ_CHARACTERS].casefold()
    pattern = _HARD if _PATHS.search(read) else _HARD_PLAIN
    hard = dict.fromkeys(word.strip("`\"'.,:") for word in pattern.findall(read))
    if [count for count in _COUNTS if count in read]:
        hard |= dict.fromkeys(_COUNT.findall(read))
    if [mark for mark in ("return", "(", " = ", "{") if mark in read] and _CODE.search(read):
        hard |= dict.fromkeys(sign.strip() for sign in _SIGN.findall(read))
    return tuple(hard)


def _stem(word: str) -> str:
    """Enough of a stem to see that `retries` and `retry`, `skipped` and `skips` are one word."""
    word = word.removesuffix("'s").removesuffix("’s").strip("'’")
    if word.endswith("ss"):
        return word
    if word.endswith("sses"):
        return word[:-2]
    for ending in ("ies", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)] + ("y" if ending == "ies" else "")
            is_doubled = ending in {"ing", "ed"} and stem[-1] == stem[-2] and stem[-1] not in "lsz"
            return (stem[:-1] if is_doubled else stem).removesuffix("e")
    return word.removesuffix("e") if len(word) > 4 else word


def _is_code(tokens: list[str]) -> bool:
    marks = sum(1 for token in tokens if not token[0].isalnum())
    return len(tokens) > 8 and marks * 100 > len(tokens) * 38


def overlap_percent(one: Shape, other: Shape) -> int:
    """Share of all shingles that both have."""
    together = len(one.shingles | other.shingles)
    return len(one.shingles & other.shingles) * 100 // together if together else 0


def inside_percent(part: Shape, whole: Shape) -> int:
    """Share of one text's shingles found in another."""
    return len(part.shingles & whole.shingles) * 100 // len(part.shingles) if part.shingles else 0


def words_percent(one: Shape, other: Shape) -> int:
    """Share of all words that both have."""
    together = len(one.words | other.words)
    return len(one.words & other.words) * 100 // together if together else 0


def is_same(one: Shape, other: Shape, similar_percent: int, strict: tuple[int, int]) -> bool:
    """Whether two texts say the same: `strict` holds the policy's shares for shingles and for similarity."""
    if one.hard != other.hard or (one.negations > 0) != (other.negations > 0):
        return False
    # A word on each side that the other lacks is another matter said with the same sentence.
    if one.words - other.words and other.words - one.words:
        return False
    if overlap_percent(one, other) >= strict[0]:
        return True
    return words_percent(one, other) >= strict[0] and similar_percent >= strict[1]


def code_of(text: str) -> str:
    """The fenced code of a chat turn, or the whole text where nothing is fenced."""
    return "\n".join(_FENCE.findall(text)) or text


def quoted_lines(text: str, lines: frozenset[str]) -> int:
    """How many lines of a text, long enough to mean something, stand in a file word for word."""
    stripped = dict.fromkeys(line.strip(" \t>+-") for line in text.splitlines())
    return sum(1 for line in stripped if len(line) >= LINE_CHARACTERS and line in lines)


def lines_of(text: str) -> frozenset[str]:
    """The lines of a file that are long enough to be recognised."""
    return frozenset(line.strip(" \t>+-") for line in text.splitlines() if len(line.strip()) >= LINE_CHARACTERS)
