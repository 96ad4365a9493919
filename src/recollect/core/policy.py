"""The policy: everything about remembering that is a choice, as frozen data.

The four presets are TOML files that differ only in these values; no code asks which preset is on.

Never: holds behaviour. A decision reads it and is named in `reasons`.
Spec: contract v1 "Memory policy contract"; facts 4.4, 4.7, 4.8, 4.12; rulings 8, 10, 11, 13, 13b, 25.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Literal

from recollect.core.canonical import canonical, digest
from recollect.core.policy_context import AskRules, ContextRules
from recollect.core.values import Authority, EventType, Kind, Role, Space, WriteLevel


class RetentionMode(StrEnum):
    """How a memory ages."""

    NEVER = "never"
    TTL = "ttl"
    DECAY = "decay"


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionRule:
    """`ttl` ends at created_at + ticks; `decay` ends after more than that many ticks of age."""

    mode: RetentionMode = RetentionMode.NEVER
    ticks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionByType:
    """One rule per event type; `default` stands where a type has none."""

    default: RetentionRule = RetentionRule()
    preference: RetentionRule | None = None
    decision: RetentionRule | None = None
    fact: RetentionRule | None = None
    correction: RetentionRule | None = None
    execution: RetentionRule | None = None
    context: RetentionRule | None = None
    rule: RetentionRule | None = None

    def of(self, event_type: EventType) -> RetentionRule:
        rule: RetentionRule | None = getattr(self, event_type.value)
        return rule if rule is not None else self.default


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Retention per kind."""

    short_term: RetentionByType = RetentionByType()
    semantic: RetentionByType = RetentionByType()
    profile: RetentionByType = RetentionByType()

    def of(self, kind: Kind, event_type: EventType) -> RetentionRule:
        by_type: RetentionByType = getattr(self, kind.value)
        return by_type.of(event_type)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The turns that are always carried."""

    unit: Literal["exchanges", "messages"] = "exchanges"
    size: int = 4
    max_messages: int = 40
    summary: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Episodes:
    """Which turns are offered as episodes, where they live, and whether the same words twice are one."""

    roles: tuple[Role, ...] = tuple(Role)
    space: Space = Space.USER
    dedupe: bool = False
    drop_low_signal: bool = False
    context_is_signal: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Which extractor reads facts, where they live, how many are carried."""

    extractor: Literal["none", "contract", "rules"] = "rules"
    space: Space = Space.USER
    limit: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """Which event types may become episodes and facts, and what becomes of an item that moved to a wider space."""

    semantic: tuple[EventType, ...] = tuple(EventType)
    profile: tuple[EventType, ...] = tuple(EventType)
    source: Literal["keep", "delete"] = "keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionRule:
    """One way from a space to a wider one; `lower` names types that need less authority."""

    from_space: Space
    to_space: Space
    min_authority: Authority
    event_types: tuple[EventType, ...]
    lower_authority: Authority | None = None
    lower_event_types: tuple[EventType, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Spaces:
    """Which spaces are read, in which order, which may be written directly, and the ways between them."""

    read_order: tuple[Space, ...] = tuple(Space)
    write: tuple[Space, ...] = (Space.SESSION, Space.USER)
    promotion: tuple[PromotionRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Phases:
    """Whether a place's life is cut into phases, and whether recall looks beyond the current one."""

    enabled: bool = True
    mode: Literal["current_only", "all"] = "all"
    allow_cross_phase_recall: bool = True
    max_phases: int = 0
    diff_enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """What may not be stored. `deny` refuses the whole item, `mask` cuts the secret out and keeps the rest."""

    action: Literal["deny", "mask"] = "mask"
    markers: tuple[str, ...] = ()
    deny_patterns: tuple[str, ...] = ()
    profile_keys: tuple[str, ...] = ("*",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Importance:
    """How an item's importance is made: a base per event type, bonuses, a ceiling, and what growth may reach."""

    # Kinds of talk are alike: what is significant (2) is marked by a person or has proved useful (document 002, 10).
    preference: int = 1
    decision: int = 1
    fact: int = 1
    correction: int = 1
    execution: int = 1
    context: int = 1
    rule: int = 3
    from_user: int = 0
    emphasis: int = 0
    corrective: int = 0
    maximum: int = 3
    growth_ceiling: int = 2
    # Once is chance, twice a habit: the third session in which something was needed makes it significant.
    growth_sessions: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Whole percents of the blended score."""

    terms: int = 80
    recency: int = 8
    importance: int = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """What each part of a match is worth in the search index, in hundredths of a standard deviation of the place.

    The defaults are what bench/fit_ranking.py makes of the project's own chats; speaker, name, assistant and date,
    which those chats hardly show, are the published ones of retrieval.md.
    """

    words: int = 60
    vector: int = 120
    next_vector: int = 25
    speaker: int = 350
    name: int = 10
    user: int = 200
    assistant: int = 350
    date: int = 500
    answer: int = 40
    asks: int = -60
    follows: int = 30
    kind: int = 10
    newer: int = 30
    now: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What a recall weighs and how much it may bring back."""

    scoring: Literal["hybrid", "blend"] = "blend"
    candidates: int = 32
    top_k: int = 20
    budget_tokens: int = 8_000
    turn_tokens: int = 1_500
    floor: int = 60_000
    half_life_ticks: int = 200
    weights: Weights = Weights()
    ranking: Ranking = Ranking()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Whether recalls are traced durably, and how many are kept in the ring."""

    durable_recalls: bool = False
    ring: int = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """People, personas and sessions: how long a session lasts, what is summarised when, how much each block holds."""

    session_minutes: int = 30
    own_episodes: bool = True
    rolling_every: int = 4
    rolling_characters: int = 600
    spine_every: int = 20
    spine_characters: int = 1_200
    seed_characters: int = 800
    similarity: int = 40
    recency: int = 30
    frequency: int = 30
    half_life_days: int = 14
    profile_cap: int = 2
    people_cap: int = 3
    project_cap: int = 3
    foundation: int = 20
    cards: int = 5
    card_facts: int = 3
    card_importance: int = 2
    commitments: int = 5
    habits: int = 5
    threads: int = 3
    frictions: int = 3
    wins: int = 3
    win_hours: int = 48
    growth_sessions: int = 3
    spellings: Literal["ask", "merge"] = "ask"
    curator_hours: int = 24
    curator_new: int = 25
    fold_parts: int = 3
    fold_days: int = 30
    extractor: Literal["rules", "model"] = "rules"
    extraction_tries: int = 3
    personas: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Policy:
    """One whole policy, as it is printed in every trace."""

    name: str = "default"
    write_policy: WriteLevel = WriteLevel.AGGRESSIVE
    allow_event_types: tuple[EventType, ...] = ()
    deny_event_types: tuple[EventType, ...] = ()
    authority_order: tuple[Authority, ...] = tuple(Authority)
    trusted_tools: tuple[str, ...] = ()
    losers: Literal["archive", "delete"] = "archive"
    window: Window = field(default_factory=Window)
    episodes: Episodes = field(default_factory=Episodes)
    facts: Facts = field(default_factory=Facts)
    retention: Retention = field(default_factory=Retention)
    promotion: Promotion = field(default_factory=Promotion)
    spaces: Spaces = field(default_factory=Spaces)
    phase: Phases = field(default_factory=Phases)
    privacy: Privacy = field(default_factory=Privacy)
    importance: Importance = field(default_factory=Importance)
    recall: Recall = field(default_factory=Recall)
    context: ContextRules = field(default_factory=ContextRules)
    ask: AskRules = field(default_factory=AskRules)
    trace: Trace = field(default_factory=Trace)
    # Left out, nothing of it runs: no session is counted, no todo read, no card made.
    companion: Companion | None = None

    @cached_property
    def ranks(self) -> dict[Authority, int]:
        """Higher is stronger; a level the order leaves out ranks last."""
        order = self.authority_order
        return {level: len(order) - order.index(level) if level in order else 0 for level in Authority}

    @cached_property
    def hash(self) -> str:
        """Names this policy in the log."""
        return digest(canonical(self.snapshot))[:16]

    @cached_property
    def snapshot(self) -> dict[str, object]:
        """The whole policy as plain data."""
        return _plain_data(self)  # type: ignore[return-value]


def _plain_data(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        pairs = ((f.name, getattr(value, f.name)) for f in dataclasses.fields(value))
        return {name: _plain_data(entry) for name, entry in pairs if entry is not None}
    if isinstance(value, tuple):
        return [_plain_data(entry) for entry in value]
    return str(value) if isinstance(value, StrEnum) else value
