"""Promises of pin, unpin, mark, confirm, correct, forget, unforget, promote, phase and policy."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from cli_runner import Line

from recollect.assemble import PRESETS, read_policy
from recollect.core.policy_file import parse_policy

FACT = "user:me:profile:1"


@pytest.fixture
def line(tmp_path: Path) -> Line:
    made = Line(tmp_path)
    made("remember", "I live in Lisbon.", "--session", "monday")
    return made


def test_pin_and_unpin(line: Line) -> None:
    """A pinned memory shows so, and can be listed by it."""
    assert line("pin", FACT).out.startswith("✓ pinned")
    assert "pinned Lives in Lisbon" in line("list", "--pinned").out
    line("unpin", FACT)
    assert line("list", "--pinned", "--json").json["items"] == []
    assert len(line("list", "--not-pinned", "--kind", "profile", "--json").json["items"]) == 1


def test_mark_sets_the_importance_within_the_policy(line: Line) -> None:
    """Inside the range it is set, outside it is exit 2."""
    line("mark", FACT, "1")
    assert line("show", FACT, "--json").json["importance"] == 1
    assert "from 0 to" in line("mark", FACT, "99", code=2).err
    assert line("mark", FACT, "much", code=2).out == ""


def test_forget_and_unforget(line: Line) -> None:
    """Forgotten is archived, and comes back."""
    assert line("forget", FACT).out.startswith("✓ forgotten")
    assert "Lisbon" not in line("list", "--kind", "profile").out
    assert line("unforget", FACT).out.startswith("✓ brought back")
    assert "Lisbon" in line("list", "--kind", "profile").out
    refused = line("unforget", FACT, "--json", code=3).json["error"]
    assert refused["code"] == "refused" and refused["reason"] == "not_forgotten"


def test_correct_puts_the_new_words_in_place(line: Line) -> None:
    """The correction stands, the old claim does not, and the receipt says over what."""
    said = line("correct", FACT, "Lives in Berlin")
    assert said.out.startswith("✓ corrected") and f"over {FACT}" in said.out
    text = line("recall", "where do I live?", "--json").json["text"]
    assert "| Lives in Berlin" in text and "| Lives in Lisbon" not in text
    line("correct", "user:me:profile:2", "-", stdin="Lives in Porto\n")
    assert "| Lives in Porto" in line("recall", "where do I live?").out


def test_confirm_lifts_a_quarantine(line: Line) -> None:
    """Words from outside are recalled once a person vouches for them."""
    line("remember", "The billing export runs at noon.", "--source", "web:x.example", "--session", "monday")
    outside = line("list", "--status", "quarantined", "--json").json["items"][0]["id"]
    assert "noon" not in line("recall", "billing export").out
    assert line("confirm", outside).out.startswith("✓ confirmed")
    assert "noon" in line("recall", "billing export").out


def test_promote_copies_to_a_wider_space_or_says_why_not(line: Line) -> None:
    """Allowed by the policy it is written there; otherwise exit 3 with the border's sentence."""
    project = ("--project", "dashboard")
    assert line("promote", FACT, "--to", "project", *project).out.startswith("✓ promoted")
    assert "Lisbon" in line("list", "--user", "bob", "--space", "project", *project).out
    said = line("promote", FACT, "--to", "project", code=3)
    assert said.out.startswith("✗ denied") and "this session has no such space" in said.out
    line("promote", FACT, "--to", "project", "--ok-if-denied", code=0)
    line("promote", FACT, "--to", "moon", code=2)


def test_nobody_changes_what_is_not_theirs(line: Line) -> None:
    """A foreign id is a missing one, whatever is asked of it."""
    for words in (("pin",), ("unpin",), ("confirm",), ("forget",), ("unforget",)):
        line(*words, FACT, "--user", "bob", code=4)
    line("mark", FACT, "1", "--user", "bob", code=4)
    line("correct", FACT, "x", "--user", "bob", code=4)
    line("promote", FACT, "--to", "project", "--user", "bob", "--project", "p", code=4)


def test_every_act_has_json(line: Line) -> None:
    """A receipt, for each of them."""
    for words in (("pin", FACT), ("unpin", FACT), ("mark", FACT, "2"), ("forget", FACT), ("unforget", FACT)):
        said = line(*words, "--json").json
        assert said["status"] == "committed" and said["fates"][0]["id"] == FACT


# phases


