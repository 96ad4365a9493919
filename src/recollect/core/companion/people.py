"""Who a user's memories are about: people, places, organisations and projects, and what is known of each.

Worked out from the facts a persona may see, every time: no register can fall behind, and a name that was told to one
persona alone is in no other persona's list.

Never: shows an archived fact, or a fact that another persona was told alone.
Spec: state and memory model "Entity card expansion"; facts 3.8 (cards); rulings 26, 27.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from recollect.core.companion.one_name import overtaken
from recollect.core.item import MemoryItem
from recollect.core.policy import Policy
from recollect.core.values import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Somebody or something the memories are about."""

    ref: str
    label: str
    spellings: tuple[str, ...]
    facts: int
    last_ms: int

    def to_dict(self) -> dict[str, object]:
        return {
            "ref": self.ref,
            "label": self.label,
            "spellings": list(self.spellings),
            "facts": self.facts,
            "last_at": self.last_ms,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What matters about one of them, each fact with the memory it is."""

    ref: str
    label: str
    facts: tuple[MemoryItem, ...]

    @property
    def text(self) -> str:
        """The document's own line: `[person:john]: fact1; fact2; fact3`."""
        return f"[{self.ref}]: {'; '.join(item.text for item in self.facts)}"

    def to_dict(self) -> dict[str, object]:
        told = [{"id": item.id, "text": item.text, "importance": item.importance} for item in self.facts]
        return {"ref": self.ref, "label": self.label, "facts": told, "text": self.text}


def entities(facts: Iterable[MemoryItem], into: Mapping[str, str]) -> list[Entity]:
    """Everybody the facts are about, the one with most facts first."""
    about: dict[str, list[MemoryItem]] = {}
    spelled: dict[str, dict[str, bool]] = {}
    for item in facts:
        for ref in item.fact.entity_refs if item.fact is not None and item.status is Status.ACTIVE else ():
            end = into.get(ref, ref)
            about.setdefault(end, []).append(item)
            spelled.setdefault(end, {})[ref] = True
    found = [
        Entity(
            ref=ref,
            label=label_of(ref, items, into),
            spellings=tuple(sorted(spelled[ref])),
            facts=len(dict.fromkeys(item.ref for item in items)),
            last_ms=max(item.origin.at_ms for item in items),
        )
        for ref, items in about.items()
    ]
    return sorted(found, key=lambda entity: (-entity.facts, entity.ref))


def label_of(ref: str, items: Iterable[MemoryItem], into: Mapping[str, str]) -> str:
    """How a thing is called: the label most facts have that are first of all about it."""
    labels: Counter[str] = Counter()
    for item in items:
        fact = item.fact
        first = fact.entity_refs[0] if fact is not None and fact.entity_refs else ""
        if fact is not None and fact.entity_label and into.get(first, first) == ref:
            labels[fact.entity_label] += 1
    if not labels:
        return ref.partition(":")[2].replace("_", " ").title()
    return min(labels, key=lambda label: (-labels[label], label))


def card(ref: str, facts: Iterable[MemoryItem], into: Mapping[str, str], policy: Policy) -> Card:
    """The card of one of them: pinned first, then the more important, then the newer; importance 2, or pinned."""
    companion = policy.companion
    assert companion is not None
    about = [
        item
        for item in facts
        if item.fact is not None
        and item.status is Status.ACTIVE
        and ref in [into.get(each, each) for each in item.fact.entity_refs]
    ]
    lost = overtaken(about, into, policy.ranks)
    wanted = [
        item
        for item in about
        if item.standing.is_pinned or (item.importance >= companion.card_importance and item.ref not in lost)
    ]
    wanted.sort(key=lambda item: (not item.standing.is_pinned, -item.importance, -item.origin.at_ms, item.ref))
    return Card(ref=ref, label=label_of(ref, about, into), facts=tuple(wanted[: companion.card_facts]))
