"""Promises of `recollect search --why`: what each score is made of, what a near miss lacked, what has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_runner import Line

from recollect.core.read.parts import PARTS

GOLDEN = Path(__file__).parent / "search_why.txt"
SAID = (
    ("I live in Lisbon.", "user"),
    ("What is Lisbon like in winter?", "user"),
    ("Mild and wet; pack a raincoat.", "assistant"),
    ("My sister Maria works at Acme.", "user"),
    ("Actually, I live in Berlin now.", "user"),
    ("We decided to use Postgres for billing.", "user"),
)


@pytest.fixture
def line(tmp_path: Path) -> Line:
    made = Line(tmp_path, columns=110)
    for number, (text, role) in enumerate(SAID):
        made("remember", text, "--role", role, "--at", f"2026-01-05T09:0{number}:00Z")
    return made


def test_the_explanation_is_pinned(line: Line) -> None:
    """What people read changes only on purpose: RECOLLECT_UPDATE_GOLDEN=1 writes it anew."""
    out = line("search", "where do I live?", "--why", "--limit", "3").out
    shown = "\n".join(row.rstrip() for row in out.splitlines()) + "\n"
    if os.environ.get("RECOLLECT_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(shown, encoding="utf-8")
    assert shown == GOLDEN.read_text(encoding="utf-8")


def test_json_carries_the_same_parts(line: Line) -> None:
    """Each hit has whole-number parts that are known by name, and a sentence; near misses say what they lack."""
    said = line("search", "where do I live?", "--why", "--limit", "2", "--json").json
    assert len(said["hits"]) == 2 and len(said["near_misses"]) == 3
    for hit in [*said["hits"], *said["near_misses"]]:
        assert hit["parts"] and set(hit["parts"]) <= set(PARTS)
        assert all(isinstance(value, int) for value in hit["parts"].values())
        assert hit["sentence"] and hit["reasons"]
    assert all("lacked" not in hit for hit in said["hits"])
    assert all(hit["lacked"] for hit in said["near_misses"])
    assert "near_misses" not in line("search", "where do I live?", "--json").json


def test_the_old_home_is_marked_and_comes_after_the_new_one(line: Line) -> None:
    """A turn whose fact was replaced says what is so now, in search and in a context, and never comes first."""
    hits = line("search", "where do I live?", "--json").json["hits"]
    texts = [hit["text"] for hit in hits]
    old = hits[texts.index("I live in Lisbon.")]
    assert texts.index("Actually, I live in Berlin now.") < texts.index("I live in Lisbon.")
    assert old["outdated_by"] and "has changed since: Lives in Berlin" in old["sentence"]
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    context = line("recall", "where do I live?", "--session", "another").out
    mark = next(row for row in context.splitlines() if "has changed since" in row)
    assert mark.endswith("has changed since: Lives in Berlin")
    assert "| I live in Lisbon." in context
