"""Cuts a text into the pieces of the uncased BERT vocabulary, in order, as the model was trained on them.

Lower case, no accents, no control characters; every punctuation mark and every ideograph is a word; each word is cut
greedily into the longest known pieces, and one that cannot be is `[UNK]`.

Never: raises for any str. Spec: BERT's basic and word-piece tokenizers.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

WORD_CHARACTERS: Final = 100
TEXT_CHARACTERS: Final = 16_384
_IDEOGRAPHS: Final = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))


class BertWords:
    """One vocabulary."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._rows = {piece: row for row, piece in enumerate(vocabulary)}
        self._start, self._end, self._unknown = (self._rows[name] for name in ("[CLS]", "[SEP]", "[UNK]"))

    def pieces(self, text: str, most: int) -> list[int]:
        """The numbers of a text's pieces between start and end marks, at most so many in all; [] without a word."""
        found: list[int] = []
        for word in _words(text[:TEXT_CHARACTERS]):
            found += self._cut(word)
            if len(found) >= most:
                break
        return [self._start, *found[: most - 2], self._end] if found else []

    def _cut(self, word: str) -> list[int]:
        if len(word) > WORD_CHARACTERS:
            return [self._unknown]
        found: list[int] = []
        start, prefix = 0, ""
        while start < len(word):
            for end in range(len(word), start, -1):
                row = self._rows.get(prefix + word[start:end])
                if row is not None:
                    break
            else:
                return [self._unknown]
            found.append(row)
            start, prefix = end, "##"
        return found


def _words(text: str) -> list[str]:
    return "".join(map(_apart, unicodedata.normalize("NFD", text.lower()))).split()


def _apart(char: str) -> str:
    """A character as a part of a word, as a word of its own, as a space, or as nothing."""
    if char.isascii():
        if char.isalnum():
            return char
        return f" {char} " if char.isprintable() and char != " " else (" " if char.isspace() else "")
    category = unicodedata.category(char)
    if category == "Mn" or category[0] == "C":
        return ""
    if category == "Zs":
        return " "
    is_ideograph = any(first <= ord(char) <= last for first, last in _IDEOGRAPHS)
    return f" {char} " if is_ideograph or category[0] == "P" else char
