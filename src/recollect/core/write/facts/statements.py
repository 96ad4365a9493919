"""How one sentence becomes findings.

Decides: who a verb phrase is about (the speaker, somebody of theirs, somebody named before), which rule reads it, and
how far one subject carries ("I live in Riga and work at Printful").
Never: reads a question, or a claim that the words around it take back.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from recollect.core.write.facts.attributes import FAVORITE, attribute_patterns
from recollect.core.write.facts.clauses import Sentence, begins_clause
from recollect.core.write.facts.finding import LOOSE, PLAIN, SURE, Finding, Polarity, Subject
from recollect.core.write.facts.frames import phrased
from recollect.core.write.facts.grammar import compiled, rules_for
from recollect.core.write.facts.habits import RHYTHM, read_fronted
from recollect.core.write.facts.lookalikes import taken_back
from recollect.core.write.facts.nouns import read_favorite
from recollect.core.write.facts.people import Mention, had, introductions, linked, may_be_called, mentions, named_pets
from recollect.core.write.facts.projects import framed, on_project
from recollect.core.write.facts.readers import Reading
from recollect.core.write.facts.rule import Rule
from recollect.core.write.facts.scene import Scene
from recollect.core.write.facts.verbs import VerbPhrase, verb_phrase
from recollect.core.write.facts.words import words_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A subject with its words so far: who, where the subject starts, where its verb phrase starts."""

    subjects: tuple[Subject, ...]
    start: int
    at: int
    before: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The part of a sentence that states something, and the people of the speaker's that it mentions."""

    scene: Scene
    start: int
    end: int
    people: tuple[Mention, ...]


_FIRST_PERSON = re.compile(r"\b(?:i|we)(?='(?:m|ve|re)\b|\s|m\s|ve\s)", re.IGNORECASE)
_DROPPED = re.compile(
    r"\s*just(?=\s+(?:got|moved|joined|turned|started|finished|quit|adopted|switched|retired)\b)", re.IGNORECASE
)
_PRONOUN = re.compile(r"\s*(?:(?:and|but|so|also)\s+)?(he|she|they)(?='s\b|'re\b|\s)", re.IGNORECASE)
_INNER_PRONOUN = re.compile(
    r"(?:,|;|\band|\bbut|\bwho)\s+(?:(?:and|but)\s+)?(he|she|they)(?='s\b|'re\b|\s)", re.IGNORECASE
)
_AND_I = re.compile(r"\s+and\s+i(?=\s)", re.IGNORECASE)
_POSSESSOR = re.compile(r"\b(?:my|our)(?=\s)", re.IGNORECASE)
_CORRECTING = re.compile(
    r"\s*(?:actually|correction|no|nope|sorry|wait|oops|whoops|my\s+mistake|my\s+bad|update|edit"
    r"|scratch\s+that|i\s+meant)\b",
    re.IGNORECASE,
)
_NOW_AFTER = re.compile(r"\s+(?:now|instead)\b|,?\s+not\s+\S+", re.IGNORECASE)
_ANY_MORE = re.compile(r"\s+any\s?(?:more|longer)\b", re.IGNORECASE)


def read_sentence(scene: Scene, sentence: Sentence, last: Subject | None) -> list[Finding]:
    """Return what a sentence claims; `last` is whom the sentence before was about, for "he" and "she"."""
    if not (last or scene.known or _SPEAKS.search(scene.text, sentence.start, sentence.end)):
        return []
    whole = scene.until(sentence.end)
    people = tuple(mentions(whole, sentence.start, sentence.end))
    found = list(_about_people(whole, sentence, people))
    if sentence.stated > sentence.start:
        stated = scene.until(sentence.stated) if sentence.is_question else whole
        people = tuple(mention for mention in people if mention.end <= sentence.stated)
        found += _stated(Stretch(scene=stated, start=sentence.start, end=sentence.stated, people=people), last)
    return [finding for finding in found if not _is_taken_back(scene.text, sentence, finding)]


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
        found += _claims(scene, clause)
    found += _attributes(stretch)
    found += phrased(scene, stretch.start, stretch.end)
    found += framed(scene, stretch.start, stretch.end)
    return [replace(finding, corrects=True) for finding in found] if corrects else found


