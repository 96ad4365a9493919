"""Imports point one way, and the contract that says so can really fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINTER = Path(sys.executable).parent / "lint-imports"


def lint(source: Path) -> subprocess.CompletedProcess[str]:
    """Run the project's own import contracts over a source tree."""
    command = [str(LINTER), "--config", str(ROOT / "pyproject.toml"), "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    return subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, timeout=120)


def test_imports_point_one_way() -> None:
    """Surfaces, assemble, testing, settings, engine and adapters, ports, core, errors: nobody imports upwards."""
    result = lint(ROOT / "src")
    assert result.returncode == 0, result.stdout


def test_an_upward_import_is_found(tmp_path: Path) -> None:
    """The contract is alive: one planted import from the core into the engine breaks it."""
    shutil.copytree(ROOT / "src" / "recollect", tmp_path / "recollect", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "recollect" / "core" / "integers.py").open("a", encoding="utf-8") as file:
        file.write("\nimport recollect.engine.memory\n")
    result = lint(tmp_path)
    assert result.returncode != 0
    assert "recollect.core.integers -> recollect.engine.memory" in result.stdout
