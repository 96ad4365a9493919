"""Golden traces: what the contract's stories look like, word for word, on every store and in all surroundings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest
from scenarios import SCENARIOS, golden, told

TRACES = Path(__file__).with_name("traces")
SCRIPT = Path(__file__).with_name("scenarios.py")
SURROUNDINGS = list(product(("0", "1", "4242"), ("UTC0", "XYZ-05:45"), ("C", "C.UTF-8")))


@pytest.mark.parametrize("name", SCENARIOS)
def test_story_is_told_as_before(name: str, is_updating: bool) -> None:
    """A story's traces are the golden ones; they change only when somebody asks for it and reads the difference."""
    story = golden(told(name))
    path = TRACES / f"{name}.txt"
    if is_updating:
        path.write_text(story, encoding="utf-8", newline="\n")
    assert story.splitlines() == path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", SCENARIOS)
def test_story_is_the_same_on_a_file(name: str, tmp_path: Path) -> None:
    """The same story on one SQLite file gives the same golden."""
    story = golden(told(name, str(tmp_path / "memory.db")))
    assert story.splitlines() == (TRACES / f"{name}.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", SCENARIOS)
def test_story_is_the_same_on_a_server(name: str, postgres_url: str) -> None:
    """The same story on a PostgreSQL server gives the same golden."""
    story = golden(told(name, postgres_url))
    assert story.splitlines() == (TRACES / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def test_every_golden_has_a_story() -> None:
    """No golden is left behind by a story that is no longer told."""
    assert sorted(path.stem for path in TRACES.glob("*.txt")) == sorted(SCENARIOS)


def run(surroundings: tuple[str, str, str]) -> str:
    seed, zone, locale = surroundings
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))},
        "PYTHONHASHSEED": seed,
        "TZ": zone,
        "LC_ALL": locale,
        "LANG": locale,
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONUTF8": "0",
    }
    result = subprocess.run([sys.executable, str(SCRIPT)], env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_goldens_are_the_same_everywhere() -> None:
    """Three hash seeds, two time zones and two locales tell the very same goldens, on both stores."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        printed = list(pool.map(run, SURROUNDINGS))
    assert len(set(printed)) == 1
    for name, hashes in json.loads(printed[0]).items():
        kept = sha256((TRACES / f"{name}.txt").read_bytes()).hexdigest()
        assert hashes == [kept, kept]
