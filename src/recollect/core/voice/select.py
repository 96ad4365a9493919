"""Which variant of one pool is said this turn.

1. Eligibility: a closure is returned at once. D's opener is fixed. In C, variants added by expansion are out.
   If one candidate is left, it is the choice.
2. Hard constraints, safety: while escalation is latched, variants marked lighter go; while the family theme is
   latched, variants not marked family_ok go. If nothing is left, C returns to the last used variant and the others
   to the first of the table; that is a fallback and is called one.
3. Hard constraints, rotation: these never take the last candidate away.
   A, B, D: not the variant this pool said last; not one that this use would bring above half of the window.
   C: stay with the variant said last, until it fills the whole window; then move on and stay there.
4. Score: 0, less max(0, window_size - distance) for each use in the window.
5. Tie-break: least recently used, lowest use, lowest index. The last cannot tie.

The half of a window is a constraint and not a penalty of the score, so that it can be seen to hold. What the
specification says about A's first turn needs no rule: its window is empty.

Never: reads text, a clock, a random number, drift, or another pool. Recording is the caller's, once per turn.
Spec: B5.2 sections 5 and 7; rulings 32 to 36 and 40; upstream facts 1.6 and 1.7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from recollect.core.voice.contract import Mark, Variant
from recollect.core.voice.state import WINDOW_SIZES, Escalation, PoolKey, Section, Skeleton, Theme, VariantUsage
from recollect.errors import VoiceError


class Why(StrEnum):
    """Why a variant was not a candidate."""

    FIXED_OPENER = "fixed_opener"
    EXPANSION_IN_C = "expansion_in_c"
    LIGHTER = "lighter"
    NOT_FAMILY_OK = "not_family_ok"
    JUST_USED = "just_used"
    OVER_HALF = "over_half"
    WINDOW_FILLED = "window_filled"
    STAYS_WITH_LAST = "stays_with_last"


class DecidedBy(StrEnum):
    """What settled the choice."""

    CLOSURE = "closure"
    ONLY_CANDIDATE = "only_candidate"
    SCORE = "score"
    LEAST_RECENTLY_USED = "least_recently_used"
    LOWEST_USE = "lowest_use"
    LOWEST_INDEX = "lowest_index"
    LAST_USED = "last_used"
    FIRST_OF_TABLE = "first_of_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """All that selection may know: the pool, its window, the turn, and the two latches."""

    key: PoolKey
    variants: tuple[Variant, ...]
    window: tuple[VariantUsage, ...]
    turn_index: int
    escalation: Escalation
    theme: Theme | None

    @property
    def last(self) -> int | None:
        """The variant this pool said last."""
        return self.window[-1].variant_id if self.window else None

    @property
    def window_size(self) -> int:
        """How many entries the window holds when full."""
        return WINDOW_SIZES[self.key.skeleton]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The variant of one section and how it came to be chosen."""

    section: Section
    variant_id: int
    decided_by: DecidedBy
    eligible: tuple[int, ...]
    removed: tuple[tuple[int, Why], ...] = ()
    scores: tuple[tuple[int, int], ...] = ()
    exhausted: bool = False
    recorded: bool = True


# A rule says whether a candidate has to go, given the situation and all who are still candidates.
Rule = Callable[[int, Situation, tuple[int, ...]], bool]


def _is_moving_opener(variant_id: int, at: Situation, _candidates: tuple[int, ...]) -> bool:
    return at.key.skeleton is Skeleton.D and at.key.section is Section.OPENER and variant_id != 0


def _is_expansion_in_c(variant_id: int, at: Situation, _candidates: tuple[int, ...]) -> bool:
    return at.key.skeleton is Skeleton.C and Mark.EXPANSION in at.variants[variant_id].marks


def _is_too_light(variant_id: int, at: Situation, _candidates: tuple[int, ...]) -> bool:
    return at.escalation is Escalation.LATCHED and Mark.LIGHTER in at.variants[variant_id].marks


def _is_not_for_family(variant_id: int, at: Situation, _candidates: tuple[int, ...]) -> bool:
    return at.theme is Theme.FAMILY and Mark.FAMILY_OK not in at.variants[variant_id].marks


def _was_just_used(variant_id: int, at: Situation, _candidates: tuple[int, ...]) -> bool:
    return variant_id == at.last


def _would_pass_half(variant_id: int, at: Situation, _candidates: tuple[int, ...]) -> bool:
    # The entry about to leave a full window does not count; the one about to be made does.
    staying = at.window[-(at.window_size - 1) :]
    return (uses(variant_id, staying) + 1) * 2 > at.window_size


def _fills_window(variant_id: int, at: Situation, _candidates: tuple[int, ...]) -> bool:
    return uses(variant_id, at.window) == at.window_size


def _is_not_last_used(variant_id: int, at: Situation, candidates: tuple[int, ...]) -> bool:
    return at.last in candidates and variant_id != at.last


