"""What somebody says of a thing of theirs: "my birthday is May 4", "Dune is my favorite book".

Decides: where such a sentence starts, for the speaker and for people of theirs ("my mother's birthday").
Never: reads a thing that is not in the table of attributes.
"""

import re
from collections.abc import Iterator

from recollect.core.write.facts.attributes import FAVORITE, attribute_patterns
from recollect.core.write.facts.claims import is_new
from recollect.core.write.facts.clauses import begins_clause
from recollect.core.write.facts.finding import LOOSE, SURE, Finding, Subject
from recollect.core.write.facts.nouns import read_favorite
from recollect.core.write.facts.people import Stretch
from recollect.core.write.facts.scene import Scene
from recollect.core.write.facts.words import words_at

_POSSESSOR = re.compile(r"\b(?:my|our)(?=\s)", re.IGNORECASE)


def owned(stretch: Stretch) -> Iterator[Finding]:
    """ "My X is Y", for the speaker's own X and for that of somebody of theirs."""
    scene, start, end = stretch.scene, stretch.start, stretch.end
    text = scene.text
    for match in _POSSESSOR.finditer(text, start, end):
        if begins_clause(text[start : match.start()]) or _REMINDED.search(text, start, match.start()):
            yield from _attribute(scene, scene.me, match.start(), match.end())
    for mention in stretch.people:
        if mention.is_possessive and begins_clause(text[start : mention.start]):
            yield from _attribute(scene, mention.subject, mention.start, mention.end)
    yield from _inverted(scene, start, end)


_IS_MY_FAVORITE = re.compile(
    rf"(?:'s|\s+is|\s+has\s+always\s+been)(?:\s+(?:still|definitely|also"
    rf"|actually))?\s+my\s+{FAVORITE}(?=\s*(?:$|[.,;!?])|\s+(?:and|but|so|because|by)\b)",
    re.IGNORECASE,
)


def _inverted(scene: Scene, start: int, end: int) -> Iterator[Finding]:
    """ "Coffee is my favorite drink": the value stands first, alone at the start of the sentence."""
    match = _IS_MY_FAVORITE.search(scene.text, start, end)
    if match is None:
        return
    value = scene.text[start : match.start()]
    begin = start + len(value) - len(value.lstrip())
    readings = read_favorite(scene.text[: match.start()], begin)
    if readings and readings[0].end == match.start() and value.strip().casefold() not in _POINTING:
        yield Finding(
            subject=scene.me,
            predicate="favorite",
            slot=_slot(match),
            value=readings[0].value,
            start=begin,
            end=match.end(),
        )


_POINTING = frozenset(
    {"this", "that", "it", "he", "she", "which", "what", "one", "who", "here", "there", "mine", "yours"}
)


_REMINDED = re.compile(r"\b(?:remember|note|save|store)\s+(?:that\s+)?$", re.IGNORECASE)


def _attribute(scene: Scene, subject: Subject, start: int, at: int) -> Iterator[Finding]:
    following = words_at(scene.text, at + 1, 1)
    if not following:
        return
    for row, pattern in attribute_patterns():
        match = pattern.match(scene.text, at)
        if match is None or (row.users_only and subject is not scene.me):
            continue
        readings = row.read(scene.text, match.end())
        for item in readings:
            yield Finding(
                subject=subject,
                predicate=row.predicate,
                slot=_slot(match) or item.slot,
                value=item.value,
                start=start,
                end=item.end,
                kind="none" if item.kind == "person" else item.kind,
                corrects="now" in match.group("adverbs") or is_new("", scene.text, item.end),
                confidence=LOOSE if item.is_loose else SURE,
            )
        if readings:
            return


def _slot(match: re.Match[str]) -> str:
    slot = match.groupdict().get("slot") or ""
    return slot.casefold().replace("colour", "color").replace("favourite", "favorite")
