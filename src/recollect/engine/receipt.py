"""What a write answers: the fate of every item it offered, with the reason.

Never: raises by itself. A denial is a result; `raise_for_denied` is for those who want to be stopped.
Spec: ruling 9; reliability.md "Outcomes of a write".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from recollect.core import reasons
from recollect.core.item import MemoryItem
from recollect.core.reasons import Reason
from recollect.core.wire import Wire
from recollect.core.write.candidate import Outcome
from recollect.errors import Refused

WRITTEN = Reason("interaction_recorded", "written")
MERGED = Reason("merged", "merged: the same claim was already known; its mentions were counted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What became of one offered item."""

    id: str
    kind: str
    outcome: str
    reason: Reason
    into: str = ""

    def to_dict(self) -> dict[str, object]:
        fields: dict[str, object] = {
            "id": self.id,
            "kind": self.kind,
            "outcome": self.outcome,
            "reason": self.reason.code,
            "sentence": self.reason.sentence,
        }
        return fields | ({"into": self.into} if self.into else {})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Receipt:
    """The answer to one write. `status` is committed, merged, denied or quarantined."""

    status: str
    is_repeat: bool = False
    # A batch has thousands of receipts and most callers look at a few: each is told when somebody asks.
    _outcomes: Sequence[Outcome] = field(default=(), repr=False, compare=False)
    _told: tuple[Fate, ...] = field(default=(), repr=False, compare=False)
    _trace: Callable[[], list[Wire]] = field(default=list, repr=False, compare=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Receipt) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.status, self.fates))

    @property
    def fates(self) -> tuple[Fate, ...]:
        """What became of each offered item."""
        return self._told or tuple(fate(outcome) for outcome in self._outcomes)

    @property
    def items(self) -> tuple[MemoryItem, ...]:
        """The items as this call left them."""
        return tuple(outcome.item for outcome in self._outcomes if outcome.item is not None)

    @property
    def ids(self) -> tuple[str, ...]:
        """The items that stand because of this call."""
        return tuple(fate.into or fate.id for fate in self.fates if fate.outcome in {"written", "merged"})

    @property
    def trace(self) -> list[Wire]:
        """The call as the contract's events."""
        return self._trace()

    def raise_for_denied(self) -> Receipt:
        """Stop here if anything was denied or lost a conflict; otherwise the receipt itself."""
        for fate in self.fates:
            if fate.outcome in {"denied", "lost"}:
                raise Refused(f"{fate.kind}: {fate.reason.sentence}.", reason=fate.reason.code)
        return self

    def to_dict(self) -> dict[str, object]:
        return {
            "status": self.status,
            "fates": [fate.to_dict() for fate in self.fates],
            "is_repeat": self.is_repeat,
        }


def fate(outcome: Outcome) -> Fate:
    """An outcome in the caller's words."""
    return Fate(
        id=outcome.ref.id,
        kind=str(outcome.ref.kind),
        outcome=outcome.fate,
        reason=_reason(outcome.fate, outcome.code),
        into=outcome.into.id if outcome.into is not None else "",
    )


def fate_from(raw: dict[str, str]) -> Fate:
    """A fate read back from a stored answer."""
    return Fate(
        id=raw["id"],
        kind=raw["kind"],
        outcome=raw["outcome"],
        reason=Reason(raw["reason"], raw["sentence"]),
        into=raw.get("into", ""),
    )


def _reason(kind: str, code: str) -> Reason:
    match kind:
        case "written":
            return Reason(code, f"written: {reasons.CONFLICT[code]}") if code in reasons.CONFLICT else WRITTEN
        case "merged":
            return MERGED
        case "lost":
            return Reason(code, f"not written: {reasons.CONFLICT[code]}")
        case "denied":
            return reasons.reason("denied" if code in reasons.DENIED else "border", code)
        case _:
            return reasons.reason("quarantined", code)


def overall(fates: Sequence[str]) -> str:
    """One word for the whole call, the most telling first."""
    if not fates:
        return "committed"
    if "quarantined" in fates:
        return "quarantined"
    if "written" in fates:
        return "committed"
    return "merged" if "merged" in fates else "denied"