def test_phases_are_started_listed_and_compared(line: Line) -> None:
    """A name, a list, and the difference in the contract's summary lines."""
    monday = ("--session", "monday")
    assert "✓ phase-2 'second draft' began" in line("phase", "start", "second draft", *monday).out
    line("remember", "We decided to use Postgres.", *monday)
    phases = line("phase", "list", *monday, "--json").json["phases"]
    assert [(p["phase_id"], p["phase_name"]) for p in phases] == [("phase-1", None), ("phase-2", "second draft")]
    assert "second draft" in line("phase", "list", *monday).out
    diff = line("phase", "diff", "1", "phase-2", *monday, "--json").json
    assert diff["summary_lines"] == ["Added 1 items", "Deleted 0 items", "Replaced 0 items"]
    assert diff["changes"] == [{"change": "added", "from_id": None, "to_id": "session:me/monday:short_term:2"}]
    assert "session:me/monday:short_term:2" in line("phase", "diff", "1", "2", *monday).out
    line("phase", "diff", "one", "2", code=2)
    line("phase", "start", "--space", "project", code=4)
    assert line("phase", "start", "--json", *monday).json["phase_id"] == "phase-3"


# policies


@pytest.mark.parametrize("preset", PRESETS)
def test_policy_show_is_toml_that_reads_back_to_the_same_policy(line: Line, preset: str) -> None:
    """What is printed can be saved, changed and used."""
    out = line("policy", "show", "--policy", preset).out
    assert parse_policy(out).hash == read_policy(preset).hash
    told = line("policy", "show", "--policy", preset, "--json").json
    assert told["name"] == preset and told["hash"] == read_policy(preset).hash and told["policy"]["window"]


def test_policy_show_survives_any_pattern(line: Line, tmp_path: Path) -> None:
    """Quotes, backslashes, control, invisible and astral characters in a policy come back as they were."""
    hard = 'a"b\\\\d\x7f \u009b\u202e \U000e0041 \U0001f600 \u00ad é'
    path = tmp_path / "hard.toml"
    path.write_text(
        '[privacy]\nmarkers = ["' + hard.replace('"', '\\"').replace("\x7f", "\\u007f") + '"]\n', encoding="utf-8"
    )
    out = line("policy", "show", "--policy", str(path)).out
    assert tomllib.loads(out)["privacy"]["markers"] == list(read_policy(path).privacy.markers)
    assert "\u202e" not in out and "\u009b" not in out


def test_policy_check_says_what_is_wrong_and_what_is_allowed(line: Line, tmp_path: Path) -> None:
    """Valid is exit 0; an unknown key, a wrong value and a missing file are exit 2 with a hint."""
    path = tmp_path / "mine.toml"
    path.write_text("[window]\nsize = 2\n", encoding="utf-8")
    assert line("policy", "check", str(path)).out.startswith("✓ mine is valid")
    path.write_text("[window]\nsice = 2\n", encoding="utf-8")
    said = line("policy", "check", str(path), code=2)
    assert "window.sice" in said.err and "Allowed here: unit, size" in said.err
    assert line("policy", "check", str(path), "--json", code=2).json["error"]["reason"] == "policy_unknown_key"
    assert "Presets: default" in line("policy", "check", "missing.toml", code=2).err


def test_policy_presets_are_listed_with_what_they_are_for(line: Line) -> None:
    """All four, each with a sentence."""
    rows = line("policy", "presets", "--json").json["presets"]
    assert [row["name"] for row in rows] == list(PRESETS)
    assert all(len(row["about"]) > 20 and row["hash"] for row in rows)
    assert all(name in line("policy", "presets").out for name in PRESETS)


def test_policy_dry_run_counts_what_another_policy_would_refuse(line: Line) -> None:
    """Nothing is written, and each refusal has a sentence and an example."""
    line("remember", "The weather is fine.")
    before = line("stats", "--hash", "--json").json["state_hash"]
    told = line("policy", "dry-run", "contract", "--json").json
    assert told["turns"] == 2 and sum(told["refused"].values()) + told["kept"] == 2 and told["refused"]
    out = line("policy", "dry-run", "contract").out
    assert "of 2 stored turns" in out and "user:me:semantic:2" in out
    assert line("stats", "--hash", "--json").json["state_hash"] == before
    line("policy", "dry-run", "missing.toml", code=2)


def test_the_policy_of_a_call_is_in_force(line: Line) -> None:
    """--policy decides; so does the environment."""
    line("remember", "The weather is fine.", "--policy", "contract", "--user", "bob")
    assert line("list", "--user", "bob", "--kind", "semantic", "--json").json["items"] == []
    line("remember", "x", "--policy", "missing.toml", code=2)
