"""Promises of Voice, the object a session carries: one pass per turn, strict mode, resuming, keeping to itself."""

from __future__ import annotations

import copy
import json
import pickle
import threading
from pathlib import Path
from typing import Any

import pytest

from recollect.core.voice.state import SessionVoiceState
from recollect.core.voice.turn import VoiceTurn
from recollect.engine.voice import Voice, load_contract
from recollect.errors import VoiceError

CONTRACT = load_contract()


def emotional(skeleton: Any = "B", **more: Any) -> VoiceTurn:
    return VoiceTurn(intent="emotional", skeleton=skeleton, **more)


@pytest.mark.parametrize("turn_id", ["m-1", 1, "", 0])
def test_a_turn_named_twice_is_an_error_and_changes_nothing(turn_id: str | int) -> None:
    """One pass per turn: the second call raises, and the next turn goes on as if it had not been made."""
    voice = Voice(CONTRACT)
    voice.turn(emotional(turn_id=turn_id))
    state = voice.state
    with pytest.raises(VoiceError) as caught:
        voice.turn(emotional("C", turn_id=turn_id))
    assert caught.value.reason == "turn_repeated"
    assert voice.state is state


def test_an_older_turn_cannot_be_spoken_again_either() -> None:
    """All turns of the session are known by name, not just the last."""
    voice = Voice(CONTRACT)
    for number in range(5):
        voice.turn(emotional(turn_id=number))
    with pytest.raises(VoiceError):
        voice.turn(emotional(turn_id=0))


