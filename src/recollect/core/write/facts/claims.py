"""How a subject and what is said of it become findings.

Decides: which rule reads a verb phrase, what its denial or its end means, and how far one subject carries ("I live in
Riga and work at Printful").
Never: looks for subjects, or at the words around a claim that may take it back.
"""

import re
from dataclasses import dataclass

from recollect.core.write.facts.finding import LOOSE, PLAIN, Finding, Polarity, Subject
from recollect.core.write.facts.grammar import compiled, rules_for
from recollect.core.write.facts.habits import RHYTHM, read_fronted
from recollect.core.write.facts.people import had, linked
from recollect.core.write.facts.projects import on_project
from recollect.core.write.facts.readers import Reading
from recollect.core.write.facts.rule import Rule
from recollect.core.write.facts.scene import Scene
from recollect.core.write.facts.verbs import VerbPhrase, verb_phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Subjects with the words before them: who, where they start, where their verb phrase starts."""

    scene: Scene
    subjects: tuple[Subject, ...]
    start: int
    at: int
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A rule that read something after a verb phrase."""

    rule: Rule
    readings: tuple[Reading, ...]
    polarity: Polarity
    is_plain: bool
    is_now: bool


_NOW_AFTER = re.compile(r"\s+(?:now|instead)\b|,?\s+not\s+\S+", re.IGNORECASE)
_ANY_MORE = re.compile(r"\s+any\s?(?:more|longer)\b", re.IGNORECASE)
_ONWARD = re.compile(
    r"\s*(?:,\s*(?:and\s+|but\s+)?|\s+and\s+|\s+but\s+)(?:also\s+|currently\s+|now\s+|then\s+|i\s+also\s+)?"
    r"|\s+(?=(?:living|based|working|studying|from|originally)\b)",
    re.IGNORECASE,
)
_CHAIN_LIMIT = 6


def claims_of(clause: Clause) -> list[Finding]:
    """Everything one subject is said to be or do, carried over commas and "and"."""
    found: list[Finding] = []
    at, implied = clause.at, ""
    for _ in range(_CHAIN_LIMIT):
        phrase, step = _carried(clause, at, implied)
        if phrase is None or not step:
            break
        found += step
        implied = _IMPLIED.get(phrase.head.partition(":")[0], "have" if phrase.head == "present:have" else "")
        onward = _ONWARD.match(clause.scene.text, max(finding.end for finding in step))
        if onward is None:
            break
        at = onward.end() - 1
    return found


# The auxiliary that a second phrase may leave out: "I'm a chef and [I'm] based in Lyon".
_IMPLIED = {"be": "be", "progress": "be"}


def _carried(clause: Clause, at: int, implied: str) -> tuple[VerbPhrase | None, list[Finding]]:
    """The next phrase of a subject, with the auxiliary it may have left out or without."""
    for auxiliary in dict.fromkeys((implied, "")):
        phrase = verb_phrase(clause.scene.text, at, auxiliary)
        step = _phrase_claims(clause, phrase) if phrase else []
        if step:
            return phrase, step
    return None, []


_HAVING = frozenset({"present:have", "past:adopt", "perfect:adopt", "present:own", "past:get"})


def _phrase_claims(clause: Clause, phrase: VerbPhrase) -> list[Finding]:
    found = _fronted(clause, phrase) or _people_had(clause, phrase)
    if found:
        return found
    for rule, from_word in rules_for(phrase.head):
        hit = _hit(clause, phrase, rule, from_word)
        found = [claim for subject in clause.subjects for claim in _said_of(clause, subject, hit)] if hit else []
        if found:
            return found
    return []


def _people_had(clause: Clause, phrase: VerbPhrase) -> list[Finding]:
    """What the speaker says of people and animals they have: "I report to Ann", "I have two cats"."""
    scene = clause.scene
    if clause.subjects != (scene.me,) or phrase.denied or phrase.ended:
        return []
    found = linked(scene, phrase.head, clause.start, phrase.at)
    if not found and phrase.head in _HAVING:
        found = had(scene, clause.start, phrase.at)
    return list(found)


