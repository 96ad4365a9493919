"""Promises of `recollect voice`: check, drift and demo, for people and as JSON, with exit codes from the errors."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from recollect.core.voice.turn import VoiceTurn
from recollect.engine.voice import Voice, load_contract, read_contract
from recollect.surfaces.cli.voice import DEMO, app

SHIPPED = resources.files("recollect").joinpath("data", "voice", "default.toml").read_text(encoding="utf-8")


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})


def contract(tmp_path: Path, *changes: tuple[str, str], name: str = "voice.toml", seal: bool = True) -> Path:
    """The shipped contract as a file, changed, and sealed again with its right checksum."""
    file, text = tmp_path / name, SHIPPED
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")
    if seal:
        sealed = read_contract(file).computed_checksum()
        file.write_text(text.replace(load_contract().checksum, sealed), encoding="utf-8")
    return file


def log(tmp_path: Path, turns: list[VoiceTurn], name: str = "run.jsonl") -> Path:
    voice, file = Voice(load_contract()), tmp_path / name
    lines = [json.dumps(voice.turn(turn).to_dict(), ensure_ascii=False) for turn in turns]
    file.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    return file


def test_the_shipped_contract_passes_the_check(tmp_path: Path) -> None:
    """Exit 0 and one line that says so."""
    done = run("check", contract(tmp_path))
    assert done.exit_code == 0
    assert "default 1.0.0: legal, 49 variants." in done.stdout


def test_an_illegal_contract_names_place_rule_and_words_and_exits_2(tmp_path: Path) -> None:
    """Each problem is one row a person can act on."""
    done = run("check", contract(tmp_path, ("I hear you.", "You should rest.")))
    assert done.exit_code == 2
    assert "A.en.opener[1]" in done.stdout and "advice_word" in done.stdout and "only D may advise" in done.stdout
    assert "not legal" in done.stdout


def test_a_changed_file_is_told_its_new_checksum(tmp_path: Path) -> None:
    """Pasting the checksum the check prints makes the file legal."""
    done = run("check", contract(tmp_path, ("I hear you.", "I am listening."), seal=False), "--json")
    answer = json.loads(done.stdout)
    assert done.exit_code == 2 and [p["code"] for p in answer["problems"]] == ["checksum"]
    fixed = contract(
        tmp_path, ("I hear you.", "I am listening."), (load_contract().checksum, answer["checksum"]), seal=False
    )
    assert run("check", fixed).exit_code == 0


def test_a_change_without_a_version_bump_is_refused_against_the_previous_file(tmp_path: Path) -> None:
    """--previous compares: same version, other content, exit 2; a higher version, exit 0."""
    old = contract(tmp_path, name="old.toml")
    changed = contract(tmp_path, ("I hear you.", "I am listening."), name="new.toml")
    done = run("check", changed, "--previous", old)
    assert done.exit_code == 2 and "version_same" in done.stdout
    raised = contract(tmp_path, ("I hear you.", "I am listening."), ('"1.0.0"', '"1.0.1"'), name="newer.toml")
    assert run("check", raised, "--previous", old).exit_code == 0


def test_warnings_alone_do_not_fail_a_contract(tmp_path: Path) -> None:
    """A pool without approval for family is legal and remarked on."""
    plain = contract(
        tmp_path,
        ('{ text = "Thank you for telling me that.", marks = ["family_ok"] }', '"Thank you for telling me that."'),
        ('{ text = "I hear you.", marks = ["family_ok"] }', '"I hear you."'),
    )
    done = run("check", plain)
    assert done.exit_code == 0 and "no_candidate" in done.stdout


@pytest.mark.parametrize(
    "arguments", [("check", "missing.toml"), ("check", "."), ("drift", "missing.jsonl"), ("drift", ".")]
)
def test_a_file_that_is_not_there_exits_2_with_a_sentence(arguments: tuple[str, str]) -> None:
    """No traceback: one sentence on stderr, or an error object as JSON."""
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.strip().endswith(".")
    as_json = run(*arguments, "--json")
    assert as_json.exit_code == 2
    assert json.loads(as_json.stdout)["error"]["code"] == "voice_error"


def test_a_malformed_contract_exits_2_and_says_where(tmp_path: Path) -> None:
    """Form errors come from the reader, with the path inside the file; markup in them stays text."""
    file = tmp_path / "bad.toml"
    file.write_text(SHIPPED + '\n[A.en."[red]x"]\n', encoding="utf-8")
    done = run("check", file)
    assert done.exit_code == 2
    assert "'[red]x' in A.en" in done.stderr.replace("\n", " ")


def test_drift_reads_kept_decisions_and_warns_in_one_form(tmp_path: Path) -> None:
    """A log of one skeleton in Hindi, where each pool has one variant, warns and still exits 0."""
    done = run("drift", log(tmp_path, [VoiceTurn(intent="emotional", skeleton="A", language="hi")] * 10))
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "VOICE_DRIFT_WARNINGS"
    assert "VOICE_DRIFT_WARNING validation_diversity A/hi unique=1" in lines
    assert "Expansion is considered after 2 consecutive runs; this is 1." in done.stdout


def test_drift_without_warnings_says_ok(tmp_path: Path) -> None:
    """An empty log has nothing to warn of."""
    assert run("drift", log(tmp_path, [VoiceTurn(intent="non_emotional")])).stdout.startswith("VOICE_DRIFT_OK")


def test_two_runs_make_an_expansion_report(tmp_path: Path) -> None:
    """Logs are runs, oldest first; what held in the last two is reported for people."""
    turns = [VoiceTurn(intent="emotional", skeleton="B", language="hi")] * 8
    runs = [log(tmp_path, turns, name=f"{n}.jsonl") for n in (1, 2)]
    done = run("drift", *runs, "--json")
    rows = json.loads(done.stdout)["expansion"]
    assert {"signal": "validation_diversity", "skeleton": "B", "language": "hi", "eligible": True}.items() <= rows[
        1
    ].items()
    assert "Expansion validation_diversity B/hi: eligible" in run("drift", *runs).stdout


@pytest.mark.parametrize("line", ["{", "[]", '{"skeleton": "Z"}', "[" * 100_000, "\xff"])
def test_a_line_that_is_no_decision_is_named_by_its_number(tmp_path: Path, line: str) -> None:
    """The second line is broken, and the message says so."""
    file = log(tmp_path, [VoiceTurn(intent="emotional", skeleton="A")])
    good = file.read_text(encoding="utf-8").splitlines()[0]
    file.write_bytes(f"{good}\n{line}\n".encode("latin-1"))
    done = run("drift", file)
    assert done.exit_code == 2 and "run.jsonl, line 2" in done.stderr


def test_the_demo_plays_every_kind_of_turn() -> None:
    """All skeletons, both latches, every reset a turn can cause but a topic shift, and no fallback."""
    done = run("demo")
    assert done.exit_code == 0
    for word in (
        "skeleton_rise",
        "theme_change",
        "escalation_resolved",
        "language_change",
        "emotional_to_non_emotional",
    ):
        assert word in done.stdout
    assert "│0│0│1│" in done.stdout, "C moves on after a full window"


def test_the_demo_as_json_is_a_list_of_decisions() -> None:
    """One decision per turn, the same every time."""
    first, second = run("demo", "--json"), run("demo", "--json")
    assert first.stdout == second.stdout
    played = json.loads(first.stdout)
    assert len(played) == len(DEMO)
    assert all(decision["fallbacks"] == [] for decision in played)


def test_help_names_the_three_commands() -> None:
    """A stranger finds them."""
    done = run("--help")
    assert all(name in done.stdout for name in ("check", "drift", "demo"))
