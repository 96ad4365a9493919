"""How the object of a claim is read: what a reading is, and how small readers make larger ones.

A reader takes a text and a position and returns what it read, or nothing. It is greedy for what it knows and
suspicious of what follows: an object that does not end cleanly is not read at all.
Never: decides what the object is an object of.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from recollect.core.write.facts.lexicon import tongues
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
INNER = _CONNECTORS | frozenset({"of", "the", "and", "&", "for", "on", "upon"})
# Capitalised by the rules of English or at the start of a shout, yet no name.
NOT_NAMES = spaced(
    """
i i'm i've i'd i'll the a an my our your his her their its this that these those it he she they we you and but or so
if when what where who why how monday tuesday wednesday thursday friday saturday sunday january february march april
june july august september october november december ok okay yes no not sorry ready thanks hi hey hello god jesus
please also just now then there here in on at to for from with is was are
    """
)


def whole(text: str, words: list[Word], *, kind: str = "", is_loose: bool = False) -> tuple[Reading, ...]:
    """Return the reading of a run of words as it stands."""
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
        is_part = word.is_capital and word.low not in NOT_NAMES and not word.low.endswith("'s")
        is_number = bool(taken) and word.text.isdigit() and not waiting
        if not (is_part or is_number) or len(taken) >= limit:
            break
        taken += [*waiting, word]
        waiting = []
    return taken


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
