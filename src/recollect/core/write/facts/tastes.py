"""What somebody likes, prefers, eats, suffers from.

Never: takes pleasure in the moment ("I love it", "I like that idea") for a taste.
"""

import re

from recollect.core.write.facts.finding import Polarity
from recollect.core.write.facts.lexicon import pastimes
from recollect.core.write.facts.nouns import read_allergens, read_general
from recollect.core.write.facts.readers import NOTHING, Reading, from_list, read_pattern
from recollect.core.write.facts.rule import Rule

_COMPARED = re.compile(r"\s+(?:to|over|rather\s+than|instead\s+of|than)\s+", re.IGNORECASE)
_COMPARING = re.compile(
    r"([\w'-]{2,20}(?:\s+[\w'-]{2,20}){0,2}?)\s+(?:to|over|rather\s+than|instead\s+of|than)\s+"
    r"([\w'-]{2,20}(?:\s+[\w'-]{2,20}){0,2}?)(?=\s*(?:$|[.,;!?])|\s+(?:because|so|but|when|since|for|in|any|every)\b)",
    re.IGNORECASE,
)
_LOOSE_SIDE = re.compile(
    r"\b(?:the|this|that|these|those|it|them|you|your|my|his|her|one|ones|to|a|an|him|if|when|how|not|being)\b",
    re.IGNORECASE,
)


def _read_compared(text: str, at: int) -> tuple[Reading, ...]:
    """ "tea to coffee": the pair is the slot, in alphabetical order, so that the opposite claim meets this one."""
    match = _COMPARING.match(text, at)
    if match is None or _LOOSE_SIDE.search(match.group(1)) or _LOOSE_SIDE.search(match.group(2)):
        return NOTHING
    pair = sorted((match.group(1).casefold(), match.group(2).casefold()))
    return (Reading(value=match.group(1), start=match.start(1), end=match.end(), slot=" or ".join(pair)),)


_TO_DO = re.compile(
    r"(to\s+(?:be|work|eat|read|write|travel|sleep|walk|drive|fly|cook|stay|use|keep|communicate|learn|study|shop|talk"
    r"|get|live|run|train|take|pay|sit|stand|watch|listen|play|wake|start|do|have|receive)"
    r"(?:\s+(?!this\b|that\b|it\b|you\b|your\b|these\b|those\b|here\b|there\b)[\w'-]{1,20}){0,5})"
    r"(?=\s*(?:$|[.;!?])|\s*,)",
    re.IGNORECASE,
)


def _read_preferred(text: str, at: int) -> tuple[Reading, ...]:
    """A pair, a way of doing things, or a thing in general."""
    compared = _read_compared(text, at)
    if compared:
        return compared
    way = _TO_DO.match(text, at)
    if way:
        value = way.group(1)
        return (Reading(value=value, start=at, end=way.end(1), slot=value),)
    found = read_general(text, at)
    if not found or _COMPARED.match(text, found[-1].end) or found[0].value.casefold().startswith("to "):
        return NOTHING
    return found


_FAN = r"\s+(?:(?:big|huge|massive|great|lifelong)\s+)?fan\s+of\s+"

RULES: tuple[Rule, ...] = (
    Rule(
        on="present:like present:love present:enjoy present:adore",
        read=read_general,
        predicate="likes",
        denied=Polarity.NO,
    ),
    Rule(on="used:like used:love used:enjoy", read=read_general, predicate="likes", says=Polarity.PAST),
    Rule(
        on="present:hate present:dislike present:detest present:loathe present:despise",
        read=read_general,
        predicate="likes",
        says=Polarity.NO,
    ),
    Rule(on="can:stand", read=read_general, predicate="likes", says=None, denied=Polarity.NO),
    Rule(on="be:into", read=read_general, predicate="likes", denied=Polarity.NO),
    Rule(on="be:fond", lead=r"\s+of\s+", read=read_general, predicate="likes", denied=Polarity.NO),
    Rule(on="be:keen", lead=r"\s+on\s+", read=read_general, predicate="likes", denied=Polarity.NO),
    Rule(on="be:obsessed be:crazy be:passionate", lead=r"\s+(?:with|about)\s+", read=read_general, predicate="likes"),
    Rule(on="be:a", lead=_FAN, read=read_general, predicate="likes", denied=Polarity.NO),
    Rule(on="present:prefer", read=_read_preferred, predicate="prefers"),
    Rule(on="be:*", read=from_list(pastimes.diets), predicate="diet"),
    Rule(on="be:allergic", lead=r"\s+to\s+", read=read_allergens, predicate="allergic_to", denied=Polarity.NO),
    Rule(
        on="present:have",
        lead=r"\s+(?:an?\s+)?(?:bad\s+|severe\s+)?allergy\s+to\s+",
        read=read_allergens,
        predicate="allergic_to",
    ),
    Rule(on="be:*", read=from_list(pastimes.conditions), predicate="has_condition"),
    Rule(on="present:have", read=from_list(pastimes.conditions), predicate="has_condition"),
    Rule(
        on="be:a be:an",
        read=read_pattern(r"((?:morning|night)\s+person|night\s+owl|early\s+(?:bird|riser))"),
        predicate="chronotype",
    ),
    Rule(
        on="present:struggle progress:struggle since:struggle",
        lead=r"\s+with\s+",
        read=read_general,
        predicate="struggles_with",
    ),
    Rule(
        on="present:have",
        lead=r"\s+(?:trouble|difficulty|a\s+hard\s+time)\s+(?:with\s+)?",
        read=read_general,
        predicate="struggles_with",
    ),
)
