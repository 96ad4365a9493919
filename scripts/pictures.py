"""Draws the pictures of the command line in docs/img: what the commands below really print, as SVG.

    python scripts/pictures.py

The example is played on a new file with fixed times, so that the same program draws the same pictures.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

IMAGES = Path(__file__).parent.parent / "docs" / "img"
COLUMNS = 96
TURNS = (
    ("Hi, I'm Ana. I live in Lisbon.", "2026-03-02T09:00:00+00:00"),
    ("My password is hunter2, and we decided to use Postgres for billing.", "2026-03-02T09:01:00+00:00"),
    ("The sunset over the river was lovely, I took forty photos of it.", "2026-03-02T20:15:00+00:00"),
    ("We decided to use Postgres for billing.", "2026-03-05T18:20:00+00:00"),
    ("we decided to use Postgres for billing!", "2026-03-05T18:25:00+00:00"),
    ("Actually, I live in Berlin now.", "2026-03-05T18:30:00+00:00"),
)
QUESTION = "where do I live, and what did we pick for billing?"
ASKED_AT = ["--at", "2026-03-10T08:00:00+00:00"]
PICTURES = {
    "recall-why": ["recall", QUESTION, "--session", "tuesday", "--why"],
    "search-why": ["search", QUESTION, "--why", "--limit", "3"],
}


def run(folder: Path, *words: str) -> str:
    """What a command prints on a terminal that takes colours."""
    surroundings = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"}
    program = [sys.executable, "-m", "recollect.surfaces.cli.main"]
    command = [*program, *words, "--user", "ana", "--db", str(folder / "m.db")]
    return subprocess.run(command, env=surroundings, check=True, capture_output=True, text=True).stdout


def draw(command: list[str], printed: str) -> str:
    """A terminal with a command and its output. Nothing in the picture is fetched from anywhere."""
    shown = " ".join(f'"{word}"' if " " in word else word for word in command)
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text(f"$ recollect {shown}", style="bold"))
    console.print(Text.from_ansi(printed))
    svg = console.export_svg(title="recollect", theme=DIMMED_MONOKAI, unique_id="recollect")
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for text, at in TURNS:
            run(Path(folder), "remember", text, "--session", "monday", "--at", at)
        for name, command in PICTURES.items():
            asked = [*command, *(ASKED_AT if command[0] == "recall" else [])]
            (IMAGES / f"{name}.svg").write_text(draw(command, run(Path(folder), *asked)), encoding="utf-8")


if __name__ == "__main__":
    main()
