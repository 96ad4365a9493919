"""A token count that needs no model: an estimate on the safe side.

Common English words count in fours of letters, other words, capitals and digits in twos, every other visible sign one
by one; beyond ASCII letters count by two thirds of their bytes, everything else by all of them. Which words are common
is read from the vocabulary that ships with the embedder. Common byte-pair tokenizers stay below it on prose, code and
other scripts (bench/tokens.py); on signs thrown together at random they may not.

Never: claims to be exact.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from recollect.core.recent import by_text, by_word

_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[ \t]+|[\x00-\x7f]|[^\x00-\x7f]{1,64}")
# A blank belongs to the word after it, never to a number.
_BEFORE_NUMBER = re.compile(r"[ \t][0-9]")

# The vocabulary is ordered by how often a word is used; what comes later is split by the tokenizers people use.
COMMON_WORDS = 12_000


@cache
def _common() -> frozenset[str]:
    vocabulary = Path(__file__).parents[2] / "data" / "embedder" / "vocabulary.txt"
    words = vocabulary.read_text(encoding="utf-8").split("\n")[:COMMON_WORDS]
    return frozenset(word for word in words if word.isascii() and word.isalpha())


class SafeCounter:
    """The built-in counter."""

    name = "safe-v3"
    is_exact = False

    def count(self, text: str) -> int:
        if not text:
            return 0
        # No piece crosses a line, and lines come again: a context is counted by those its items were counted by.
        lines = text.split("\n")
        # One for the edge: a word that begins a text often costs more than the same word after a blank.
        return 1 + sum(map(_line, lines)) + len(lines) - 1


@by_text(16_384)
def _line(line: str) -> int:
    return sum(map(_WEIGH, _PIECES.findall(line))) + len(_BEFORE_NUMBER.findall(line))


def _weigh(piece: str) -> int:
    first = piece[0]
    size = len(piece)
    if first.isascii():
        if first.isalpha():
            return (
                (size + 3) // 4
                if size == 1 or (not piece.isupper() and piece.lower() in _common())
                else (size + 1) // 2
            )
        if first.isdigit():
            return (size + 1) // 2
        # One blank belongs to the word after it; indentation does not come free. Every other mark counts.
        return (size + 2) // 4 if first in " \t" else 1
    sizes = [(len(sign.encode("utf-8", "replace")), sign.isalpha()) for sign in piece]
    return sum((bytes_ * 2 + 2) // 3 if is_letter else bytes_ for bytes_, is_letter in sizes)


# The same pieces come again and again; weighing each once makes counting a turn cheap.
_WEIGH = by_word(65_536)(_weigh)
