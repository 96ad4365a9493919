"""What the curator does to a user's facts: which copies step back, which small facts become one.

1. Copies: the same words under two keys. The newest stays, a seeded one before all others.
2. Folds: small old facts about one person or project become one memory that keeps every word of them, with their
   references, so that search and cards find it. Its parts are archived and point at it.
3. Every act has a sentence and can be undone: the parts come back, the fold steps back.

Never: deletes; touches what is pinned or seeded; acts without saying so. A dry run is the plan and nothing else.
Spec: facts 3.12 with its traps; ruling 28.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from recollect.core.companion.due import DAY_MS
from recollect.core.entities import slugify
from recollect.core.events import Archived, Restored
from recollect.core.item import Fact, MemoryItem
from recollect.core.policy import Companion
from recollect.core.text import normalise
from recollect.core.values import EventType, ItemRef, Kind, Source, Status
from recollect.core.write.authority import lowest
from recollect.core.write.candidate import Candidate
from recollect.core.write.desk import Desk
from recollect.core.write.settle import store

FOLDS_PER_RUN = 5
FOLD = "curated_fold"
FOLDED_TYPES = ("PEOPLE", "PROJECT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing the curator would do: `parts` step back, for `keep` where one of them stays."""

    act: str
    parts: tuple[MemoryItem, ...]
    keep: MemoryItem | None
    sentence: str

    def to_dict(self) -> dict[str, object]:
        return {
            "act": self.act,
            "parts": [item.id for item in self.parts],
            "keep": self.keep.id if self.keep is not None else None,
            "sentence": self.sentence,
        }


def plan(facts: Sequence[MemoryItem], companion: Companion, now_ms: int) -> list[Step]:
    """What there is to do, copies first; the same facts always give the same plan."""
    live = [item for item in facts if item.fact is not None and item.status is Status.ACTIVE]
    copies = _copies(live)
    gone = {part.ref: True for step in copies for part in step.parts}
    return [*copies, *_folds([item for item in live if item.ref not in gone], companion, now_ms)]


def is_spared(item: MemoryItem) -> bool:
    """What the curator never touches."""
    return item.standing.is_pinned or (item.fact is not None and item.fact.source in {"seeded_profile", "stated"})


def _copies(facts: Sequence[MemoryItem]) -> list[Step]:
    groups: dict[tuple[str, str], list[MemoryItem]] = {}
    for item in facts:
        assert item.fact is not None
        groups.setdefault((item.fact.type, normalise(item.text) or item.text), []).append(item)
    steps = []
    for group in groups.values():
        ranked = sorted(group, key=lambda i: (is_spared(i), i.origin.at_ms, i.ref), reverse=True)
        parts = tuple(item for item in ranked[1:] if not is_spared(item))
        if parts:
            told = f"{len(parts)} of {len(group)} memories say the same; {ranked[0].id} stays"
            steps.append(Step(act="duplicate", parts=parts, keep=ranked[0], sentence=told))
    return steps


def _folds(facts: Sequence[MemoryItem], companion: Companion, now_ms: int) -> list[Step]:
    groups: dict[tuple[str, str], list[MemoryItem]] = {}
    for item in facts:
        if _is_foldable(item, companion, now_ms):
            assert item.fact is not None
            groups.setdefault((item.fact.type, item.fact.entity_refs[0]), []).append(item)
    steps = []
    for (_, ref), group in groups.items():
        if len(group) >= companion.fold_parts:
            parts = tuple(sorted(group, key=lambda item: (item.origin.at_ms, item.ref)))
            told = f"{len(parts)} small memories about {ref} become one that keeps their words"
            steps.append(Step(act="fold", parts=parts, keep=None, sentence=told))
    return steps[:FOLDS_PER_RUN]


def _is_foldable(item: MemoryItem, companion: Companion, now_ms: int) -> bool:
    fact = item.fact
    assert fact is not None
    is_old = now_ms - item.origin.at_ms >= companion.fold_days * DAY_MS
    is_small = item.importance < companion.card_importance or fact.source == FOLD
    is_about = fact.type in FOLDED_TYPES and bool(fact.entity_refs)
    return is_about and is_old and is_small and item.event_type is not EventType.RULE and not is_spared(item)


