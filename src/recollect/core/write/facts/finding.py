"""A claim as the grammar read it, and how it is put into words.

Decides: what a claim is about, its sentence, its references, and the draft that comes of it.
Never: reads text, or asks whether the claim is true.
Spec: state and memory model, "Memory metadata"; ruling 20 (the predicate as the key's fifth part).
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from recollect.core.entities import make_ref, slugify
from recollect.core.write.facts.draft import FactDraft
from recollect.core.write.facts.predicates import PREDICATES, Predicate

# Millionths. How sure the grammar is of its own reading, not of the speaker.
SURE = 950_000
PLAIN = 900_000
LOOSE = 780_000
ELLIPTIC = 720_000

REFS_LIMIT = 5
VALUE_LIMIT_CHARACTERS = 100


class Polarity(StrEnum):
    """What a sentence does to its claim."""

    YES = "yes"
    NO = "no"
    ENDED = "ended"
    PAST = "past"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whom or what a claim is about. `note` is the relation by which a person is known."""

    type: str
    entity_type: str
    ref: str
    label: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A claim as the grammar read it, before it is put into words."""

    subject: Subject
    predicate: str
    value: str
    start: int
    end: int
    slot: str = ""
    kind: str = ""
    said: str = ""
    whose: str = "the user's"
    polarity: Polarity = Polarity.YES
    corrects: bool = False
    confidence: int = PLAIN


USER = Subject(type="PROFILE", entity_type="person", ref="user")


def person(name: str, *, note: str = "") -> Subject:
    """Return the subject for somebody in the user's life."""
    return Subject(type="PEOPLE", entity_type="person", ref=slugify(name), label=name, note=note)


def project(name: str) -> Subject:
    """Return the subject for something that is being worked on."""
    return Subject(type="PROJECT", entity_type="project", ref=slugify(name), label=name)


def draft_of(finding: Finding) -> FactDraft | None:
    """Put a finding into words; None where its subject or its slot has no slug to make a key from."""
    rule = PREDICATES[finding.predicate]
    slot = slugify(_SLOT_NOISE.sub("", finding.slot)) if rule.many else ""
    value = " ".join(finding.value.split())
    if not finding.subject.ref or not value or len(value) > VALUE_LIMIT_CHARACTERS or (rule.many and not slot):
        return None
    refs = _refs(finding, rule, value)
    return FactDraft(
        type=finding.subject.type,
        entity_type=finding.subject.entity_type,
        ref=finding.subject.ref,
        fact_type=rule.fact_type,
        predicate=_predicate(finding.predicate, rule, slot),
        value=value,
        text=_claim(finding, rule, value),
        entity_refs=refs,
        entity_label=finding.subject.label or (value if refs else ""),
        importance=rule.importance,
        confidence=finding.confidence,
        is_correction=finding.corrects or finding.polarity is Polarity.ENDED,
        start=finding.start,
        end=finding.end,
    )


# Articles and possessives say nothing about which thing is meant: "the cello" and "cello" are one slot.
_SLOT_NOISE = re.compile(r"\b(?:the|an?|my|our)\s+", re.IGNORECASE)


def _predicate(name: str, rule: Predicate, slot: str) -> str:
    if not rule.many:
        return name
    return slot if rule.is_slot_alone else f"{name}_{slot}"


def _refs(finding: Finding, rule: Predicate, value: str) -> tuple[str, ...]:
    """The subject where it is not the user, then the object where it has a name."""
    subject = finding.subject
    first = f"{subject.entity_type}:{subject.ref}" if subject.type != "PROFILE" else ""
    second = make_ref(finding.kind or rule.kind, _article_free(value)) if finding.kind != "none" else ""
    return tuple(dict.fromkeys(ref for ref in (first, second) if ref))[:REFS_LIMIT]


def _article_free(value: str) -> str:
    return value[4:] if value[:4].casefold() == "the " else value


def _claim(finding: Finding, rule: Predicate, value: str) -> str:
    """The claim as a sentence that can be read without its turn."""
    template = rule.claim(finding.polarity.value)
    said = _THIRD_PERSON.sub(_third_person, finding.said or value)
    subject = finding.subject
    claim = template.format(v=said, s=finding.slot, who=subject.label, whose=finding.whose)
    if subject.type == "PROFILE" or rule.fact_type == "relationship":
        return claim
    name = subject.label[:1].upper() + subject.label[1:]
    note = f" ({subject.note})" if subject.note and slugify(subject.note) != subject.ref else ""
    return f"{name}{note}: {_uncapital(claim)}"


def _uncapital(claim: str) -> str:
    return claim[:1].lower() + claim[1:]


_TURNED = {"my": "their", "me": "them", "i": "they", "our": "their", "us": "them", "myself": "themself"}
_THIRD_PERSON = re.compile(r"\b(?:my|me|I|our|us|myself)\b")


def _third_person(match: re.Match[str]) -> str:
    return _TURNED.get(match.group().lower(), match.group())
