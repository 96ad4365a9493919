"""How names are read: of places, of organisations, of people.

Decides: what is a name. One written with a capital is, unless a list says otherwise; one in lower case only where a
list knows it; one that is invented, a weekday or a tool is not.
Never: decides what the name is a name for beyond its kind.
"""

import re

from recollect.core.write.facts.lexicon import fiction, organisations, places, roles, tongues, tools
from recollect.core.write.facts.lexicon.entry import spaced
from recollect.core.write.facts.readers import INNER, NOT_NAMES, NOTHING, Reading, proper_words, whole
from recollect.core.write.facts.words import Word, ends_cleanly, longest_in, words_at


def _is_fiction(words: list[Word]) -> bool:
    return " ".join(word.low for word in words) in fiction.fiction()


def read_place(text: str, at: int) -> tuple[Reading, ...]:
    """A town, region or country: any capitalised name, or a known one in lower case; "Austin, Texas" is one."""
    words = words_at(text, at, 7)
    skip = 1 if words and words[0].low == "the" else 0
    count = longest_in(words, places.known_places(), 4)
    inner = max(longest_in(words[skip:], places.known_places()), len(_place_run(words[skip:])))
    count = max(count, inner + skip if inner else 0)
    if not count:
        return NOTHING
    is_loose = not words[count - 1].is_capital
    end = _enclosing(text, words[count - 1].end, is_loose)
    if not _place_ends(text, end):
        return NOTHING
    value = text[words[0].start : end]
    return (Reading(value=value, start=words[0].start, end=end, slot=value, kind="place", is_loose=is_loose),)


def _place_run(words: list[Word]) -> list[Word]:
    run = proper_words(words, limit=4)
    if (
        not run
        or any("/" in word.text for word in run)
        or run[0].low in places.not_places()
        or run[0].low in tools.tools()
        or _is_fiction(run)
    ):
        return []
    return run if not run[0].text.isupper() or len(run[0].text) > 3 else []


_COMMA = re.compile(r",[ ]{1,2}")
_REGION_CODE = re.compile(r"[A-Z]{2}\b|D\.C\.?")
_SECOND_PLACE = re.compile(r"\s+(?:and|or)\s+(?:in\s+)?([^\W\d_a-z][\w-]+)\s*(?:$|[.,;!?])")


def _enclosing(text: str, end: int, is_loose: bool) -> int:
    """Extend a town by the region or country after its comma."""
    comma = _COMMA.match(text, end)
    if comma is None:
        return end
    words = words_at(text, comma.end(), 3)
    count = longest_in(words, places.enclosing_places())
    if count and words[0].is_capital is not is_loose and ends_cleanly(text, words[count - 1].end):
        return words[count - 1].end
    code = _REGION_CODE.match(text, comma.end())
    return code.end() if code and ends_cleanly(text, code.end()) and code.group() not in ("OK", "IT") else end


def _place_ends(text: str, end: int) -> bool:
    """Two places where one lives at once are no answer to where one lives."""
    return ends_cleanly(text, end) and not _SECOND_PLACE.match(text, end)


def read_organisation(text: str, at: int) -> tuple[Reading, ...]:
    """An employer or a school by name, or a kind of one ("a bank")."""
    words = words_at(text, at, 8)
    if not words:
        return NOTHING
    if words[0].low in ("a", "an", "the", "my"):
        generic = _generic_organisation(text, words)
        if generic or words[0].low != "the":
            return generic
    known = longest_in(words, organisations.organisations())
    if known and not words[0].is_capital:
        return _known_organisation(text, words[:known])
    has_article = words[0].low == "the"
    run = proper_words(words[1:] if has_article else words, inner=INNER, limit=6)
    if not run or run[0].low in _CALENDAR or _is_fiction(run):
        return NOTHING
    taken = [words[0], *run] if has_article else run
    after = words[len(taken) : len(taken) + 1]
    if after and not after[0].is_capital and after[0].low in roles.organisation_nouns():
        taken = [*taken, *after]
    return whole(text, taken, kind="org") if ends_cleanly(text, taken[-1].end) else NOTHING


def _known_organisation(text: str, words: list[Word]) -> tuple[Reading, ...]:
    return whole(text, words, kind="org", is_loose=True) if ends_cleanly(text, words[-1].end) else NOTHING


_CALENDAR = spaced(
    """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
october november december christmas easter
    """
)


def _generic_organisation(text: str, words: list[Word]) -> tuple[Reading, ...]:
    if words[0].low in ("the", "my"):
        return NOTHING
    for skip in (1, 2, 3):
        count = longest_in(words[skip:], roles.organisation_nouns())
        if count and all(not word.is_capital and word.low not in roles.spoilers() for word in words[1:skip]):
            taken = words[: skip + count]
            return whole(text, taken, kind="none") if ends_cleanly(text, taken[-1].end) else NOTHING
    return NOTHING


_TITLE = re.compile(r"(?:dr|prof|mr|mrs|ms|mx)\.?$", re.IGNORECASE)
_QUOTE = re.compile(r"[\"']?")


def read_name(text: str, at: int) -> tuple[Reading, ...]:
    """A person's name as written: one to four capitalised words, with or without a title or quotation marks."""
    quote = _QUOTE.match(text, at)
    words = words_at(text, quote.end() if quote else at, 6)
    run = proper_words(words)
    if not run or (len(run) == 1 and _TITLE.match(run[0].text)) or run[0].low in tongues.nationalities():
        return NOTHING
    if _is_fiction(run):
        return NOTHING
    end = run[-1].end + (1 if quote and quote.group() and text[run[-1].end : run[-1].end + 1] == quote.group() else 0)
    return whole(text, run, kind="person") if ends_cleanly(text, end) else NOTHING


_PLAIN_NAME = re.compile(r"([a-z]{2,15})\s*(?:$|[.,!;)]|and\s+i\b|\band\s+my\b|btw\b)", re.IGNORECASE)
_NOT_PLAIN_NAMES = re.compile(
    r"(?:.*(?:ed|ing|ly|ous|ful|less|able)|not|on|in|at|mud|wrong|right|here|there|long|short|common|rare|unique|known"
    r"|hard|easy|weird|different|secret|taken|gone|missing|on|too|spelt|fine|good|bad|cool|it|that|this|what|mine|his"
    r"|hers|irrelevant|unimportant|old|new|same|nice|great|funny|boring|up|down|out|clear|blank|empty|none|nobody)$",
    re.IGNORECASE,
)


def read_own_name(text: str, at: int) -> tuple[Reading, ...]:
    """A name after "my name is": capitalised, or one plain word that nothing else follows."""
    found = read_name(text, at)
    if found:
        return found
    match = _PLAIN_NAME.match(text, at)
    if match is None or _NOT_PLAIN_NAMES.match(match.group(1)) or match.group(1).casefold() in NOT_NAMES:
        return NOTHING
    value = match.group(1)
    return (Reading(value=value, start=at, end=match.end(1), slot=value, is_loose=True),)
