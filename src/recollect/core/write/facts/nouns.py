"""What somebody likes, prefers or uses: noun phrases that mean a thing in general, and tools by name.

Decides: "hiking" and "Ethiopian food" are things in general; "it", "this song", "the second option" and "how you
phrased it" belong to the moment and are no lasting taste.
Never: reads more than six words, or keeps a phrase that points at the talk itself.
"""

import re

from recollect.core.write.facts.lexicon import tools
from recollect.core.write.facts.lexicon.entry import spaced
from recollect.core.write.facts.readers import NOTHING, Reading, listed, one_of, proper_words
from recollect.core.write.facts.words import Word, ends_cleanly, longest_in, words_at

_LIMIT_WORDS = 6

# The phrase is over here, and what follows does not change it.
_CUTS = spaced(
    """
because so but when while if although since too though anyway these especially more most on every each during for
after before at lately recently now however than over rather instead right again today tbh btw and or as i i'm even
just once whenever until whether we my-self always usually sometimes mostly which where unless ever then myself
first last except besides without yet any anymore all
    """
)

# The phrase is about this moment, this talk or somebody present: no taste in general.
_POINTING = spaced(
    """
it this that it's that's you your yours you're these those there here them him his her hers their theirs its he she
they we us me who what how is are was were has have had can will would not everything anything something nothing
everyone anyone someone stuff thing things one ones both either neither none way ways idea ideas option options plan
part bit answer reply response suggestion suggestions version result look looks sound about-it don't doesn't isn't
being seeing hearing knowing having getting feeling when where why if no an a the another same such other others
some any all every most many much few more less better best worst worse very so too really only well fact kind sort
lot vibe vibes today tonight tomorrow yesterday now via via-that per seem seems let let's 's coming hope sounds
thank thanks lol haha
    """
)
_INSIDE_OK = frozenset(
    {"the", "a", "an", "all", "my", "our", "other", "new", "more", "very", "sound", "about", "being"}
)

_GENERAL_THE = re.compile(
    r"the\s+(?:(?:beach|ocean|sea|mountains?|outdoors|rain|snow|theat(?:er|re)|opera|countryside|cold|heat|gym|forest"
    r"|desert|sauna|stars|blues|library|dentist)(?=\s*(?:$|[.,;!?])|\s+(?:and|but|so|because|too|more|in|on|at)\b)"
    r"|(?:smell|sound|taste)\s+of\s+(?!that|this|it|your|my|the)[a-z]+|colou?r\s+(?:red|blue|green"
    r"|yellow|purple|orange|pink|black|white|teal|brown|gr[ae]y))",
    re.IGNORECASE,
)
_THE_NAMED = re.compile(r"the\s+(?=[A-Z])")

_COMPOUNDS = re.compile(
    r"(?:mac(?:aroni)? and cheese|rock and roll|rock (?:'n'|n) roll|fish and chips|rhythm and blues|drum and bass"
    r"|arts and crafts|dungeons and dragons|peanut butter and jelly|black and white [a-z]+|friends and family"
    r"|family and friends|gin and tonics?|salt and vinegar [a-z]+|country and western|cookies and cream|d&d|r&b)\b",
    re.IGNORECASE,
)
_LONE_GERUNDS = spaced(
    """
playing working living talking getting going doing making being trying taking coming looking thinking saying using
    """
)
_TO_VERB = re.compile(r"to\s+([a-z]{2,12})\b", re.IGNORECASE)
_TO_VAGUE = re.compile(
    r"to\s+(?:think|say|know|see|hear|believe|be|have|do|note|add|mention|point|ask|tell|thank|let"
    r"|imagine|get|admit|know"
    r"|break|disappoint|bother|interrupt|call|give|see|start|try|help|keep|make|hear|feel|meet|come|go)\b",
    re.IGNORECASE,
)


def read_general(text: str, at: int) -> tuple[Reading, ...]:
    """One thing in general, or several: "hiking", "Ethiopian food", "hiking and photography"."""
    compound = _COMPOUNDS.match(text, at)
    if compound and ends_cleanly(text, compound.end()):
        return (_reading(text, at, compound.end()),)
    first = _read_phrase(text, at)
    if first is None:
        return NOTHING
    found = [first]
    while len(found) < 4 and (following := _next_listed(text, found)):
        found.append(following)
    return tuple(found)


