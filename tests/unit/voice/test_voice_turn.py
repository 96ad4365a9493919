"""Promises of a turn: fallbacks with level, reason and effect on the state; the decision as the caller gets it."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.core.voice.contract import Variant, VoiceContract
from recollect.core.voice.fallback import ABSOLUTE_TEXTS, Fallback, FallbackLevel, FallbackReason, furthest
from recollect.core.voice.speak import speak
from recollect.core.voice.state import (
    Language,
    PoolKey,
    RotationMemory,
    Section,
    SessionVoiceState,
    Skeleton,
    VariantUsage,
)
from recollect.core.voice.turn import VoiceDecision, VoiceTurn
from recollect.engine.voice import load_contract
from recollect.errors import VoiceError

CONTRACT = load_contract()


def emotional(skeleton: Any = "B", **more: Any) -> VoiceTurn:
    return VoiceTurn(intent="emotional", skeleton=skeleton, **more)


def after(*skeletons: str) -> SessionVoiceState:
    state = SessionVoiceState()
    for skeleton in skeletons:
        state = speak(CONTRACT, state, emotional(skeleton)).after
    return state


def key_of(name: str) -> PoolKey:
    skeleton, language, section = name.split("|")
    return PoolKey(skeleton=Skeleton(skeleton), language=Language(language), section=Section(section))


def emptied(*names: str) -> VoiceContract:
    return dataclasses.replace(CONTRACT, pools={**CONTRACT.pools, **{key_of(name): () for name in names}})


def level_and_reason(decision: VoiceDecision) -> tuple[str, str]:
    assert decision.fallback is not None
    return decision.fallback.level.value, decision.fallback.reason.value


def test_an_ordinary_turn_says_its_sections_in_order_and_nothing_else() -> None:
    """The text is opener, validation and closure of the table, joined by single spaces."""
    decision = speak(CONTRACT, SessionVoiceState(), emotional("B"))
    parts = [CONTRACT.pool(key_of(f"B|en|{section}"))[0].text for section in ("opener", "validation", "closure")]
    assert decision.text == " ".join(parts)
    assert [section.value for section in decision.variants] == ["opener", "validation", "closure"]
    assert decision.fallbacks == () and decision.fallback is None


def test_d_says_an_action_between_opener_and_closure() -> None:
    """Only D has an action and it stands in the middle."""
    decision = speak(CONTRACT, SessionVoiceState(), emotional("D"))
    assert [section.value for section in decision.variants] == ["opener", "action", "closure"]


def test_what_is_recorded_is_what_was_said_except_the_closure() -> None:
    """Each section but the closure adds one entry with this turn's index."""
    decision = speak(CONTRACT, after("A"), emotional("A"))
    recorded = {str(key): pool.history[-1] for key, pool in decision.after.rotation_memory.pools.items()}
    assert recorded == {
        "A|en|opener": VariantUsage(variant_id=1, turn_index=2),
        "A|en|validation": VariantUsage(variant_id=1, turn_index=2),
    }


def test_a_non_emotional_turn_says_nothing() -> None:
    """No text, no choices, no fallback; the state before it is forgotten."""
    decision = speak(CONTRACT, after("A", "B"), VoiceTurn(intent="non_emotional"))
    assert (decision.text, decision.choices, decision.fallbacks) == ("", (), ())
    assert decision.after == SessionVoiceState()


def test_a_non_emotional_turn_needs_no_contract() -> None:
    """Nothing is said, so nothing has to be loaded."""
    decision = speak(VoiceError("gone"), after("A"), VoiceTurn(intent="non_emotional"))
    assert (decision.fallbacks, decision.after) == ((), SessionVoiceState())


@pytest.mark.parametrize("skeleton", list("ABCD"))
def test_without_a_contract_the_fixed_pair_is_said_and_nothing_changes(skeleton: str) -> None:
    """contract_load_failure: absolute, no update, no increment."""
    before = after("A", "B")
    decision = speak(VoiceError("The file is gone."), before, emotional(skeleton))
    assert level_and_reason(decision) == ("absolute", "contract_load_failure")
    assert decision.text == ABSOLUTE_TEXTS[Skeleton(skeleton)]
    assert decision.after is before and decision.choices == ()


@pytest.mark.parametrize("skeleton", ["", "E", "a", "AB", None, 1, True, ["A"], {"A": 1}, b"A", "A" * 10_000])
def test_an_unknown_skeleton_is_absolute_and_speaks_as_the_talk_did(skeleton: object) -> None:
    """The fixed pair of the skeleton spoken last, or of A where none was; no state changes."""
    before = after("B", "C")
    decision = speak(CONTRACT, before, emotional(skeleton))
    assert level_and_reason(decision) == ("absolute", "unknown_skeleton")
    assert decision.text == ABSOLUTE_TEXTS[Skeleton.C] and decision.after is before
    assert speak(CONTRACT, SessionVoiceState(), emotional(skeleton)).text == ABSOLUTE_TEXTS[Skeleton.A]


