"""Promises of the voice's state: values, windows, plain data, and damage that stays contained."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from recollect.core.voice.state import (
    Language,
    PoolKey,
    RotationMemory,
    Section,
    SessionVoiceState,
    Skeleton,
    VariantUsage,
    VariantUsageWindow,
    read_state,
)
from recollect.errors import VoiceError

KEY = PoolKey(skeleton=Skeleton.A, language=Language.EN, section=Section.OPENER)
HEALTHY: dict[str, Any] = {
    "rotation_memory": {
        "pools": {
            "A|en|opener": {
                "window_size": 6,
                "history": [{"variant_id": 0, "turn_index": 1}, {"variant_id": 1, "turn_index": 2}],
            },
            "B|en|opener": {"window_size": 8, "history": [{"variant_id": 0, "turn_index": 3}]},
        }
    },
    "escalation_state": "latched",
    "latched_theme": "family",
    "emotional_turn_index": 3,
    "last_skeleton": "B",
}


def damaged(path: str, value: object) -> dict[str, Any]:
    """The healthy state with the value at a path replaced, or removed for the word REMOVE."""
    state = copy.deepcopy(HEALTHY)
    place: Any = state
    *parents, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    for part in parents:
        place = place[part]
    if value == "REMOVE":
        del place[last]
    else:
        place[last] = value
    return state


def usage(variant_id: int, turn_index: int) -> VariantUsage:
    return VariantUsage(variant_id=variant_id, turn_index=turn_index)


def test_history_is_append_only_and_the_window_is_its_end() -> None:
    """Entries beyond the window are kept and not looked at."""
    memory = RotationMemory()
    for turn in range(1, 11):
        memory = memory.recorded([(KEY, usage(turn % 2, turn))])
    assert [use.turn_index for use in memory.pools[KEY].history] == list(range(1, 11))
    assert [use.turn_index for use in memory.window(KEY)] == [5, 6, 7, 8, 9, 10]


def test_recording_leaves_the_earlier_value_alone() -> None:
    """A memory recorded on is a new value; the old one still says what it said."""
    before = RotationMemory().recorded([(KEY, usage(0, 1))])
    after = before.recorded([(KEY, usage(1, 2))])
    assert len(before.window(KEY)) == 1 and len(after.window(KEY)) == 2


def test_clearing_takes_the_named_pools_and_no_other() -> None:
    """What is cleared is gone, and its neighbour is not."""
    other = PoolKey(skeleton=Skeleton.A, language=Language.EN, section=Section.VALIDATION)
    memory = RotationMemory().recorded([(KEY, usage(0, 1)), (other, usage(0, 1))])
    assert list(memory.without([KEY]).pools) == [other]


def test_fresh_states_share_nothing() -> None:
    """Two new states are equal and do not hold the same pools object."""
    one, two = SessionVoiceState(), SessionVoiceState()
    assert one == two
    assert one.rotation_memory.pools is not two.rotation_memory.pools


def test_a_state_goes_through_plain_data_unchanged() -> None:
    """to_dict and from_dict are each other's inverse, through JSON as well."""
    state = SessionVoiceState.from_dict(HEALTHY)
    assert state.to_dict() == HEALTHY
    assert SessionVoiceState.from_dict(json.loads(json.dumps(state.to_dict()))) == state


def test_an_empty_state_prints_as_empty() -> None:
    """A session that has not spoken has no pools and index 0."""
    assert SessionVoiceState().to_dict() == {
        "rotation_memory": {"pools": {}},
        "escalation_state": "none",
        "latched_theme": None,
        "emotional_turn_index": 0,
        "last_skeleton": None,
    }


def test_the_language_spoken_last_is_that_of_the_newest_entry() -> None:
    """However the pools are ordered, the newest turn tells the language; nothing tells none."""
    hindi = PoolKey(skeleton=Skeleton.A, language=Language.HI, section=Section.OPENER)
    memory = RotationMemory().recorded([(hindi, usage(0, 7))]).recorded([(KEY, usage(0, 8))])
    assert memory.latest_language() is Language.EN
    assert memory.without([KEY]).latest_language() is Language.HI
    assert RotationMemory().latest_language() is None


