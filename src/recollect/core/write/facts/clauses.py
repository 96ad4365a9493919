"""Where sentences end and where a speaker begins to speak of themselves.

Decides: the sentences of a text, what part of each is a statement, and at which "I" a claim may start. "The city I
live in" is no claim: an "I" counts only at the start of a sentence, after a comma or after a word that joins clauses.
Never: reads a claim.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from recollect.core.write.facts.blanks import VOID
from recollect.core.write.facts.lexicon.entry import entries
from recollect.core.write.facts.lookalikes import statement_end

SENTENCES_LIMIT = 60


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and where the part of it that states something ends."""

    start: int
    end: int
    stated: int

    @property
    def is_question(self) -> bool:
        """Whether any of it asks."""
        return self.stated < self.end


_BREAK = re.compile(r"[.!?…]+(?=[\"')\]\s]|$)|\n+|;")
_ABBREVIATED = re.compile(
    r"\b(?:dr|mr|mrs|ms|prof|st|mx|jr|sr|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|e\.g|i\.e|vs|approx|etc|inc|ltd|[a-z])$",
    re.IGNORECASE,
)

# "Hi! I'm Ana." is one sentence with a greeting before it, whatever stands between.
_GREETING = re.compile(
    r"\s*(?:hi|hey|hello|hola|bonjour|howdy|yo|greetings|good\s+(?:morning|evening|afternoon))"
    r"(?:\s+(?:there|all|everyone|everybody|team|folks|again))?\s*",
    re.IGNORECASE,
)


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text."""
    start, count = 0, 0
    for match in _BREAK.finditer(text):
        if match.group() == "." and _ABBREVIATED.search(text, max(start, match.start() - 8), match.start()):
            continue
        if "?" not in match.group() and _GREETING.fullmatch(text, start, match.start()):
            continue
        if text[start : match.start()].strip():
            yield _sentence(text, start, match.start(), "?" in match.group())
            count += 1
        if count >= SENTENCES_LIMIT:
            return
        start = match.end()
    if text[start:].strip():
        yield _sentence(text, start, len(text), False)


def _sentence(text: str, start: int, end: int, asks: bool) -> Sentence:
    return Sentence(start, end, start + statement_end(text[start:end]) if asks else end)


# Words after which "I" starts a clause of its own.
_JOINS = """
and, but, so, because, since, that, as, though, although, also, plus, well, hi, hey, hello, yes, yeah, yep, no, nope
actually, btw, fyi, oh, ok, okay, sorry, honestly, currently, now, anyway, way, fact, context, remember, note, know
originally, days, personally, thanks, correction, wait, look, listen, ps, out, unfortunately, luckily, moment, cuz
cause, coz, then, clear, record, reference, yet, however, recently, lately, today, morning, sundays, mondays, tuesdays
wednesdays, thursdays, fridays, saturdays, weekends, sunday, monday, tuesday, wednesday, thursday, friday, saturday
evening, night, day, greetings, mornings, evenings, both, turns, month, year, week, myself, work, home, live
nights, meant, said
"""


@cache
def _joins() -> frozenset[str]:
    return entries(_JOINS)


_LAST = re.compile(r"([\w']+)?([^\w']*)$")


def begins_clause(before: str) -> bool:
    """Tell whether a subject that stands after these words starts a clause."""
    match = _LAST.search(before[-40:])
    word, gap = (match.group(1), match.group(2)) if match else (None, "")
    if not word or gap.strip():
        return VOID not in gap
    return word.casefold() in _joins()