@pytest.mark.parametrize("intent", ["", "happy", None, 0, "EMOTIONAL"])
def test_an_unknown_intent_is_absolute(intent: Any) -> None:
    """Neither counted nor taken for a break: the state stays as it was."""
    before = after("A")
    decision = speak(CONTRACT, before, VoiceTurn(intent=intent, skeleton="A"))
    assert level_and_reason(decision) == ("absolute", "unknown_intent")
    assert decision.after is before


@pytest.mark.parametrize("language", ["fr", "", None, "EN", 3, ["en"]])
def test_an_unknown_language_is_english_and_counts(language: Any) -> None:
    """Level english: the turn is spoken from the English table, recorded there and counted."""
    decision = speak(CONTRACT, SessionVoiceState(), emotional("B", language=language))
    assert level_and_reason(decision) == ("english", "unknown_language")
    assert decision.language == "en" and decision.after.emotional_turn_index == 1
    assert {str(key) for key in decision.after.rotation_memory.pools} == {"B|en|opener", "B|en|validation"}


def test_an_empty_pool_is_spoken_in_english_as_a_whole() -> None:
    """One empty section moves the whole reply to English, because languages are never mixed."""
    contract, state = emptied("B|hi|closure"), SessionVoiceState()
    said = []
    for _ in range(4):
        decision = speak(contract, state, emotional("B", language="hi"))
        assert level_and_reason(decision) == ("english", "selection_exhausted")
        state = decision.after
        said.append(decision.variants[Section.VALIDATION])
    assert said == [0, 1, 2, 3], "English goes on rotating; falling back is no change of language"
    assert state.emotional_turn_index == 4
    assert all(use.variant_id >= 0 for pool in state.rotation_memory.pools.values() for use in pool.history)


@pytest.mark.parametrize("names", [("B|en|opener",), ("B|en|opener", "B|hi|opener")])
def test_an_empty_pool_in_english_too_is_absolute(names: tuple[str, ...]) -> None:
    """There is no circle: local, English, absolute."""
    before = after("A")
    language = names[-1].split("|")[1]
    decision = speak(emptied(*names), before, emotional("B", language=language))
    assert level_and_reason(decision) == ("absolute", "selection_exhausted")
    assert decision.after is before and decision.text == ABSOLUTE_TEXTS[Skeleton.B]


def test_a_gap_in_one_language_does_not_touch_another() -> None:
    """Hindi still speaks Hindi when English has a gap."""
    decision = speak(emptied("B|en|opener"), SessionVoiceState(), emotional("B", language="hi"))
    assert decision.language == "hi" and decision.fallbacks == ()


def test_exhausted_selection_is_local_and_counts() -> None:
    """selection_exhausted: the first variant of the same table, recorded and counted."""
    unmarked = {key: tuple(Variant(text=v.text) for v in pool) for key, pool in CONTRACT.pools.items()}
    contract = dataclasses.replace(CONTRACT, pools=unmarked)
    decision = speak(contract, SessionVoiceState(), emotional("B", theme="family"))
    assert level_and_reason(decision) == ("skeleton_local", "selection_exhausted")
    assert decision.variants == {Section.OPENER: 0, Section.VALIDATION: 0, Section.CLOSURE: 0}
    assert decision.after.emotional_turn_index == 1 and len(decision.after.rotation_memory.pools) == 2


@pytest.mark.parametrize("bad", [4, 99, -1])
def test_a_remembered_variant_the_contract_lacks_clears_its_pool_and_selects_once_more(bad: int) -> None:
    """rotation_memory_reset: the affected pool is cleared, the other kept, the turn recorded and counted."""
    memory = RotationMemory().recorded(
        [
            (key_of("B|en|validation"), VariantUsage(variant_id=bad, turn_index=1)),
            (key_of("B|en|opener"), VariantUsage(variant_id=0, turn_index=1)),
        ]
    )
    state = SessionVoiceState(rotation_memory=memory, emotional_turn_index=1, last_skeleton=Skeleton.B)
    decision = speak(CONTRACT, state, emotional("B"))
    assert level_and_reason(decision) == ("skeleton_local", "rotation_memory_reset")
    assert decision.variants[Section.OPENER] == 1, "the healthy pool still remembers"
    assert decision.after.rotation_memory.pools[key_of("B|en|validation")].history == (
        VariantUsage(variant_id=0, turn_index=2),
    )


