"""How important an item is: a base by event type plus bonuses, all of it policy data.

Never: reads the item's place in time. Growth by use is an event of its own (`Marked`).
Spec: facts 4.4; ruling 25.
"""

from __future__ import annotations

import re
from functools import lru_cache

from recollect.core.policy import Importance
from recollect.core.values import EventType, Source
from recollect.core.write.candidate import Candidate

EMPHATIC = ("always", "never", "must", "avoid")
_EMPHASIS = re.compile(rf"\b(?:{'|'.join(EMPHATIC)})\b")
READ_CHARACTERS = 4_000


@lru_cache(maxsize=16)
def is_emphatic(text: str) -> bool:
    """Whether a text insists. The items of one turn share its text, and are weighed one after another."""
    lowered = text[:READ_CHARACTERS].lower()
    return any(word in lowered for word in EMPHATIC) and _EMPHASIS.search(lowered) is not None


_EVENT_REASONS = {event_type: f"event:{event_type}" for event_type in EventType}


def weigh(candidate: Candidate, table: Importance) -> tuple[int, tuple[str, ...]]:
    """The importance of a candidate and the rules that made it."""
    event_type = candidate.event_type
    value: int = getattr(table, event_type.value)
    reasons = [_EVENT_REASONS[event_type]]
    # The bonus is for the user's own words; what came from outside in their name has none.
    if table.from_user and candidate.source is Source.USER and not candidate.quarantine:
        value += table.from_user
        reasons.append("source:user")
    if table.emphasis and is_emphatic(candidate.text):
        value += table.emphasis
        reasons.append("emphasis")
    if table.corrective and event_type is EventType.CORRECTION:
        value += table.corrective
        reasons.append("corrective")
    if candidate.importance_hint > value:
        value = candidate.importance_hint
        reasons.append("extractor")
    if candidate.is_pinned:
        return table.maximum, (*reasons, "pinned")
    return min(value, table.maximum), tuple(reasons)
