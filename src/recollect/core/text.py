"""How text is cleaned, compared and shortened.

Never: judges what text means, and never alters the text that is stored.
Spec: contract facts 4.2 (normalise, low signal), 4.15 (redaction); rulings 10 and 19a.
"""

from __future__ import annotations

import re
import unicodedata

# Splitting ASCII by a table is several times faster than by a pattern.
BLANKED = {code: " " for code in range(128) if not chr(code).isalnum()}
_NOT_WORD = re.compile(r"[\W_]+")
_SPACES = re.compile(r"\s+")
# Lone surrogates cannot be written as UTF-8; NUL ends strings in too many places to be let in.
_UNSTORABLE = re.compile("[\ud800-\udfff\x00]")
LOW_SIGNAL = frozenset({"ok", "okay", "thanks", "thank you", "hello", "hi", "hey", "cool", "great"})
TRACE_TEXT_CHARACTERS = 200
REDACTED = "(redacted)"
ERASED = "(erased)"


def storable(text: str) -> str:
    """The text with what no store can hold replaced by U+FFFD, so that nothing else of it is lost."""
    if text.isascii() and "\0" not in text:
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def has_words(text: str) -> bool:
    """Whether a person would see anything: white space and invisible characters alone do not count."""
    if text and not text[0].isspace() and text[0].isprintable():
        return True
    return any(not c.isspace() and unicodedata.category(c) not in {"Cf", "Cc", "Cn", "Cs"} for c in text)


def normalise(text: str) -> str:
    """Lower case, every run of other characters one space: what keys are compared by.

    ASCII follows the contract to the letter; other scripts keep their letters, so that two different Hindi
    sentences never share a key.
    """
    if text.isascii():
        return " ".join(text.lower().translate(BLANKED).split())
    return _NOT_WORD.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def is_low_signal(text: str) -> bool:
    return len(text) < 24 and normalise(text) in LOW_SIGNAL


def one_line(text: str, limit: int = TRACE_TEXT_CHARACTERS) -> str:
    """White space collapsed and the rest cut, for traces."""
    head = text if len(text) <= limit * 8 else text[: limit * 8]
    flat = _SPACES.sub(" ", head).strip()
    return flat if len(flat) <= limit and len(head) == len(text) else f"{flat[:limit]}... (truncated)"


def cut(text: str, limit: int) -> str:
    """The first `limit` characters, with an ellipsis where something is missing."""
    return text if len(text) <= limit else f"{text[:limit]}..."
