"""How far words are to be trusted, from where they came.

1. The role and the opening the words came through give an authority; the door caps it; nothing raises it.
2. Words from outside are quarantined: stored, carried in the window, never recalled, promoted or made a fact.

Never: looks at the words. Wording alone never gets a user's own text denied.
Spec: facts 4.5; rulings 6 and 7.
"""

from __future__ import annotations

from typing import NamedTuple

from recollect.core.policy import Policy
from recollect.core.values import Authority, Lens, Role, SourceClass, Turn


class Trust(NamedTuple):
    """An authority, its reason, and the code of the quarantine ('' for none)."""

    authority: Authority
    reason: str
    quarantine: str


_BY_ROLE: dict[Role, Authority] = {
    Role.USER: Authority.USER_ASSERTED,
    Role.ASSISTANT: Authority.AI_INFERRED,
    Role.TOOL: Authority.AI_INFERRED,
    Role.SYSTEM: Authority.SYSTEM_IMPOSED,
}
_OUTSIDE: dict[SourceClass, str] = {
    SourceClass.WEB: "outside_words",
    SourceClass.EXTERNAL: "outside_words",
    SourceClass.IMPORT: "foreign_import",
}


def trust(turn: Turn, policy: Policy, lens: Lens) -> Trust:
    """The authority of a turn's words through this door."""
    source_class = turn.source_class
    if source_class in _OUTSIDE:
        return Trust(Authority.AI_INFERRED, f"source:{source_class}", _OUTSIDE[source_class])
    if turn.role is Role.TOOL or source_class is SourceClass.TOOL:
        if turn.tool in policy.trusted_tools:
            return Trust(cap(Authority.TOOL_VERIFIED, policy, lens), "source:tool", "")
        return Trust(Authority.AI_INFERRED, "source:tool", "untrusted_tool")
    if source_class is SourceClass.FILE:
        return Trust(Authority.AI_INFERRED, "source:file", "")
    return Trust(cap(_BY_ROLE[turn.role], policy, lens), f"source:{turn.role}", "")


def cap(authority: Authority, policy: Policy, lens: Lens) -> Authority:
    """The lower of what the words would have and what the door lets through."""
    return min(authority, lens.authority_cap, key=lambda level: policy.ranks[level])


def lowest(authorities: list[Authority], policy: Policy) -> Authority:
    """What something derived from several sources may claim."""
    return min(authorities, key=lambda level: policy.ranks[level])
