"""Where somebody lives, comes from, grew up.

Never: takes a visit, a plan or a denial for a home. "I'm in Berlin" is a visit until somebody says "based" or "live".
"""

import re

from recollect.core.write.facts.dates import read_date, read_year
from recollect.core.write.facts.lexicon import tongues
from recollect.core.write.facts.names import read_place
from recollect.core.write.facts.readers import NOTHING, Reading, from_list
from recollect.core.write.facts.rule import Rule, Step
from recollect.core.write.facts.words import words_at

_IN = r"\s+(?:here\s+|over\s+|back\s+|out\s+|down\s+|up\s+|right\s+|full-time\s+)?in\s+"
_TO = r"\s+(?:back\s+|over\s+|out\s+|down\s+|up\s+|here\s+)?to\s+"
LASTING = (
    r"\s+(?:for\s+(?:about\s+|over\s+|almost\s+|nearly\s+)?(?:the\s+|my\s+|a\s+|\w+\s+(?:years|months"
    r"|decades))|since|all\s+my\s+life|my\s+whole\s+life|ever\s+since)"
)
_MOVED = "past:move perfect:move past:relocate perfect:relocate"

_ABROAD = re.compile(r"\s*(?:$|[.,!])|\s+(?:living|based|working|studying|who|by\s+birth)\b", re.IGNORECASE)


def _read_citizen(text: str, at: int) -> tuple[Reading, ...]:
    """ "an American living in Prague"; "an American classic" is no citizen."""
    words = words_at(text, at, 2)
    if not words or words[0].low not in tongues.nationalities() or not _ABROAD.match(text, words[0].end):
        return NOTHING
    return (Reading(value=words[0].text, start=at, end=words[0].end),)


RULES: tuple[Rule, ...] = (
    Rule(on="present:live progress:live since:live present:reside", lead=_IN, read=read_place, predicate="lives_in"),
    Rule(on="perfect:live", lead=_IN, read=read_place, after=LASTING, predicate="lives_in"),
    Rule(on="used:live past:live", lead=_IN, read=read_place, predicate="lived_in"),
    Rule(on="be:based", lead=r"\s+(?:out\s+of|in|near)\s+", read=read_place, predicate="lives_in"),
    Rule(on=_MOVED, lead=_TO, read=read_place, predicate="lives_in", corrects=True),
    Rule(
        on=_MOVED,
        lead=rf"\s+from\s+\S{{2,20}}(?:\s+\S{{2,20}})?{_TO}",
        read=read_place,
        predicate="lives_in",
        corrects=True,
    ),
    Rule(on="past:settle perfect:settle", lead=r"\s+(?:down\s+)?in\s+", read=read_place, predicate="lives_in"),
    Rule(on="be:from", read=read_place, predicate="from"),
    Rule(on="be:originally present:come", lead=r"\s+(?:originally\s+)?from\s+", read=read_place, predicate="from"),
    Rule(on="past:grow perfect:grow", lead=r"\s+up\s+in\s+", read=read_place, predicate="grew_up_in"),
    Rule(on="was:raised", lead=r"\s+in\s+", read=read_place, predicate="grew_up_in"),
    Rule(
        on="was:born",
        lead=r"\s+(?:and\s+raised\s+)?in\s+",
        read=read_place,
        predicate="born_in",
        then=(Step(lead=r"\s+in\s+", read=read_year, predicate="birth_year"),),
    ),
    Rule(on="was:born", lead=r"\s+in\s+", read=read_year, predicate="birth_year"),
    Rule(
        on="was:born",
        read=read_date,
        predicate="birthday",
        then=(Step(lead=r",?\s+in\s+", read=read_place, predicate="born_in"),),
    ),
    Rule(on="be:*", read=from_list(tongues.nationalities, words=2), predicate="nationality"),
    Rule(on="be:a be:an", read=_read_citizen, predicate="nationality"),
)
