"""The door: limits to the letter, time stamped once, names kept apart, and what makes two calls the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.core.values import Lens
from recollect.engine.door import (
    LAST_MS,
    TurnInput,
    fingerprint,
    label,
    name_of,
    positive,
    read_lens,
    read_moment,
    read_query,
    read_turn,
    read_turns,
)
from recollect.errors import InvalidInput, LimitExceeded, RecollectError

LENS = Lens(user="ana", persona="coach")


class Counting:
    """A clock that says how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def now_ms(self) -> int:
        self.asked += 1
        return 1_000_000 + self.asked


def read(**fields: object) -> object:
    return read_turn(TurnInput(**{"text": "x", **fields}), LENS, Counting())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_moment", "ms"),
    [
        (0, 0),
        (LAST_MS, LAST_MS),
        ("1970-01-01", 0),
        ("1970-01-01T00:00:01Z", 1_000),
        ("1970-01-01T00:00:00.001", 1),
        ("1970-01-01T02:00:00+02:00", 0),
        (datetime(1970, 1, 1, tzinfo=UTC), 0),
        (datetime(1970, 1, 1, 5, 45, tzinfo=timezone(timedelta(hours=5, minutes=45))), 0),
        (datetime(2026, 1, 1, 0, 0, 0, 999_999, tzinfo=UTC), 1_767_225_600_999),
    ],
)
def test_moments_become_milliseconds(given_moment: object, ms: int) -> None:
    """A datetime with a zone, an ISO text (UTC where it names none) and milliseconds mean one thing each."""
    assert read_moment(given_moment, "at") == ms  # type: ignore[arg-type]


@given(st.one_of(st.text(max_size=30), st.integers(), st.floats(), st.booleans(), st.none(), st.datetimes()))
def test_any_moment_is_read_or_refused(value: object) -> None:
    """Whatever is given as a time becomes milliseconds within the years 1970 to 9999, or a typed error."""
    try:
        assert 0 <= read_moment(value, "at") <= LAST_MS  # type: ignore[arg-type]
    except InvalidInput as error:
        assert error.reason in {"wrong_type", "bad_time", "naive_time"}


def test_time_is_stamped_once_and_only_where_it_is_missing() -> None:
    """The clock is asked once for a turn without a time, and never for one that has its own."""
    clock = Counting()
    assert read_turn(TurnInput(text="x"), LENS, clock).at_ms == 1_000_001
    assert clock.asked == 1
    assert read_turn(TurnInput(text="x", at=5), LENS, clock).at_ms == 5
    assert clock.asked == 1


@pytest.mark.parametrize(
    ("fields", "is_allowed"),
    [
        ({"text": "x" * 1_048_576}, True),
        ({"text": "x" * 1_048_577}, False),
        ({"text": "é" * 524_288}, True),
        ({"text": "é" * 524_289}, False),
        ({"speaker": "s" * 500}, True),
        ({"speaker": "s" * 501}, False),
        ({"files": ["f" * 4_096]}, True),
        ({"files": ["f" * 4_097]}, False),
        ({"files": ["f"] * 100}, True),
        ({"files": ["f"] * 101}, False),
        ({"meta": {str(n): "" for n in range(64)}}, True),
        ({"meta": {str(n): "" for n in range(65)}}, False),
        ({"meta": {"k": "v" * 10_000}}, True),
        ({"meta": {"k": "v" * 10_001}}, False),
        ({"meta": {"k": 2**63}}, True),
        ({"meta": {"k": 2**70}}, False),
    ],
    ids=lambda value: str(value)[:30] if isinstance(value, dict) else str(value),
)
def test_limits_are_exact(fields: dict[str, object], is_allowed: bool) -> None:
    """The last allowed size is allowed, and the next is refused as a limit."""
    if is_allowed:
        read(**fields)
    else:
        with pytest.raises(LimitExceeded):
            read(**fields)


