"""`recollect ask`, `recollect chat`, `recollect files`: the same words in a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runner import Line

sys.path.append(str(Path(__file__).parents[1] / "unit"))

from model_server import serving


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as base:
        yield base


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Line:
    (tmp_path / "bank.py").write_text("RETRIES = 5\n")
    monkeypatch.setenv("RECOLLECT_ROOTS", str(tmp_path))
    line = Line(tmp_path)
    line("remember", "We decided to use Postgres for billing.", "--session", "one")
    return line


def test_ask_without_a_model_prints_the_prompt(line: Line) -> None:
    """No model: the prompt stands on stdout, ready to be used."""
    said = line("ask", "what did we pick for billing?", "--session", "one")
    assert "Postgres for billing" in said.out
    assert said.out.rstrip().endswith("| what did we pick for billing?")


def test_ask_with_a_model_answers(line: Line, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model answers, and the JSON holds answer, prompt, context and fallbacks."""
    monkeypatch.setenv("RECOLLECT_MODEL_URL", url)
    monkeypatch.setenv("RECOLLECT_MODEL", "good")
    told = line("ask", "what did we pick for billing?", "--session", "one", "--json").json
    assert told["status"] == "answered"
    assert told["text"].startswith("heard ")
    assert (told["fallbacks"], told["model"]) == ([], "good")


def test_failed_model_exits_with_its_code(line: Line, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When no model answers, the prompt is printed and the exit code says so."""
    monkeypatch.setenv("RECOLLECT_MODEL_URL", url)
    monkeypatch.setenv("RECOLLECT_MODEL", "refusing")
    said = line("ask", "billing?", code=11)
    assert "| billing?" in said.out


def test_chat_takes_questions_and_commands(line: Line) -> None:
    """A conversation over a pipe: each question is answered, commands do what they say."""
    typed = ("what about billing?", "/why", "/files bank.py", "and RETRIES?", "/breakers", "/help", "/important x")
    said = line("chat", "--session", "one", stdin="\n".join([*typed, "/quit", "unheard-of"]))
    assert "| RETRIES = 5" in said.out
    assert "kept_count" in said.out
    assert "unheard-of" not in said.out
    assert "no such memory" in said.err


def test_chat_speaks_json(line: Line) -> None:
    """With --json each question is one JSON object."""
    said = line("chat", "--json", stdin="one?\ntwo?\n")
    decoder, rest, found = json.JSONDecoder(), said.out.strip(), []
    while rest:
        told, end = decoder.raw_decode(rest)
        found.append(told["status"])
        rest = rest[end:].strip()
    assert found == ["prompt", "prompt"]


def test_files_are_read_listed_and_read_again(line: Line) -> None:
    """A file is read in, listed with its hash, and noticed when it changes; one outside is refused with exit 3."""
    assert line("files", "read", "bank.py", "--json").json["readings"][0]["outcome"] == "read"
    assert line("files", "list", "--json").json["files"][0]["path"] == "bank.py"
    (line.folder / "bank.py").write_text("RETRIES = 7\n")
    assert line("files", "reread", "--json").json["readings"][0]["outcome"] == "read_again"
    assert line("files", "read", "../../etc/passwd", "--json", code=3).json["readings"][0]["outcome"] == "refused"


def test_recall_shows_files_and_why(line: Line) -> None:
    """`recall --file --why` shows the block, the verdict on the file, and the few numbers."""
    said = line("recall", "how many RETRIES?", "--file", "bank.py", "--no-lock", "--why", "--session", "one")
    assert "❖ FILES" in said.out
    assert "kept: named by the caller" in said.out
    assert "token_cost" in said.out
