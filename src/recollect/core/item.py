"""The one record of recollect: a memory item, what of it can change, and its two written forms.

A MemoryItem is content that never changes (sealed into a body and committed to in the log) plus a Standing that
events change. `to_wire` is the contract's form, shown to people; `to_body` is the stored form.

Never: decides whether an item is kept, and never holds anything the contract's `meta` cannot show.
Spec: contract v1 "MemoryItem fields"; ruling "One system, not four", 10a, 13b.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from recollect.core.canonical import coded, ordered
from recollect.core.values import Authority, EventType, ItemRef, Kind, Place, Role, Source, Space, Status, parse_id

SCOPE = "session"  # the contract's field of that name is a constant; meta.space says where an item lives


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A stretch of one place's life; recall can be limited to the current one."""

    index: int
    started_at: int
    name: str = ""
    reason: str = "auto"

    @property
    def id(self) -> str:
        return f"phase-{self.index}"

    def to_wire(self) -> dict[str, object]:
        return {
            "phase_id": self.id,
            "phase_index": self.index,
            "phase_name": self.name or None,
            "phase_reason": self.reason,
            "phase_started_at": self.started_at,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The turn an item was made from, as it came in; shared by every item made from it."""

    role: Role
    at_ms: int
    speaker: str = ""
    ref: str = ""
    session: str = ""
    persona: str = ""
    source: str = "chat"
    tool: str = ""
    files: tuple[str, ...] = ()
    extra: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What a lasting fact claims, about whom, and how sure the extractor was (in millionths)."""

    key: str
    value: str
    type: str = "PROFILE"
    entity_type: str = ""
    fact_type: str = "fact"
    entity_refs: tuple[str, ...] = ()
    entity_label: str = ""
    confidence: int = 1_000_000
    source: str = "shadow_extraction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The part of an item that events change. Nothing in it is content."""

    status: Status = Status.ACTIVE
    importance: int = 0
    is_pinned: bool = False
    mentions: int = 1
    reason: str = ""
    replaced_by: ItemRef | None = None
    changed_ms: int = 0


@lru_cache(maxsize=256)
def standing_of(status: Status, importance: int, is_pinned: bool, mentions: int) -> Standing:
    """The standing of a new item. Thousands of items begin alike, and what never changes can be shared."""
    return Standing(status=status, importance=importance, is_pinned=is_pinned, mentions=mentions)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryItem:
    """One memory. `ref.id` is its name; `standing` is all of it that can change."""

    ref: ItemRef
    text: str
    source: Source
    created_at: int
    event_type: EventType
    authority: Authority
    authority_reason: str
    importance_reason: tuple[str, ...]
    dedup_key: str
    phase: Phase
    origin: Origin
    standing: Standing
    policy_tags: tuple[str, ...] = ()
    fact: Fact | None = None
    made_how: str = ""
    made_from: tuple[ItemRef, ...] = ()
    promotion_reason: str = ""
    promotion_target: str = ""

    @property
    def id(self) -> str:
        return self.ref.id

    @property
    def kind(self) -> Kind:
        return self.ref.kind

    @property
    def importance(self) -> int:
        return self.standing.importance

    @property
    def status(self) -> Status:
        return self.standing.status

    @property
    def scope(self) -> str:
        return SCOPE

    @property
    def meta(self) -> Mapping[str, object]:
        """The contract's `meta`, read-only."""
        return MappingProxyType(_meta(self))

    def to_wire(self, **added: object) -> dict[str, object]:
        """The contract's form; `added` holds what a recall adds to its copy (recall_reason, score)."""
        return {
            "id": self.id,
            "kind": str(self.kind),
            "text": self.text,
            "source": str(self.source),
            "created_at": self.created_at,
            "importance": self.importance,
            "scope": SCOPE,
            "meta": {**_meta(self), **added},
        }


def _meta(item: MemoryItem) -> dict[str, object]:
    """All of the contract's meta fields that have a value, then ours."""
    origin, fact, standing = item.origin, item.fact, item.standing
    fields: dict[str, object] = {
        "event_type": str(item.event_type),
        "importance_reason": list(item.importance_reason),
        "space": str(item.ref.place.space),
        "owner": item.ref.place.owner,
        "dedup_key": item.dedup_key,
        "authority": str(item.authority),
        "authority_reason": item.authority_reason,
        "policy_tags": list(item.policy_tags),
        **item.phase.to_wire(),
        "role": str(origin.role),
        "at": origin.at_ms,
        "speaker": origin.speaker,
        "ref": origin.ref,
        "session": origin.session,
        "persona": origin.persona,
        "origin": origin.source,
        "tool": origin.tool,
        "files": list(origin.files),
        "extra": dict(origin.extra),
        "status": str(standing.status),
        "status_reason": standing.reason,
        "pinned": standing.is_pinned,
        "mention_count": standing.mentions,
        "replaced_by": standing.replaced_by.id if standing.replaced_by else "",
        "promotion_reason": item.promotion_reason,
        "promotion_target": item.promotion_target,
    }
    if item.made_from:
        fields[_LINEAGE_FIELD[item.made_how]] = _lineage(item)
    if fact is not None:
        fields |= {
            "key": fact.key,
            "memory_key": item.dedup_key,
            "value": fact.value,
            "type": fact.type,
            "subtype": {"entity_type": fact.entity_type, "fact_type": fact.fact_type},
            "entity_refs": list(fact.entity_refs),
            "entity_label": fact.entity_label,
            "confidence": fact.confidence,
            "source": fact.source,
        }
    return {name: value for name, value in fields.items() if value not in ("", [], {}, None)}


# How an item was made names the contract's field for what it was made from.
_LINEAGE_FIELD = {
    "fact": "source_turn_ids",
    "summary": "summary_of",
    "span": "summary_of",
    "promotion": "promoted_from",
    "confirmation": "confirms",
    "correction": "corrects",
    "digest": "digest_of",
    "fold": "folded_from_ids",
    "alias": "spelled_in",
    "move": "moved_from",
    "session": "begun_by",
    "pending": "waits_for",
    "answer": "read_from",
    "uses": "counts_uses_of",
}


def _lineage(item: MemoryItem) -> object:
    ids = [ref.id for ref in item.made_from]
    return ids[0] if item.made_how == "promotion" else ids


def stand(item: MemoryItem, **changes: object) -> MemoryItem:
    """The same content with another standing."""
    return replace(item, standing=replace(item.standing, **changes))  # type: ignore[arg-type]


def to_body(item: MemoryItem) -> str:
    """The sealed form: everything that never changes, without the address. Keys are always built in this order."""
    origin = item.origin
    parts = [
        f'{{"text":{ordered(item.text)},"source":"{item.source._value_}","at":{origin.at_ms}',
        f'"role":"{origin.role._value_}","event":"{item.event_type._value_}","authority":"{item.authority._value_}"',
        f'"why_authority":{coded(item.authority_reason)},"importance":{item.standing.importance}',
        f'"why_importance":{coded(item.importance_reason)},"key":{ordered(item.dedup_key)}',
        f'"phase":{item.phase.index},"tags":{coded(item.policy_tags)}',
    ]
    for name, value in (
        ("speaker", origin.speaker),
        ("ref", origin.ref),
        ("session", origin.session),
        ("persona", origin.persona),
        ("tool", origin.tool),
        ("files", origin.files),
        ("extra", origin.extra),
        ("made_how", item.made_how),
        ("promotion_reason", item.promotion_reason),
        ("promotion_target", item.promotion_target),
    ):
        if value:
            parts.append(f'"{name}":{ordered(value)}')
    if origin.source != "chat":
        parts.append(f'"origin":{ordered(origin.source)}')
    if item.made_from:
        parts.append(f'"made_from":{ordered([ref.id for ref in item.made_from])}')
    if item.fact is not None:
        parts.append(f'"fact":{ordered(_claim(item.fact))}')
    return ",".join(parts) + "}"


def _claim(fact: Fact) -> list[object]:
    return [
        fact.key,
        fact.value,
        fact.type,
        fact.entity_type,
        fact.fact_type,
        fact.entity_refs,
        fact.entity_label,
        fact.confidence,
        fact.source,
    ]


# Looking a word up is several times cheaper than building it anew, and this runs for every item that is read.
_SOURCES = {word.value: word for word in Source}
_EVENT_TYPES = {word.value: word for word in EventType}
_AUTHORITIES = {word.value: word for word in Authority}
_ROLES = {word.value: word for word in Role}


# What is sealed begins with its brace; json.loads would first look for blanks around it, a third of its time.
_READ = json.JSONDecoder().raw_decode


def from_body(
    ref: ItemRef, created_at: int, body: str, standing: Standing, phase_of: Callable[[Place, int], Phase]
) -> MemoryItem:
    """Read a sealed body back."""
    raw, end = _READ(body)
    if end != len(body):
        raise ValueError("a body holds one object and nothing else")
    get = raw.get
    return MemoryItem(
        ref=ref,
        text=raw["text"],
        source=_SOURCES[raw["source"]],
        created_at=created_at,
        event_type=_EVENT_TYPES[raw["event"]],
        authority=_AUTHORITIES[raw["authority"]],
        authority_reason=raw["why_authority"],
        importance_reason=tuple(raw["why_importance"]),
        dedup_key=raw["key"],
        phase=phase_of(ref.place, raw["phase"]),
        origin=Origin(
            role=_ROLES[raw["role"]],
            at_ms=raw["at"],
            speaker=get("speaker", ""),
            ref=get("ref", ""),
            session=get("session", ""),
            persona=get("persona", ""),
            source=get("origin", "chat"),
            tool=get("tool", ""),
            files=tuple(raw["files"]) if "files" in raw else (),
            extra=tuple([(key, value) for key, value in raw["extra"]]) if "extra" in raw else (),
        ),
        standing=standing,
        policy_tags=tuple(raw["tags"]),
        fact=_fact(get("fact")),
        made_how=get("made_how", ""),
        made_from=tuple([_must_parse(item_id) for item_id in raw["made_from"]]) if "made_from" in raw else (),
        promotion_reason=get("promotion_reason", ""),
        promotion_target=get("promotion_target", ""),
    )


def _fact(raw: list[object] | None) -> Fact | None:
    if raw is None:
        return None
    key, value, kind, entity_type, fact_type, refs, label, confidence, source = raw
    return Fact(
        key=str(key),
        value=str(value),
        type=str(kind),
        entity_type=str(entity_type),
        fact_type=str(fact_type),
        entity_refs=tuple(refs),  # type: ignore[arg-type]
        entity_label=str(label),
        confidence=int(confidence),  # type: ignore[call-overload]
        source=str(source),
    )


def _must_parse(item_id: str) -> ItemRef:
    ref = parse_id(item_id)
    return ref if ref is not None else ItemRef(Place(Space.SESSION, "?"), Kind.SHORT_TERM, 0)
