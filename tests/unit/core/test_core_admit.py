"""Whether an offered item is let in: the order of the checks, the levels, the tags."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import CONTRACT, DEFAULT, candidate, turn

from recollect.core.item import Fact
from recollect.core.policy import Policy, Privacy
from recollect.core.reasons import DENIED
from recollect.core.values import EventType, Kind, WriteLevel
from recollect.core.write.admit import refusal, tags
from recollect.core.write.privacy import clear

SHORT, EPISODE, FACT = Kind


@pytest.mark.parametrize(
    ("level", "kind", "event_type", "code"),
    [
        ("none", SHORT, "context", ""),
        ("none", EPISODE, "decision", "write_policy_none"),
        ("none", FACT, "fact", "write_policy_none"),
        ("minimal", EPISODE, "decision", ""),
        ("minimal", EPISODE, "rule", ""),
        ("minimal", EPISODE, "context", "write_policy_minimal"),
        ("minimal", EPISODE, "execution", "write_policy_minimal"),
        ("minimal", SHORT, "execution", ""),
        ("normal", EPISODE, "context", "write_policy_context"),
        ("normal", EPISODE, "execution", ""),
        ("aggressive", EPISODE, "context", ""),
    ],
)
def test_write_levels(level: str, kind: Kind, event_type: str, code: str) -> None:
    """None keeps the window only; each level above keeps what the one below keeps, and more."""
    policy = replace(CONTRACT, write_policy=WriteLevel(level))
    assert refusal(candidate(kind=kind, event_type=EventType(event_type)), policy) == code


def test_ordinary_talk_is_a_signal_where_the_policy_says_so() -> None:
    """`normal` keeps ordinary talk in the presets that call it a signal."""
    policy = replace(DEFAULT, write_policy=WriteLevel.NORMAL)
    assert refusal(candidate(), policy) == ""


def test_low_signal_is_refused_below_aggressive() -> None:
    """`ok` and `thanks` are kept only where everything is."""
    offered = candidate("ok", event_type=EventType.DECISION)
    offered.is_low_signal = True
    assert refusal(offered, CONTRACT) == "policy_low_signal"
    assert refusal(offered, replace(CONTRACT, write_policy=WriteLevel.AGGRESSIVE)) == ""


def test_lists_of_event_types() -> None:
    """A denied type is refused, and where an allow list stands, everything not on it."""
    denied = replace(DEFAULT, deny_event_types=(EventType.DECISION,))
    assert refusal(candidate(event_type=EventType.DECISION), denied) == "policy_deny_event_type"
    assert refusal(candidate(event_type=EventType.FACT), denied) == ""
    allowed = replace(DEFAULT, allow_event_types=(EventType.DECISION,))
    assert refusal(candidate(event_type=EventType.FACT), allowed) == "policy_deny_event_type"
    assert tags(candidate(), allowed)[2] == "allowed_by:policy_event_types"


def test_profile_keys_are_allow_listed() -> None:
    """Under contract only its six facts are stored; `*` allows all; a rule is not a fact of a key."""
    offered = candidate(kind=FACT, event_type=EventType.FACT)
    offered.fact = Fact(key="shoe_size", value="42")
    assert refusal(offered, CONTRACT) == "privacy_deny_profile_key"
    assert refusal(offered, DEFAULT) == ""
    offered.fact = Fact(key="name", value="Ada")
    assert refusal(offered, CONTRACT) == ""
    offered.event_type = EventType.RULE
    offered.fact = Fact(key="shoe_size", value="42")
    assert refusal(offered, CONTRACT) == ""


def test_types_that_do_not_become_facts() -> None:
    """A preference does not reach the profile under contract."""
    offered = candidate(kind=FACT, event_type=EventType.PREFERENCE)
    assert refusal(offered, CONTRACT) == "policy_deny_promotion"


def test_privacy_is_asked_first() -> None:
    """Whatever else would refuse an item, a secret is named as the reason."""
    offered = candidate("ok", kind=FACT)
    offered.denial, offered.is_low_signal = "privacy_deny_sensitive", True
    policy = replace(CONTRACT, write_policy=WriteLevel.NONE, deny_event_types=tuple(EventType))
    assert refusal(offered, policy) == "privacy_deny_sensitive"


def test_every_refusal_has_a_sentence() -> None:
    """The codes this file can give are in the table of denials."""
    for code in ("write_policy_none", "write_policy_minimal", "write_policy_context", "policy_low_signal"):
        assert DENIED[code].startswith("denied:")


def test_tags_name_what_let_an_item_pass() -> None:
    """The window passes privacy alone; the rest also level and promotion list."""
    assert tags(candidate(kind=SHORT), CONTRACT) == ("allowed_by:privacy",)
    assert tags(candidate(), CONTRACT) == (
        "allowed_by:privacy",
        "allowed_by:write_policy:normal",
        "allowed_by:promotion_rule",
    )


SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.mark.parametrize(
    "text",
    ["My password is on a note.", "The API KEY works.", "passwords", "ssn", "social security number", "two tokens"],
)
def test_markers_deny_by_word(text: str) -> None:
    """A marker alone denies under contract, in any case, and in the plural."""
    assert clear(turn(text), CONTRACT.privacy).denial == "privacy_deny_sensitive"


@pytest.mark.parametrize(
    "text", ["The classname is long.", "A tokenizer splits.", "a secretary called", "passwordless login", "tokenised"]
)
def test_markers_are_words_and_not_substrings(text: str) -> None:
    """`classname` is not an SSN and a `tokenizer` is not a token."""
    assert clear(turn(text), CONTRACT.privacy).denial == ""


def test_mask_cuts_the_span_and_deny_refuses() -> None:
    """The same secret is cut out under default and denies the turn under contract; its code is all that leaves."""
    given = turn(f"Deploy with {SECRET} today.")
    masked = clear(given, DEFAULT.privacy)
    assert SECRET not in masked.turn.text
    assert masked.turn.text.startswith("Deploy with [masked:")
    assert masked.turn.text.endswith("] today.")
    assert masked.denial == ""
    assert masked.codes
    assert clear(given, CONTRACT.privacy).denial == "privacy_deny_sensitive"


def test_secrets_are_cut_out_of_everything() -> None:
    """Speaker, reference, source, tool, files, metadata keys and values are cleared like the text."""
    given = replace(
        turn("hello", source=f"web:{SECRET}", tool=SECRET),
        speaker=SECRET,
        ref=SECRET,
        files=(f"/tmp/{SECRET}",),
        meta=((SECRET, "v"), ("k", SECRET)),
    )
    cleared = clear(given, DEFAULT.privacy)
    assert SECRET not in repr(cleared)


def test_patterns_of_the_policy_deny_under_either_action() -> None:
    """A forbidden pattern refuses the item even where secrets are only masked."""
    for action in ("mask", "deny"):
        privacy = Privacy(action=action, deny_patterns=("project x",))  # type: ignore[arg-type]
        assert clear(turn("About Project X."), privacy).denial == "privacy_deny_pattern"
        assert clear(turn("About project y."), privacy).denial == ""


def test_clean_turn_is_left_as_it_is() -> None:
    """What holds no secret is not copied, and not changed by a letter."""
    given = turn("Just talk.")
    assert clear(given, Policy().privacy).turn is given
