"""How a caller's text is put on a terminal: whatever could drive the terminal is shown, never sent.

    control characters (C0, DEL, C1: ESC, CSI, OSC, BEL, CR), marks and overrides of writing direction, invisible
    and tag characters, line and paragraph separators, lone surrogates       ->  \\x1b  \\u202e  \\U000e0041

The joiners of Indic, Persian and emoji text stay: they are spelling. Line feeds and tabs stay where lines may break.

Never: changes what is stored, or what `--json` means (there the same characters are JSON escapes of themselves).
Spec: "Hard input is normal input"; ruling 19a.
"""

from __future__ import annotations

import json
import re

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_SPACES = re.compile(r"\s+")


def visible(text: str) -> str:
    """The text with everything that could drive a terminal spelled out; line feeds and tabs stay."""
    return _UNSAFE.sub(_spelled, text)


def visible_line(text: str, limit: int = 200) -> str:
    """The same on one line, cut to a length."""
    # Spelled out before white space is collapsed, so that a carriage return is seen and not smoothed over.
    flat = _SPACES.sub(" ", visible(text[: limit * 8])).strip()
    return flat if len(flat) <= limit and len(text) <= limit * 8 else f"{flat[: limit - 1]}…"


def json_text(value: object, *, is_ascii: bool, indent: int | None = 2) -> str:
    """JSON that reads back to exactly the value, and cannot drive a terminal either."""
    text = json.dumps(value, ensure_ascii=is_ascii, indent=indent)
    return text if is_ascii else _UNSAFE.sub(_json_escaped, text)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _json_escaped(match: re.Match[str]) -> str:
    # Such a character can only stand inside a JSON string, so its escape means itself.
    return json.dumps(match[0])[1:-1]
