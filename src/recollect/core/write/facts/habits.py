"""What somebody does again and again, plays, has given up, never does.

Decides: a habit needs a rhythm ("every morning", "on Thursdays", "usually"); the verb and its object make the key, the
rhythm does not, so that "I run every evening now" meets "I run every morning".
Never: takes one time ("I run the tests every time") for a habit; the verbs are a closed list.
"""

import re

from recollect.core.write.facts.finding import Polarity
from recollect.core.write.facts.lexicon import pastimes
from recollect.core.write.facts.nouns import read_general
from recollect.core.write.facts.readers import NOTHING, Reading, listed, one_of
from recollect.core.write.facts.rule import Rule
from recollect.core.write.facts.words import ends_cleanly, longest_in, words_at

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PART = r"(?:day|morning|evening|night|afternoon|week|weekend|weekday|month|year|summer|winter|other\s+day)"
RHYTHM = (
    rf"(?:(?:every|each)\s+(?:single\s+)?(?:{_PART}|{_DAY}(?:\s+(?:morning|evening|night|afternoon))?)"
    rf"|on\s+(?:{_DAY}s(?:\s+and\s+{_DAY}s)?|weekends|weekdays|weeknights)|daily|weekly|twice\s+a\s+(?:day|week|month)"
    rf"|once\s+a\s+(?:day|week|month|year)|(?:\d|two|three|four|five|six|several)\s+(?:times|days"
    rf"|nights)\s+(?:a|per)\s+week"
    r"|in\s+the\s+(?:mornings|evenings|afternoons)|most\s+(?:days|mornings|evenings|nights|weekends)|before\s+bed"
    r"|before\s+work|after\s+work)"
)
_RHYTHM = re.compile(rf"(?:\s+at\s+\d[\d:apm. ]{{0,6}})?\s+({RHYTHM})(?!\w)", re.IGNORECASE)
_CLOCK = re.compile(
    r"\s+(?:at|around|by|before|after)\s+(?:\d{1,2}(?::\d\d)?\s?(?:am|pm|a\.m|p\.m|o'clock)?|noon|midnight|dawn)(?!\w)",
    re.IGNORECASE,
)
_MODULES = re.compile(
    r"\b(?:tests?|code|script|command|build|app|api|query|program|server|job|pipeline|error|file)s?\b", re.IGNORECASE
)
_LIMIT_WORDS = 7


def _plain(word: str) -> str:
    """The verb as the list has it: "goes" is "go", "runs" is "run"."""
    verbs = pastimes.routines()
    for cut in (word, word[:-1] if word.endswith("s") else "", word[:-2] if word.endswith("es") else ""):
        if cut in verbs:
            return cut
    return ""


def _activity(text: str, start: int, end: int, until: int) -> tuple[Reading, ...]:
    """A reading whose slot is the activity (start to end) and whose value goes on to the end of its rhythm."""
    activity = text[start:end]
    verb, _, rest = activity.partition(" ")
    plain = _plain(verb.casefold())
    if not plain or _MODULES.search(activity):
        return NOTHING
    return (Reading(value=text[start:until], start=start, end=until, slot=f"{plain} {rest}".strip()),)


def _read_rhythmic(text: str, at: int) -> tuple[Reading, ...]:
    """A verb of the list, a few words, and a rhythm."""
    words = words_at(text, at, 1)
    if not words or not _plain(words[0].low):
        return NOTHING
    position = words[0].end
    for _ in range(_LIMIT_WORDS):
        rhythm = _RHYTHM.match(text, position)
        if rhythm:
            end = _before_extent(text, at, position)
            if _FOR_NOW.match(text, rhythm.end(1)) or not ends_cleanly(text, rhythm.end(1)):
                return NOTHING
            return _activity(text, at, end, rhythm.end(1))
        step = _STEP.match(text, position)
        if step is None:
            return NOTHING
        position = step.end()
    return NOTHING


_FOR_NOW = re.compile(r"\s+(?:this|next|until|till|during|of|in\s+\w+uary)\b", re.IGNORECASE)
_STEP = re.compile(
    r"\s+(?!(?:every|each|and|but|so|because|this|that|it|you|your|if|when|i|we|not|or|then|there|here"
    r"|them|him|her|to\s+(?:see|check))\b)"
    r"[\w'/&:.-]{0,19}[\w]",
    re.IGNORECASE,
)
_EXTENT = re.compile(
    r"\s+(?:for\s+(?:about\s+)?(?:an?|\w+)\s+(?:minutes?|hours?)|(?:at|around)\s+\S{1,8}(?:\s[ap]m)?)$", re.IGNORECASE
)


def _before_extent(text: str, start: int, end: int) -> int:
    """Where the activity ends when how long or at what time is said with it."""
    extent = _EXTENT.search(text[start:end])
    return start + extent.start() if extent else end


