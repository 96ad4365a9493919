"""The locked documents B5.2 and B6.2, transcribed, against the code.

Each table and list below is copied from the documents by hand. When one of these tests fails, the code has left
the specification: change the code, or have the specification changed and versioned first.
"""

from __future__ import annotations

import dataclasses
import typing
from enum import StrEnum

import pytest

from recollect.core.voice import state as state_module
from recollect.core.voice.resets import FIELD_EFFECTS, MATRIX, RESOLUTION, RISES, Move, Scope, Trigger, advance, clear
from recollect.core.voice.state import (
    WINDOW_SIZES,
    Escalation,
    Language,
    PoolKey,
    RotationMemory,
    Section,
    SessionVoiceState,
    Skeleton,
    Theme,
    VariantUsage,
    VariantUsageWindow,
)
from recollect.core.voice.turn import VoiceTurn
from recollect.engine.voice import Voice, load_contract

# B5.2 section 4, "Default window sizes".
B52_WINDOW_SIZES = {"A": 6, "B": 8, "C": 3, "D": 4}

# B5.2 section 2, "Tracked dimensions", and B6.2 section 3.2, PoolKey.
B62_POOL_KEY = {
    "skeleton": ["A", "B", "C", "D"],
    "language": ["en", "hinglish", "hi"],
    "section": ["opener", "validation", "action", "closure"],
}

# B6.2 section 2.1, "Field definitions".
B62_SESSION_VOICE_STATE = {
    "rotation_memory": "RotationMemory",
    "escalation_state": "none | escalating | latched",
    "latched_theme": "family | resignation | null",
    "emotional_turn_index": "int",
    "last_skeleton": "A|B|C|D|null",
}

# B6.2 sections 3.1, 4.1 and 4.2.
B62_ROTATION_MEMORY = ["pools"]
B62_VARIANT_USAGE_WINDOW = ["window_size", "history"]
B62_VARIANT_USAGE = ["variant_id", "turn_index"]

# B5.2 section 6.1 and B6.2 section 6.1, hard reset triggers, with the names they have here.
HARD_TRIGGERS = {
    "Emotional intent -> non-emotional": "emotional_to_non_emotional",
    "New session": "new_session",
    "Explicit session reset": "explicit_reset",
    "Escalation resolves fully (C -> A)": "escalation_resolved",
    "Topic shift detected": "topic_shift",
}

# B6.2 section 6.1, "Effect"; escalation_state is ruling 37.
HARD_EFFECT = {
    "rotation_memory": RotationMemory(),
    "emotional_turn_index": 0,
    "last_skeleton": None,
    "latched_theme": None,
    "escalation_state": "none",
}

# B6.2 section 6.2, trigger and reset scope.
PARTIAL_TRIGGERS = {
    "Skeleton increases (A->B, B->C)": ("skeleton_rise", "pools of the new skeleton"),
    "Latched theme changes": ("theme_change", "pools of the active skeleton"),
    "Language change": ("language_change", "pools of the language switched to"),
}

# B6.2 section 8 and B5.2 section 2, what must never exist in state.
FORBIDDEN_IN_STATE = {
    "Raw response text": ["text", "response", "reply", "sentence"],
    "Prompt text": ["prompt", "message", "utterance", "query"],
    "Variant strings": ["string", "variant_text", "wording", "variants"],
    "Drift metrics": ["drift", "metric", "concentration", "diversity", "density"],
    "Scores or probabilities": ["score", "probability", "weight", "penalty"],
    "Random seeds": ["seed", "random", "salt"],
    "User identifiers": ["user", "owner", "tenant", "persona", "session_id"],
    "Cross-session counters": ["total", "counter", "invocation", "lifetime"],
    "Emotional content meaning": ["meaning", "emotion_label", "sentiment"],
    "Prompt embeddings or similarity": ["embedding", "vector", "similarity"],
    "No timestamps, no clocks, no wall-time": ["time", "stamp", "clock", "date"],
}


