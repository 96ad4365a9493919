"""The project's own chats: what a bench or a fit may rely on when it reads them."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "bench" / "data" / "chats"
FILES = sorted(FOLDER.glob("*.jsonl"))
KINDS = {"single", "multi", "temporal", "changed", "assistant", "list", "open"}
STOP = set(
    "a an the i my me we our is are was were do does did have has had of to in on at for and or with what".split()
)
STOP |= set(
    "who when where which how why long many much now that this it he she they his her from by be am you".split()
)

Line = dict[str, Any]


def read(path: Path) -> tuple[Line, list[Line], list[Line]]:
    head, *rest = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return head, [line for line in rest if "ref" in line], [line for line in rest if "question" in line]


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower())) - STOP


def when(text: str) -> datetime:
    assert text.endswith("Z")
    return datetime.fromisoformat(text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_head_names_the_chat(path: Path) -> None:
    """The first line says which chat this is, what it is about and which part it belongs to."""
    head, _, _ = read(path)
    assert set(head) == {"chat", "kind", "language", "split"}
    assert head["chat"] == path.stem
    assert head["kind"]
    assert head["language"] in {"en", "hinglish", "mixed"}
    assert head["split"] in {"fit", "held"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_turns_are_numbered_dated_and_in_order(path: Path) -> None:
    """Refs count up without a gap, time never runs backwards, and sessions follow one another."""
    head, turns, _ = read(path)
    assert 60 <= len(turns) <= 140
    assert [turn["ref"] for turn in turns] == [f"{head['chat']}:{number}" for number in range(1, len(turns) + 1)]
    for turn in turns:
        assert set(turn) == {"ref", "session", "at", "role", "text"}
        assert turn["role"] in {"user", "assistant"}
        assert turn["text"] == turn["text"].strip() != ""
    for earlier, later in pairwise(turns):
        assert when(earlier["at"]) < when(later["at"])
        assert later["session"] - earlier["session"] in (0, 1)
    assert turns[0]["session"] == 1
    assert turns[-1]["session"] >= 5


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_questions_have_evidence_that_was_said_before_they_are_asked(path: Path) -> None:
    """Every evidence ref is a turn of the same chat, in order, once, and older than the question."""
    _, turns, questions = read(path)
    at = {turn["ref"]: turn["at"] for turn in turns}
    assert len(questions) >= 12
    assert len({asked["question"] for asked in questions}) == len(questions)
    for asked in questions:
        assert set(asked) == {"question", "kind", "evidence", "at"}
        assert asked["kind"] in KINDS
        assert asked["question"].strip()
        assert asked["evidence"]
        numbers = [int(ref.partition(":")[2]) for ref in asked["evidence"]]
        assert numbers == sorted(set(numbers))
        assert all(when(at[ref]) < when(asked["at"]) for ref in asked["evidence"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_the_assistant_said_is_asked_of_the_assistant(path: Path) -> None:
    """Questions of the kind ``assistant`` have their evidence in the assistant's turns, and only few others do."""
    _, turns, questions = read(path)
    role = {turn["ref"]: turn["role"] for turn in turns}
    for asked in questions:
        roles = {role[ref] for ref in asked["evidence"]}
        assert roles == {"assistant"} if asked["kind"] == "assistant" else "user" in roles


def test_there_is_enough_of_everything() -> None:
    """Counts that fitting and measuring rely on: chats, questions, kinds, languages, code."""
    chats = [read(path) for path in FILES]
    kinds = Counter(asked["kind"] for _, _, questions in chats for asked in questions)
    assert len(chats) >= 24
    assert kinds.total() >= 360
    assert set(kinds) == KINDS
    assert min(kinds.values()) >= 20
    assert sum(head["language"] != "en" for head, _, _ in chats) >= 5
    assert sum("code" in head["kind"] for head, _, _ in chats) >= 5


def test_two_thirds_may_be_fitted_on_and_both_parts_have_each_language() -> None:
    """A third is held back, and neither part is all English."""
    heads = [read(path)[0] for path in FILES]
    held = [head for head in heads if head["split"] == "held"]
    assert len(held) * 3 == len(heads)
    for split in ("fit", "held"):
        assert {"en", "hinglish"} <= {head["language"] for head in heads if head["split"] == split}


def test_most_evidence_is_in_the_users_own_words() -> None:
    """As in real use, what is asked for later was mostly said by the user, and users say less than assistants."""
    said: Counter[str] = Counter()
    length: Counter[str] = Counter()
    for path in FILES:
        _, turns, questions = read(path)
        role = {turn["ref"]: turn["role"] for turn in turns}
        said.update(role[ref] for asked in questions for ref in asked["evidence"])
        for turn in turns:
            length[turn["role"]] += len(turn["text"].split())
    assert said["user"] >= 4 * said["assistant"]
    assert length["assistant"] >= 2 * length["user"]


def test_many_questions_share_few_words_with_their_answer() -> None:
    """At least a third of the questions have at most one word of weight in common with all of their evidence."""
    shared = []
    for path in FILES:
        _, turns, questions = read(path)
        text = {turn["ref"]: turn["text"] for turn in turns}
        for asked in questions:
            evidence = set[str]().union(*(words(text[ref]) for ref in asked["evidence"]))
            shared.append(len(words(asked["question"]) & evidence))
    assert sum(count <= 1 for count in shared) * 3 >= len(shared)
