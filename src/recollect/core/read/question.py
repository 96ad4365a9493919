"""What a recall asks, as data, and what the engine gathered for it.

Never: looks anything up.
Spec: architecture "plan, gather, select"; reliability.md "Contract of a recall".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from recollect.core.item import MemoryItem, Phase
from recollect.core.policy import Policy
from recollect.core.values import Lens, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its limits. `as_of_ms` asks what was believed then; 0 asks what is believed now."""

    text: str
    policy: Policy
    lens: Lens
    at_ms: int
    budget_tokens: int
    limit: int
    as_of_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An item an index or a list proposes, with how well it matches in millionths of the best of its place.

    `outdated` is what is so now, where the item is a turn that states something that has changed."""

    item: MemoryItem
    match: int = 0
    terms: tuple[str, ...] = ()
    outdated: str = ""


@dataclass(slots=True, kw_only=True)
class Gathered:
    """Everything the read river may see."""

    ticks: dict[Place, int]
    phases: dict[Place, Phase | None]
    window: list[MemoryItem] = field(default_factory=list)
    facts: list[Proposal] = field(default_factory=list)
    episodes: list[Proposal] = field(default_factory=list)
    tiers: dict[str, str] = field(default_factory=dict)
