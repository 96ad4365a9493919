"""Events as the contract's traces.

1. Every trace names the persona, the session and the policy it happened under.
2. Events hold addresses; the words come from the items as they are now, so a trace of something erased shows that
   it was erased and nothing more.
3. Words in a trace are on one line, cut, and were cleared of secrets before they were stored; a denied item's words
   are not shown at all.

Never: invents a key, or leaves one of the contract's out.
Spec: contract v1 "Trace events"; facts 4.15, 6.3; rulings 8, 10, 12.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from recollect.core import reasons
from recollect.core.events import (
    Archived,
    BorderCheck,
    Conflict,
    Counted,
    Deleted,
    Denied,
    Erased,
    Event,
    Forgot,
    Marked,
    Masked,
    Merged,
    PhaseStarted,
    Pinned,
    Promoted,
    PromotionDenied,
    Quarantined,
    Restored,
    Reused,
    Used,
    Written,
)
from recollect.core.item import MemoryItem, Phase
from recollect.core.reasons import BORDER, CONFLICT, DENIED, LEAVING, MARKED, PROMOTION, QUARANTINED
from recollect.core.text import ERASED, REDACTED, one_line
from recollect.core.values import ItemRef, Place, Status

TRACE_VERSION = "1"
Wire = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a trace needs beside the events: who, under which policy, and the items the events point at."""

    ai_profile: str
    session: str
    policy: Mapping[str, object]
    item_of: Callable[[ItemRef], MemoryItem | None]
    phase_of: Callable[[Place], Phase | None]
    # The tick from which an item is gone under the policy of that time, if it has a life span.
    ends_at: Callable[[MemoryItem], int | None] = lambda item: None


# Every event a trace can hold, with what it tells. The reference page prints this table.
EVENTS: Mapping[str, str] = {
    "memory_recall": "what a recall brought back, and why",
    "memory_write": "what a call stored",
    "memory_denied": "an offered item was refused",
    "memory_conflict": "two claims about one key met, and which rule decided",
    "memory_forget": "retention or the window let go of an item",
    "memory_border_check": "somebody asked at the border of a space",
    "memory_promoted": "an item was copied to a wider space",
    "memory_promotion_denied": "an item may not go to a wider space",
    "memory_phase_started": "a new phase began",
    "memory_deleted": "an item and its text are gone",
    "memory_phase_diff": "what changed between two phases",
    "memory_erased": "an item was taken out for good",
    "memory_archived": "an item is kept for audit, not recalled",
    "memory_quarantined": "words from outside are kept apart until a person confirms them",
    "memory_merged": "the same claim was made again, and counted",
    "memory_masked": "secrets were cut out before storing",
    "memory_restored": "a forgotten item is recalled again",
    "memory_pinned": "an item was pinned or unpinned",
    "memory_marked": "an item's importance changed",
    "memory_counted": "a record that counts moved on: a session by one message, the curator by one run",
    "memory_used": "a recalled item was reported as useful",
    "memory_reused": "it helped in a session where it had not helped before",
}


def trace(events: Sequence[tuple[Place, Event]], scene: Scene) -> list[Wire]:
    """One call as the contract's events: what was written first, then everything else in order."""
    written = [e for _, e in events if isinstance(e, Written) and e.status is Status.ACTIVE]
    told: list[Wire] = []
    if written:
        items = [item_wire(event.ref, scene) for event in written]
        told.append(_head("memory_write", scene) | {"written": items, "reason": "interaction_recorded"})
    for place, event in events:
        if not isinstance(event, Written):
            told.append(_tell(place, event, scene))
    return told


def _head(name: str, scene: Scene) -> Wire:
    return {
        "type": name,
        "trace_version": TRACE_VERSION,
        "ai_profile": scene.ai_profile,
        "session": scene.session,
        "policy_snapshot": scene.policy,
    }


def item_wire(ref: ItemRef, scene: Scene, **added: object) -> Wire:
    """An item in a trace, its words redacted to one line; an item that is gone shows its address only."""
    item = scene.item_of(ref)
    if item is None:
        return {"id": ref.id, "kind": str(ref.kind), "text": ERASED, "meta": {}}
    end = scene.ends_at(item)
    return redact(item.to_wire(**added, **({"expires_at": end} if end is not None else {})))


def redact(wire: Wire) -> Wire:
    """A wire item with every caller's word cut to one line."""
    meta = wire["meta"]
    assert isinstance(meta, dict)
    short = {name: one_line(value) if isinstance(value, str) else value for name, value in meta.items()}
    return wire | {"text": one_line(str(wire["text"])), "meta": short}


_CAMEL = re.compile(r"(?<!^)(?=[A-Z])")
# Where the contract's word differs from the class's own.
_NAMES: Mapping[type, str] = {Forgot: "memory_forget"}


def wire_name(cls: type) -> str:
    """`PromotionDenied` is `memory_promotion_denied` on the wire."""
    return _NAMES.get(cls) or f"memory_{_CAMEL.sub('_', cls.__name__).lower()}"


