"""Claims of the form "my X is Y": name, birthday, time zone, favourite things, the current editor.

Decides: which X are read and how their Y is. For somebody else's X ("my sister's birthday") the same table holds.
Never: reads an X that is not in the table; "my computer is slow" is no fact.
"""

import re
from dataclasses import dataclass
from functools import cache

from recollect.core.write.facts.dates import read_bare_age, read_date, read_zone
from recollect.core.write.facts.lexicon import roles, tongues, tools
from recollect.core.write.facts.names import read_name, read_organisation, read_own_name, read_place
from recollect.core.write.facts.nouns import read_favorite, read_general, read_model
from recollect.core.write.facts.occupations import read_role, read_title
from recollect.core.write.facts.readers import Reader, from_list, read_any_of, read_pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One row: the words for X as a regular expression, the predicate, how Y is read. Group `slot` names a slot."""

    noun: str
    predicate: str
    read: Reader
    lead: str = ""
    users_only: bool = False


_read_job = read_any_of(read_role, read_title)
_read_language = from_list(tongues.languages, words=2)
_read_pronouns = read_pattern(r"((?:they|she|he|xe|ze|it|any)(?:\s?/\s?\w{2,6}){1,2})")
FAVORITE = (
    r"(?:(?:all-time|absolute|current)\s+)?favou?rite\s+(?!part|thing|one|way|moment|memory|memories"
    r"|bit|line|quote|scene|aspect|feature|option|time|person"
    r"|people|places?\b|kind|type|sort|version|is\b|are\b|so\b)(?P<slot>[a-z]+(?:\s+(?!is\b|are\b|of\b"
    r"|has\b|in\b|was\b|from\b|to\b|about\b)[a-z]+){0,2})"
    r"(?:\s+(?:of\s+all\s+time|ever))?"
)

ATTRIBUTES: tuple[Attribute, ...] = (
    Attribute(noun=r"(?:full\s+|first\s+|real\s+|given\s+)?name", predicate="name", read=read_own_name),
    Attribute(noun=r"nickname", predicate="goes_by", read=read_name),
    Attribute(noun=r"(?:preferred\s+)?pronouns", predicate="pronouns", read=_read_pronouns),
    Attribute(noun=r"birthday|date\s+of\s+birth|bday|b-day", predicate="birthday", read=read_date),
    Attribute(noun=r"age", predicate="age", read=read_bare_age),
    Attribute(noun=r"(?:local\s+)?time\s?zone", predicate="timezone", read=read_zone),
    Attribute(
        noun=r"native\s+(?:language|tongue)|mother\s+tongue|first\s+language",
        predicate="native_language",
        read=_read_language,
    ),
    Attribute(
        noun=r"(?:current\s+)?(?:job\s+title|job|role|position|occupation|profession|title)",
        predicate="role",
        lead=r"(?:as\s+)?(?:an?\s+|the\s+)?",
        read=_read_job,
    ),
    Attribute(noun=r"(?:current\s+|new\s+)?employer", predicate="works_at", read=read_organisation),
    Attribute(noun=r"home\s?town", predicate="from", read=read_place),
    Attribute(noun=r"(?:home|house|apartment|flat)", lead=r"in\s+", predicate="lives_in", read=read_place),
    Attribute(noun=r"nationality", predicate="nationality", read=from_list(tongues.nationalities, words=2)),
    Attribute(noun=r"(?:wedding\s+)?anniversary", predicate="anniversary", read=read_date),
    Attribute(noun=r"major", predicate="studies", read=from_list(roles.fields_of_study)),
    Attribute(noun=FAVORITE, predicate="favorite", read=read_favorite),
    Attribute(
        noun=r"(?:main\s+|biggest\s+)?(?:hobbies|hobby|interests)",
        lead=r"(?:include\s+|including\s+)?",
        predicate="likes",
        read=read_general,
    ),
    Attribute(
        noun=rf"(?:main\s+|current\s+|new\s+|daily\s+)?(?P<slot>{'|'.join(map(re.escape, tools.possessions()))})",
        predicate="possession",
        lead=r"(?:an?\s+|the\s+)?",
        read=read_model,
        users_only=True,
    ),
)

# Between X and Y. "was" is missing on purpose: what was is not.
_COPULA = (
    r"(?:'s|\s+(?:is|are|has\s+always\s+been|will\s+always\s+be)|\s+(?=include)|:)"
    r"(?P<adverbs>(?:\s+(?:still|actually|now|currently|definitely|always|also|just|officially|simply))*)\s+"
)


@cache
def attribute_patterns() -> tuple[tuple[Attribute, re.Pattern[str]], ...]:
    """Every row with its pattern, which starts right after the possessor."""
    return tuple(
        (
            row,
            re.compile(rf"\s+(?:{row.noun})(?:\s+(?:at|with)\s+(?P<org>[A-Z]\w+))?{_COPULA}{row.lead}", re.IGNORECASE),
        )
        for row in ATTRIBUTES
    )
