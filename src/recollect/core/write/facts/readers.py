"""How the object of a claim is read: names, organisations, roles, dates, languages, things.

A reader takes a text and a position and returns what it read, or nothing. It is greedy for what it knows and
suspicious of what follows: an object that does not end cleanly is not read at all.
Never: decides what the object is an object of.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from recollect.core.write.facts.lexicon import fiction, organisations, pastimes, places, roles, tongues, tools
from recollect.core.write.facts.lexicon.entry import spaced
from recollect.core.write.facts.words import Word, ends_cleanly, longest_in, words_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reader read. `slot` is what makes the key of a predicate with many objects."""

    value: str
    start: int
    end: int
    slot: str = ""
    kind: str = ""
    is_loose: bool = False


Reader = Callable[[str, int], tuple[Reading, ...]]

NOTHING: tuple[Reading, ...] = ()

_CONNECTORS = frozenset({"de", "da", "do", "dos", "del", "della", "di", "la", "le", "van", "von", "der", "den", "bin"})
_INNER = _CONNECTORS | frozenset({"of", "the", "and", "&", "for", "on", "upon"})
# Capitalised by the rules of English or at the start of a shout, yet no name.
_NOT_NAMES = spaced(
    """
i i'm i've i'd i'll the a an my our your his her their its this that these those it he she they we you and but or so
if when what where who why how monday tuesday wednesday thursday friday saturday sunday january february march april
june july august september october november december ok okay yes no not sorry ready thanks hi hey hello god jesus
please also just now then there here in on at to for from with is was are
    """
)


def _one(text: str, words: list[Word], *, kind: str = "", is_loose: bool = False) -> tuple[Reading, ...]:
    start, end = words[0].start, words[-1].end
    value = text[start:end]
    return (Reading(value=value, start=start, end=end, slot=value, kind=kind, is_loose=is_loose),)


def proper_words(words: list[Word], *, inner: frozenset[str] = _CONNECTORS, limit: int = 4) -> list[Word]:
    """Return the leading run of capitalised words; connectors count only between two of them."""
    taken: list[Word] = []
    waiting: list[Word] = []
    for word in words:
        if taken and word.low in inner and len(waiting) < 2:
            waiting.append(word)
            continue
        is_part = word.is_capital and word.low not in _NOT_NAMES and not word.low.endswith("'s")
        is_number = bool(taken) and word.text.isdigit() and not waiting
        if not (is_part or is_number) or len(taken) >= limit:
            break
        taken += [*waiting, word]
        waiting = []
    return taken


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
    end = _enclosing(text, words[count - 1].end)
    if not _place_ends(text, end):
        return NOTHING
    value = text[words[0].start : end]
    is_loose = not words[count - 1].is_capital
    return (Reading(value=value, start=words[0].start, end=end, slot=value, kind="place", is_loose=is_loose),)


def _place_run(words: list[Word]) -> list[Word]:
    run = proper_words(words, limit=4)
    if not run or run[0].low in places.not_places() or run[0].low in tools.tools() or _is_fiction(run):
        return []
    return run if not run[0].text.isupper() or len(run[0].text) > 3 else []


_COMMA = re.compile(r",[ ]{1,2}")
_REGION_CODE = re.compile(r"[A-Z]{2}\b")
_SECOND_PLACE = re.compile(r"\s+(?:and|or)\s+(?:in\s+)?([^\W\d_a-z][\w-]+)\s*(?:$|[.,;!?])")


def _enclosing(text: str, end: int) -> int:
    """Extend a town by the region or country after its comma."""
    comma = _COMMA.match(text, end)
    if comma is None:
        return end
    words = words_at(text, comma.end(), 3)
    count = longest_in(words, places.enclosing_places())
    if count and words[0].is_capital and ends_cleanly(text, words[count - 1].end):
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
    run = proper_words(words[1:] if has_article else words, inner=_INNER, limit=6)
    if not run or run[0].low in _CALENDAR or _is_fiction(run):
        return NOTHING
    taken = [words[0], *run] if has_article else run
    return _one(text, taken, kind="org") if ends_cleanly(text, taken[-1].end) else NOTHING


def _known_organisation(text: str, words: list[Word]) -> tuple[Reading, ...]:
    return _one(text, words, kind="org", is_loose=True) if ends_cleanly(text, words[-1].end) else NOTHING


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
            return _one(text, taken, kind="none") if ends_cleanly(text, taken[-1].end) else NOTHING
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
    return _one(text, run, kind="person") if ends_cleanly(text, end) else NOTHING


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
    if match is None or _NOT_PLAIN_NAMES.match(match.group(1)) or match.group(1).casefold() in _NOT_NAMES:
        return NOTHING
    value = match.group(1)
    return (Reading(value=value, start=at, end=match.end(1), slot=value, is_loose=True),)


_ROLE_REACH = 6


def read_role(text: str, at: int) -> tuple[Reading, ...]:
    """An occupation after an article: up to four modifiers and a noun of the list, the last such noun winning."""
    words = words_at(text, at, _ROLE_REACH)
    best = 0
    for skip in range(len(words)):
        if skip and words[skip - 1].low in roles.spoilers():
            break
        count = longest_in(words[skip:], roles.roles())
        best = skip + count if count else best
    if not best or not _role_is_meant(text, words[:best]):
        return NOTHING
    taken = words[:best]
    end = _role_of(text, taken[-1].end) if taken[-1].low in _ROLES_OF else taken[-1].end
    value = text[taken[0].start : end]
    if not ends_cleanly(text, end) and not _ROLE_FOLLOWERS.match(text, end):
        return NOTHING
    return (Reading(value=value, start=taken[0].start, end=end, slot=value),)