_AND = re.compile(r"\s*,?\s+and\s+(?!then\b)", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s+")
_LIST_GOES_ON = re.compile(r"\s*,?\s+and\s+|\s*,\s+[\w ]{2,30},?\s+and\s+", re.IGNORECASE)


def _next_listed(text: str, found: list[Reading]) -> Reading | None:
    """The next item of a list; only short items, so that a new clause is never taken for one."""
    end = found[-1].end
    separator = _AND.match(text, end)
    if separator is None:
        separator = _COMMA.match(text, end)
        if separator is None or not _LIST_GOES_ON.match(text, end):
            return None
    following = _read_phrase(text, separator.end())
    if following is None or len(following.value.split()) > 3 or not _item_ends(text, following.end):
        return None
    return following if len(found[0].value.split()) <= 3 else None


_ITEM_END = re.compile(r"\s*(?:$|[.,;!?)]|\s(?:and|but|so|because|too|on|in|when|since|every|these|at|for)\b)")


def _item_ends(text: str, end: int) -> bool:
    return bool(_ITEM_END.match(text, end))


def _read_phrase(text: str, at: int) -> Reading | None:
    general = _GENERAL_THE.match(text, at)
    if general:
        return _reading(text, at, general.end())
    named = _THE_NAMED.match(text, at)
    if named:
        run = proper_words(words_at(text, named.end(), 4))
        return _reading(text, at, run[-1].end) if run and ends_cleanly(text, run[-1].end) else None
    if _TO_VAGUE.match(text, at):
        return None
    words = _phrase_words(words_at(text, at, _LIMIT_WORDS + 2))
    if not words or len(words) > _LIMIT_WORDS or not _is_general(words):
        return None
    end = words[-1].end
    return _reading(text, at, end) if _phrase_ends(text, end) and not _is_half(text, words) else None


_QUALIFIED = re.compile(
    r"\s*,\s+(?!and\b|but\b|so\b|because\b|'?cause\b|it\b|it's\b|which\b|they\b|especially\b|i\b|i'm\b)[a-z]"
)
_COMPARATIVE = re.compile(r"\s+(?:more|better|less)\s+(?:than|when|if)\b", re.IGNORECASE)
_RELATIVE = re.compile(r"\s+(?:i|we|i'm|where|which)\b", re.IGNORECASE)


def _is_half(text: str, words: list[Word]) -> bool:
    """ "a safe, inviting place" and "the friends I have" go on where they seem to end."""
    end = words[-1].end
    has_article = len(words) > 1 and words[-2].low in ("a", "an", "the")
    return bool(_RELATIVE.match(text, end) or _COMPARATIVE.match(text, end)) or (
        has_article and bool(_QUALIFIED.match(text, end))
    )


def _phrase_words(words: list[Word]) -> list[Word]:
    for index, word in enumerate(words):
        if word.low in _CUTS and index:
            return words[:index]
    return words


_AFTER = re.compile(r"\s*(?:$|[.,;:!?)\]—–…\n]|-\s|\()")
_CUT_AFTER = re.compile(r"\s+([\w'-]+)")


def _phrase_ends(text: str, end: int) -> bool:
    if _AFTER.match(text, end):
        return True
    after = _CUT_AFTER.match(text, end)
    return after is not None and after.group(1).casefold() in _CUTS


def _is_general(words: list[Word]) -> bool:
    first, *rest = words
    if first.low in _POINTING or first.low in _CUTS or first.low in ("my", "our") or not first.text[0].isalpha():
        return False
    if len(words) == 1 and (first.low in _LONE_GERUNDS or len(first.text) < 2):
        return False
    if first.low.endswith("'s") and not first.is_capital:
        return False
    return all(word.low not in _POINTING or word.low in _INSIDE_OK for word in rest) and rest_ends_in_noun(words)


_DANGLING = spaced(
    """
the a an my our of to with in from by and or about into new very other all
    """
)


def rest_ends_in_noun(words: list[Word]) -> bool:
    """A phrase that stops at an article or a preposition was cut in the middle."""
    return words[-1].low not in _DANGLING


def _reading(text: str, start: int, end: int) -> Reading:
    value = text[start:end]
    return Reading(value=value, start=start, end=end, slot=_gerund(value))


# "to cook" and "cooking" are one taste. Only the plain rules of spelling; a wrong gerund is a harmless key.
def _gerund(value: str) -> str:
    match = _TO_VERB.match(value)
    if match is None:
        return value
    verb = match.group(1).lower()
    if verb.endswith("ie"):
        stem = verb[:-2] + "y"
    elif verb.endswith("e") and not verb.endswith("ee"):
        stem = verb[:-1]
    elif re.fullmatch(r"[a-z]{0,2}[^aeiou][aeiou][bdgmnprt]", verb) and len(verb) <= 4:
        stem = verb + verb[-1]
    else:
        stem = verb
    return f"{stem}ing{value[match.end() :]}"


def _read_tool(text: str, at: int) -> Reading | None:
    """One tool: a known one in any case, or a capitalised name."""
    words = words_at(text, at, 4)
    if not words or words[0].low in tools.not_tools():
        return None
    count = longest_in(words, tools.tools())
    if not count:
        run = proper_words(words, limit=3)
        if not run or _AS_EXAMPLE.match(text, run[-1].end):
            return None
        count = len(run)
    elif (
        count == 1
        and not words[0].is_capital
        and words[0].low in tools.plain_words()
        and not _is_listed(text, words[0])
    ):
        return None
    end = words[count - 1].end
    value = text[words[0].start : end]
    is_loose = not words[0].is_capital
    return Reading(value=value, start=words[0].start, end=end, slot=tools.tool_slug_source(value), is_loose=is_loose)


_AS_EXAMPLE = re.compile(r"\s+as\s+(?!my\b|our\b)", re.IGNORECASE)


def read_one_tool(text: str, at: int) -> tuple[Reading, ...]:
    """One tool, whatever follows it."""
    found = _read_tool(text, at)
    return (found,) if found else NOTHING


_TOOL_COMPANY = re.compile(r"\s*(?:$|[.,!])|\s+(?:for\s+(?:everything|work|coding)|as\s+my|btw|and|on\s+my|daily)\b")


def _is_listed(text: str, word: Word) -> bool:
    """An ordinary word is a tool only where nothing but the end of the sentence or a list follows."""
    return bool(_TOOL_COMPANY.match(text, word.end))


read_tools = listed(_read_tool, also=r"\s+to\s+[a-z]+")
read_known_tools = listed(one_of(tools.tools))


def read_model(text: str, at: int) -> tuple[Reading, ...]:
    """A thing one has a current one of: its make and model, "iPhone 15 Pro", or a tool by name."""
    words = words_at(text, at, 6)
    count = 0
    while count < len(words) and any(char.isupper() or char.isdigit() for char in words[count].text):
        count += 1
    if not count:
        return read_known_tools(text, at)
    if words[0].low in tools.not_tools() or words[0].text[0].isdigit() or not ends_cleanly(text, words[count - 1].end):
        return NOTHING
    value = text[at : words[count - 1].end]
    return (Reading(value=value, start=at, end=words[count - 1].end, slot=value),)


_CHARGE = re.compile(r"(?:(?:all\s+)?(?:the|our|my)\s+|all\s+)?", re.IGNORECASE)


def read_charge(text: str, at: int) -> tuple[Reading, ...]:
    """What somebody takes care of: a thing in general, or one of ours ("the backend")."""
    lead = _CHARGE.match(text, at)
    found = _read_phrase(text, lead.end() if lead else at)
    return (_reading(text, at, found.end),) if found and len(found.value.split()) <= 4 else NOTHING


_NO_ALLERGEN = frozenset(
    "monday mondays work mornings drama stupidity nonsense bullshit exercise meetings people".split()
)


def read_allergens(text: str, at: int) -> tuple[Reading, ...]:
    """Things one can be allergic to; weekdays and work are figures of speech."""
    found = read_general(text, at)
    return NOTHING if any(item.value.casefold() in _NO_ALLERGEN for item in found) else found


_ARTICLE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)


def read_favorite(text: str, at: int) -> tuple[Reading, ...]:
    """The one thing somebody likes best: a title or name in capitals, or a thing in general, article included."""
    article = _ARTICLE.match(text, at)
    start = article.end() if article else at
    run = proper_words(words_at(text, start, 7), inner=_TITLE_WORDS, limit=6)
    if run and ends_cleanly(text, run[-1].end):
        return (_reading(text, at, run[-1].end),)
    found = _read_phrase(text, start)
    if found is None or len(found.value.split()) > 4 or found.value.casefold().split()[0] in _NOT_FAVORITES:
        return NOTHING
    return (_reading(text, at, found.end),)


_TITLE_WORDS = spaced(
    """
of the and in on to for a de la & with from
    """
)
_NOT_FAVORITES = spaced(
    """
probably definitely still actually maybe hard difficult always never easily by like anything first second third last
next coming going getting out broken gone closed right wrong
    """
)
