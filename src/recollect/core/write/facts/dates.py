"""How dates, ages, years and time zones are written.

Decides: which spellings of a day, an age or a zone are read, always as said ("May 4", "UTC+2").
Never: computes with them. "next Friday" stays "next Friday"; the turn it came from knows when it was said.
"""

from recollect.core.write.facts.lexicon import tongues
from recollect.core.write.facts.readers import NOTHING, Reading, read_any_of, read_pattern
from recollect.core.write.facts.words import ends_cleanly, words_at

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?:19|20)\d\d)?"
_FULL_DATE = (
    rf"(?:{_MONTH}\s+(?:the\s+)?{_DAY}\b{_YEAR}|{_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR}|(?:19|20)\d\d-[01]\d-[0-3]\d)"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_LOOSE_DATE = (
    rf"(?:{_FULL_DATE}|(?:next\s+|this\s+)?{_WEEKDAY}|the\s+end\s+of\s+(?:the\s+)?(?:{_MONTH}|week|month|year|quarter)"
    rf"|(?:the\s+)?end\s+of\s+{_MONTH}|(?:early|mid|late)[\s-]{_MONTH}|next\s+(?:week|month)|{_MONTH}{_YEAR}"
    r"|q[1-4](?:\s+20\d\d)?|tomorrow)"
)

read_date = read_pattern(rf"(?:on\s+)?(?:the\s+)?({_FULL_DATE})(?![\w/])")
read_due = read_pattern(rf"(?:on\s+|in\s+|by\s+|at\s+)?(?:the\s+(?!end))?({_LOOSE_DATE})(?![\w/])")
read_year = read_pattern(r"(?:in\s+)?((?:19[2-9]|20[01])\d)(?![\w/-])")

_SPELLED = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    r"(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine))?)"
)
read_age_with_years = read_pattern(rf"((?:\d{{1,2}}|10\d|{_SPELLED}))[\s-]+years?[\s-]+old\b", clean=False)
read_bare_age = read_pattern(
    r"([1-9]\d)(?=\s*(?:$|[.,!;)]|\s(?:and|now|btw|years\s+young|today|this\s+year)\b))(?!\s*[,.]\d)", clean=False
)
read_age = read_any_of(read_age_with_years, read_bare_age)
read_turned = read_pattern(rf"(\d{{1,2}}|{_SPELLED})(?!\s*(?:%|percent|degrees|off|down|up|into|in\s+my|pages))")

_read_zone_path = read_pattern(r"([A-Z][A-Za-z_]+/[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_]+)?)(?![\w/])", flags=0)
_read_zone_offset = read_pattern(r"((?:UTC|GMT)(?:\s?[+\-−±]\s?\d{1,2}(?::?[0-5]\d)?)?)(?![\w/])")
_ZONE_AREAS = frozenset(
    {"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific", "US"}
)


def _read_zone_name(text: str, at: int) -> tuple[Reading, ...]:
    """ "CET" in capitals, or "Pacific time"."""
    words = words_at(text, at, 4)
    if words and words[0].text.isupper() and words[0].low in tongues.zone_codes():
        return _zone(text, words[0].start, words[0].end)
    for count in (1, 2):
        after = words[count].low if len(words) > count else ""
        if " ".join(word.low for word in words[:count]) in tongues.zone_names() and after in ("time", "timezone"):
            return _zone(text, words[0].start, words[count].end)
    return NOTHING


def _zone(text: str, start: int, end: int) -> tuple[Reading, ...]:
    if not ends_cleanly(text, end):
        return NOTHING
    return (Reading(value=text[start:end], start=start, end=end, slot=text[start:end]),)


def _read_zone_area(text: str, at: int) -> tuple[Reading, ...]:
    found = _read_zone_path(text, at)
    return found if found and found[0].value.partition("/")[0] in _ZONE_AREAS else NOTHING


read_zone = read_any_of(_read_zone_offset, _read_zone_area, _read_zone_name)
