"""The companion's commands: they print what the API answers, for people and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from recollect.surfaces.cli.main import app


class Shell:
    """The program on one database, as one user with one persona."""

    def __init__(self, folder: Path) -> None:
        self.db = str(folder / "memory.db")

    def __call__(self, *words: str, persona: str = "coach", code: int = 0) -> str:
        who = ("--user", "ana", "--persona", persona) if words[0] != "upkeep" else ()
        answer = CliRunner().invoke(app, [*words, "--db", self.db, "--policy", "companion", *who])
        assert answer.exit_code == code, answer.output
        return answer.output

    def json(self, *words: str, persona: str = "coach") -> dict[str, list[dict[str, object]]]:
        found: dict[str, list[dict[str, object]]] = json.loads(self(*words, "--json", persona=persona))
        return found


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    shell = Shell(tmp_path)
    for minute, text in enumerate(
        ("My friend Makesh works at Acme.", "My friend Mukesh plays the guitar.", "I'll buy milk tomorrow.", "a thing")
    ):
        shell("remember", text, "--at", str(_iso(minute)))
    return shell


def _iso(minute: int) -> str:
    return f"2026-01-01T00:{minute:02}:00+00:00"


def test_people_cards_and_merging(shell: Shell) -> None:
    """Two spellings are listed, proposed, merged on one card, and two again."""
    assert [row["ref"] for row in shell.json("people", "--kind", "person")["people"]] == [
        "person:makesh",
        "person:mukesh",
    ]
    assert len(shell.json("people", "--variants")["variants"]) == 1
    shell("merge", "Makesh", "Mukesh")
    assert shell.json("card", "Makesh")["ref"] == "person:mukesh"
    assert "Mukesh" in shell("card", "Mukesh")
    shell("merge", "Makesh", "--undo")
    assert len(shell.json("people", "--kind", "person")["people"]) == 2


def test_todos_are_listed_and_ended(shell: Shell) -> None:
    """A promise is listed for its persona alone, and completing it empties the list."""
    todo = shell.json("todos")["todos"][0]
    assert (todo["kind"], todo["status"]) == ("COMMITMENT", "PENDING")
    assert shell.json("todos", persona="sophie")["todos"] == []
    shell("todos", "--complete", str(todo["id"]), persona="sophie", code=4)
    assert shell.json("todos", "--complete", str(todo["id"]))["todos"] == []
    assert "milk" in shell("todos", "--status", "done")


def test_sessions_summaries_and_upkeep(shell: Shell) -> None:
    """Upkeep ends the session once; its summary can be read; the rolling versions stay."""
    assert shell.json("summary", "--rolling")["summaries"][0]["version"] == 1
    done = json.loads(shell("upkeep", "--now", "2026-01-02T00:00:00+00:00", "--json"))
    assert done["sessions_closed"] == 1
    assert shell.json("sessions")["sessions"][0]["turn_count"] == 4
    assert shell.json("summary")["summaries"][0]["commitments"] == ["buy milk tomorrow"]
    assert shell.json("spine")["spine"] == []
    assert "4 messages" in shell("sessions")
    assert shell.json("personas")["personas"] == [{"persona": "coach"}]


def test_seed_and_curator(shell: Shell, tmp_path: Path) -> None:
    """A seed is taken in with what was skipped; a dry run changes nothing."""
    seed = tmp_path / "seed.json"
    seed.write_text(json.dumps({"seed": "Ana is a surgeon.", "memories": [{"content": "Likes tea"}, 7]}))
    told = json.loads(shell("seed", "import", str(seed), "--json"))
    assert (told["memories"], told["skipped"]) == (1, [{"number": 2, "reason": "not_a_memory"}])
    assert shell.json("curate", "--dry-run")["dry_run"] is True
    shell("seed", "import", str(tmp_path / "missing.json"), code=2)


def test_other_policies_say_what_is_missing(tmp_path: Path) -> None:
    """Without a companion in the policy the commands refuse with what to do."""
    db = str(tmp_path / "plain.db")
    CliRunner().invoke(app, ["remember", "hello there", "--db", db])
    answer = CliRunner().invoke(app, ["todos", "--db", db, "--json"])
    assert answer.exit_code == 3
    assert json.loads(answer.output)["error"]["reason"] == "no_companion"


def test_summaries_read_as_text(shell: Shell) -> None:
    """People see what was said under plain names, not the fields of a record."""
    rolling = shell("summary", "--rolling")
    assert "version" in rolling and "says" in rolling and "lines.1" not in rolling
    done = shell("upkeep", "--now", "2026-01-02T00:00:00+00:00")
    assert "1 looked after" in done and "1 sessions ended" in done
    told = shell("summary")
    assert "in short" in told and "commitments" in told and "buy milk tomorrow" in told
    assert "what_mattered" not in told and "session_id" not in told
    for number in range(20):
        shell("remember", f"Room {number} is green.", "--at", f"2026-01-03T00:{number:02}:00+00:00")
    spine = shell("spine")
    assert "after 20 messages" in spine and "open loops" in spine and "sections." not in spine
