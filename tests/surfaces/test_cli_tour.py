"""Promises of `recollect tour`: it shows what it says, the same every time, in eighty columns."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from cli_runner import Line

GOLDEN = Path(__file__).parent / "tour.txt"
SECRET = b"hunter2-Xk9q"


def normal(out: str) -> str:
    """The tour without trailing spaces and without the hash, which is the whole state's."""
    rows = [re.sub(r"\b[0-9a-f]{32}\b", "<hash>", row.rstrip()) for row in out.splitlines()]
    return "\n".join(rows).strip("\n") + "\n"


def test_the_tour_is_pinned(tmp_path: Path) -> None:
    """What a newcomer sees changes only on purpose: RECOLLECT_UPDATE_GOLDEN=1 writes it anew."""
    shown = normal(Line(tmp_path, columns=80)("tour").out)
    if os.environ.get("RECOLLECT_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(shown, encoding="utf-8")
    assert shown == GOLDEN.read_text(encoding="utf-8")


def test_the_tour_is_the_same_everywhere(tmp_path: Path) -> None:
    """Hash seeds, time zones and locales do not show, down to the last bit of the state."""
    line = Line(tmp_path, columns=80)
    first = line.program("tour", PYTHONHASHSEED="1", TZ="Asia/Tokyo", LC_ALL="C.UTF-8")
    second = line.program("tour", "--fast", PYTHONHASHSEED="77", TZ="America/New_York", LC_ALL="tr_TR.UTF-8")
    assert first.code == 0 and first.out == second.out and first.err == ""


def test_it_fits_eighty_columns(tmp_path: Path) -> None:
    """No row is wider, however wide the terminal."""
    for columns in (80, 200):
        out = Line(tmp_path, columns=columns)("tour").out
        assert max(len(row) for row in out.splitlines()) <= 80


def test_every_stop_shows_what_it_promises(tmp_path: Path) -> None:
    """Read as data: remembered, masked, corrected, quarantined, recalled, left out, isolated, traced, repeated."""
    steps = {step["title"]: step for step in Line(tmp_path)("tour", "--json").json["steps"]}

    def rows(title: str) -> list[tuple[str, str]]:
        return [(row["label"], row["text"]) for scene in steps[title]["scenes"] for row in scene["rows"]]

    assert ("fact", "Lives in Lisbon") in rows("Remember")
    assert ("masked", "password") in rows("Mask") and SECRET.decode() not in str(rows("Mask"))
    assert ("archived", "Lives in Lisbon") in rows("Correct") and ("fact", "Lives in Berlin") in rows("Correct")
    assert "quarantined" in dict(rows("Quarantine"))
    recalled = [text for _, text in rows("Recall")]
    assert "| Lives in Berlin" in recalled and "| We decided to use Postgres for billing." in recalled
    left_out = [text for label, text in rows("Why") if label == "dropped"]
    assert any(text.startswith("Billing guide") for text in left_out)
    assert dict(rows("Isolation"))["recall"] == "0 candidates, 0 tokens"
    assert "type: memory_conflict" in [text for _, text in rows("Trace")]
    same = dict(rows("Determinism"))
    assert same["this store"] == same["second"] and same["replay"].startswith("0 differences")
    assert list(steps) == "Remember Mask Correct Quarantine Recall Why Isolation Trace Determinism".split()


def test_the_masked_secret_is_nowhere_in_the_file(tmp_path: Path) -> None:
    """The tour claims it; the bytes agree."""
    line = Line(tmp_path)
    line("tour", "--db", str(line.db))
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Lisbon" in stored and SECRET not in stored


def test_the_tour_keeps_to_its_own_tenant(tmp_path: Path) -> None:
    """In somebody's file it changes nothing of theirs, and plays once."""
    line = Line(tmp_path)
    line("remember", "mine")
    before = line("stats", "--hash", "--json").json["state_hash"]
    assert "tenant `tour`" in line("tour", "--db", str(line.db)).out
    assert line("stats", "--hash", "--json").json["state_hash"] == before
    assert "already played" in line("tour", "--db", str(line.db), code=2).err
    line("doctor", "--tenant", "tour")


def test_without_a_name_it_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The temporary file goes with the tour."""
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))
    Line(tmp_path)("tour")
    assert [*(tmp_path / "temp").iterdir()] == [] and not (tmp_path / "memory.db").exists()
