"""Which rows of the table a text stands for: the uncased BERT word pieces, found quickly.

A text is lower-cased, its accents are dropped, and its words are cut greedily into the longest pieces the vocabulary
holds, as the uncased BERT tokenizer does. Five things differ, all because rows are summed and not read in order:

1. Whatever is not a letter or digit of the vocabulary's own alphabet only separates words. Punctuation and emoji have
   no row worth adding, and a word with an emoji glued to it keeps its meaning instead of becoming unknown.
2. A word with capitals inside (``getUserById``) that is no piece as a whole is cut at its capitals first.
3. A text gives at most ``MAX_PIECES`` pieces and is read at most ``MAX_CHARS`` characters deep, so cost is bounded.
4. A row counts once however often its piece occurs: a word said three times is not three times the topic.
5. Unicode facts come from the frozen 3.2 tables, so an interpreter with newer ones cannot change a vector.

Never: raises for any str (lone surrogates and NUL are separators), and never grows without bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final
from unicodedata import ucd_3_2_0 as unicode_3_2

from recollect.core.recent import emptied_by

MAX_PIECES: Final = 512
MAX_CHARS: Final = 16_384
# As in BERT: anything longer is a hash, an address or noise, and greedy cutting is quadratic.
MAX_WORD_CHARS: Final = 100
MAX_CACHED_WORDS: Final = 65_536

_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_CAPITAL_RUNS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_UNSEEN_CATEGORIES = frozenset({"Mn", "Cf"})
_CJK = range(0x4E00, 0xA000)


class WordPieces:
    """Cuts texts into rows of one vocabulary; remembers the words it has cut."""

    __slots__ = ("_cache", "_row_of", "_word")

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._row_of = {piece: row for row, piece in enumerate(vocabulary)}
        self._word: re.Pattern[str] | None = None
        self._cache: dict[str, tuple[int, ...]] = {}
        emptied_by(self._cache.clear)

    def rows(self, text: str) -> list[int]:
        """The distinct rows of the text's first pieces, as they first occur; empty when nothing in it is known."""
        found: list[int] = []
        known = self._cache.get
        for word in self._words(text[:MAX_CHARS]):
            rows = known(word)
            found += self._learn(word) if rows is None else rows
        return list(dict.fromkeys(found[:MAX_PIECES]))

    def _words(self, text: str) -> list[str]:
        if text.isascii():
            return _ASCII_WORD.findall(text)
        if self._word is None:
            self._word = _word_pattern(self._row_of)
        return self._word.findall(fold(text))

    def _learn(self, word: str) -> tuple[int, ...]:
        rows = self._cut_cased(word)
        if len(self._cache) >= MAX_CACHED_WORDS:
            self._cache.clear()
        self._cache[word] = rows
        return rows

    def _cut_cased(self, word: str) -> tuple[int, ...]:
        lowered = word.lower()
        if lowered in self._row_of or lowered == word or not word.isascii():
            return self._cut(lowered)
        return tuple(row for part in _CAPITAL_RUNS.findall(word) for row in self._cut(part.lower()))

    def _cut(self, word: str) -> tuple[int, ...]:
        """Longest piece first; a word with an unknown rest is unknown as a whole."""
        if len(word) > MAX_WORD_CHARS:
            return ()
        rows: list[int] = []
        start, prefix = 0, ""
        while start < len(word):
            for end in range(len(word), start, -1):
                row = self._row_of.get(prefix + word[start:end])
                if row is not None:
                    break
            else:
                return ()
            rows.append(row)
            start, prefix = end, "##"
        return tuple(rows)


def fold(text: str) -> str:
    """The text without accents and without invisible format characters."""
    category = unicode_3_2.category
    return "".join(char for char in unicode_3_2.normalize("NFD", text) if category(char) not in _UNSEEN_CATEGORIES)


def _is_letter(char: str) -> bool:
    """Letters, digits and the spacing vowel signs without which Indic words fall apart."""
    return char.isalnum() or unicode_3_2.category(char) == "Mc"


def _word_pattern(vocabulary: Iterable[str]) -> re.Pattern[str]:
    """Runs of the vocabulary's own letters and digits; an ideograph is a word of its own."""
    letters = {char for piece in vocabulary for char in piece.removeprefix("##") if _is_letter(char)}
    letters |= {char.upper() for char in letters if len(char.upper()) == 1}
    ideographs = sorted(char for char in letters if ord(char) in _CJK)
    others = sorted(char for char in letters if ord(char) not in _CJK)
    alternatives = [
        f"[{re.escape(''.join(chars))}]{tail}" for chars, tail in ((ideographs, ""), (others, "+")) if chars
    ]
    return re.compile("|".join(alternatives) or r"(?!)")
