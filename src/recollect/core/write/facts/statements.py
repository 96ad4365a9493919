"""How one sentence becomes findings.

Decides: who a verb phrase is about: the speaker, somebody of theirs, somebody named before, whoever "she" is.
Never: reads a question, or keeps a claim that the words around it take back.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from recollect.core.write.facts.claims import Clause, claims_of
from recollect.core.write.facts.clauses import Sentence, begins_clause
from recollect.core.write.facts.finding import Finding, Polarity, Subject
from recollect.core.write.facts.frames import phrased
from recollect.core.write.facts.grammar import compiled
from recollect.core.write.facts.lookalikes import taken_back
from recollect.core.write.facts.owned import owned
from recollect.core.write.facts.people import Mention, Stretch, introductions, may_be_called, mentions, named_pets
from recollect.core.write.facts.projects import framed
from recollect.core.write.facts.scene import Scene

_FIRST_PERSON = re.compile(r"\b(?:i|we)(?='(?:m|ve|re)\b|\s|m\s|ve\s)", re.IGNORECASE)
_DROPPED = re.compile(
    r"\s*just(?=\s+(?:got|moved|joined|turned|started|finished|quit|adopted|switched|retired)\b)", re.IGNORECASE
)
_PRONOUN = re.compile(r"\s*(?:(?:and|but|so|also)\s+)?(he|she|they)(?='s\b|'re\b|\s)", re.IGNORECASE)
_INNER_PRONOUN = re.compile(
    r"(?:,|;|\band|\bbut|\bwho)\s+(?:(?:and|but)\s+)?(he|she|they)(?='s\b|'re\b|\s)", re.IGNORECASE
)
_AND_I = re.compile(r"\s+and\s+i(?=\s)", re.IGNORECASE)
_CORRECTING = re.compile(
    r"\s*(?:actually|correction|no|nope|sorry|wait|oops|whoops|my\s+mistake|my\s+bad|update|edit"
    r"|scratch\s+that|i\s+meant)\b",
    re.IGNORECASE,
)


def read_sentence(scene: Scene, sentence: Sentence, last: Subject | None) -> tuple[list[Finding], list[Subject]]:
    """Return what a sentence claims and whom it is about; `last` is whom the one before was about: "he", "she"."""
    if not (last or scene.known or _SPEAKS.search(scene.text, sentence.start, sentence.end)):
        return [], []
    whole = scene.until(sentence.end)
    everybody = tuple(mentions(whole, sentence.start, sentence.end))
    found = list(_about_people(whole, sentence, everybody))
    if sentence.stated > sentence.start:
        stated = scene.until(sentence.stated) if sentence.is_question else whole
        people = tuple(mention for mention in everybody if mention.end <= sentence.stated)
        found += _stated(Stretch(scene=stated, start=sentence.start, end=sentence.stated, people=people), last)
    kept = [finding for finding in found if not _is_taken_back(scene.text, sentence, finding)]
    claimed = [finding.subject for finding in kept if finding.subject.type == "PEOPLE"]
    return kept, claimed or [mention.subject for mention in everybody]


# Without one of these a sentence is about nobody the grammar knows.
_SPEAKS = re.compile(
    r"\b(?:i|im|ive|we|my|our|me|name|just|project|deadline|this|as|living|based|always|now|answer|reply|respond|here)\b",
    re.IGNORECASE,
)


def _is_taken_back(text: str, sentence: Sentence, finding: Finding) -> bool:
    after = "" if finding.predicate == "relationship" else text[finding.end : sentence.end]
    return taken_back(text[sentence.start : finding.start], after)


def _about_people(scene: Scene, sentence: Sentence, people: tuple[Mention, ...]) -> Iterator[Finding]:
    """Relations are presupposed by questions too: "is my sister Anna home?" has a sister Anna in it."""
    for mention in people:
        if mention.is_named:
            yield scene.relationship(mention.subject, mention.relation, mention.start, mention.end)
    for subject, relation, how, start, end in introductions(scene, sentence.start, sentence.end):
        claim = scene.relationship(subject, relation, start, end)
        yield replace(claim, polarity=Polarity(how))
    yield from named_pets(scene, sentence.start, sentence.end)


def _stated(stretch: Stretch, last: Subject | None) -> list[Finding]:
    scene = stretch.scene
    corrects = bool(_CORRECTING.match(scene.text, stretch.start))
    found: list[Finding] = []
    for clause in _clauses(stretch, last):
        found += claims_of(clause)
    found += owned(stretch)
    found += phrased(scene, stretch.start, stretch.end)
    found += framed(scene, stretch.start, stretch.end)
    return [replace(finding, corrects=True) for finding in found] if corrects else found


def _clauses(stretch: Stretch, last: Subject | None) -> Iterator[Clause]:
    scene, start, end = stretch.scene, stretch.start, stretch.end
    text = scene.text
    for match in _FIRST_PERSON.finditer(text, start, end):
        before = text[start : match.start()]
        if begins_clause(before):
            yield Clause(scene=scene, subjects=(scene.me,), start=match.start(), at=match.end(), before=before)
    dropped = _DROPPED.match(text, start)
    if dropped:
        yield Clause(scene=scene, subjects=(scene.me,), start=start, at=dropped.end())
    for mention in stretch.people:
        if not mention.is_possessive and begins_clause(text[start : mention.start]):
            yield _mention_clause(scene, mention, start)
    yield from _pronoun_clauses(stretch, last)
    yield from _known_clauses(scene, start, end)


def _pronoun_clauses(stretch: Stretch, last: Subject | None) -> Iterator[Clause]:
    """ "He" is whom the last sentence was about, or the only person named earlier in this one."""
    scene, start, people = stretch.scene, stretch.start, stretch.people
    opening = _PRONOUN.match(scene.text, start)
    only, after = last if opening else None, start
    if opening and last is not None and may_be_called(last, opening.group(1)):
        yield Clause(scene=scene, subjects=(last,), start=start, at=opening.end())
        after = opening.end()
    if people:
        only = people[0].subject if len({mention.subject.ref for mention in people}) == 1 else None
        after = people[0].end
    inner = _INNER_PRONOUN.search(scene.text, after, stretch.end) if only else None
    if only and inner and may_be_called(only, inner.group(1)):
        before = scene.text[start:after] if people else ""
        yield Clause(scene=scene, subjects=(only,), start=inner.start(), at=inner.end(), before=before)


def _mention_clause(scene: Scene, mention: Mention, start: int) -> Clause:
    together = _AND_I.match(scene.text, mention.end)
    subjects = (scene.me, mention.subject) if together else (mention.subject,)
    at = together.end() if together else mention.end
    return Clause(scene=scene, subjects=subjects, start=mention.start, at=at, before=scene.text[start : mention.start])


def _known_clauses(scene: Scene, start: int, end: int) -> Iterator[Clause]:
    """Somebody whose relation was stated before, called by name at the start of a clause."""
    for name, subject in scene.known.items():
        for match in compiled(rf"\b{re.escape(name)}(?='s\b|\s)").finditer(scene.text, start, end):
            before = scene.text[start : match.start()]
            if begins_clause(before) and match.group() == name:
                yield Clause(scene=scene, subjects=(subject,), start=match.start(), at=match.end(), before=before)