_FRONTED = re.compile(rf"\s*({RHYTHM}),?\s*$", re.IGNORECASE)


def _fronted(clause: Clause, phrase: VerbPhrase) -> list[Finding]:
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
        for item in read_fronted(clause.scene.text, phrase.word_at)
    ]


def _uncapital(phrase: str) -> str:
    return phrase[:1].lower() + phrase[1:]


def _hit(clause: Clause, phrase: VerbPhrase, rule: Rule, from_word: bool) -> Hit | None:
    """What a rule reads after a verb phrase; None where any of its conditions fails."""
    text = clause.scene.text
    if rule.adverbs and not any(adverb in rule.adverbs for adverb in phrase.adverbs):
        return None
    if rule.before and not compiled(rule.before).search(clause.before):
        return None
    lead = None if from_word else compiled(rule.lead).match(text, phrase.at)
    if not from_word and lead is None:
        return None
    readings = rule.read(text, lead.end() if lead else phrase.word_at)
    if not readings or (rule.after and not compiled(rule.after).match(text, readings[-1].end)):
        return None
    polarity = _polarity(text, phrase, rule, readings[-1].end)
    if polarity is None:
        return None
    is_plain = not phrase.denied and not phrase.ended
    return Hit(rule=rule, readings=readings, polarity=polarity, is_plain=is_plain, is_now="now" in phrase.adverbs)


def _said_of(clause: Clause, subject: Subject, hit: Hit) -> list[Finding]:
    """The claims of a hit for one subject: one for each thing read, then what hangs on the last of them."""
    if hit.rule.others_only and subject.type == "PROFILE":
        return []
    found = [_finding(clause, subject, hit, item) for item in hit.readings]
    return found + (_steps(clause, subject, hit) if hit.is_plain else [])


def _polarity(text: str, phrase: VerbPhrase, rule: Rule, end: int) -> Polarity | None:
    """What the phrase says about its claim; None where it says nothing that can be kept."""
    if phrase.ended or (phrase.denied and _ANY_MORE.match(text, end)):
        may_end = rule.says is Polarity.YES or (rule.says is None and rule.denied is Polarity.NO)
        return Polarity.ENDED if may_end else None
    return rule.denied if phrase.denied else rule.says


def _finding(clause: Clause, subject: Subject, hit: Hit, item: Reading) -> Finding:
    rule = hit.rule
    if rule.predicate == "worked_on":
        return on_project(item.value, clause.start, item.end, polarity=hit.polarity)
    return Finding(
        subject=subject,
        predicate=rule.predicate,
        slot=item.slot,
        value=item.value,
        start=clause.start,
        end=item.end,
        kind="none" if item.kind == "person" else item.kind,
        polarity=hit.polarity,
        corrects=rule.corrects or hit.is_now or is_new(clause.before, clause.scene.text, item.end),
        confidence=LOOSE if item.is_loose else PLAIN,
    )


_NOW_BEFORE = re.compile(r"\bnow,?\s+$", re.IGNORECASE)


def is_new(before: str, text: str, end: int) -> bool:
    """Whether "now" on either side, or "not" what it was, marks a claim as a change."""
    return bool(
        _NOW_AFTER.match(text, end) or (_NOW_BEFORE.search(before) and not before.casefold().endswith("right now "))
    )


def _steps(clause: Clause, subject: Subject, hit: Hit) -> list[Finding]:
    """The first second claim that hangs on a hit: "a nurse *at Acme*"."""
    text, end = clause.scene.text, hit.readings[-1].end
    for step in hit.rule.then:
        lead = compiled(step.lead).match(text, end)
        for item in step.read(text, lead.end()) if lead else ():
            return [
                Finding(
                    subject=subject,
                    predicate=step.predicate,
                    slot=item.slot,
                    value=item.value,
                    start=clause.start,
                    end=item.end,
                    kind=item.kind,
                    corrects=hit.rule.corrects,
                )
            ]
    return []
