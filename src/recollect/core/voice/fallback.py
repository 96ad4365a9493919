"""What is said when the ordinary way does not work, and why.

Three levels, tried in this order and never in a circle:
skeleton_local  the turn stays in its own table: the first variant where nothing is left to choose, a selection on
                cleared pools where memory was damaged, the standing latch where a theme or escalation is no word
                of ours. The turn counts and is recorded.
english         the same skeleton from the English table, for the whole reply (languages are never mixed). The turn
                counts and is recorded in the English pools.
absolute        one fixed pair of sentences per skeleton, below. Nothing is recorded and no state changes.

Never: raises, retries, or invents a variant id.
Spec: ruling 41; upstream facts 1.11.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from recollect.core.voice.state import Skeleton


class FallbackLevel(StrEnum):
    """How far the voice had to step back; later is further."""

    SKELETON_LOCAL = "skeleton_local"
    ENGLISH = "english"
    ABSOLUTE = "absolute"


class FallbackReason(StrEnum):
    """Why it had to."""

    CONTRACT_LOAD_FAILURE = "contract_load_failure"
    SELECTION_EXHAUSTED = "selection_exhausted"
    ROTATION_MEMORY_RESET = "rotation_memory_reset"
    ASSEMBLY_FAILURE = "assembly_failure"
    UNKNOWN_INTENT = "unknown_intent"
    UNKNOWN_SKELETON = "unknown_skeleton"
    UNKNOWN_LANGUAGE = "unknown_language"
    UNKNOWN_THEME = "unknown_theme"
    UNKNOWN_ESCALATION = "unknown_escalation"
    UNKNOWN_TOPIC_SHIFT = "unknown_topic_shift"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallback:
    """One step back, with its level, its reason and a plain sentence."""

    level: FallbackLevel
    reason: FallbackReason
    sentence: str

    def to_dict(self) -> dict[str, object]:
        """The fallback as plain data."""
        return {"level": self.level.value, "reason": self.reason.value, "sentence": self.sentence}


# These live in code because they are what is left when no file can be read. They obey the same bans.
ABSOLUTE_TEXTS: Mapping[Skeleton, str] = {
    Skeleton.A: "I hear you. There is no rush here.",
    Skeleton.B: "That is a lot at once. I am here with you.",
    Skeleton.C: "I am here. There is nothing you have to say.",
    Skeleton.D: "Let us keep this small. One slow breath is enough for now.",
}


def absolute_text(asked: Skeleton | None, last: Skeleton | None) -> str:
    """The fixed pair for the skeleton asked for; where that is unknown, for the one the talk was in."""
    return ABSOLUTE_TEXTS[asked or last or Skeleton.A]


def furthest(fallbacks: tuple[Fallback, ...]) -> Fallback | None:
    """The fallback that stepped back furthest; the first of them where several did."""
    order = tuple(FallbackLevel)
    return max(fallbacks, key=lambda fallback: order.index(fallback.level), default=None)