_ROLES_OF = frozenset({"professor", "head", "director", "vp", "president", "lecturer"})
_ROLE_OF = re.compile(
    r"\s+of\s+((?:[a-z][a-z-]+)(?:\s+(?!at\b|in\b|and\b|for\b)[a-z][a-z-]+){0,2})(?=\s*[.,;!?]|\s*$"
    r"|\s+(?:at|in|and|for|here)\b)"
)
_ROLE_FOLLOWERS = re.compile(
    r"\s+(?:of\s+(?=[A-Z]|the\s+[A-Z])|(?:living|based|working|specializing|specialising|studying"
    r"|turned|to\s+be\s+exact)\b)"
)


def _role_of(text: str, end: int) -> int:
    match = _ROLE_OF.match(text, end)
    return match.end() if match else end


def _role_is_meant(text: str, words: list[Word]) -> bool:
    """A weak noun needs a modifier or an employer; no modifier may spoil it."""
    modifiers = [word.low for word in words[:-1]]
    if any(low in roles.spoilers() for low in modifiers):
        return False
    head = words[-1]
    if head.low.endswith("'s") or text[head.end : head.end + 2] == "'s":
        return False
    return head.low not in roles.weak_roles() or bool(modifiers) or bool(_EMPLOYED.match(text, head.end))


_EMPLOYED = re.compile(r"\s+(?:at|for|by\s+(?:trade|profession|day|training))\b")


def read_title(text: str, at: int) -> tuple[Reading, ...]:
    """A title said without an article: "CTO", "head of cardiology"."""
    words = words_at(text, at, 5)
    count = longest_in(words, roles.titles())
    if not count:
        return NOTHING
    end = _role_of(text, words[count - 1].end) if words[count - 1].low in _ROLES_OF else words[count - 1].end
    if words[count - 1].low == "head" and end == words[count - 1].end:
        return NOTHING
    value = text[words[0].start : end]
    if not ends_cleanly(text, end) and not _ROLE_FOLLOWERS.match(text, end):
        return NOTHING
    return (Reading(value=value, start=words[0].start, end=end, slot=value),)


def from_list(known: Callable[[], frozenset[str] | dict[str, str]], *, words: int = 3) -> Reader:
    """Return a reader for one entry of a closed list; where the list is a mapping, the key gets the canonical form."""

    def read(text: str, at: int) -> tuple[Reading, ...]:
        found = words_at(text, at, words + 1)
        table = known()
        count = longest_in(found, table, words)
        if not count or not ends_cleanly(text, found[count - 1].end):
            return NOTHING
        value = text[found[0].start : found[count - 1].end]
        slot = table[value.casefold()] if isinstance(table, dict) else value
        return (Reading(value=value, start=found[0].start, end=found[count - 1].end, slot=slot),)

    return read


_SEPARATOR = re.compile(
    r"\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s+as\s+well\s+as\s+)(?:some\s+|a\s+bit\s+of\s+)?", re.IGNORECASE
)


def listed(read_one: Callable[[str, int], Reading | None], *, limit: int = 5, also: str = "") -> Reader:
    """Return a reader for "A, B and C" from a reader for one of them, which need not check how it ends.

    `also` is one more way in which the list may end.
    """

    def read(text: str, at: int) -> tuple[Reading, ...]:
        found: list[Reading] = []
        position = at
        while len(found) < limit:
            reading = read_one(text, position)
            if reading is None:
                break
            found.append(reading)
            separator = _SEPARATOR.match(text, reading.end)
            if separator is None:
                break
            position = separator.end()
        if not found:
            return NOTHING
        is_over = ends_cleanly(text, found[-1].end) or (
            also and _compiled(also, re.IGNORECASE).match(text, found[-1].end)
        )
        return tuple(found) if is_over else NOTHING

    return read


def one_of(
    known: Callable[[], frozenset[str] | dict[str, str]], *, words: int = 3
) -> Callable[[str, int], Reading | None]:
    """Return a reader for one entry of a list that leaves the ending to its caller."""

    def read(text: str, at: int) -> Reading | None:
        found = words_at(text, at, words)
        table = known()
        count = longest_in(found, table, words)
        if not count:
            return None
        value = text[found[0].start : found[count - 1].end]
        slot = table[value.casefold()] if isinstance(table, dict) else value
        return Reading(value=value, start=found[0].start, end=found[count - 1].end, slot=slot)

    return read


read_languages = listed(one_of(tongues.languages, words=2))
read_played_one = one_of(pastimes.played)


def read_any_of(*readers: Reader) -> Reader:
    """Return a reader that takes the first of several that reads something."""

    def read(text: str, at: int) -> tuple[Reading, ...]:
        for reader in readers:
            if found := reader(text, at):
                return found
        return NOTHING

    return read


@cache
def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def read_pattern(pattern: str, *, flags: int = re.IGNORECASE, clean: bool = True) -> Reader:
    """Return a reader for a regular expression whose first group is the value; compiled when first needed."""

    def read(text: str, at: int) -> tuple[Reading, ...]:
        match = _compiled(pattern, flags).match(text, at)
        if match is None or (clean and not ends_cleanly(text, match.end(1))):
            return NOTHING
        value = match.group(1)
        return (Reading(value=value, start=match.start(1), end=match.end(1), slot=value),)

    return read
