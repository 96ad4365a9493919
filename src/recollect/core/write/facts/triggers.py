"""Which turns are worth the grammar: a look at the words, before anything is parsed.

Decides: that a turn can state a fact only if it has somebody to state it of ("I", "my", "we"…) and a word some rule
begins with. Most turns of a talk fail here, at the cost of splitting them into words.
Never: is the reason a fact is read; it can only save time.
"""

import itertools
import re
from functools import cache

from recollect.core.write.facts.draft import Heard
from recollect.core.write.facts.lexicon import pastimes, relations, roles, tongues
from recollect.core.write.facts.lexicon.entry import entries, spaced
from recollect.core.write.facts.lexicon.verbforms import surfaces

_SELF = spaced(
    """
i i'm im i've ive my we we're we've our me name's just project deadline always living this here name answer reply
respond
    """
)
_WORDS = """
a, an, based, from, born, raised, into, fan, fond, keen, obsessed, crazy, passionate, fluent, bilingual, trilingual
proficient, employed, promoted, allergic, allergy, have, has, had, got, name, name's, nickname, called, named, call
calls, pronouns, birthday, bday, birth, age, old, timezone, zone, time, native, mother, tongue, job, role, position
occupation, profession, title, employer, hometown, home, nationality, anniversary, favorite, favourite, hobbies, hobby
interests, project, deadline, due, launches, ships, married, single, engaged, divorced, widowed, separated, hi, hey
hello, hola, bonjour, greetings, intro, this, as, utc, gmt, on, in, at, every, usually, always, daily, weekly, answer
reply, respond, editor, ide, browser, phone, laptop, os, car, shell, terminal, keyboard, camera, bike, distro, morning
night, early, retired, owl, btw, here, language, bachelor
"""
# So common that they are a trigger only right after "I'm" or "I am".
_WEAK = spaced(
    """
a an in on at from have has had got time this as home single old hi hey hello every always
    """
)
# Work is spoken of without an "I" only by what it is, does or did: other talk of a project states nothing.
_WORK = spaced("project deadline")
_WORK_VERBS = spaced("is moved shifted slipped pushed changed launches ships goes releases will uses runs")
_AGE = r"\bi(?:'m| am|m) \d\d\b"
_SPLIT = r"[^\W_][\w'-]*"
_BE = r"\b(?:i'm|im|i am|we're|we are|i've|ive|i have|we have|we've|is|as|this is|every|always)\b"


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


@cache
def _heads() -> frozenset[str]:
    nouns = (
        roles.roles() | roles.titles() | frozenset(pastimes.conditions()) | pastimes.diets() | tongues.nationalities()
    )
    people = frozenset(relations.relations()) | frozenset(relations.pets()) | frozenset(relations.plural_pets())
    last_words = frozenset(entry.split()[-1] for entry in nouns | people | frozenset(relations.counted_kin()))
    return (entries(_WORDS) | last_words | frozenset(surfaces())) | pastimes.routines()


def may_state(words: str) -> bool:
    """Tell whether a text in lower case can hold a statement of fact."""
    said = frozenset(_pattern(_SPLIT).findall(words))
    about = said & _SELF
    if not about or (about <= _WORK and "'s" not in words and _WORK_VERBS.isdisjoint(said)):
        return False
    heads = said & _heads()
    if _pattern(_AGE).search(words):
        return True
    return bool(heads - _WEAK) or (bool(heads) and _pattern(_BE).search(words) is not None)


_NAMED = r"(?:^|[.!?,;\n]\s*|\b(?:and|but|so|because|that|actually)\s+)([^\W\d_a-z][\w'-]+)\s+(\w+)"
_NAMES_LIMIT = 12
_AUXILIARIES = frozenset(
    {"is", "isn", "has", "doesn", "was", "no", "now", "just", "also", "still", "really", "can", "never"}
)
_NOT_NAMES = _SELF | spaced("it that there he she they you who what these those which everything everyone nobody")


def names_in(text: str) -> tuple[str, ...]:
    """Return the capitalised words that may be somebody's name at the start of a clause."""
    found = [
        match.group(1).removesuffix("'s")
        for match in itertools.islice(_pattern(_NAMED).finditer(text), _NAMES_LIMIT)
        if match.group(1)[-2:] == "'s" or match.group(2) in surfaces() or match.group(2) in _AUXILIARIES
    ]
    return tuple(dict.fromkeys(name for name in found if name.casefold() not in _NOT_NAMES))


def may_know(text: str, heard: tuple[Heard, ...]) -> bool:
    """Tell whether a text without any "I" can be about somebody known: it begins with a name said before."""
    return any(name in turn.text for name in names_in(text) for turn in heard)


_CORRECTS = (
    r"\s*(?:(?:oh|hmm|ah|um|uh|well|hey)[,.\s]+)?(?:actually|no\b|nope|sorry|wait|oops|whoops"
    r"|correction|not\s|i\s+mean|it's\s|it\s+is\s|that's\s|make\s+that)|.{1,40},\s+not\s"
)
_ANSWER_LIMIT_CHARACTERS = 80


def may_correct(words: str) -> bool:
    """Tell whether a text in lower case begins like a correction of something said before."""
    return len(words) <= 2 * _ANSWER_LIMIT_CHARACTERS and _pattern(_CORRECTS).match(words) is not None


def may_answer(text: str, before: Heard) -> bool:
    """Tell whether a short text follows a question."""
    return len(text) <= _ANSWER_LIMIT_CHARACTERS and "?" in before.text[-300:]
