"""Corrections that name only what is new: "Actually, it's Berlin now", "No, I meant Lisbon", "Not Lisbon but Berlin".

Decides: which earlier claim of the same speaker is meant. With the old value named, the claim that has it; otherwise
the only claim the new value fits, of those in the speaker's last turn and those the answer to it has just repeated
("You live in Linz, so…"). Where two would fit, none is meant.
Never: corrects another speaker's words, or a claim that a person has many of.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from recollect.core.write.facts.dates import read_age, read_date, read_due, read_turned, read_year, read_zone
from recollect.core.write.facts.draft import Heard
from recollect.core.write.facts.finding import ELLIPTIC, Finding, Polarity
from recollect.core.write.facts.lexicon import roles, tongues
from recollect.core.write.facts.names import read_name, read_organisation, read_place
from recollect.core.write.facts.nouns import read_favorite
from recollect.core.write.facts.occupations import read_role, read_title
from recollect.core.write.facts.readers import Reader, from_list, read_any_of
from recollect.core.write.facts.scene import Scene

Extract = Callable[[str], list[Finding]]

# How the new value of each claim is read. A predicate that is missing here is not corrected by its value alone.
READERS: dict[str, Reader] = {
    "name": read_name,
    "goes_by": read_name,
    "lives_in": read_place,
    "from": read_place,
    "born_in": read_place,
    "grew_up_in": read_place,
    "works_at": read_organisation,
    "studies_at": read_organisation,
    "role": read_any_of(read_role, read_title),
    "studies": from_list(roles.fields_of_study),
    "timezone": read_zone,
    "birthday": read_date,
    "anniversary": read_date,
    "deadline": read_due,
    "launch_date": read_due,
    "birth_year": read_year,
    "age": read_any_of(read_age, read_turned),
    "native_language": from_list(tongues.languages, words=2),
    "nationality": from_list(tongues.nationalities, words=2),
    "favorite": read_favorite,
}

_OPENING = (
    r"\s*(?:(?:oh|hmm|ah|um|uh|well|hey|actually|no|nope|sorry|wait|oops|whoops|correction|my\s+(?:bad"
    r"|mistake)|that's\s+(?:wrong|not\s+right)|scratch\s+that)[,.!:;\s-]+){0,4}"
)
_IS = r"(?:it's|it\s+is|it\s+should\s+be|that\s+should\s+be|that's|i\s+meant(?:\s+to\s+say)?|i\s+mean)"
_NOW = r"(?P<now>\s+(?:now|instead|these\s+days|actually))?"
_NEW = r"(?:an?\s+|in\s+|at\s+|on\s+)?(?P<new>[^,.!?;]{1,40}?)"
_OLD = r"(?:an?\s+|in\s+|at\s+|on\s+)?(?P<old>[^,.!?;]{1,40}?)"
_END = r"\s*(?:[.!]\s*)?$"
_SPELLED = re.compile(
    rf"{_OPENING}(?:it's|it\s+is|my\s+name\s+is)\s+(?:actually\s+)?spel(?:led|t)\s+(?P<new>[^\s,.!?]+)", re.IGNORECASE
)
_FORMS: tuple[re.Pattern[str], ...] = (
    re.compile(
        rf"{_OPENING}(?:{_IS}\s+)?not\s+{_OLD}(?:,?\s+but\s+|,\s+(?:it's\s+)?){_NEW}{_NOW}{_END}", re.IGNORECASE
    ),
    re.compile(rf"{_OPENING}(?:{_IS}\s+)?{_NEW}{_NOW},\s+not\s+{_OLD}{_END}", re.IGNORECASE),
    re.compile(rf"{_OPENING}{_IS}\s+{_NEW}\s+not\s+{_OLD}{_END}", re.IGNORECASE),
    re.compile(rf"(?P<opened>{_OPENING}){_IS}\s+(?:actually\s+|now\s+)?{_NEW}{_NOW}{_END}", re.IGNORECASE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What was said before: the speaker's own turns, and the other's last one where it came after them."""

    own: tuple[Heard, ...]
    reply: str
    extract: Extract

    def latest(self) -> list[Finding]:
        """The claims in focus: those of the speaker's last turn and those the reply repeats."""
        said = self.extract(self.own[-1].text) if self.own else []
        return said + (self.extract(_turned(self.reply)) if self.reply else [])


def corrected(scene: Scene, before: Before) -> list[Finding]:
    """Return the corrected claim, or nothing where it is not certain which one is meant."""
    if "?" in scene.text:
        return []
    spelled = _SPELLED.match(scene.text)
    if spelled:
        named = [finding for finding in before.latest() if finding.predicate == "name"]
        return _renewed(scene, named, spelled.span("new"))
    for form in _FORMS:
        match = form.match(scene.text)
        if match:
            return _renewed(scene, _meant(match, before), match.span("new"))
    return []


# First the other's own "I" is taken out: what they say of themselves is not said of the speaker.
_TURNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:i|we|my|our|me|us|im)\b", re.IGNORECASE), "somebody"),
    (re.compile(r"\byou(?:'re|\s+are)\b", re.IGNORECASE), "I'm"),
    (re.compile(r"\byour\b", re.IGNORECASE), "my"),
    (re.compile(r"\byou\b", re.IGNORECASE), "I"),
    (re.compile(r"(?:,\s*(?:right|correct|yes|no|isn't\s+it|aren't\s+you|don't\s+you))?\s*\?"), "."),
)


def _turned(reply: str) -> str:
    """What the other said about the speaker, as the speaker would say it: "You live in Linz?" is "I live in Linz."."""
    for pattern, replacement in _TURNS:
        reply = pattern.sub(replacement, reply[:_REPLY_LIMIT_CHARACTERS])
    return reply


_REPLY_LIMIT_CHARACTERS = 1_000


def _meant(match: re.Match[str], before: Before) -> list[Finding]:
    """The earlier claims a correction can be about."""
    old = match.groupdict().get("old")
    if old:
        said = [finding for turn in reversed(before.own) for finding in before.extract(turn.text)] + before.latest()
        return [finding for finding in said if finding.value.casefold() == old.strip().casefold()]
    if not match.group("opened").strip() and not match.group("now") and "mean" not in match.group().casefold():
        return []
    return before.latest()


def _renewed(scene: Scene, said: list[Finding], span: tuple[int, int]) -> list[Finding]:
    """The claim with its new value, where exactly one of those said can take it."""
    fits: dict[tuple[str, str, str], Finding] = {}
    for finding in said:
        reader = READERS.get(finding.predicate)
        reading = reader(scene.text[: span[1]], span[0]) if reader and finding.polarity is Polarity.YES else ()
        if not reading or reading[0].end != span[1] or reading[0].value.casefold() == finding.value.casefold():
            continue
        slot = finding.slot if finding.predicate == "favorite" else ""
        fits[finding.subject.ref, finding.predicate, slot] = replace(
            finding,
            value=reading[0].value,
            start=reading[0].start,
            end=reading[0].end,
            kind="none" if reading[0].kind == "person" else reading[0].kind,
            corrects=True,
            confidence=ELLIPTIC,
        )
    return list(fits.values()) if len(fits) == 1 else []
