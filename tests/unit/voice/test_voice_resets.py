"""Promises of the reset matrix: each row alone, rows together, and the order of the step."""

from __future__ import annotations

import pytest

from recollect.core.voice.resets import MATRIX, Move, Scope, Trigger, advance, matrix_rows
from recollect.core.voice.state import (
    ALL_POOLS,
    Escalation,
    Language,
    RotationMemory,
    SessionVoiceState,
    Skeleton,
    Theme,
    VariantUsage,
)


def spoken(
    last: Skeleton | None = Skeleton.A,
    language: Language = Language.EN,
    theme: Theme | None = None,
    escalation: Escalation = Escalation.ESCALATING,
) -> SessionVoiceState:
    """A state in which every pool has spoken once, the last skeleton and language most recently."""
    usages = [
        (key, VariantUsage(variant_id=0, turn_index=9 if (key.skeleton, key.language) == (last, language) else 1))
        for key in ALL_POOLS
    ]
    return SessionVoiceState(
        rotation_memory=RotationMemory().recorded(usages),
        escalation_state=escalation,
        latched_theme=theme,
        emotional_turn_index=9,
        last_skeleton=last,
    )


def emotional(
    skeleton: Skeleton, language: Language = Language.EN, theme: Theme | None = None, topic_shift: bool = False
) -> Move:
    return Move(emotional=True, skeleton=skeleton, language=language, theme=theme, topic_shift=topic_shift)


def cleared(before: SessionVoiceState, after: SessionVoiceState) -> set[str]:
    return {str(key) for key in before.rotation_memory.pools} - {str(key) for key in after.rotation_memory.pools}


EVERY_POOL = {str(key) for key in ALL_POOLS}
A, B, C, D = Skeleton


@pytest.mark.parametrize(("last", "now"), [(A, B), (B, C), (A, C)])
def test_a_rise_clears_the_new_skeleton_only(last: Skeleton, now: Skeleton) -> None:
    """Each rise clears every language and section of the skeleton risen to, and nothing else."""
    before = spoken(last)
    after, fired = advance(before, emotional(now))
    assert fired == (Trigger.RISE,)
    assert cleared(before, after) == {name for name in EVERY_POOL if name.startswith(f"{now}|")}
    assert (after.emotional_turn_index, after.last_skeleton) == (10, now)


@pytest.mark.parametrize(
    ("last", "now"), [(A, A), (B, A), (B, B), (C, B), (C, C), (A, D), (B, D), (C, D), (D, A), (D, B), (D, C), (D, D)]
)
def test_other_moves_clear_nothing(last: Skeleton, now: Skeleton) -> None:
    """Staying, falling and any move into or out of D keep every pool."""
    before = spoken(last)
    after, fired = advance(before, emotional(now))
    assert fired == ()
    assert after.rotation_memory == before.rotation_memory
    assert after.emotional_turn_index == 10


def test_resolution_clears_everything_and_then_counts_from_one() -> None:
    """C -> A forgets pools, theme and escalation; the turn itself is the first of what follows."""
    after, fired = advance(spoken(C, theme=Theme.FAMILY, escalation=Escalation.LATCHED), emotional(A))
    assert fired == (Trigger.RESOLVED,)
    assert after == SessionVoiceState(emotional_turn_index=1, last_skeleton=A)


def test_a_topic_shift_clears_everything() -> None:
    """The input signal is enough, whatever the skeleton does."""
    after, fired = advance(spoken(B, theme=Theme.FAMILY), emotional(B, topic_shift=True))
    assert fired == (Trigger.TOPIC_SHIFT,)
    assert after == SessionVoiceState(emotional_turn_index=1, last_skeleton=B)


def test_the_first_non_emotional_turn_resets_and_later_ones_do_nothing() -> None:
    """The break clears everything once; then there is nothing left to clear, count or record."""
    once, fired = advance(spoken(B, theme=Theme.RESIGNATION), Move(emotional=False))
    assert (once, fired) == (SessionVoiceState(), (Trigger.NON_EMOTIONAL,))
    twice, fired_again = advance(once, Move(emotional=False))
    assert (twice, fired_again) == (once, ())