ELIGIBILITY: tuple[tuple[Why, Rule], ...] = (
    (Why.FIXED_OPENER, _is_moving_opener),
    (Why.EXPANSION_IN_C, _is_expansion_in_c),
)
SAFETY: tuple[tuple[Why, Rule], ...] = (
    (Why.LIGHTER, _is_too_light),
    (Why.NOT_FAMILY_OK, _is_not_for_family),
)
_ROTATES: tuple[tuple[Why, Rule], ...] = ((Why.JUST_USED, _was_just_used), (Why.OVER_HALF, _would_pass_half))
_STAYS: tuple[tuple[Why, Rule], ...] = ((Why.WINDOW_FILLED, _fills_window), (Why.STAYS_WITH_LAST, _is_not_last_used))
ROTATION: Mapping[Skeleton, tuple[tuple[Why, Rule], ...]] = {
    Skeleton.A: _ROTATES,
    Skeleton.B: _ROTATES,
    Skeleton.C: _STAYS,
    Skeleton.D: _ROTATES,
}


def choose(at: Situation) -> Choice:
    """The one variant of this pool that is said now. The same situation always gives the same choice."""
    section = at.key.section
    everyone = tuple(range(len(at.variants)))
    if not everyone:
        raise VoiceError(f"The pool {at.key} is empty.", reason="selection_exhausted")
    if section is Section.CLOSURE:
        return Choice(section=section, variant_id=0, decided_by=DecidedBy.CLOSURE, eligible=(0,), recorded=False)
    removed: list[tuple[int, Why]] = []
    eligible = _filtered(everyone, ELIGIBILITY, at, removed)
    safe = _filtered(eligible, SAFETY, at, removed) if len(eligible) > 1 else eligible
    candidates = _rotated(safe, at, removed) if len(safe) > 1 else safe
    scores = tuple((candidate, score(candidate, at)) for candidate in candidates)
    winner, decided_by = _best(scores, at) if scores else _exhausted(at)
    return Choice(
        section=section,
        variant_id=winner,
        decided_by=decided_by,
        eligible=eligible,
        removed=tuple(removed),
        scores=scores,
        exhausted=not scores,
    )


def score(variant_id: int, at: Situation) -> int:
    """0 for a variant that is not in the window, and less the nearer and the more often it was said."""
    penalty = 0
    for usage in at.window:
        if usage.variant_id == variant_id:
            penalty += max(0, at.window_size - (at.turn_index - usage.turn_index))
    return -penalty


def uses(variant_id: int, window: tuple[VariantUsage, ...]) -> int:
    """How often a variant was said in these entries."""
    return sum(1 for usage in window if usage.variant_id == variant_id)


def last_said(variant_id: int, window: tuple[VariantUsage, ...]) -> int:
    """The turn in which a variant was last said, 0 where it was not."""
    return max((usage.turn_index for usage in window if usage.variant_id == variant_id), default=0)


# Each gives a number, and the lowest wins. The last one is the variant's own index and cannot tie.
TIE_BREAKS: tuple[tuple[DecidedBy, Callable[[int, tuple[VariantUsage, ...]], int]], ...] = (
    (DecidedBy.LEAST_RECENTLY_USED, last_said),
    (DecidedBy.LOWEST_USE, uses),
    (DecidedBy.LOWEST_INDEX, lambda variant_id, _window: variant_id),
)


def _filtered(
    candidates: tuple[int, ...], rules: tuple[tuple[Why, Rule], ...], at: Situation, removed: list[tuple[int, Why]]
) -> tuple[int, ...]:
    for why, must_go in rules:
        gone = [candidate for candidate in candidates if must_go(candidate, at, candidates)]
        if gone:
            removed.extend((candidate, why) for candidate in gone)
            candidates = tuple(candidate for candidate in candidates if candidate not in gone)
    return candidates


def _rotated(candidates: tuple[int, ...], at: Situation, removed: list[tuple[int, Why]]) -> tuple[int, ...]:
    for rule in ROTATION[at.key.skeleton]:
        noted: list[tuple[int, Why]] = []
        left = _filtered(candidates, (rule,), at, noted)
        if left:
            candidates = left
            removed.extend(noted)
    return candidates


def _best(scores: tuple[tuple[int, int], ...], at: Situation) -> tuple[int, DecidedBy]:
    if len(scores) == 1:
        return scores[0][0], DecidedBy.ONLY_CANDIDATE
    highest = max(value for _, value in scores)
    leaders = [candidate for candidate, value in scores if value == highest]
    decided_by = DecidedBy.SCORE
    for name, rank in TIE_BREAKS:
        if len(leaders) == 1:
            break
        decided_by = name
        lowest = min(rank(candidate, at.window) for candidate in leaders)
        leaders = [candidate for candidate in leaders if rank(candidate, at.window) == lowest]
    return leaders[0], decided_by


def _exhausted(at: Situation) -> tuple[int, DecidedBy]:
    if at.key.skeleton is Skeleton.C and at.last is not None:
        return at.last, DecidedBy.LAST_USED
    return 0, DecidedBy.FIRST_OF_TABLE
