"""Claims that are not subject and verb: "call me Bex", "as a firefighter, I…", "always answer in French".

Decides: the few fixed phrases in which people introduce themselves or say how they want to be answered.
Never: reads an order of the moment ("answer in French") as a lasting wish; it needs "always" or "from now on".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from recollect.core.write.facts.finding import Finding
from recollect.core.write.facts.lexicon import tongues
from recollect.core.write.facts.names import read_name, read_place
from recollect.core.write.facts.occupations import read_role
from recollect.core.write.facts.readers import Reader, from_list
from recollect.core.write.facts.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """One row: a word that must occur, a pattern up to the object, its reader, what must follow, the predicate."""

    cue: str
    pattern: str
    read: Reader
    predicate: str
    after: str = ""


_HELLO = r"(?:hi|hey|hello|hola|bonjour|greetings|yo|good\s+(?:morning|evening|afternoon))\b"
_GREETING = rf"(?:{_HELLO}[\s,!.]*(?:there|all|everyone|team)?[\s,!.]*)?"
_CALLERS = (
    r"(?:(?:please|just|so|but|and|you\s+can|you\s+may|everyone|everybody|people|most\s+people|my\s+friends|friends"
    r"|feel\s+free\s+to|also)\s+)*"
)
_OPEN = r"(?:^|[,;]\s+|\bbut\s+|\band\s+)"
_SPEAKER_FOLLOWS = (
    r"(?:\s+myself)?,?\s+(?:i|my|we)\b(?!\s+(?:was|were|had|used|worked|went|lived|did|could|would|might))"
)
_ANSWER = r"(?:answer|reply|respond|write|talk)"
_IN_LANGUAGE = r"\s+(?:to\s+me\s+|me\s+)?in\s+"
_read_language = from_list(tongues.languages, words=2)

PHRASES: tuple[Phrase, ...] = (
    Phrase(cue="call", pattern=rf"{_OPEN}{_GREETING}{_CALLERS}calls?\s+me\s+", read=read_name, predicate="goes_by"),
    Phrase(
        cue="name",
        pattern=rf"(?:^|[,;]\s+){_GREETING}(?:the\s+)?name(?:'?s|\s+is)\s+",
        read=read_name,
        predicate="name",
    ),
    Phrase(
        cue="this",
        pattern=rf"^{_GREETING}this\s+is\s+",
        read=read_name,
        after=r"\s+(?:writing|speaking|here)\b",
        predicate="name",
    ),
    Phrase(cue=" here", pattern=rf"^{_HELLO}[\s,!.]*", read=read_name, after=r"\s+here\b", predicate="name"),
    Phrase(cue="as a", pattern=rf"{_OPEN}as\s+an?\s+", read=read_role, after=_SPEAKER_FOLLOWS, predicate="role"),
    Phrase(
        cue="as someone",
        pattern=rf"{_OPEN}as\s+someone\s+(?:who\s+lives|living|based)\s+in\s+",
        read=read_place,
        after=_SPEAKER_FOLLOWS,
        predicate="lives_in",
    ),
    Phrase(
        cue=" in ",
        pattern=r"^(?:living|based)\s+in\s+",
        read=read_place,
        after=r"(?:,|\s+means|\s+makes|\s+has)\s+(?:that\s+)?(?:i|my|we|me)\b",
        predicate="lives_in",
    ),
    Phrase(
        cue=" in ",
        pattern=(
            rf"{_OPEN}(?:please\s+)?(?:always|from\s+now\s+on,?"
            rf"|going\s+forward,?)\s+(?:please\s+)?{_ANSWER}{_IN_LANGUAGE}"
        ),
        read=_read_language,
        predicate="preferred_language",
    ),
    Phrase(
        cue=" in ",
        pattern=rf"{_OPEN}(?:please\s+)?{_ANSWER}{_IN_LANGUAGE}",
        read=_read_language,
        after=r",?\s+(?:from\s+now\s+on|always|going\s+forward|in\s+(?:the\s+)?future)\b",
        predicate="preferred_language",
    ),
)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def phrased(scene: Scene, start: int, end: int) -> Iterator[Finding]:
    """Yield what fixed phrases say about the speaker."""
    stretch = scene.text[start:end].lstrip()
    offset = end - len(stretch)
    low = stretch.casefold()
    for row in PHRASES:
        match = _pattern(row.pattern).search(stretch) if row.cue in low else None
        if match is None:
            continue
        for item in row.read(scene.text[:end], offset + match.end()):
            if row.after and not _pattern(row.after).match(scene.text, item.end):
                continue
            yield Finding(
                subject=scene.me,
                predicate=row.predicate,
                slot=item.slot,
                value=item.value,
                start=offset + match.start(),
                end=item.end,
                kind="none" if item.kind == "person" else item.kind,
            )
