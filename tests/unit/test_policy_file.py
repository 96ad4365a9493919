"""Policies as strict TOML: the presets, what they promise, and every way a file can be wrong."""

from __future__ import annotations

import dataclasses
import tomllib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.assemble import PRESETS, preset_text, read_policy
from recollect.core.policy import Policy
from recollect.core.policy_file import parse_policy, policy_from
from recollect.core.values import EventType, Space
from recollect.errors import PolicyInvalid


@pytest.mark.parametrize("name", PRESETS)
def test_preset_is_whole(name: str) -> None:
    """Each preset reads, bears its own name, and its printed form reads back to itself."""
    policy = read_policy(name)
    assert policy.name == name
    again = policy_from(policy.snapshot)
    assert again == policy
    assert again.hash == policy.hash


def test_presets_differ_only_in_data() -> None:
    """Four presets are four policies; all have the same keys, but for the section that may be left out."""
    policies = [read_policy(name) for name in PRESETS]
    assert len({policy.hash for policy in policies}) == 4
    shapes = [sorted({*policy.snapshot} - {"companion"}) for policy in policies]
    assert all(shape == shapes[0] for shape in shapes)


def test_contract_is_the_contract() -> None:
    """Session writes only, losers deleted, current phase only, top three, messages, secrets denied."""
    policy = read_policy("contract")
    assert policy.spaces.write == (Space.SESSION,)
    assert policy.losers == "delete"
    assert (policy.phase.mode, policy.phase.allow_cross_phase_recall) == ("current_only", False)
    assert policy.recall.top_k == 3
    assert policy.window.unit == "messages"
    assert policy.privacy.action == "deny"
    assert [str(level) for level in policy.authority_order] == [
        "system_imposed",
        "tool_verified",
        "user_asserted",
        "ai_inferred",
    ]
    assert set(policy.privacy.profile_keys) == {"name", "timezone", "language", "project", "editor", "units"}


@pytest.mark.parametrize("name", ["default", "coding", "companion"])
def test_long_memories_keep_and_mask(name: str) -> None:
    """The other presets archive losers, mask secrets, look across phases, and let nothing expire."""
    policy = read_policy(name)
    assert policy.losers == "archive"
    assert policy.privacy.action == "mask"
    assert policy.phase.allow_cross_phase_recall
    assert policy.window.unit == "exchanges"
    assert (policy.episodes.space, policy.facts.space) == (Space.USER, Space.USER)
    for kind in (policy.retention.short_term, policy.retention.semantic, policy.retention.profile):
        assert all(kind.of(event_type).mode == "never" for event_type in EventType)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("colour = 1\n", "colour"),
        ("[recall.weights]\nluck = 3\n", "recall.weights.luck"),
        ("[retention.semantic.fact]\nmode = 'ttl'\ndays = 3\n", "retention.semantic.fact.days"),
    ],
)
def test_unknown_key_is_named_with_its_path(text: str, path: str) -> None:
    """A key nobody knows is refused with its whole path and what is allowed there."""
    with pytest.raises(PolicyInvalid) as caught:
        parse_policy(text)
    assert repr(path) in caught.value.message
    assert caught.value.hint.startswith("Allowed here:")


def test_wrong_word_names_the_allowed_ones() -> None:
    """A word outside its set is refused with the set."""
    with pytest.raises(PolicyInvalid) as caught:
        parse_policy("write_policy = 'lots'\n")
    assert caught.value.hint == "Allowed: none, minimal, normal, aggressive."


def test_what_a_file_leaves_out_has_the_default() -> None:
    """An empty policy is the default one in everything but the name."""
    assert dataclasses.replace(parse_policy(""), name="default") == Policy()
    assert parse_policy("[window]\nsize = 9\n").window.size == 9


@pytest.mark.parametrize(
    ("unit", "size", "allowed"),
    [("exchanges", 0, "1 to 12 exchanges"), ("exchanges", 13, "1 to 12 exchanges"), ("messages", 201, "0 to 200")],
)
def test_window_has_its_bounds(unit: str, size: int, allowed: str) -> None:
    """The window is 1 to 12 exchanges; where the contract counts messages instead, its own 0 stays possible."""
    with pytest.raises(PolicyInvalid) as caught:
        parse_policy(f"[window]\nunit = '{unit}'\nsize = {size}\n")
    assert caught.value.reason == "policy_out_of_range"
    assert f"Allowed: {allowed}" in caught.value.hint
    for fine in (1, 12):
        assert parse_policy(f"[window]\nunit = '{unit}'\nsize = {fine}\n").window.size == fine


def test_past_policy_is_told_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written under a limit that has changed since is still told, with the policy of its time."""
    wide = dataclasses.replace(Policy(), name="wide", window=dataclasses.replace(Policy().window, size=50))
    memory = Memory.open(":memory:")
    chat = memory.session(user="ana", session="one")
    monkeypatch.setattr(chat, "_office", dataclasses.replace(chat._office, policy=wide))
    chat.remember("The gate code rotates monthly.")
    told = chat.traces()[0]["policy_snapshot"]
    assert told["window"]["size"] == 50


def test_retention_may_be_a_word() -> None:
    """`never` can be written as one word."""
    assert parse_policy("[retention.semantic]\nfact = 'never'\n").retention.semantic.fact is not None
    with pytest.raises(PolicyInvalid):
        parse_policy("[retention.semantic]\nfact = 'soon'\n")


def test_policy_is_frozen() -> None:
    """Nobody changes a policy that is in force."""
    policy = read_policy("default")
    with pytest.raises(dataclasses.FrozenInstanceError):
        policy.name = "other"  # type: ignore[misc]


KEYS = sorted(tomllib.loads(preset_text("contract")))
odd_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["mode", "ticks", "size", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from([*KEYS, "x"]), odd_values, max_size=3))
def test_any_data_is_a_policy_or_a_typed_error(raw: dict[str, object]) -> None:
    """Whatever nested data comes in, it is read whole or refused with a reason; nothing else is raised."""
    try:
        policy = policy_from(raw)
    except PolicyInvalid as error:
        assert error.reason.startswith("policy_")
    else:
        assert policy_from(policy.snapshot) == policy


@settings(max_examples=200)
@given(st.text(max_size=60))
def test_any_text_is_a_policy_or_a_typed_error(text: str) -> None:
    """Any text at all is TOML of a policy or refused."""
    try:
        parse_policy(text)
    except PolicyInvalid as error:
        assert error.message