def test_turns_without_a_name_are_always_new() -> None:
    """A caller that names nothing simply speaks."""
    voice = Voice(CONTRACT)
    assert [voice.turn(emotional("A")).after.emotional_turn_index for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("turn_id", [True, 1.5, ["m"], b"m", "x" * 201])
def test_a_name_that_is_none_is_refused(turn_id: Any) -> None:
    """A turn_id is a short string or a whole number."""
    with pytest.raises(VoiceError) as caught:
        Voice(CONTRACT).turn(emotional(turn_id=turn_id))
    assert caught.value.reason == "turn_malformed"


def test_what_is_no_turn_is_refused() -> None:
    """Only a VoiceTurn can be spoken."""
    with pytest.raises(VoiceError):
        Voice(CONTRACT).turn({"intent": "emotional"})  # type: ignore[arg-type]


@pytest.mark.parametrize("contract", [None, "default.toml", {}])
def test_a_voice_without_a_contract_cannot_be_made(contract: Any) -> None:
    """A path or nothing is no contract; loading is a step of its own."""
    with pytest.raises(VoiceError):
        Voice(contract)


def test_reset_begins_again_as_a_new_session() -> None:
    """State and turn names are forgotten; the same script says the same words again."""
    voice = Voice(CONTRACT)
    script = [emotional(skeleton, turn_id=n) for n, skeleton in enumerate("AABBCC")]
    first = [voice.turn(turn).to_dict() for turn in script]
    voice.reset()
    assert voice.state == SessionVoiceState()
    assert [voice.turn(turn).to_dict() for turn in script] == first


@pytest.mark.parametrize(
    "turn", [emotional("Z"), emotional("B", language="fr"), emotional("B", theme="work"), VoiceTurn(intent="?")]
)
def test_a_strict_voice_raises_where_another_falls_back(turn: VoiceTurn) -> None:
    """Strict mode turns every fallback into a VoiceError with its reason and leaves the state alone."""
    relaxed, strict = Voice(CONTRACT), Voice(CONTRACT, strict=True)
    expected = relaxed.turn(turn).fallback
    with pytest.raises(VoiceError) as caught:
        strict.turn(turn)
    assert expected is not None and caught.value.reason == expected.reason
    assert strict.state == SessionVoiceState()


def test_a_turn_that_raised_may_be_asked_for_again() -> None:
    """Strict mode refused it, so it was not spoken."""
    voice = Voice(CONTRACT, strict=True)
    with pytest.raises(VoiceError):
        voice.turn(emotional("Z", turn_id="m-1"))
    assert voice.turn(emotional("A", turn_id="m-1")).text


def test_a_contract_that_cannot_be_loaded_still_speaks(tmp_path: Path) -> None:
    """open() on a missing or broken file gives a voice that says the fixed pair; strict raises at once."""
    broken = tmp_path / "broken.toml"
    broken.write_text("[contract", encoding="utf-8")
    for path in (tmp_path / "missing.toml", broken):
        decision = Voice.open(path).turn(emotional("C"))
        assert decision.fallback is not None and decision.fallback.reason == "contract_load_failure"
        assert decision.text and decision.after == SessionVoiceState()
        with pytest.raises(VoiceError):
            Voice.open(path, strict=True)


def test_open_without_a_path_speaks_the_shipped_contract() -> None:
    """The default is inside the package."""
    assert Voice.open().contract == CONTRACT


def test_a_voice_goes_on_from_a_dict_the_caller_kept() -> None:
    """Over a wire: the state dict after turn n, sent with turn n+1, gives what one session gives."""
    script = [emotional(s, language=lang) for s, lang in zip("AABBBCCCCAD", ["en"] * 6 + ["hi"] * 5, strict=True)]
    whole = Voice(CONTRACT)
    state: Any = SessionVoiceState().to_dict()
    for turn in script:
        decision = Voice.resume(CONTRACT, json.loads(json.dumps(state))).turn(turn)
        assert decision.to_dict() == whole.turn(turn).to_dict()
        state = decision.after.to_dict()


@pytest.mark.parametrize(
    "state",
    [
        None,
        {},
        "x",
        {"rotation_memory": {"pools": {"B|en|opener": {"window_size": 8, "history": [{"variant_id": -1}]}}}},
        {**SessionVoiceState().to_dict(), "emotional_turn_index": -1},
    ],
)
def test_a_damaged_dict_is_cleared_and_named_once(state: object) -> None:
    """rotation_memory_reset, level skeleton_local, in the next decision and not in the one after; strict raises."""
    voice = Voice.resume(CONTRACT, state)
    first, second = voice.turn(emotional("B")), voice.turn(emotional("B"))
    assert first.fallback is not None
    assert (first.fallback.level, first.fallback.reason) == ("skeleton_local", "rotation_memory_reset")
    assert first.after.emotional_turn_index == 1 and second.fallback is None
    with pytest.raises(VoiceError) as caught:
        Voice.resume(CONTRACT, state, strict=True)
    assert caught.value.reason == "state_corrupt"


def test_the_state_of_a_voice_cannot_be_copied_or_stored_with_it() -> None:
    """A Voice belongs to its session: it neither pickles nor copies."""
    voice = Voice(CONTRACT)
    with pytest.raises(TypeError):
        pickle.dumps(voice)
    with pytest.raises(TypeError):
        copy.deepcopy(voice)


def test_a_decision_kept_by_the_caller_does_not_change_later() -> None:
    """Earlier decisions still show the state of their own turn."""
    voice = Voice(CONTRACT)
    kept = voice.turn(emotional("B"))
    printed = json.dumps(kept.to_dict())
    for skeleton in "BBCCCCA":
        voice.turn(emotional(skeleton))
    assert json.dumps(kept.to_dict()) == printed


def test_threads_on_one_voice_never_share_a_turn_index() -> None:
    """Turns asked for at the same time are taken one after the other."""
    voice = Voice(CONTRACT)
    seen: list[int] = []

    def talk() -> None:
        for _ in range(50):
            seen.append(voice.turn(emotional("B")).after.emotional_turn_index)

    threads = [threading.Thread(target=talk) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(1, 201))


def test_a_very_long_session_still_answers() -> None:
    """Three thousand unbroken turns keep the law and the whole history."""
    voice = Voice(CONTRACT)
    for _ in range(3_000):
        decision = voice.turn(emotional("B"))
    (opener, validation) = decision.after.rotation_memory.pools.values()
    assert len(opener.history) == len(validation.history) == 3_000
    assert [use.variant_id for use in validation.recent()] == [0, 1, 2, 3, 0, 1, 2, 3]
