"""Which stretches of a text are not said in earnest by its speaker: code, quotations, links.

Decides: what is blanked out before anything is read; marks of emphasis are taken for blanks. Short quotations that are
a name in capitals stay, since people write: my name is "Bex".
Never: changes the length of a text or the position of what stays.
"""

import re
from functools import cache

# One character that no pattern reads and no object may touch.
VOID = "\x00"

_PLAIN = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u00a0": " ", "\t": " ", "*": " "}
)
_FENCE = r"```[\s\S]{0,4000}?(?:```|\Z)|~~~[\s\S]{0,4000}?(?:~~~|\Z)"
_INLINE = r"`[^`\n]{1,400}`"
_LINK = r"\b(?:https?://|www\.)\S{1,400}|\S{1,60}@\S{1,60}\.\w{2,10}"
_MARKUP = r"<([a-z][a-z0-9]{0,15})\b[^<>\n]{0,200}>[^<]{0,1000}</\1>"
_KEYWORD = (
    r"(?:def|class|import|const|let|var|function|return|public|private|static|select|insert|update\s+\w+\s+set"
    r"|delete\s+from|create\s+table|print|console\.|assert|echo)\b[ ]*[\w\"'(.*{=]"
)
# A line of code, by how it starts (a comment, a keyword, an object) or how it ends.
_CODE_LINE = (
    rf"^[ ]*(?:>|//|#(?!\w*\s*$)|--\s|/\*|\$\s|[{{\[]\s*[\"'{{\[]|{_KEYWORD}).*$"
    r"|^.*(?:[;{}]|=>|\)\s*:)[ ]*$|^.*\b\w+\s*=\s*[\"'\[{].*$|^.*\w\([^)\n]{0,80}[\"'{].*$"
)
# A quotation, or one that was opened and never closed.
_QUOTED = r"\"[^\"\n]{1,600}(?:\"|$)"
_SINGLE_QUOTED = r"(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w)){1,400}'(?!\w)"
_SHORT_QUOTE = re.compile(r"[\"'](?:[^\W\d_a-z][\w.'-]{0,24}(?:\s+|(?=[\"']))){1,3}[\"']")
_CODE_MARKS = re.compile(r"[>{}()=;#$]|//|--|\b(?:def|import|select|insert|echo|print|var|let|const)\b", re.IGNORECASE)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE | re.MULTILINE)


def blank(text: str) -> str:
    """Return the text with typographic marks made plain and everything not said in earnest voided."""
    plain = text.translate(_PLAIN)
    if "`" in plain or "~~~" in plain:
        plain = _void(_void(plain, _FENCE), _INLINE)
    if "</" in plain:
        plain = _void(plain, _MARKUP)
    if "//" in plain or "@" in plain or "www." in plain:
        plain = _void(plain, _LINK)
    if _CODE_MARKS.search(plain):
        plain = _void(plain, _CODE_LINE)
    if '"' in plain:
        plain = _void(plain, _QUOTED)
    if "'" in plain:
        plain = _void(plain, _SINGLE_QUOTED)
    return plain


def _void(text: str, source: str) -> str:
    return _pattern(source).sub(_voided, text)


def _voided(match: re.Match[str]) -> str:
    span = match.group()
    if span[:1] in ('"', "'") and _SHORT_QUOTE.fullmatch(span):
        return span
    return "".join(char if char == "\n" else VOID for char in span)
