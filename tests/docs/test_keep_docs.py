"""The pages on keeping, proving and erasing are true: their commands run, and print what the pages say.

A page's `sh` blocks run one after the other in an empty folder. A `text` block after one lists what it must print: each
line must appear, in that order. Fences without a language are for reading only.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from recollect.adapters.stores.dump import TABLES
from recollect.engine import export, verify

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("promises/erase.md", "promises/prove.md", "promises/keep.md", "reference/export-format.md")
BLOCK = re.compile(r"^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", flags=re.M | re.S)
FORMAT = (DOCS / "reference" / "export-format.md").read_text(encoding="utf-8")


def shell(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a block as a reader would paste it, with this Python and its recollect first on the path."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RECOLLECT_")}
    return subprocess.run(
        ["sh", "-e", "-c", script],
        cwd=folder,
        env={**kept, "PATH": path, "NO_COLOR": "1", "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run(page: str, tmp_path: Path) -> None:
    """Every block of the page ends well and prints what the page promises."""
    blocks = BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))
    assert blocks, "the page shows nothing that can be tried"
    for script, promised in blocks:
        done = shell(tmp_path, script)
        told = done.stdout + done.stderr
        assert done.returncode == 0, f"{script}\n{told}"
        # What a block prints on stderr comes after its stdout here; a page may show the two in any order.
        position = {"out": 0, "err": 0}
        for line in (line.strip() for line in promised.splitlines()):
            for name, text in (("out", done.stdout), ("err", done.stderr)):
                found = text.find(line, position[name])
                if found >= 0:
                    position[name] = found + len(line)
                    break
            else:
                raise AssertionError(f"{line!r} is not in what this prints, or not in this order:\n{script}\n{told}")


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """Every relative link of a page names a file that is there."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert ((DOCS / page).parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES)
def test_files_a_page_names_are_there(page: str) -> None:
    """Tests and folders named as evidence exist."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for name in re.findall(r"`(tests/[\w/.]+)`", text):
        assert (DOCS.parent / name).exists(), name


@pytest.mark.parametrize("table", [*TABLES, "tombstone"])
def test_every_field_of_an_export_is_explained(table: str) -> None:
    """A row's fields are those of its table in the format's page, no more and no fewer."""
    section = re.search(rf"^### `{table}`\n(.*?)(?=^##|\Z)", FORMAT, flags=re.M | re.S)
    assert section is not None
    cells = [line.split("|")[1] for line in section.group(1).splitlines() if line.startswith("| `")]
    named = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    assert named == set(TABLES.get(table, ("scope", "kind", "n")))


def test_the_format_has_every_table() -> None:
    """What an export may hold is what the page lists, in the same order."""
    assert tuple(re.findall(r"^### `(\w+)`", FORMAT, flags=re.M)) == export.TABLES
    assert set(export.TABLES) == {*TABLES, "tombstone"}


def test_every_verdict_is_explained() -> None:
    """The verdicts of `verify` are those of the page."""
    page = (DOCS / "promises" / "prove.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|.*\| ([01]) \|$", page, flags=re.M)
    assert {word for word, _ in listed} == set(verify.WORST)
    assert {word for word, code in listed if code == "0"} == {"ok", "unanchored_tail"}
