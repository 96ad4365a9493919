"""When the voice forgets how it spoke, and how much.

1. Everything that clears rotation memory is a row of MATRIX; the documentation prints the same rows.
2. All rows are judged on the state as it was before the turn. The first hard row clears everything and ends it;
   otherwise every partial row that holds clears its pools.
3. The step is: reset, then increment, then take over skeleton, theme and escalation. Selection comes after it.
4. A turn without emotional intent never increments and never records. The first one resets; the rest find nothing.

D stands outside the order A < B < C: going to D or leaving it clears nothing.
A theme or an escalation that the turn does not name stays as it was latched; only a hard reset takes it away.

Never: looks at text, or at how often anything was said.
Spec: B5.2 section 6; B6.2 sections 6 and 7; rulings 37 and 38.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from recollect.core.voice.state import ALL_POOLS, Escalation, Language, SessionVoiceState, Skeleton, Theme


class Trigger(StrEnum):
    """Why something was cleared."""

    NEW_SESSION = "new_session"
    EXPLICIT_RESET = "explicit_reset"
    TOPIC_SHIFT = "topic_shift"
    NON_EMOTIONAL = "emotional_to_non_emotional"
    RESOLVED = "escalation_resolved"
    RISE = "skeleton_rise"
    THEME_CHANGE = "theme_change"
    LANGUAGE_CHANGE = "language_change"


class Scope(StrEnum):
    """How much is cleared."""

    EVERYTHING = "everything"
    NEW_SKELETON = "pools of the new skeleton"
    ACTIVE_SKELETON = "pools of the active skeleton"
    NEW_LANGUAGE = "pools of the language switched to"


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """The part of a turn that can reset something; a non-emotional one has no skeleton and no language."""

    emotional: bool
    skeleton: Skeleton | None = None
    language: Language | None = None
    theme: Theme | None = None
    escalation: Escalation | None = None
    topic_shift: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset:
    """One row of the matrix."""

    trigger: Trigger
    when: str
    scope: Scope
    holds: Callable[[SessionVoiceState, Move], bool]


RISES: tuple[tuple[Skeleton, Skeleton], ...] = (
    (Skeleton.A, Skeleton.B),
    (Skeleton.B, Skeleton.C),
    (Skeleton.A, Skeleton.C),
)
RESOLUTION: tuple[Skeleton, Skeleton] = (Skeleton.C, Skeleton.A)


def _called_by_name(_state: SessionVoiceState, _move: Move) -> bool:
    return False


def _topic_shifts(_state: SessionVoiceState, move: Move) -> bool:
    return move.topic_shift


def _turns_non_emotional(state: SessionVoiceState, move: Move) -> bool:
    return not move.emotional and state != SessionVoiceState()


def _resolves(state: SessionVoiceState, move: Move) -> bool:
    return move.emotional and (state.last_skeleton, move.skeleton) == RESOLUTION


def _rises(state: SessionVoiceState, move: Move) -> bool:
    return move.emotional and (state.last_skeleton, move.skeleton) in RISES


def _changes_theme(state: SessionVoiceState, move: Move) -> bool:
    return move.emotional and move.theme is not None and move.theme is not state.latched_theme


def _changes_language(state: SessionVoiceState, move: Move) -> bool:
    return move.emotional and state.rotation_memory.latest_language() not in (None, move.language)


# The order of this table is the law: hard rows first, and the first that holds ends it.
MATRIX: tuple[Reset, ...] = (
    Reset(
        trigger=Trigger.NEW_SESSION,
        when="a session starts",
        scope=Scope.EVERYTHING,
        holds=_called_by_name,
    ),
    Reset(
        trigger=Trigger.EXPLICIT_RESET,
        when="the caller asks for it",
        scope=Scope.EVERYTHING,
        holds=_called_by_name,
    ),
    Reset(
        trigger=Trigger.TOPIC_SHIFT,
        when="the turn says the topic has shifted",
        scope=Scope.EVERYTHING,
        holds=_topic_shifts,
    ),
    Reset(
        trigger=Trigger.NON_EMOTIONAL,
        when="the first non-emotional turn after an emotional one",
        scope=Scope.EVERYTHING,
        holds=_turns_non_emotional,
    ),
    Reset(trigger=Trigger.RESOLVED, when="C -> A", scope=Scope.EVERYTHING, holds=_resolves),
    Reset(trigger=Trigger.RISE, when="A -> B, B -> C, A -> C", scope=Scope.NEW_SKELETON, holds=_rises),
    Reset(
        trigger=Trigger.THEME_CHANGE,
        when="the turn names a theme other than the latched one",
        scope=Scope.ACTIVE_SKELETON,
        holds=_changes_theme,
    ),
    Reset(
        trigger=Trigger.LANGUAGE_CHANGE,
        when="the turn is in another language than the last emotional turn",
        scope=Scope.NEW_LANGUAGE,
        holds=_changes_language,
    ),
)

_KEPT_BY_PARTIAL = ("kept", "kept", "kept", "kept")
# What each scope does to emotional_turn_index, last_skeleton, latched_theme, escalation_state.
FIELD_EFFECTS: Mapping[Scope, tuple[str, str, str, str]] = {
    Scope.EVERYTHING: ("0", "null", "null", "none"),
    Scope.NEW_SKELETON: _KEPT_BY_PARTIAL,
    Scope.ACTIVE_SKELETON: _KEPT_BY_PARTIAL,
    Scope.NEW_LANGUAGE: _KEPT_BY_PARTIAL,
}


def advance(state: SessionVoiceState, move: Move) -> tuple[SessionVoiceState, tuple[Trigger, ...]]:
    """The state this turn selects on, and what was reset to get there."""
    rows = [row for row in MATRIX if row.holds(state, move)]
    if rows and rows[0].scope is Scope.EVERYTHING:
        rows = rows[:1]
    fired = tuple(row.trigger for row in rows)
    for row in rows:
        state = clear(state, row.scope, move)
    if not move.emotional:
        return state, fired
    return (
        replace(
            state,
            emotional_turn_index=state.emotional_turn_index + 1,
            last_skeleton=move.skeleton,
            latched_theme=state.latched_theme if move.theme is None else move.theme,
            escalation_state=state.escalation_state if move.escalation is None else move.escalation,
        ),
        fired,
    )


def clear(state: SessionVoiceState, scope: Scope, move: Move) -> SessionVoiceState:
    """The state without what the scope takes away."""
    match scope:
        case Scope.EVERYTHING:
            return SessionVoiceState()
        case Scope.NEW_SKELETON | Scope.ACTIVE_SKELETON:
            return state.clearing(key for key in ALL_POOLS if key.skeleton is move.skeleton)
        case Scope.NEW_LANGUAGE:
            return state.clearing(key for key in ALL_POOLS if key.language is move.language)


def matrix_rows() -> tuple[tuple[str, ...], ...]:
    """The matrix in words, with its heading: what the documentation prints."""
    heading = (
        "trigger",
        "when",
        "clears",
        "emotional_turn_index",
        "last_skeleton",
        "latched_theme",
        "escalation_state",
    )
    return (heading, *((row.trigger, row.when, row.scope, *FIELD_EFFECTS[row.scope]) for row in MATRIX))
