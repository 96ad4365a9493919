"""Law 2, on other machines: the same calls give the same bytes under any hash seed, time zone and locale."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

SCRIPT = Path(__file__).with_name("hashes.py")
SEEDS = ("0", "1", "4242")
# POSIX zones, so that no zone database is needed: one at UTC, one that is 5:45 ahead.
ZONES = ("UTC0", "XYZ-05:45")
LOCALES = ("C", "C.UTF-8")


def run(script: Path, seed: str, zone: str, locale: str) -> str:
    """What a script prints in a process with that seed, zone and locale, without Python's own locale repairs."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))},
        "PYTHONHASHSEED": seed,
        "TZ": zone,
        "LC_ALL": locale,
        "LANG": locale,
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONUTF8": "0",
    }
    result = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_same_bytes_everywhere() -> None:
    """Three hash seeds, two time zones and two locales print one and the same set of hashes, on both stores."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        printed = list(pool.map(lambda surroundings: run(SCRIPT, *surroundings), product(SEEDS, ZONES, LOCALES)))
    assert len(set(printed)) == 1
    found = json.loads(printed[0])
    assert found["on a file"] == found["contract"]
    assert all(outcome["replay"] == [0, 0] for outcome in found.values())
    assert len({outcome["answers"] for outcome in found.values()}) == 5
