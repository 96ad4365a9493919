"""Which turns leave the window, and what is kept of them.

The window's size and unit are policy data: the last k exchanges (a user's turn and what followed it), or the last
k messages. What leaves is forgotten (`decay`) and deleted (`expired`); where the policy wants it, one summary item
carries the gist, and the summary before it is folded in.

Never: touches a turn that is still inside the window, and never summarises with a model.
Spec: contract v1 "Retention + forgetting"; facts 4.10; rulings 13b and 8.
"""

from __future__ import annotations

from recollect.core.events import Deleted, Forgot
from recollect.core.item import MemoryItem, Origin
from recollect.core.policy import Policy, Window
from recollect.core.text import cut
from recollect.core.values import Authority, EventType, ItemRef, Kind, Role, Source
from recollect.core.write.authority import lowest
from recollect.core.write.candidate import Candidate
from recollect.core.write.desk import Desk

SUMMARY_ITEMS = 6
SUMMARY_LINE_CHARACTERS = 80
SUMMARY_CHARACTERS = 240


def fold_window(desk: Desk) -> None:
    """Let go of what the window no longer carries."""
    place = desk.lens.session_place
    messages = [item for item in desk.window if item.made_how != "summary"]
    beyond = messages[: _leaving_count(messages, desk.policy.window)]
    leaving = [item for item in beyond if not item.standing.is_pinned]
    if not leaving:
        return
    summaries = [item for item in desk.window if item.made_how == "summary"]
    summary = _summarise(desk, summaries, leaving) if desk.policy.window.summary else None
    for item in leaving:
        desk.say(place, Forgot(item.ref, "decay"))
        desk.change(item, Deleted(item.ref, "expired"))
    for old in summaries if summary is not None else ():
        desk.change(old, Deleted(old.ref, "superseded", summary.ref if summary else None))


def _leaving_count(messages: list[MemoryItem], window: Window) -> int:
    beyond_limit = max(0, len(messages) - window.max_messages)
    if window.unit == "messages":
        return max(beyond_limit, len(messages) - window.size)
    starts = [index for index, item in enumerate(messages) if item.source is Source.USER]
    if len(starts) <= window.size:
        return beyond_limit
    return max(beyond_limit, starts[-window.size])


def carried(items: list[MemoryItem], policy: Policy) -> list[MemoryItem]:
    """The part of a stored window that a policy carries: a recall may ask for fewer exchanges than are held."""
    messages = [item for item in items if item.made_how != "summary"]
    beyond = messages[: _leaving_count(messages, policy.window)]
    gone = {item.ref: True for item in beyond if not item.standing.is_pinned}
    return [item for item in items if item.ref not in gone] if gone else items


def _summarise(desk: Desk, earlier: list[MemoryItem], leaving: list[MemoryItem]) -> MemoryItem:
    """One line for what leaves: the summary before it, then the first turns, each cut short."""
    lines = [f"{item.source}: {cut(item.text, SUMMARY_LINE_CHARACTERS)}" for item in leaving[:SUMMARY_ITEMS]]
    text = " | ".join(lines)
    if earlier:
        text = f"Earlier: {cut(earlier[-1].text, SUMMARY_CHARACTERS // 2)} | {text}"
    parts = [*earlier, *leaving]
    newest = leaving[-1].origin
    candidate = Candidate(
        kind=Kind.SHORT_TERM,
        place=desk.lens.session_place,
        text=cut(text, SUMMARY_CHARACTERS),
        source=Source.SYSTEM,
        event_type=EventType.CONTEXT,
        # A derived item has the lowest authority in its lineage; the contract's own system_imposed would let an
        # assistant's guess come back as the system's word.
        authority=lowest([Authority.SYSTEM_IMPOSED, *(item.authority for item in parts)], desk.policy),
        authority_reason="summary",
        origin=Origin(
            role=Role.SYSTEM,
            at_ms=newest.at_ms,
            session=newest.session,
            persona=newest.persona,
            extra=_coverage(earlier, leaving),
        ),
        made_how="summary",
        made_from=_covered(earlier, leaving),
    )
    summary = desk.build(candidate, ("allowed_by:privacy",))
    desk.keep(summary)
    return summary


def covers(summary: MemoryItem, name: str) -> bool:
    """Whether a summary quotes a turn of this ref, source or id. The turns themselves are gone."""
    noted = dict(summary.origin.extra)
    sources = noted.get("covered_sources", "").split("\n")
    return (
        name in noted.get("covered_refs", "").split("\n")
        or any(f"{source}:".startswith(f"{name}:") for source in sources if source)
        or any(ref.id == name for ref in summary.made_from)
    )


def _coverage(earlier: list[MemoryItem], leaving: list[MemoryItem]) -> tuple[tuple[str, str], ...]:
    """The refs and sources of all turns a summary stands for, so that erasing one of them finds it."""
    noted = [dict(item.origin.extra) for item in earlier]
    refs = [line for note in noted for line in note.get("covered_refs", "").split("\n")]
    sources = [line for note in noted for line in note.get("covered_sources", "").split("\n")]
    refs += [item.origin.ref for item in leaving]
    sources += [item.origin.source for item in leaving]
    found = {"covered_refs": refs, "covered_sources": sources}
    lines = {name: "\n".join(dict.fromkeys(line for line in every if line)) for name, every in found.items()}
    return tuple((name, text) for name, text in lines.items() if text)


def _covered(earlier: list[MemoryItem], leaving: list[MemoryItem]) -> tuple[ItemRef, ...]:
    """All turns the summary stands for, those of the summary it replaces first."""
    refs = [ref for item in earlier for ref in item.made_from]
    return (*refs, *(item.ref for item in leaving))[-200:]
