"""What goes into a turn of the voice and what comes out of it.

Never: decides anything. The steps from the one to the other are in `speak`.
Spec: rulings 31 and 40; upstream facts 1.10 and 1.15.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum

from recollect.core.voice.fallback import Fallback, furthest
from recollect.core.voice.resets import Trigger
from recollect.core.voice.select import Choice
from recollect.core.voice.state import LARGEST_COUNT, Language, Section, SessionVoiceState, Skeleton
from recollect.errors import VoiceError

SHOWN_CHARACTERS = 60


class Intent(StrEnum):
    """Whether a turn is emotional; only such turns count, speak and record."""

    EMOTIONAL = "emotional"
    NON_EMOTIONAL = "non_emotional"


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceTurn:
    """What the caller has found out about a turn. Words outside the closed sets lead to a fallback, not an error.

    `theme` and `escalation` name what this turn latches; None leaves what is latched as it is.
    `turn_id` is the caller's own name for the turn: the same one twice is an error, none means a new turn.
    """

    intent: str
    skeleton: str | None = None
    language: str = Language.EN
    escalation: str | None = None
    theme: str | None = None
    topic_shift: bool = False
    turn_id: str | int | None = None

    def to_dict(self) -> dict[str, object]:
        """The turn as plain data; what is not plain is named by its type."""
        return {f.name: plain(getattr(self, f.name)) for f in fields(self)}

    @classmethod
    def from_dict(cls, raw: object) -> VoiceTurn:
        """The turn plain data describes; VoiceError for an unknown or missing field."""
        names = [f.name for f in fields(cls)]
        if not isinstance(raw, Mapping) or "intent" not in raw or any(key not in names for key in raw):
            raise VoiceError(
                "A voice turn is a table with an intent.",
                hint=f"Its fields: {', '.join(names)}.",
                reason="turn_malformed",
            )
        return cls(**raw)


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceDecision:
    """What was said in a turn and how it came about. It goes to the caller and nowhere else."""

    turn: VoiceTurn
    text: str
    contract: str
    skeleton: Skeleton | None
    language: Language | None
    resets: tuple[Trigger, ...]
    choices: tuple[Choice, ...]
    fallbacks: tuple[Fallback, ...]
    before: SessionVoiceState
    after: SessionVoiceState

    @property
    def variants(self) -> dict[Section, int]:
        """The id chosen for each section."""
        return {choice.section: choice.variant_id for choice in self.choices}

    @property
    def fallback(self) -> Fallback | None:
        """The step back that went furthest, if there was any."""
        return furthest(self.fallbacks)

    def to_dict(self) -> dict[str, object]:
        """The decision as plain data: one line of a decision log, if the caller keeps one."""
        return {
            "turn": self.turn.to_dict(),
            "text": self.text,
            "contract": self.contract,
            "skeleton": self.skeleton.value if self.skeleton is not None else None,
            "language": self.language.value if self.language is not None else None,
            "variants": {section.value: variant_id for section, variant_id in self.variants.items()},
            "resets": [trigger.value for trigger in self.resets],
            "choices": [_choice_dict(choice) for choice in self.choices],
            "fallbacks": [fallback.to_dict() for fallback in self.fallbacks],
            "state_before": self.before.to_dict(),
            "state_after": self.after.to_dict(),
        }


def plain(value: object) -> str | int | None:
    """A caller's value as it may be shown: short, and never more than its type where it is not plain."""
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, str):
        return value[:SHOWN_CHARACTERS]
    if value is None or (isinstance(value, int) and abs(value) <= LARGEST_COUNT):
        return value
    return f"<{type(value).__name__}>"


def _choice_dict(choice: Choice) -> dict[str, object]:
    return {
        "section": choice.section.value,
        "variant_id": choice.variant_id,
        "decided_by": choice.decided_by.value,
        "eligible": list(choice.eligible),
        "removed": [{"variant_id": variant_id, "why": why.value} for variant_id, why in choice.removed],
        "scores": {str(variant_id): score for variant_id, score in choice.scores},
        "recorded": choice.recorded,
    }
