"""How text is cleaned, compared, shortened and printed, and the numbers that stand for it."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.core.canonical import canonical, digest, link, ordered, recall_hash, short_key
from recollect.core.integers import half_life_micro, ln_micro
from recollect.core.plain import plain
from recollect.core.text import cut, has_words, is_low_signal, normalise, one_line, storable
from recollect.core.words import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My name is Ada!", "my name is ada"),
        ("  A--B\t c ", "a b c"),
        ("snake_case", "snake case"),
        ("", ""),
        ("...", ""),
        ("Straße", "strasse"),
        ("नमस्ते दुनिया", "नमस्ते दुनिया"),
        ("ＦＵＬＬ", "full"),
    ],
)
def test_normalise(text: str, expected: str) -> None:
    """Lower case, other characters one space; letters of every script stay."""
    found = normalise(text)
    assert found == expected or (not text.isascii() and found.replace(" ", "") == re.sub(r"\W", "", expected))


@given(st.text())
def test_normalise_is_settled(text: str) -> None:
    """Normalising twice changes nothing more, and never adds a character that cannot be compared."""
    once = normalise(text)
    assert normalise(once) == once
    assert once == once.strip()


def test_two_scripts_never_share_a_key() -> None:
    """Sentences in scripts without ASCII letters stay different."""
    texts = ["मैं ठीक हूँ", "मैं खुश हूँ", "你好", "再见", "שלום", "Привет"]
    assert len({normalise(text) for text in texts}) == len(texts)


@given(st.text())
def test_storable_text_can_be_stored(text: str) -> None:
    """Whatever comes in becomes valid UTF-8 without NUL, character for character."""
    kept = storable(text)
    assert len(kept) == len(text)
    assert "\x00" not in kept
    kept.encode("utf-8")
    assert storable(kept) == kept


@pytest.mark.parametrize(
    ("text", "is_visible"),
    [
        ("a", True),
        ("", False),
        (" \n", False),
        ("\u200b", False),
        ("\u200ba", True),
        ("\x00", False),
        ("🧠", True),
        ("॥", True),
    ],
)
def test_has_words(text: str, is_visible: bool) -> None:
    """White space and invisible characters alone are nothing."""
    assert has_words(text) is is_visible


@pytest.mark.parametrize("text", ["ok", "Okay!", "THANKS", "thank you.", "hey", " cool "])
def test_low_signal(text: str) -> None:
    """The contract's nine words, however they are written."""
    assert is_low_signal(text)
    assert not is_low_signal(f"{text} and more")


@given(st.text(), st.integers(1, 50))
def test_one_line_is_one_line(text: str, limit: int) -> None:
    """A trace's words are on one line and cut at the limit, and say so."""
    line = one_line(text, limit)
    assert len(line.splitlines()) <= 1
    assert len(line) <= limit + len("... (truncated)")


def test_cut_says_that_something_is_missing() -> None:
    """What is longer than its share ends in an ellipsis."""
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdefg", 6) == "abcdef..."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The users' Postgres databases", ["users", "postgres", "databases"]),
        ("Maria's tea — it's what we like", ["maria", "tea"]),
        ("don't", []),
        ("ＦＵＬＬ width", ["full", "width"]),
        ("snake_case", ["snake", "case"]),
        ("", []),
    ],
)
def test_searchable_words(text: str, expected: list[str]) -> None:
    """Folded, without possessives and very common words."""
    assert words(text) == expected


# one byte form


def test_known_hashes() -> None:
    """The contract's own recall hashes: of nothing, and of the first two turns of nobody."""
    assert recall_hash(()).startswith("e3b0c442")
    turns = [("short_term", f"session:anonymous:short_term:{n}") for n in (1, 2)]
    assert recall_hash(turns).startswith("59a23a2b")
    assert recall_hash(turns[::-1]) != recall_hash(turns)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), values, max_size=6))
def test_canonical_does_not_depend_on_the_order_of_filling(value: dict[str, object]) -> None:
    """The same mapping filled in another order has the same bytes."""
    turned = dict(reversed(list(value.items())))
    assert canonical(turned) == canonical(value)
    assert digest(canonical(turned)) == digest(canonical(value))


def test_canonical_refuses_what_is_no_number() -> None:
    """NaN and infinity have no place in a hash."""
    for wrong in (math.nan, math.inf):
        with pytest.raises(ValueError, match="Out of range"):
            canonical([wrong])
        with pytest.raises(ValueError, match="Out of range"):
            ordered([wrong])


def test_chain_depends_on_everything_before() -> None:
    """One changed byte changes every hash after it."""
    first = link(link(bytes(32), b"a"), b"b")
    assert first != link(link(bytes(32), b"c"), b"b")
    assert first != link(link(bytes(32), b"a"), b"c")
    assert len(short_key("x")) == 16


# whole numbers


@given(st.integers(1, 10**12))
def test_logarithm_is_right_to_a_millionth_or_two(n: int) -> None:
    """The whole-number logarithm is that of the mathematics, within the precision of its constant."""
    assert abs(ln_micro(n) - math.log(n) * 1_000_000) <= 12
    assert ln_micro(n + 1) >= ln_micro(n)


@given(st.integers(0, 10_000), st.integers(1, 500))
def test_half_life_falls_and_never_jumps(age: int, half_life: int) -> None:
    """What is left falls with age, is one half after each half-life, and never turns negative."""
    left = half_life_micro(age, half_life)
    assert 0 <= half_life_micro(age + 1, half_life) <= left <= 1_000_000
    if age % half_life == 0 and age // half_life <= 20:
        assert left == 1_000_000 >> (age // half_life)


# the Plain view


def test_plain_view() -> None:
    """Keys sorted and dotted, lists counted and numbered from one, no brackets, one line a value."""
    event = {
        "type": "memory_x",
        "b": {"z": None, "a": True},
        "a": [{"id": 1}, "two\nlines"],
        "empty": [],
        "nothing": {},
        "tab": "a\tb\\c\r\u2028",
    }
    assert plain(event).splitlines() == [
        "a.count: 2",
        "a.1.id: 1",
        "a.2: two\\nlines",
        "b.a: true",
        "b.z: null",
        "empty.count: 0",
        "tab: a\\tb\\\\c\\r\\u2028",
        "type: memory_x",
    ]


keys = st.text(alphabet="abcdefg_", min_size=1, max_size=5)
trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(keys, trees, max_size=4))
def test_plain_view_keeps_one_line_a_value(event: dict[str, object]) -> None:
    """No value, however hostile, opens a line of its own."""
    text = plain(event)
    for line in text.split("\n") if text else []:
        assert re.match(r"[a-g_.0-9count]+: ?", line), line
