"""The selector cannot see drift, chance, clocks or any store."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import recollect

ROOT = Path(recollect.__file__).parent
CHOOSERS = [
    *(p for p in sorted((ROOT / "core" / "voice").glob("*.py")) if p.name != "drift.py"),
    ROOT / "engine" / "voice.py",
]
BANNED = ("random", "secrets", "time", "datetime", "logging", "numpy", "recollect.core.voice.drift", "recollect.ports")
STORES = ("recollect.adapters", "recollect.engine.memory", "recollect.engine.session", "sqlite3", "apsw")


def imported(source: str) -> list[str]:
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.extend([node.module, *(f"{node.module}.{alias.name}" for alias in node.names)])
    return found


def offences(source: str) -> list[str]:
    return [name for name in imported(source) if name.startswith((*BANNED, *STORES)) and name != "timeit"]


@pytest.mark.parametrize("path", CHOOSERS, ids=lambda path: path.name)
def test_nothing_that_chooses_imports_drift_chance_or_a_store(path: Path) -> None:
    """No file on the way from a turn to a sentence imports what could bend the choice or keep it."""
    assert offences(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "planted",
    [
        "import random",
        "from recollect.core.voice import drift",
        "from recollect.core.voice.drift import measure",
        "def f():\n    import time",
        "from recollect.adapters.stores import memory",
    ],
)
def test_a_planted_import_is_found(planted: str) -> None:
    """The check above sees each kind of import it is there for."""
    assert offences(planted) != []


def test_importing_the_voice_does_not_load_drift() -> None:
    """A process that only speaks never has the drift module in memory."""
    code = "import sys, recollect.engine.voice; print('recollect.core.voice.drift' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "False"


def test_choices_do_not_depend_on_the_hash_seed() -> None:
    """The same turns say the same words under different hash seeds."""
    code = (
        "import json\n"
        "from recollect.core.voice.turn import VoiceTurn\n"
        "from recollect.engine.voice import Voice, load_contract\n"
        "voice = Voice(load_contract())\n"
        "turns = [VoiceTurn(intent='emotional', skeleton=s, language=l)\n"
        "         for s, l in zip('AABBBCCCCDDA' * 3, ['en', 'en', 'hi', 'hinglish'] * 9)]\n"
        "print(json.dumps([voice.turn(turn).to_dict() for turn in turns]))\n"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        ).stdout
        for seed in ("1", "2")
    ]
    assert len(outputs[0]) > 1000
    assert outputs[0] == outputs[1]
