"""The text the rules read: one shape for every way of writing the same characters.

Full-width letters become ASCII, digits of every script become 0 to 9, dashes, spaces and quotes become their plain
forms, and characters nobody sees (zero-width, soft hyphen, variation selectors) disappear, so that a secret cannot be
hidden from a rule. Every position leads back to the original text.

Never: changes the text that is stored; this view is thrown away after the scan.
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field

# Invisible characters outside the category Cf: joiners, fillers, variation selectors, tags.
_INVISIBLE: tuple[tuple[int, int], ...] = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2065, 0x2065),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xE0000, 0xE0FFF),
)
_QUOTES = {"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"'}
_LINE_ENDS = ("\x85", "\u2028", "\u2029")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainText:
    """A text as the rules see it, and the way back."""

    text: str = field(repr=False)
    folded: str = field(repr=False)
    # Positions in `text` from which on the distance to the original changes, and that distance.
    marks: tuple[int, ...] = field(repr=False, default=())
    shifts: tuple[int, ...] = field(repr=False, default=())

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text behind a span of this one."""
        if not self.marks:
            return start, end
        return self._place(start), self._place(end - 1) + 1

    def _place(self, at: int) -> int:
        return at + self.shifts[bisect_right(self.marks, at) - 1]


def _plain(letter: str) -> str:
    """What one character outside ASCII becomes; the empty string when nobody sees it."""
    if letter in _QUOTES:
        return _QUOTES[letter]
    if letter in _LINE_ENDS:
        return "\n"
    category = unicodedata.category(letter)
    if category == "Cf" or any(low <= ord(letter) <= high for low, high in _INVISIBLE):
        return ""
    if category == "Pd":
        return "-"
    if category == "Zs":
        return " "
    if category == "Nd":
        return str(unicodedata.decimal(letter))
    return unicodedata.normalize("NFKC", letter)


def _fold(text: str) -> str:
    """Lower case, one character for one character."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def plain_text(text: str) -> PlainText:
    """The plain form of a text; ASCII is its own plain form."""
    if text.isascii():
        return PlainText(text=text, folded=text.lower())
    table = {letter: _plain(letter) for letter in dict.fromkeys(text) if not letter.isascii()}
    plain = text.translate({ord(letter): new for letter, new in table.items() if new != letter})
    odd = {letter: len(new) for letter, new in table.items() if len(new) != 1}
    if not odd:
        return PlainText(text=plain, folded=_fold(plain))
    marks, shifts = _way_back(text, odd)
    return PlainText(text=plain, folded=_fold(plain), marks=marks, shifts=shifts)


def _way_back(text: str, odd: dict[str, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Where the distance between plain and original positions changes, and to what."""
    marks, shifts = [0], [0]
    at = 0
    for place, letter in enumerate(text):
        width = odd.get(letter, 1)
        if width != 1:
            # Every character of an expansion leads back to the one character it came from.
            for inner in range(width):
                marks.append(at + inner)
                shifts.append(place - at - inner)
            marks.append(at + width)
            shifts.append(place + 1 - at - width)
        at += width
    return tuple(marks), tuple(shifts)
