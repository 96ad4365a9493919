"""Promises about printing: no text can drive the terminal or pose as markup, and JSON carries it exactly."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from cli_runner import Line
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.surfaces.cli.safe import json_text, visible, visible_line

HOSTILE = (
    "[bold]not bold[/bold] [link=http://x.example]x[/link] \x1b[31mred\x1b]0;title\x07 \x9b2J \u202eright\u202c \r\x08"
)
# What may not reach a terminal from a stored text, spelled independently of the code under test.
DRIVERS = {"Cc", "Cs", "Zl", "Zp"}
HIDDEN = set("\u00ad\u061c\u180e\u200b\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff\ufff9\ufffa\ufffb")
HIDDEN |= {chr(code) for code in [*range(0x202A, 0x202F), *range(0x2066, 0x2070), *range(0xE0000, 0xE0080)]}


def is_harmless(text: str, allowed: str = "\n\t") -> bool:
    return all(c in allowed or (unicodedata.category(c) not in DRIVERS and c not in HIDDEN) for c in text)


@settings(deadline=None)
@given(st.text(st.characters()))
def test_no_text_can_drive_a_terminal(text: str) -> None:
    """Whatever comes in, only harmless characters go out."""
    assert is_harmless(visible(text))
    assert is_harmless(visible_line(text), allowed="")
    assert len(visible_line(text, 40)) <= 40


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Lo", "Cn", "Co"])))
def test_ordinary_text_is_shown_as_it_is(text: str) -> None:
    """Nothing is spelled out that need not be."""
    assert visible(text) == text


@pytest.mark.parametrize(
    "text", ["👩\u200d👩\u200d👧", "می\u200cخواهم", "क्\u200dष", "héllo wörld", "日本語", "a\tb\nc"]
)
def test_joiners_of_real_writing_stay(text: str) -> None:
    """Emoji, Persian and Hindi keep their spelling."""
    assert visible(text) == text


@settings(deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(st.characters()), lambda x: st.lists(x, max_size=3)
    )
)
def test_json_reads_back_to_the_same_value_and_is_harmless(value: object) -> None:
    """Escapes mean themselves; a terminal is as safe from JSON as from words."""
    for is_ascii in (True, False):
        text = json_text(value, is_ascii=is_ascii)
        assert json.loads(text) == value and is_harmless(text)


def test_a_hostile_memory_is_harmless_everywhere(tmp_path: Path) -> None:
    """Every command that shows a text shows it spelled out, its markup as written."""
    line = Line(tmp_path)
    shown = [line("remember", HOSTILE, "--speaker", "\x1b[5mEve", "--ref", "\x1b[7m", "--session", "s\u202e").out]
    line("fact", HOSTILE, "--session", "s\u202e")
    line("rule", HOSTILE, "--session", "s\u202e")
    line("phase", "start", "\x1b[31mphase", "--session", "s\u202e")
    words = [["recall", "bold", "--why", "--trace"], ["search", "bold"], ["list"], ["trace"], ["trace", "--plain"]]
    words += [["show", "user:me:semantic:1"], ["phase", "list"]]
    shown += [line(*each, "--session", "s\u202e").out for each in words]
    for out in shown:
        assert is_harmless(out), repr(out)
    assert "[bold]not bold[/bold]" in shown[0] and "\\x1b[31mred" in shown[0]
    assert all("[bold]not bold[/bold]" in out for out in shown[:-1])


def test_json_carries_a_hostile_memory_exactly(tmp_path: Path) -> None:
    """What went in comes out, through characters that cannot drive the terminal that prints it."""
    line = Line(tmp_path)
    line("remember", HOSTILE)
    said = line("show", "user:me:semantic:1", "--json")
    assert said.json["text"] == HOSTILE and is_harmless(said.out)


def test_errors_spell_out_what_they_quote(tmp_path: Path) -> None:
    """A hostile argument does not reach the terminal through the error about it."""
    line = Line(tmp_path)
    for words in (
        ["remember", "x", "--role", "\x1b[31mboss"],
        ["list", "--db", "\x1b[31m.db"],
        ["remember", "--file", "\x1b[31m.jsonl"],
        ["policy", "check", "\x1b[31m.toml"],
        ["remember", "x", "--user", "\ud800"],
    ):
        said = line(*words, code=None)
        assert said.code in {2, 4} and said.err.startswith("error: ") and is_harmless(said.err + said.out)
