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
    """A subject with its words so far: who, where the subject starts, where its verb phrase starts."""

    subjects: tuple[Subject, ...]
    start: int
    at: int
    before: str


NOW_AFTER = re.compile(r"\s+(?:now|instead)\b|,?\s+not\s+\S+", re.IGNORECASE)
_ANY_MORE = re.compile(r"\s+any\s?(?:more|longer)\b", re.IGNORECASE)
_ONWARD = re.compile(
    r"\s*(?:,\s*(?:and\s+|but\s+)?|\s+and\s+|\s+but\s+)(?:also\s+|currently\s+|now\s+|then\s+|i\s+also\s+)?"
    r"|\s+(?=(?:living|based|working|studying|from|originally)\b)",
    re.IGNORECASE,
)
_CHAIN_LIMIT = 6


def claims_of(scene: Scene, clause: Clause) -> list[Finding]:
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
    if rule.others_only and subject.type == "PROFILE":
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
    corrects = rule.corrects or "now" in phrase.adverbs or is_new(clause.before, scene.text, item.end)
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


def is_new(before: str, text: str, end: int) -> bool:
    """Whether "now" on either side, or "not" what it was, marks a claim as a change."""
    return bool(
        NOW_AFTER.match(text, end) or (_NOW_BEFORE.search(before) and not before.casefold().endswith("right now "))
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