def names(cls: type) -> list[str]:
    return [f.name for f in dataclasses.fields(cls)]


def values(words: type[StrEnum]) -> list[str]:
    return [word.value for word in words]


def test_window_sizes_are_those_of_the_document() -> None:
    """B5.2 section 4: six, eight, three and four turns, for exactly four skeletons."""
    assert {skeleton.value: size for skeleton, size in WINDOW_SIZES.items()} == B52_WINDOW_SIZES


def test_the_state_has_exactly_the_five_fields() -> None:
    """B6.2 section 2.1: a sixth field, or one with another name or type, is a change of the specification."""
    assert names(SessionVoiceState) == list(B62_SESSION_VOICE_STATE)
    hints = typing.get_type_hints(SessionVoiceState)
    assert hints == {
        "rotation_memory": RotationMemory,
        "escalation_state": Escalation,
        "latched_theme": Theme | None,
        "emotional_turn_index": int,
        "last_skeleton": Skeleton | None,
    }
    assert B62_SESSION_VOICE_STATE["escalation_state"] == " | ".join(Escalation)
    assert B62_SESSION_VOICE_STATE["latched_theme"] == " | ".join([*Theme, "null"])
    assert B62_SESSION_VOICE_STATE["last_skeleton"] == "|".join([*Skeleton, "null"])


def test_the_memory_structures_have_exactly_their_fields() -> None:
    """B6.2 sections 3 and 4: pools, keys, windows and usages, with no field more."""
    assert names(RotationMemory) == B62_ROTATION_MEMORY
    assert names(PoolKey) == list(B62_POOL_KEY)
    assert names(VariantUsageWindow) == B62_VARIANT_USAGE_WINDOW
    assert names(VariantUsage) == B62_VARIANT_USAGE
    assert typing.get_type_hints(VariantUsage) == {"variant_id": int, "turn_index": int}


def test_the_closed_words_are_those_of_the_document() -> None:
    """B6.2 section 3.2: skeletons, languages and sections are closed sets."""
    assert values(Skeleton) == B62_POOL_KEY["skeleton"]
    assert values(Language) == B62_POOL_KEY["language"]
    assert values(Section) == B62_POOL_KEY["section"]


def test_no_state_object_can_grow_a_field_at_run_time() -> None:
    """B6.2 section 1: minimal; slots and frozen values leave no room for anything else."""
    for cls in (SessionVoiceState, RotationMemory, PoolKey, VariantUsageWindow, VariantUsage):
        assert list(cls.__slots__) == names(cls), "a slot beside the fields"
        assert dataclasses.fields(cls) and cls.__dataclass_params__.frozen
    with pytest.raises((AttributeError, TypeError)):
        SessionVoiceState().last_text = "x"  # type: ignore[attr-defined]


def test_the_state_classes_are_all_the_dataclasses_of_the_module() -> None:
    """B6.2 section 2.1: SessionVoiceState is the only long-lived object; nothing stands beside it."""
    found = {
        n
        for n, c in vars(state_module).items()
        if dataclasses.is_dataclass(c) and c.__module__ == state_module.__name__
    }
    assert found == {"SessionVoiceState", "RotationMemory", "PoolKey", "VariantUsageWindow", "VariantUsage"}


def test_hard_triggers_are_those_of_the_documents() -> None:
    """B5.2 and B6.2 section 6.1: five triggers clear everything, and no other does."""
    hard = {row.trigger.value for row in MATRIX if row.scope is Scope.EVERYTHING}
    assert hard == set(HARD_TRIGGERS.values())