def apply(desk: Desk, step: Step) -> ItemRef:
    """Do one step; the memory that stands after it."""
    if step.act == "duplicate":
        assert step.keep is not None
        for part in step.parts:
            desk.change(part, Archived(part.ref, "duplicate", step.keep.ref))
        return step.keep.ref
    return fold(desk, step.parts)


def fold(desk: Desk, parts: Sequence[MemoryItem]) -> ItemRef:
    """One memory out of several. A fold among them gives up its own parts to the new one."""
    for part in parts:
        if is_fold(part):
            # The key of a fold is one per person; the old one leaves it before the new one takes it.
            desk.change(part, Archived(part.ref, "folded"))
    outcome = store(desk, desk.build(_fold(desk, parts), ("allowed_by:privacy",)))
    stands = outcome.into or outcome.ref
    desk.act.outcomes.append(outcome)
    for part in parts:
        desk.change(part, Archived(part.ref, "folded", stands))
    return stands


def take_out(
    desk: Desk, old: MemoryItem, parts: Sequence[MemoryItem], claims: Mapping[str, MemoryItem]
) -> ItemRef | None:
    """Newer claims, by key, stand for parts of a fold: those are replaced by them, the others are folded again."""
    staying = [part for part in parts if part.dedup_key not in claims]
    desk.change(old, Archived(old.ref, "unfolded"))
    for part in parts:
        if part.dedup_key in claims:
            desk.change(part, Archived(part.ref, "superseded", claims[part.dedup_key].ref))
    if len(staying) > 1:
        return fold(desk, staying)
    for part in staying:
        desk.change(part, Restored(part.ref, Status.ACTIVE))
    return None


def is_fold(item: MemoryItem) -> bool:
    return item.fact is not None and item.fact.source == FOLD


def fold_key(fact: Fact) -> str:
    """The key of the fold that a fact would be in."""
    kind, _, name = (fact.entity_refs[0] if fact.entity_refs else "").partition(":")
    return f"{fact.type.lower()}|{kind}|{slugify(name)}|fact|fold"


def _fold(desk: Desk, parts: Sequence[MemoryItem]) -> Candidate:
    newest = max(parts, key=lambda item: (item.origin.at_ms, item.ref))
    fact = newest.fact
    assert fact is not None
    label = fact.entity_label or fact.entity_refs[0].partition(":")[2].replace("_", " ")
    said = dict.fromkeys(piece for part in parts for piece in _pieces(part, label))
    text = f"{label}: {' / '.join(said)}"
    refs = dict.fromkeys(ref for part in parts if part.fact is not None for ref in part.fact.entity_refs)
    return Candidate(
        kind=Kind.PROFILE,
        place=newest.ref.place,
        text=text,
        source=Source.SYSTEM,
        event_type=EventType.FACT,
        authority=lowest([part.authority for part in parts], desk.policy),
        authority_reason="fold",
        origin=replace(newest.origin, extra=()),
        key=fold_key(fact),
        fact=replace(fact, key="fold", value=text, entity_refs=tuple(refs), entity_label=label, source=FOLD),
        importance_hint=2,
        made_how="fold",
        made_from=tuple(
            dict.fromkeys(ref for part in parts for ref in (part.made_from if is_fold(part) else (part.ref,)))
        ),
        mentions=sum(part.standing.mentions for part in parts),
    )


def _pieces(part: MemoryItem, label: str) -> list[str]:
    """A part's words; those of a fold one by one, so that a fold of folds repeats nothing."""
    if is_fold(part):
        return part.text.removeprefix(f"{label}: ").split(" / ")
    return [part.text]


def undo(desk: Desk, item: MemoryItem, parts: Sequence[MemoryItem]) -> int:
    """Take back what the curator did: a fold gives its parts back, a copy comes back. How many came back."""
    back = [part for part in parts if part.standing.reason in {"folded", "duplicate"} and _is_free(desk, part)]
    if is_fold(item) and back:
        desk.change(item, Archived(item.ref, "unfolded"))
    for part in back:
        desk.change(part, Restored(part.ref, Status.ACTIVE))
        desk.held[(part.ref.place, part.dedup_key)] = part
    return len(back)


def _is_free(desk: Desk, part: MemoryItem) -> bool:
    """Whether no newer claim has taken the key meanwhile."""
    return part.status is Status.ARCHIVED and (part.ref.place, part.dedup_key) not in desk.held