def _clauses(stretch: Stretch, last: Subject | None) -> Iterator[Clause]:
    scene, start, end = stretch.scene, stretch.start, stretch.end
    text = scene.text
    for match in _FIRST_PERSON.finditer(text, start, end):
        before = text[start : match.start()]
        if begins_clause(before):
            yield Clause(subjects=(scene.me,), start=match.start(), at=match.end(), before=before)
    dropped = _DROPPED.match(text, start)
    if dropped:
        yield Clause(subjects=(scene.me,), start=start, at=dropped.end(), before="")
    for mention in stretch.people:
        if not mention.is_possessive and begins_clause(text[start : mention.start]):
            yield _mention_clause(scene, mention, start)
    yield from _pronoun_clauses(stretch, last)
    yield from _known_clauses(scene, start, end)


def _pronoun_clauses(stretch: Stretch, last: Subject | None) -> Iterator[Clause]:
    """ "He" is whom the last sentence was about, or the only person named earlier in this one."""
    scene, start, people = stretch.scene, stretch.start, stretch.people
    opening = _PRONOUN.match(scene.text, start)
    if opening and last is not None and may_be_called(last, opening.group(1)):
        yield Clause(subjects=(last,), start=start, at=opening.end(), before="")
    only = people[0] if len({mention.subject.ref for mention in people}) == 1 else None
    inner = _INNER_PRONOUN.search(scene.text, only.end, stretch.end) if only else None
    if only and inner and may_be_called(only.subject, inner.group(1)):
        yield Clause(
            subjects=(only.subject,), start=inner.start(), at=inner.end(), before=scene.text[start : only.start]
        )


def _mention_clause(scene: Scene, mention: Mention, start: int) -> Clause:
    together = _AND_I.match(scene.text, mention.end)
    subjects = (scene.me, mention.subject) if together else (mention.subject,)
    at = together.end() if together else mention.end
    return Clause(subjects=subjects, start=mention.start, at=at, before=scene.text[start : mention.start])


def _known_clauses(scene: Scene, start: int, end: int) -> Iterator[Clause]:
    """Somebody whose relation was stated before, called by name at the start of a clause."""
    for name, subject in scene.known.items():
        for match in compiled(rf"\b{re.escape(name)}(?='s\b|\s)").finditer(scene.text, start, end):
            before = scene.text[start : match.start()]
            if begins_clause(before) and match.group() == name:
                yield Clause(subjects=(subject,), start=match.start(), at=match.end(), before=before)


_ONWARD = re.compile(
    r"\s*(?:,\s*(?:and\s+|but\s+)?|\s+and\s+|\s+but\s+)(?:also\s+|currently\s+|now\s+|then\s+|i\s+also\s+)?"
    r"|\s+(?=(?:living|based|working|studying|from|originally)\b)",
    re.IGNORECASE,
)
_CHAIN_LIMIT = 6


def _claims(scene: Scene, clause: Clause) -> list[Finding]:
    """Everything one subject is said to be or do, carried over commas and "and"."""
    found: list[Finding] = []
    at, implied = clause.at, ""
    for _ in range(_CHAIN_LIMIT):
        phrase, step = _carried(scene, clause, at, implied)
        if phrase is None or not step:
            break
        found += step
        implied = _IMPLIED.get(phrase.head.partition(":")[0], "have" if phrase.head == "present:have" else "")
        onward = _ONWARD.match(scene.text, max(finding.end for finding in step))
        if onward is None:
            break
        at = onward.end() - 1
    return found


# The auxiliary that a second phrase may leave out: "I'm a chef and [I'm] based in Lyon".
_IMPLIED = {"be": "be", "progress": "be"}


def _carried(scene: Scene, clause: Clause, at: int, implied: str) -> tuple[VerbPhrase | None, list[Finding]]:
    """The next phrase of a subject, with the auxiliary it may have left out or without."""
    for auxiliary in dict.fromkeys((implied, "")):
        phrase = verb_phrase(scene.text, at, auxiliary)
        step = _phrase_claims(scene, clause, phrase) if phrase else []
        if step:
            return phrase, step
    return None, []


def _phrase_claims(scene: Scene, clause: Clause, phrase: VerbPhrase) -> list[Finding]:
    fronted = _fronted(scene, clause, phrase)
    if fronted:
        return fronted
    if clause.subjects == (scene.me,) and not phrase.denied and not phrase.ended:
        special = linked(scene, phrase.head, clause.start, phrase.at)
        if not special and phrase.head in ("present:have", "past:adopt", "perfect:adopt", "present:own", "past:get"):
            special = had(scene, clause.start, phrase.at)
        if special:
            return list(special)
    for rule, from_word in rules_for(phrase.head):
        found = [
            claim for subject in clause.subjects for claim in _apply(scene, clause, subject, phrase, rule, from_word)
        ]
        if found:
            return found
    return []


