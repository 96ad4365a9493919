"""The page about the voice says what the code does: tables, session, picture and example are compared with it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from recollect.core.voice.contract import SECTIONS
from recollect.core.voice.fallback import FallbackReason
from recollect.core.voice.resets import matrix_rows
from recollect.core.voice.state import WINDOW_SIZES, RotationMemory
from recollect.core.voice.turn import VoiceDecision, VoiceTurn
from recollect.engine.voice import Voice, load_contract
from recollect.surfaces.cli.voice import DEMO

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "voice.md").read_text(encoding="utf-8")


def table(first_heading: str) -> list[tuple[str, ...]]:
    """The table of the page whose first heading is this, heading included and the ruler left out."""
    lines = PAGE.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(f"| {first_heading} |"))
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append(tuple(cell.strip() for cell in line.strip("|").split("|")))
    return [rows[0], *rows[2:]]


def played() -> list[VoiceDecision]:
    voice = Voice(load_contract(), strict=True)
    return [voice.turn(turn) for _note, turn in DEMO]


def test_the_reset_matrix_of_the_page_is_the_one_in_the_code() -> None:
    """Row by row and word by word."""
    assert table("trigger") == list(matrix_rows())


def test_the_session_of_the_page_is_what_the_demo_plays() -> None:
    """Every turn: its table, what happens, what was reset, and which variants were said."""
    rows = []
    for number, ((note, _turn), decision) in enumerate(zip(DEMO, played(), strict=True), start=1):
        spoken = f"{decision.skeleton} {decision.language}" if decision.skeleton is not None else "–"
        said = " ".join(f"{s}={v}" for s, v in decision.variants.items() if s != "closure")
        rows.append((str(number), spoken, note, ", ".join(decision.resets) or "–", said or "–"))
    assert table("turn")[1:] == rows


def test_the_skeletons_of_the_page_have_the_windows_and_sections_of_the_code() -> None:
    """Sections in order and window sizes."""
    found = {row[0][0]: (row[2], int(row[4])) for row in table("skeleton")[1:]}
    assert found == {s.value: (", ".join(SECTIONS[s]), size) for s, size in WINDOW_SIZES.items()}


def test_every_fallback_reason_is_on_the_page() -> None:
    """A reason nobody can look up is no reason."""
    named = set(re.findall(r"`([a-z_]+)`", " ".join(row[1] for row in table("what happened"))))
    assert named == {reason.value for reason in FallbackReason}


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The first block of Python is a program."""
    block = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    exec(compile(block[1], "voice.md", "exec"), {})
    assert "That is a lot to hold at once." in capsys.readouterr().out


def test_links_of_the_page_lead_somewhere() -> None:
    """Every relative link is a file."""
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert links and all((DOCS / link).is_file() for link in links)


def test_the_picture_shows_the_session_and_the_window_as_they_are() -> None:
    """Each cell, each clearing, each penalty and each score drawn is the one the code gives."""
    picture = ET.fromstring((DOCS / "img" / "voice-windows.svg").read_text(encoding="utf-8"))
    cells = {(e.get("data-pool"), int(e.get("data-turn") or 0)): e.text for e in picture.iter() if e.get("data-pool")}
    cleared = {(e.get("data-cleared"), int(e.get("data-turn") or 0)) for e in picture.iter() if e.get("data-cleared")}
    pools = {pool for pool, _ in cells}
    session = played()
    said = {
        (name, number): str(variant)
        for number, decision in enumerate(session, start=1)
        for section, variant in decision.variants.items()
        if (name := f"{decision.skeleton}|{decision.language}|{section}") in pools
    }
    assert cells == said and len(cells) > 20
    gone = {
        (str(key), number)
        for number, decision in enumerate(session, start=1)
        for key, pool in decision.before.rotation_memory.pools.items()
        if str(key) in pools and not _goes_on(pool.history, decision.after.rotation_memory, str(key))
    }
    assert cleared == gone and len(cleared) > 8


def _goes_on(history: tuple[object, ...], after: RotationMemory, name: str) -> bool:
    kept = {str(key): pool.history for key, pool in after.pools.items()}
    return kept.get(name, ())[: len(history)] == history


def test_the_close_up_of_the_picture_is_right() -> None:
    """Eleven entries, the penalties of the last eight, and the scores of the twelfth turn."""
    picture = ET.fromstring((DOCS / "img" / "voice-windows.svg").read_text(encoding="utf-8"))
    voice = Voice(load_contract())
    for _ in range(12):
        decision = voice.turn(VoiceTurn(intent="emotional", skeleton="B"))
    entries = [
        use
        for key, p in decision.before.rotation_memory.pools.items()
        if key.section == "validation"
        for use in p.history
    ]
    drawn = {int(e.get("data-entry") or 0): e.text for e in picture.iter() if e.get("data-entry")}
    assert drawn == {use.turn_index: str(use.variant_id) for use in entries}
    penalties = {int(e.get("data-penalty") or 0): e.text for e in picture.iter() if e.get("data-penalty")}
    assert penalties == {t: f"−{8 - (12 - t)}" if t > 4 else "0" for t in range(4, 12)}
    scores = {int(e.get("data-score") or 0): e.text or "" for e in picture.iter() if e.get("data-score")}
    choice = decision.choices[1]
    assert {v: text for v, text in scores.items() if "just used" not in text} == {
        v: f"score −{-value}" + (" ✓" if v == choice.variant_id else "") for v, value in choice.scores
    }
