"""The labelled set: large, clean, and read as well as promised."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from recollect.core.write.facts import Heard, extract_facts

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "bench" / "data" / "facts.jsonl").read_text(encoding="utf-8").splitlines()
]
LOOKALIKES = ("hypothetical", "quote", "question", "negation", "others", "joke", "code", "fiction", "plan", "everyday")


def _claims(row: dict[str, Any]) -> list[tuple[str, str]]:
    recent = tuple(Heard(**turn) for turn in row.get("recent", ()))
    drafts = extract_facts(row["text"], speaker=row.get("speaker", ""), user=row.get("user", ""), recent=recent)
    return [(draft.memory_key, draft.value.casefold()) for draft in drafts]


def _score(part: str) -> tuple[float, float]:
    right = claimed = expected = 0
    for row in (row for row in ROWS if row["part"] == part):
        wanted = Counter((key, value.casefold()) for key, value in row["expect"])
        got = Counter(_claims(row))
        right += sum((wanted & got).values())
        claimed += sum(got.values())
        expected += sum(wanted.values())
    return right / claimed, right / expected


@pytest.mark.parametrize("part", ["dev", "held"])
def test_precision_comes_first_and_recall_is_not_forgotten(part: str) -> None:
    """At least 95 of 100 claims are right, and at least 60 of 100 facts are found."""
    precision, recall = _score(part)
    assert precision >= 0.95
    assert recall >= 0.6


def test_the_set_is_large_and_half_of_it_is_no_fact() -> None:
    """There are enough sentences of both sorts, in both parts, for the numbers to mean something."""
    assert len(ROWS) >= 400
    for part in ("dev", "held"):
        rows = [row for row in ROWS if row["part"] == part]
        assert sum(bool(row["expect"]) for row in rows) >= 120
        assert sum(not row["expect"] for row in rows) >= 120
        assert set(LOOKALIKES) <= {row["family"] for row in rows}


def test_no_sentence_of_one_part_is_in_the_other() -> None:
    """What was held back was held back, and every row has an id of its own."""
    dev, held = (
        {(row["text"], json.dumps(row.get("recent")), row.get("speaker")) for row in ROWS if row["part"] == part}
        for part in ("dev", "held")
    )
    assert not dev & held
    assert len({row["id"] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("family", LOOKALIKES)
def test_a_family_of_lookalikes_yields_next_to_nothing(family: str) -> None:
    """Of the sentences that only look like facts, at most one in twenty of a family is taken for one."""
    rows = [row for row in ROWS if row["family"] == family and not row["expect"]]
    taken = [row["text"] for row in rows if _claims(row)]
    assert len(taken) * 20 <= len(rows), taken