POOL = "rotation_memory/pools/A|en|opener"
DAMAGE = [
    ("rotation_memory", "REMOVE"),
    ("rotation_memory", None),
    ("rotation_memory", {"pools": {}, "more": 1}),
    ("rotation_memory/pools", []),
    ("rotation_memory/pools/A|en|coda", {"window_size": 6, "history": []}),
    ("rotation_memory/pools/Z|en|opener", {"window_size": 6, "history": []}),
    ("rotation_memory/pools/A|fr|opener", {"window_size": 6, "history": []}),
    (POOL, None),
    (f"{POOL}/window_size", 7),
    (f"{POOL}/window_size", 6.0),
    (f"{POOL}/window_size", "REMOVE"),
    (f"{POOL}/history", "0,1"),
    (f"{POOL}/scores", [1]),
    (f"{POOL}/history/0", 3),
    (f"{POOL}/history/0/variant_id", -1),
    (f"{POOL}/history/0/variant_id", True),
    (f"{POOL}/history/0/variant_id", 0.0),
    (f"{POOL}/history/0/variant_id", "0"),
    (f"{POOL}/history/0/variant_id", 10**5000),
    (f"{POOL}/history/0/turn_index", 0),
    (f"{POOL}/history/0/turn_index", -4),
    (f"{POOL}/history/0/text", "I hear you."),
    (f"{POOL}/history/1/turn_index", 1),
    (f"{POOL}/history/1/turn_index", 4),
    ("rotation_memory/pools/B|en|opener/history/0/turn_index", 2),
    ("emotional_turn_index", -1),
    ("emotional_turn_index", True),
    ("emotional_turn_index", "3"),
    ("emotional_turn_index", 2.0),
    ("emotional_turn_index", 10**5000),
    ("emotional_turn_index", "REMOVE"),
    ("escalation_state", "calm"),
    ("escalation_state", None),
    ("escalation_state", ["latched"]),
    ("latched_theme", "work"),
    ("latched_theme", 1),
    ("last_skeleton", "E"),
    ("last_skeleton", {}),
    ("user_id", "ana"),
]


@pytest.mark.parametrize(
    ("path", "value"), DAMAGE, ids=lambda part: part if isinstance(part, str) else type(part).__name__
)
def test_every_damage_is_named_and_refused_by_from_dict(path: str, value: object) -> None:
    """A dict that is not exactly a state raises with a reason and is never taken as it is."""
    with pytest.raises(VoiceError) as caught:
        SessionVoiceState.from_dict(damaged(path, value))
    assert caught.value.reason == "state_corrupt"
    assert len(caught.value.message) < 300


@pytest.mark.parametrize(
    ("path", "value"), DAMAGE, ids=lambda part: part if isinstance(part, str) else type(part).__name__
)
def test_what_can_be_read_of_a_damaged_state_is_itself_a_healthy_state(path: str, value: object) -> None:
    """Reading leaves damage out and names it; what remains passes the strict reader."""
    state, faults = read_state(damaged(path, value))
    assert faults
    assert read_state(state.to_dict()) == (state, ())


@pytest.mark.parametrize("raw", [None, 3, "state", [], (), object(), {1: 2}, {}])
def test_what_is_no_state_at_all_reads_as_a_fresh_one(raw: object) -> None:
    """Nothing readable means a new session, with the damage named."""
    state, faults = read_state(raw)
    assert state == SessionVoiceState() and faults


def test_damage_costs_its_own_pool_only() -> None:
    """A bad entry in one pool leaves the others, the index and the latches as they were."""
    state, faults = read_state(damaged(f"{POOL}/history/0/variant_id", -1))
    assert [str(key) for key in state.rotation_memory.pools] == ["B|en|opener"]
    assert (state.emotional_turn_index, state.latched_theme, state.escalation_state) == (3, "family", "latched")
    assert len(faults) == 1


def test_a_bad_index_costs_all_pools_and_keeps_the_latches() -> None:
    """Every entry refers to the index; a readable latch is not given up with it."""
    state, _faults = read_state(damaged("emotional_turn_index", -1))
    assert state.rotation_memory == RotationMemory() and state.emotional_turn_index == 0
    assert (state.latched_theme, state.escalation_state) == ("family", "latched")


def test_one_turn_has_one_skeleton_and_one_language() -> None:
    """Two pools of different tables cannot have spoken in the same turn."""
    state, faults = read_state(damaged("rotation_memory/pools/B|en|opener/history/0/turn_index", 2))
    assert [str(key) for key in state.rotation_memory.pools] == ["A|en|opener"]
    assert "another skeleton or language" in faults[0]


def test_a_window_shows_nothing_before_anything_was_said() -> None:
    """An empty pool reads as an empty window."""
    assert VariantUsageWindow(window_size=6).recent() == ()
    assert RotationMemory().window(KEY) == ()


def test_a_long_history_is_read_in_one_go() -> None:
    """Ten thousand turns of one pool go through plain data and keep their window."""
    history = [{"variant_id": n % 2, "turn_index": n} for n in range(1, 10_001)]
    raw = damaged("rotation_memory/pools", {"A|en|opener": {"window_size": 6, "history": history}})
    state = SessionVoiceState.from_dict({**raw, "emotional_turn_index": 10_000})
    assert [use.turn_index for use in state.rotation_memory.window(KEY)] == list(range(9_995, 10_001))