def test_a_hard_reset_has_exactly_the_effect_of_the_document() -> None:
    """B6.2 section 6.1: pools, index, skeleton and theme go back to nothing, and by ruling 37 escalation too."""
    used = SessionVoiceState(
        rotation_memory=RotationMemory().recorded(
            [
                (
                    PoolKey(skeleton=Skeleton.C, language=Language.HI, section=Section.OPENER),
                    VariantUsage(variant_id=0, turn_index=1),
                )
            ]
        ),
        escalation_state=Escalation.LATCHED,
        latched_theme=Theme.FAMILY,
        emotional_turn_index=1,
        last_skeleton=Skeleton.C,
    )
    cleared = clear(used, Scope.EVERYTHING, Move(emotional=False))
    assert {name: getattr(cleared, name) for name in names(SessionVoiceState)} == HARD_EFFECT
    index, skeleton, theme, escalation = FIELD_EFFECTS[Scope.EVERYTHING]
    assert (index, skeleton, theme, escalation) == ("0", "null", "null", "none")


def test_partial_triggers_are_those_of_the_document() -> None:
    """B6.2 section 6.2: three triggers with their scopes; a rise is A to B and B to C, and by ruling 37 A to C."""
    partial = {(row.trigger.value, row.scope.value) for row in MATRIX if row.scope is not Scope.EVERYTHING}
    assert partial == set(PARTIAL_TRIGGERS.values())
    assert {f"{a}->{b}" for a, b in RISES} == {"A->B", "B->C", "A->C"}
    assert "->".join(RESOLUTION) == "C->A"
    assert {row.trigger for row in MATRIX} == set(Trigger)


def test_the_example_of_both_documents() -> None:
    """A -> B clears the pools of B in every language and section, and keeps A's history intact."""
    state = Voice(load_contract()).state
    for number, (skeleton, language) in enumerate([("B", "en"), ("B", "hi"), ("A", "en")], start=1):
        key = PoolKey(skeleton=Skeleton(skeleton), language=Language(language), section=Section.OPENER)
        state = dataclasses.replace(
            state.recording([(key, VariantUsage(variant_id=0, turn_index=number))]),
            emotional_turn_index=number,
            last_skeleton=key.skeleton,
        )
    after, fired = advance(state, Move(emotional=True, skeleton=Skeleton.B, language=Language.EN))
    assert fired == (Trigger.RISE,)
    assert [str(key) for key in after.rotation_memory.pools] == ["A|en|opener"]


def test_only_emotional_turns_count() -> None:
    """B6.2 section 7: the index counts emotional turns, and only a hard reset sets it back."""
    voice = Voice(load_contract())
    indexes = []
    for intent, skeleton in [("emotional", "A"), ("emotional", "B"), ("non_emotional", None), ("non_emotional", None)]:
        voice.turn(VoiceTurn(intent=intent, skeleton=skeleton))
        indexes.append(voice.state.emotional_turn_index)
    assert indexes == [1, 2, 0, 0]


def test_nothing_forbidden_is_a_field_of_any_state_object() -> None:
    """B6.2 section 8: no field name speaks of anything on the list of what must never exist."""
    fields = [
        n for c in (SessionVoiceState, RotationMemory, PoolKey, VariantUsageWindow, VariantUsage) for n in names(c)
    ]
    for ban, fragments in FORBIDDEN_IN_STATE.items():
        for name in fields:
            assert not any(fragment in name for fragment in fragments), f"{name} looks like: {ban}"


def test_a_printed_state_holds_whole_numbers_and_closed_words_only() -> None:
    """B6.2 sections 8 and 9: whatever was said, its dict has no text that is not one of the closed words."""
    voice = Voice(load_contract())
    for skeleton, language in [("A", "en"), ("B", "hi"), ("C", "hinglish"), ("D", "en")]:
        voice.turn(VoiceTurn(intent="emotional", skeleton=skeleton, language=language, theme="family"))
    allowed = {*Skeleton, *Language, *Section, *Escalation, *Theme}

    def leaves(value: object) -> list[object]:
        if isinstance(value, dict):
            return [leaf for entry in value.values() for leaf in leaves(entry)]
        return [leaf for entry in value for leaf in leaves(entry)] if isinstance(value, list) else [value]

    found = leaves(voice.state.to_dict())
    assert len(found) > 20
    assert all(leaf is None or type(leaf) is int or leaf in allowed for leaf in found)