@pytest.mark.parametrize(("held", "named"), [(None, "family"), ("family", "resignation"), ("resignation", "family")])
def test_a_theme_change_clears_the_active_skeleton(held: str | None, named: str) -> None:
    """Another theme clears the pools of the skeleton spoken now and latches."""
    before = spoken(B, theme=Theme(held) if held else None)
    after, fired = advance(before, emotional(B, theme=Theme(named)))
    assert fired == (Trigger.THEME_CHANGE,)
    assert cleared(before, after) == {name for name in EVERY_POOL if name.startswith("B|")}
    assert after.latched_theme == named


@pytest.mark.parametrize("named", [None, Theme.FAMILY])
def test_a_latched_theme_stays_when_the_turn_does_not_name_another(named: Theme | None) -> None:
    """Naming the same theme, or none, changes nothing."""
    before = spoken(B, theme=Theme.FAMILY)
    after, fired = advance(before, emotional(B, theme=named))
    assert (fired, after.latched_theme) == ((), Theme.FAMILY)
    assert after.rotation_memory == before.rotation_memory


def test_escalation_stays_until_another_is_named() -> None:
    """An escalation is a latch too: None keeps it, a word replaces it, nothing is cleared."""
    before = spoken(B, escalation=Escalation.LATCHED)
    kept, _ = advance(before, emotional(B))
    named = Move(emotional=True, skeleton=B, language=Language.EN, escalation=Escalation.NONE)
    changed, fired = advance(before, named)
    assert (kept.escalation_state, changed.escalation_state, fired) == ("latched", "none", ())


@pytest.mark.parametrize("language", [Language.HI, Language.HINGLISH])
def test_a_language_change_clears_the_language_switched_to(language: Language) -> None:
    """Every skeleton's pools of the new language go; the language left behind keeps its history."""
    before = spoken(B)
    after, fired = advance(before, emotional(B, language))
    assert fired == (Trigger.LANGUAGE_CHANGE,)
    assert cleared(before, after) == {name for name in EVERY_POOL if f"|{language}|" in name}


def test_partial_resets_add_up() -> None:
    """A rise, a new theme and a new language in one turn clear the union of their scopes."""
    before = spoken(A)
    after, fired = advance(before, emotional(B, Language.HI, Theme.FAMILY))
    assert fired == (Trigger.RISE, Trigger.THEME_CHANGE, Trigger.LANGUAGE_CHANGE)
    assert cleared(before, after) == {n for n in EVERY_POOL if n.startswith("B|") or "|hi|" in n}


def test_a_hard_reset_ends_the_matter() -> None:
    """When a hard row holds, partial rows are not named beside it, and the turn's own latches are taken over."""
    after, fired = advance(spoken(C, theme=Theme.FAMILY), emotional(A, Language.HI, Theme.RESIGNATION))
    assert fired == (Trigger.RESOLVED,)
    assert after == SessionVoiceState(emotional_turn_index=1, last_skeleton=A, latched_theme=Theme.RESIGNATION)


def test_a_language_change_is_seen_although_a_theme_change_clears_the_last_entry() -> None:
    """All rows are judged on the state before the turn, not on what earlier rows left of it."""
    key = next(key for key in ALL_POOLS if str(key) == "B|en|opener")
    state = SessionVoiceState(
        rotation_memory=RotationMemory().recorded([(key, VariantUsage(variant_id=0, turn_index=1))]),
        emotional_turn_index=1,
        last_skeleton=B,
    )
    _after, fired = advance(state, emotional(B, Language.HI, Theme.FAMILY))
    assert fired == (Trigger.THEME_CHANGE, Trigger.LANGUAGE_CHANGE)


def test_a_first_turn_resets_nothing() -> None:
    """In a new session nothing was said, so no language was left and no skeleton risen from."""
    after, fired = advance(SessionVoiceState(), emotional(C, Language.HI))
    assert fired == ()
    assert after == SessionVoiceState(emotional_turn_index=1, last_skeleton=C)


def test_hard_rows_come_first_in_the_table() -> None:
    """The order of the table is the order of the law."""
    scopes = [row.scope is Scope.EVERYTHING for row in MATRIX]
    assert scopes == sorted(scopes, reverse=True)


def test_the_printed_matrix_has_a_cell_for_every_field() -> None:
    """Each row names its trigger, its occasion, what it clears and what becomes of the four other fields."""
    heading, *rows = matrix_rows()
    assert heading[3:] == ("emotional_turn_index", "last_skeleton", "latched_theme", "escalation_state")
    assert [row[0] for row in rows] == [trigger.value for trigger in Trigger]
    assert all(len(row) == len(heading) for row in rows)
