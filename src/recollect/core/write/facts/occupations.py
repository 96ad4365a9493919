"""How an occupation is read: "a paediatric nurse", "head of cardiology".

Decides: which noun makes an occupation, how far it reaches, and what before or after it makes it a figure of speech.
Never: takes a noun for a job because it ends in "-er"; the nouns are a list.
"""

import re

from recollect.core.write.facts.lexicon import roles
from recollect.core.write.facts.readers import NOTHING, Reading
from recollect.core.write.facts.words import Word, ends_cleanly, longest_in, words_at

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