def _tell(place: Place, event: Event, scene: Scene) -> Wire:
    return _head(wire_name(type(event)), scene) | _keys(place, event, scene)


def _keys(place: Place, event: Event, scene: Scene) -> Wire:  # noqa: C901 - one arm per event, checked by the types
    match event:
        case Written():
            raise AssertionError("written items are told together")
        case Denied():
            return {"attempted": _attempted(event), "reason": event.reason, "sentence": DENIED[event.reason]}
        case Quarantined(ref=ref, reason=code):
            return {"memory_id": ref.id, "reason": code, "sentence": QUARANTINED[code]}
        case Masked(ref=ref, codes=codes):
            return {"memory_id": ref.id, "codes": list(codes)}
        case Conflict():
            return _conflict(event, scene)
        case Merged(ref=ref, into=into, mentions=mentions):
            return {"memory_id": ref.id, "into_id": into.id, "mention_count": mentions}
        case Forgot(ref=ref, reason=code):
            return {"memory_id": ref.id, "reason": code, "sentence": LEAVING[code]}
        case Deleted(ref=ref, reason=code, replaced_by=heir) | Archived(ref=ref, reason=code, replaced_by=heir):
            return _leaving(place, ref, code, heir, scene)
        case Erased(ref=ref, reason=code):
            return {"memory_id": ref.id, "reason": code, "sentence": reasons.ERASED[code]}
        case Restored(ref=ref) | Used(ref=ref):
            return {"memory_id": ref.id}
        case Reused(ref=ref, mentions=mentions):
            return {"memory_id": ref.id, "mention_count": mentions}
        case Pinned(ref=ref, is_pinned=is_pinned, importance=importance):
            return {"memory_id": ref.id, "pinned": is_pinned, "importance": importance}
        case Marked(ref=ref, importance=importance, reason=code):
            return {"memory_id": ref.id, "importance": importance, "reason": code, "sentence": MARKED[code]}
        case Counted(ref=ref, total=total):
            return {"memory_id": ref.id, "count": total}
        case BorderCheck():
            return _border(event)
        case Promoted(from_ref=from_ref, to_ref=to_ref, authority=authority, reason=code):
            return {
                "from_space": str(from_ref.place.space),
                "to_space": str(to_ref.place.space),
                "from_id": from_ref.id,
                "to_id": to_ref.id,
                "authority_used": authority,
                "reason": code,
                "sentence": PROMOTION[code],
            }
        case PromotionDenied(ref=ref, to_space=to_space, reason=code):
            return {
                "from_space": str(ref.place.space),
                "to_space": str(to_space),
                "memory_id": ref.id,
                "allowed": False,
                "reason": code,
                "sentence": BORDER[code],
            }
        case PhaseStarted():
            return _phase_started(event, scene)
        case _:
            assert_never(event)


def _attempted(event: Denied) -> Wire:
    """What was offered, without a word of it."""
    return {
        "id": event.ref.id,
        "kind": str(event.ref.kind),
        "text": REDACTED,
        "source": event.source,
        "meta": {
            "event_type": event.event_type,
            "authority": event.authority,
            "space": str(event.ref.place.space),
            "owner": event.ref.place.owner,
        },
    }


def _conflict(event: Conflict, scene: Scene) -> Wire:
    winner = scene.item_of(event.winner)
    return {
        "winner_id": event.winner.id,
        "loser_id": event.loser.id,
        "rule": event.rule,
        "sentence": CONFLICT[event.rule],
        "dedup_key": one_line(winner.dedup_key) if winner is not None else ERASED,
    }


def _leaving(place: Place, ref: ItemRef, code: str, heir: ItemRef | None, scene: Scene) -> Wire:
    phase = scene.phase_of(place)
    keys: Wire = {
        "space": str(place.space),
        "owner": place.owner,
        "phase_id": phase.id if phase else "phase-1",
        "memory_id": ref.id,
        "reason": code,
        "sentence": LEAVING[code],
    }
    return keys | ({"replaced_by": heir.id} if heir is not None else {})


def _border(event: BorderCheck) -> Wire:
    keys: Wire = {
        "action": str(event.action),
        "from_space": str(event.from_space),
        "allowed": event.is_allowed,
        "reason": event.reason,
        "sentence": BORDER[event.reason],
    }
    if event.to_space is not None:
        keys["to_space"] = str(event.to_space)
    if event.subject is not None:
        keys["subject_id"] = event.subject.id
    return keys


def _phase_started(event: PhaseStarted, scene: Scene) -> Wire:
    phase = scene.phase_of(event.place)
    is_known = phase is not None and phase.index == event.number
    return {
        "space": str(event.place.space),
        "owner": event.place.owner,
        "phase_id": f"phase-{event.number}",
        "phase_started_at": event.tick,
        "phase_name": one_line(phase.name) if is_known and phase is not None and phase.name else None,
        "reason": phase.reason if is_known and phase is not None else "auto",
    }