def test_metadata_is_sorted_and_plain() -> None:
    """Metadata becomes pairs of texts in one order, whatever order and types came in."""
    turn = read(meta={"b": 1, "a": None, "c": True, "d": 1.5, "e": "x"})
    assert turn.meta == (("a", "null"), ("b", "1"), ("c", "true"), ("d", "1.5"), ("e", "x"))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("role", "source", "expected"), [("user", "", "chat"), ("tool", "", "tool"), ("user", "web:a:b", "web:a:b")]
)
def test_source_follows_the_role_where_none_is_named(role: str, source: str, expected: str) -> None:
    """A tool's words come through the tool's opening, everybody else's through the chat."""
    assert read(role=role, source=source).source == expected  # type: ignore[attr-defined]


base = TurnInput(
    text="x", role="user", speaker="s", at=1, ref="r", source="chat", tool="t", files=("f",), meta={"k": 1}
)


@pytest.mark.parametrize(
    "change",
    [
        {"text": "y"},
        {"role": "assistant"},
        {"speaker": "z"},
        {"at": 2},
        {"at": None},
        {"ref": "z"},
        {"source": "web"},
        {"tool": "z"},
        {"files": ()},
        {"meta": {"k": 2}},
        {"private": True},
    ],
    ids=str,
)
def test_every_field_is_part_of_the_fingerprint(change: dict[str, object]) -> None:
    """Two calls are the same command only if every field the caller gave is the same."""
    fields = {name: getattr(base, name) for name in TurnInput.__dataclass_fields__}
    other = TurnInput(**{**fields, **change})
    prints = [fingerprint([read_turn(given, LENS, Counting())], [given]) for given in (base, other, base)]
    assert prints[0] == prints[2]
    assert prints[0] != prints[1]


def test_stamped_time_is_not_part_of_the_fingerprint() -> None:
    """A time nobody gave does not make two calls different."""
    given_turn = TurnInput(text="x")
    clock = Counting()
    first, second = (fingerprint([read_turn(given_turn, LENS, clock)], [given_turn]) for _ in range(2))
    assert first == second


@given(st.text(max_size=250))
def test_any_name_is_kept_exactly_or_refused(name: str) -> None:
    """A name is stored as it is, or not at all; two names never become one."""
    try:
        kept = name_of(name, "user")
    except RecollectError as error:
        assert error.reason
    else:
        assert kept == name
        assert read_lens(user=name, session="", persona="", project="", authority="").user_place


@given(st.one_of(st.text(), st.integers(), st.none(), st.binary()))
def test_any_query_is_read_or_refused(query: object) -> None:
    """A question may be empty or odd; it becomes storable text or a typed error."""
    try:
        read_query(query).encode("utf-8")  # type: ignore[arg-type]
    except InvalidInput as error:
        assert error.reason == "wrong_type"


@given(st.one_of(st.integers(), st.floats(), st.text(max_size=5), st.booleans(), st.none()))
def test_positive_is_a_whole_number_in_range(value: object) -> None:
    """Only whole numbers from one to the limit pass; a boolean is not a number."""
    try:
        assert 1 <= positive(value, "n", 100) <= 100  # type: ignore[arg-type]
        assert type(value) is int
    except (InvalidInput, LimitExceeded):
        assert type(value) is not int or not 1 <= value <= 100


def test_labels_are_storable() -> None:
    """A short text is cleaned like any other, and never longer than its limit."""
    assert label("a\x00\ud800", "ref") == "a\ufffd\ufffd"
    with pytest.raises(LimitExceeded):
        label("aaa", "ref", 2)


def test_batches_are_read_one_by_one() -> None:
    """A batch may be any iterable of turns or mappings, and is refused whole when one of them is wrong."""
    turns = read_turns({"text": str(n)} for n in range(3))
    assert [turn.text for turn in turns] == ["0", "1", "2"]
    assert read_turns([]) == []
    assert read_turns([TurnInput(text="x")]) == [TurnInput(text="x")]
    for wrong in ("abc", {"text": "x"}, 5, None, [5], [{"colour": "red"}], [{}]):
        with pytest.raises(InvalidInput):
            read_turns(wrong)
