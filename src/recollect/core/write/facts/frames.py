"""Claims that are not subject and verb: "call me Bex", "as a firefighter, I…", "always answer in French".

Decides: the few fixed phrases in which people introduce themselves or say how they want to be answered.
Never: reads an order of the moment ("answer in French") as a lasting wish; it needs "always" or "from now on".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from recollect.core.write.facts.draft import Finding
from recollect.core.write.facts.lexicon import tongues
from recollect.core.write.facts.readers import Reader, from_list, read_name, read_place, read_role
from recollect.core.write.facts.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """One row: a pattern up to the object, its reader, what must follow, the predicate."""

    pattern: str
    read: Reader
    predicate: str
    after: str = ""


_GREETING = r"(?:(?:hi|hey|hello|hola|bonjour|greetings|yo|good\s+(?:morning|evening|afternoon))\b[\s,!.]*(?:there|all|everyone|team)?[\s,!.]*)?"
_CALLERS = r"(?:(?:please|just|so|but|and|you\s+can|you\s+may|everyone|everybody|people|most\s+people|my\s+friends|friends|feel\s+free\s+to|also)\s+)*"

PHRASES: tuple[Phrase, ...] = (
    Phrase(pattern=rf"(?:^|[,;]\s+){_GREETING}{_CALLERS}calls?\s+me\s+", read=read_name, predicate="goes_by"),
    Phrase(pattern=rf"(?:^|[,;]\s+){_GREETING}(?:the\s+)?name'?s\s+", read=read_name, predicate="name"),
    Phrase(
        pattern=rf"^{_GREETING}this\s+is\s+", read=read_name, after=r"\s+(?:writing|speaking|here)\b", predicate="name"
    ),
    Phrase(
        pattern=r"(?:^|[,;]\s+)as\s+an?\s+", read=read_role, after=r"[^.!?]{0,40},?\s+(?:i|my|we)\b", predicate="role"
    ),
    Phrase(
        pattern=r"(?:^|[,;]\s+)as\s+someone\s+(?:who\s+lives|living|based)\s+in\s+",
        read=read_place,
        after=r",?\s+(?:i|my|we)\b",
        predicate="lives_in",
    ),
    Phrase(
        pattern=r"^living\s+in\s+",
        read=read_place,
        after=r"(?:,|\s+means|\s+makes|\s+has)\s+(?:that\s+)?(?:i|my|we|me)\b",
        predicate="lives_in",
    ),
    Phrase(
        pattern=r"(?:^|[,;]\s+)(?:please\s+)?(?:always\s+(?:answer|reply|respond|write|talk)|(?:from\s+now\s+on,?|going\s+forward,?)\s+(?:please\s+)?(?:answer|reply|respond|write|talk))\s+(?:to\s+me\s+|me\s+)?in\s+",
        read=from_list(tongues.languages, words=2),
        predicate="preferred_language",
    ),
    Phrase(
        pattern=r"(?:^|[,;]\s+)(?:please\s+)?(?:answer|reply|respond|write|talk)\s+(?:to\s+me\s+|me\s+)?in\s+",
        read=from_list(tongues.languages, words=2),
        after=r",?\s+(?:from\s+now\s+on|always|going\s+forward|in\s+(?:the\s+)?future)\b",
        predicate="preferred_language",
    ),
)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def phrased(scene: Scene, start: int, end: int) -> Iterator[Finding]:
    """Yield what fixed phrases say about the speaker."""
    stretch = scene.text[start:end]
    for row in PHRASES:
        match = _pattern(row.pattern).search(stretch.lstrip())
        if match is None:
            continue
        offset = start + len(stretch) - len(stretch.lstrip())
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