def _read_usual(text: str, at: int) -> tuple[Reading, ...]:
    """What somebody usually does: a verb of the list with a time or a rhythm after it."""
    rhythmic = _read_rhythmic(text, at)
    if rhythmic:
        return rhythmic
    words = words_at(text, at, 1)
    if not words or not _plain(words[0].low):
        return NOTHING
    position = words[0].end
    for _ in range(4):
        clock = _CLOCK.match(text, position)
        if clock:
            return _activity(text, at, position, clock.end()) if ends_cleanly(text, clock.end()) else NOTHING
        step = _STEP.match(text, position)
        if step is None:
            return NOTHING
        position = step.end()
    return NOTHING


def read_fronted(text: str, at: int) -> tuple[Reading, ...]:
    """An activity whose rhythm was said first: up to five words to the end of the sentence."""
    words = words_at(text, at, 6)
    if not 1 <= len(words) <= 5 or not _plain(words[0].low) or not _SENTENCE_END.match(text, words[-1].end):
        return NOTHING
    return _activity(text, words[0].start, words[-1].end, words[-1].end)


_SENTENCE_END = re.compile(r"\s*(?:$|[.!,;])")


def _read_abstained(text: str, at: int) -> tuple[Reading, ...]:
    """ "smoke", "drink alcohol", "eat pork": the whole phrase is what is not done."""
    words = words_at(text, at, 1)
    if not words or words[0].low.rstrip("s") not in pastimes.never_verbs():
        return NOTHING
    verb = words[0]
    if _SENTENCE_END.match(text, verb.end) or _ABSTAIN_END.match(text, verb.end):
        return (Reading(value=verb.text, start=at, end=verb.end, slot=verb.low),)
    found = read_general(text, verb.end + 1)
    return tuple(
        Reading(value=f"{verb.text} {item.value}", start=at, end=item.end, slot=f"{verb.low} {item.slot}")
        for item in found
        if len(item.value.split()) <= 3 and not _ONLY_THEN.match(text, found[-1].end)
    )


_ONLY_THEN = re.compile(
    r"\s+(?:after|before|when|if|on|at|in|during|with|unless|while|every|this|today|then)\b", re.IGNORECASE
)
_ABSTAIN_END = re.compile(
    r"\s+(?:or\s+(?:smoke|drink|vape|gamble)|at\s+all|any\s?more|anymore|either|but|because|so|since)\b"
)


def _read_given_up(text: str, at: int) -> tuple[Reading, ...]:
    """ "smoking", "drinking coffee": what was given up, keyed by its plain verb."""
    words = words_at(text, at, 4)
    count = longest_in(words, pastimes.stopped(), 2)
    if not count or pastimes.stopped()[" ".join(w.low for w in words[:count])] == words[0].low:
        return NOTHING
    end = words[count - 1].end
    plain = pastimes.stopped()[" ".join(word.low for word in words[:count])]
    if ends_cleanly(text, end) and plain not in ("go", "do", "eat"):
        return (Reading(value=text[at:end], start=at, end=end, slot=plain),)
    found = read_general(text, end + 1)
    if len(found) != 1 or len(found[0].value.split()) > 3:
        return NOTHING
    return (Reading(value=text[at : found[0].end], start=at, end=found[0].end, slot=f"{plain} {found[0].value}"),)


def _read_kept_failing(text: str, at: int) -> tuple[Reading, ...]:
    match = _FAILING.match(text, at)
    if match is None:
        return NOTHING
    return (Reading(value=match.group(1), start=at, end=match.end(1), slot=match.group(1)),)


_FAILING = re.compile(
    r"((?:forgetting\s+to|missing|losing|procrastinating|oversleeping|running\s+late|overspending|putting\s+off)"
    r"(?:\s+(?!this\b|that\b|it\b|you\b|your\b|and\b|but\b)[\w'-]{1,20}){0,6})(?=\s*(?:$|[.,;!?])|\s+(?:and|but|so)\b)",
    re.IGNORECASE,
)

_read_played = listed(one_of(pastimes.played))
_USUALLY = ("usually", "always", "normally", "typically", "generally", "often", "regularly")
_GIVEN_UP = "present:quit past:quit perfect:quit past:stop perfect:stop"

RULES: tuple[Rule, ...] = (
    Rule(
        on="present:play since:play",
        lead=r"\s+(?:the\s+|a\s+lot\s+of\s+|some\s+)?",
        read=_read_played,
        predicate="plays",
        denied=Polarity.NO,
    ),
    Rule(on="used:play", lead=r"\s+(?:the\s+)?", read=_read_played, predicate="plays", says=Polarity.PAST),
    Rule(on="present:*", read=_read_usual, adverbs=_USUALLY, predicate="does"),
    Rule(on="present:*", read=_read_rhythmic, predicate="does"),
    Rule(on="present:*", read=_read_abstained, says=None, denied=Polarity.NO, predicate="does"),
    Rule(on=_GIVEN_UP, read=_read_given_up, says=Polarity.ENDED, predicate="does"),
    Rule(on="past:give perfect:give", lead=r"\s+up\s+", read=_read_given_up, says=Polarity.ENDED, predicate="does"),
    Rule(on="present:keep", read=_read_kept_failing, predicate="struggles_with"),
)
