"""How important an item is: a base by event type plus bonuses, all of it policy data.

Never: reads the item's place in time. Growth by use is an event of its own (`Marked`).
Spec: facts 4.4; ruling 25.
"""

from __future__ import annotations

import re

from recollect.core.policy import Importance
from recollect.core.values import EventType, Source
from recollect.core.write.candidate import Candidate

_EMPHASIS = re.compile(r"\b(?:always|never|must|avoid)\b", re.IGNORECASE)


def weigh(candidate: Candidate, table: Importance) -> tuple[int, tuple[str, ...]]:
    """The importance of a candidate and the rules that made it."""
    event_type = candidate.event_type
    value: int = getattr(table, event_type.value)
    reasons = [f"event:{event_type}"]
    # The bonus is for the user's own words; what came from outside in their name has none.
    if table.from_user and candidate.source is Source.USER and not candidate.quarantine:
        value += table.from_user
        reasons.append("source:user")
    if table.emphasis and _EMPHASIS.search(candidate.text[:4_000]):
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
