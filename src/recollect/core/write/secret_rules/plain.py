"""The text the rules read: one shape for every way of writing the same characters.

Full-width letters become ASCII, digits of every script become 0 to 9, dashes, spaces and quotes become their plain
forms, and characters nobody sees (zero-width, soft hyphen, variation selectors) disappear, so that a secret cannot be
hidden from a rule. Every position leads back to the original text.

Never: changes the text that is stored; this view is thrown away after the scan.
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

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
_BY_CATEGORY = {"Cf": "", "Pd": "-", "Zs": " "}


_STRANGE = re.compile(r"[^\x00-\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PlainText:
    """A text as the rules see it, in its own case and lower-cased, character for character."""

    text: str
    folded: str
    # How many plain characters a strange one became, where that is not one.
    widths: dict[str, int]


def _plain(letter: str) -> str:
    """What one character outside ASCII becomes; the empty string when nobody sees it."""
    if letter in _QUOTES:
        return _QUOTES[letter]
    if letter in _LINE_ENDS:
        return "\n"
    category = unicodedata.category(letter)
    if category in _BY_CATEGORY:
        return _BY_CATEGORY[category]
    if category == "Nd":
        return str(unicodedata.decimal(letter))
    if category in ("Mn", "Lo", "Cn") and any(low <= ord(letter) <= high for low, high in _INVISIBLE):
        return ""
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
        return PlainText(text=text, folded=text.lower(), widths={})
    changes = {letter: new for letter in dict.fromkeys(_STRANGE.findall(text)) if (new := _plain(letter)) != letter}
    if not changes:
        return PlainText(text=text, folded=_fold(text), widths={})
    plain = text.translate({ord(letter): new for letter, new in changes.items()})
    widths = {letter: len(new) for letter, new in changes.items() if len(new) != 1}
    return PlainText(text=plain, folded=_fold(plain), widths=widths)


def covered(plain: PlainText, spans: list[tuple[int, int]]) -> PlainText:
    """The same text with the spans starred out, character for character."""

    def star(text: str) -> str:
        parts: list[str] = []
        at = 0
        for start, end in sorted(spans):
            if end > at:
                parts += (text[at : max(at, start)], "*" * (end - max(at, start)))
                at = end
        return "".join((*parts, text[at:]))

    return PlainText(text=star(plain.text), folded=star(plain.folded), widths=plain.widths)


def original_spans(text: str, plain: PlainText, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans of the original text behind spans of the plain one."""
    if not plain.widths:
        return spans
    marks, shifts = _way_back(text, plain.widths)

    def place(at: int) -> int:
        return at + shifts[bisect_right(marks, at) - 1]

    return [(place(start), place(end - 1) + 1) for start, end in spans]


def _way_back(text: str, widths: dict[str, int]) -> tuple[list[int], list[int]]:
    """Plain positions from which on the distance to the original changes, and that distance."""
    marks, shifts = [0], [0]
    grown = 0  # plain position minus original position
    for found in _STRANGE.finditer(text):
        width = widths.get(found[0], 1)
        if width == 1:
            continue
        place = found.start()
        # Every character of an expansion leads back to the one character it came from.
        for inner in range(width):
            marks.append(place + grown + inner)
            shifts.append(-grown - inner)
        grown += width - 1
        marks.append(place + 1 + grown)
        shifts.append(-grown)
    return marks, shifts