_FRONTED = re.compile(rf"\s*({RHYTHM}),?\s*$", re.IGNORECASE)


def _fronted(scene: Scene, clause: Clause, phrase: VerbPhrase) -> list[Finding]:
    """ "Every Sunday I call my grandmother": the rhythm was said before the subject."""
    rhythm = _FRONTED.match(clause.before)
    if rhythm is None or not phrase.head.startswith("present:") or phrase.denied:
        return []
    return [
        Finding(
            subject=clause.subjects[0],
            predicate="does",
            slot=item.slot,
            value=f"{item.value} {_uncapital(rhythm.group(1))}",
            start=clause.start,
            end=item.end,
        )
        for item in read_fronted(scene.text, phrase.word_at)
    ]


def _uncapital(phrase: str) -> str:
    return phrase[:1].lower() + phrase[1:]


def _apply(
    scene: Scene, clause: Clause, subject: Subject, phrase: VerbPhrase, rule: Rule, from_word: bool
) -> list[Finding]:
    if (rule.users_only and subject is not scene.me) or (rule.others_only and subject.type == "PROFILE"):
        return []
    if rule.adverbs and not any(adverb in rule.adverbs for adverb in phrase.adverbs):
        return []
    if rule.before and not compiled(rule.before).search(clause.before):
        return []
    at = phrase.word_at
    if not from_word:
        lead = compiled(rule.lead).match(scene.text, phrase.at)
        if lead is None:
            return []
        at = lead.end()
    readings = rule.read(scene.text, at)
    if not readings or (rule.after and not compiled(rule.after).match(scene.text, readings[-1].end)):
        return []
    polarity = _polarity(scene.text, phrase, rule, readings[-1].end)
    if polarity is None:
        return []
    found = [_finding(scene, clause, subject, rule, item, polarity, phrase) for item in readings]
    if phrase.denied or phrase.ended:
        return found
    return found + _steps(scene, clause, subject, rule, readings[-1].end)


def _polarity(text: str, phrase: VerbPhrase, rule: Rule, end: int) -> Polarity | None:
    """What the phrase says about its claim; None where it says nothing that can be kept."""
    if phrase.ended or (phrase.denied and _ANY_MORE.match(text, end)):
        may_end = rule.says is Polarity.YES or (rule.says is None and rule.denied is Polarity.NO)
        return Polarity.ENDED if may_end else None
    return rule.denied if phrase.denied else rule.says


def _finding(
    scene: Scene, clause: Clause, subject: Subject, rule: Rule, item: Reading, polarity: Polarity, phrase: VerbPhrase
) -> Finding:
    if rule.predicate == "worked_on":
        return on_project(item.value, clause.start, item.end, polarity=polarity)
    corrects = rule.corrects or "now" in phrase.adverbs or _is_new(clause.before, scene.text, item.end)
    return Finding(
        subject=subject,
        predicate=rule.predicate,
        slot=item.slot,
        value=item.value,
        start=clause.start,
        end=item.end,
        kind="none" if item.kind == "person" else item.kind,
        polarity=polarity,
        corrects=corrects,
        confidence=LOOSE if item.is_loose else PLAIN,
    )


_NOW_BEFORE = re.compile(r"\bnow,?\s+$", re.IGNORECASE)


def _is_new(before: str, text: str, end: int) -> bool:
    """Whether "now" on either side, or "not" what it was, marks a claim as a change."""
    return bool(
        _NOW_AFTER.match(text, end) or (_NOW_BEFORE.search(before) and not before.casefold().endswith("right now "))
    )


def _steps(scene: Scene, clause: Clause, subject: Subject, rule: Rule, end: int) -> list[Finding]:
    for step in rule.then:
        lead = compiled(step.lead).match(scene.text, end)
        for item in step.read(scene.text, lead.end()) if lead else ():
            return [
                Finding(
                    subject=subject,
                    predicate=step.predicate,
                    slot=item.slot,
                    value=item.value,
                    start=clause.start,
                    end=item.end,
                    kind=item.kind,
                    corrects=rule.corrects,
                )
            ]
    return []


def _attributes(stretch: Stretch) -> Iterator[Finding]:
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
                corrects="now" in match.group("adverbs") or bool(_NOW_AFTER.match(scene.text, item.end)),
                confidence=LOOSE if item.is_loose else SURE,
            )
        if readings:
            return


def _slot(match: re.Match[str]) -> str:
    slot = match.groupdict().get("slot") or ""
    return slot.casefold().replace("colour", "color").replace("favourite", "favorite")