@pytest.mark.parametrize("text", ["", "   ", None, 5])
def test_a_variant_without_text_is_absolute_and_changes_nothing(text: Any) -> None:
    """assembly_failure: what cannot be put together is not half said, half recorded."""
    broken = dataclasses.replace(CONTRACT, pools={**CONTRACT.pools, key_of("B|en|closure"): (Variant(text=text),)})
    before = after("A")
    decision = speak(broken, before, emotional("B"))
    assert level_and_reason(decision) == ("absolute", "assembly_failure")
    assert decision.after is before and decision.resets == ()


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"theme": "work"}, "unknown_theme"),
        ({"theme": 3}, "unknown_theme"),
        ({"escalation": "up"}, "unknown_escalation"),
        ({"escalation": ["latched"]}, "unknown_escalation"),
        ({"topic_shift": "yes"}, "unknown_topic_shift"),
        ({"topic_shift": None}, "unknown_topic_shift"),
    ],
)
def test_an_unknown_latch_or_signal_leaves_what_stands(more: dict[str, Any], reason: str) -> None:
    """The turn is spoken from its own table with the latches as they were, and says what it did not know."""
    before = speak(CONTRACT, SessionVoiceState(), emotional("B", theme="family", escalation="latched")).after
    decision = speak(CONTRACT, before, emotional("B", **more))
    assert level_and_reason(decision) == ("skeleton_local", reason)
    assert (decision.after.latched_theme, decision.after.escalation_state) == ("family", "latched")
    assert decision.variants == speak(CONTRACT, before, emotional("B")).variants


def test_the_furthest_step_back_is_the_one_shown_and_all_are_listed() -> None:
    """A turn with two faults lists both; `fallback` is the one that went further."""
    decision = speak(CONTRACT, SessionVoiceState(), emotional("B", language="fr", theme="work"))
    assert [f.reason.value for f in decision.fallbacks] == ["unknown_theme", "unknown_language"]
    assert level_and_reason(decision) == ("english", "unknown_language")


def test_levels_are_ordered_from_near_to_far() -> None:
    """Local before English before absolute; nothing for nothing."""
    steps = tuple(
        Fallback(level=level, reason=FallbackReason.SELECTION_EXHAUSTED, sentence="") for level in FallbackLevel
    )
    found = furthest((steps[1], steps[2], steps[0]))
    assert found is steps[2] and furthest(()) is None


def test_a_decision_prints_as_json_with_everything_it_decided() -> None:
    """The keys a caller can rely on, and a round trip through JSON."""
    decision = speak(CONTRACT, after("B"), emotional("B", turn_id="m-7"))
    printed = json.loads(json.dumps(decision.to_dict()))
    assert list(printed) == [
        "turn",
        "text",
        "contract",
        "skeleton",
        "language",
        "variants",
        "resets",
        "choices",
        "fallbacks",
        "state_before",
        "state_after",
    ]
    assert printed["variants"] == {"opener": 1, "validation": 1, "closure": 0}
    assert printed["choices"][0] == {
        "section": "opener",
        "variant_id": 1,
        "decided_by": "lowest_index",
        "eligible": [0, 1, 2],
        "removed": [{"variant_id": 0, "why": "just_used"}],
        "scores": {"1": 0, "2": 0},
        "recorded": True,
    }
    assert SessionVoiceState.from_dict(printed["state_after"]) == decision.after
    assert printed["turn"]["turn_id"] == "m-7"


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.sampled_from(["A", "B", "C", "D", "hi", "en"])
)


@settings(deadline=None, max_examples=300)
@given(
    st.one_of(st.sampled_from(["emotional", "non_emotional"]), ANYTHING),
    ANYTHING,
    ANYTHING,
    ANYTHING,
    ANYTHING,
    ANYTHING,
)
def test_no_turn_raises_and_every_decision_is_printable(
    intent: Any, skeleton: Any, language: Any, escalation: Any, theme: Any, shift: Any
) -> None:
    """Whatever the fields hold, the answer is a decision; what was wrong is a fallback in it."""
    turn = VoiceTurn(
        intent=intent, skeleton=skeleton, language=language, escalation=escalation, theme=theme, topic_shift=shift
    )
    decision = speak(CONTRACT, after("A"), turn)
    json.dumps(decision.to_dict())
    assert decision.text or intent == "non_emotional"
    if decision.fallback is not None and decision.fallback.level is FallbackLevel.ABSOLUTE:
        assert decision.after is decision.before


def test_huge_values_are_shown_short() -> None:
    """A message never carries a caller's megabyte, nor a number too long to print."""
    decision = speak(CONTRACT, SessionVoiceState(), emotional("x" * 1_000_000, theme=10**5000))
    assert len(json.dumps(decision.to_dict())) < 3_000


def test_a_turn_goes_through_plain_data() -> None:
    """from_dict takes what to_dict gives, and refuses what is no turn."""
    turn = emotional("B", language="hi", theme="family", turn_id=4)
    assert VoiceTurn.from_dict(turn.to_dict()) == turn
    for raw in ({}, {"skeleton": "A"}, {"intent": "emotional", "mood": 1}, [], None, {"intent": "emotional", 1: 2}):
        with pytest.raises(VoiceError):
            VoiceTurn.from_dict(raw)
