"""How importance grows: slowly, with the sessions in which the user came back to a thing.

Fifty mentions in one session are one session. Growth stops at the policy's ceiling, and what is in quarantine or pinned
does not grow.

Never: counts messages, or what somebody else said.
Spec: state and memory model "Importance bootstrap problem"; ruling 25.
"""

from __future__ import annotations

from collections.abc import Iterable

from recollect.core.item import MemoryItem
from recollect.core.policy import Policy
from recollect.core.values import Status

Spoken = tuple[str, str, int]


def sessions_in(spoken: Iterable[Spoken], gap_ms: int) -> int:
    """How many sessions these turns fall into: a persona, a conversation, no silence longer than a session lasts."""
    count, last = 0, ("", "", -1)
    for persona, session, at_ms in sorted(spoken):
        is_new = (persona, session) != last[:2] or last[2] < 0 or at_ms - last[2] > gap_ms
        count += is_new
        last = (persona, session, at_ms)
    return count


def grown(item: MemoryItem, sessions: int, policy: Policy) -> int:
    """What a fact's importance is after so many sessions; its own where nothing changes."""
    companion = policy.companion
    if companion is None or item.status is not Status.ACTIVE or item.standing.is_pinned:
        return item.importance
    steps = sessions // companion.growth_sessions
    first = item.importance if not steps else min(policy.importance.growth_ceiling, 1 + steps)
    return max(item.importance, first)
