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
from recollect.core.policy import Window
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
    if window.size == 0:
        return len(messages)
    if len(starts) <= window.size:
        return beyond_limit
    return max(beyond_limit, starts[-window.size])


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
        origin=Origin(role=Role.SYSTEM, at_ms=newest.at_ms, session=newest.session, persona=newest.persona),
        made_how="summary",
        made_from=_covered(earlier, leaving),
    )
    summary = desk.build(candidate, ("allowed_by:privacy",))
    desk.keep(summary)
    return summary


def _covered(earlier: list[MemoryItem], leaving: list[MemoryItem]) -> tuple[ItemRef, ...]:
    """All turns the summary stands for, those of the summary it replaces first."""
    refs = [ref for item in earlier for ref in item.made_from]
    return (*refs, *(item.ref for item in leaving))[-200:]
