"""Golden traces: the contract, as prose a reviewer can read."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import stories

TRACES = Path(__file__).parent / "traces"
# The required keys of every trace event, as the contract document lists them (and ours for the events we added).
REQUIRED: dict[str, set[str]] = {
    "memory_recall": {
        "ai_profile",
        "session",
        "query",
        "recalled",
        "policy",
        "deterministic_hash",
        "spaces_consulted",
        "recall_counts",
        "current_phase",
    },
    "memory_write": {"ai_profile", "session", "written", "reason"},
    "memory_denied": {"ai_profile", "session", "attempted", "reason", "policy_snapshot"},
    "memory_conflict": {"ai_profile", "session", "winner_id", "loser_id", "rule", "dedup_key"},
    "memory_forget": {"ai_profile", "session", "memory_id", "reason", "policy_snapshot"},
    "memory_border_check": {"ai_profile", "session", "action", "from_space", "allowed", "reason", "policy_snapshot"},
    "memory_promoted": {
        "ai_profile",
        "session",
        "from_space",
        "to_space",
        "from_id",
        "to_id",
        "authority_used",
        "reason",
        "policy_snapshot",
    },
    "memory_promotion_denied": {
        "ai_profile",
        "session",
        "from_space",
        "to_space",
        "memory_id",
        "allowed",
        "reason",
        "policy_snapshot",
    },
    "memory_phase_started": {"ai_profile", "session", "space", "owner", "phase_id", "reason", "policy_snapshot"},
    "memory_deleted": {
        "ai_profile",
        "session",
        "space",
        "owner",
        "phase_id",
        "memory_id",
        "reason",
        "policy_snapshot",
    },
    "memory_phase_diff": {
        "ai_profile",
        "session",
        "space",
        "owner",
        "from_phase_id",
        "to_phase_id",
        "added_count",
        "deleted_count",
        "replaced_count",
        "top_changes",
        "summary_lines",
    },
    "memory_quarantined": {"ai_profile", "session", "memory_id", "reason", "policy_snapshot"},
}


@pytest.mark.parametrize("name", stories.STORIES)
def test_a_story_is_told_as_it_always_was(name: str, request: pytest.FixtureRequest) -> None:
    """The same conversation gives the same traces, word for word."""
    path = TRACES / f"{name}.txt"
    told = stories.told(name)
    if request.config.getoption("--update-goldens"):
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", stories.STORIES)
def test_both_stores_tell_the_same(name: str, tmp_path: Path) -> None:
    """SQLite tells a story as the oracle does."""
    assert stories.told(name, str(tmp_path / "memory.db")) == stories.told(name)


def test_every_event_has_the_keys_the_contract_requires() -> None:
    """No trace leaves out a key the document lists, and the stories show every event it names."""
    seen: dict[str, bool] = {}
    for make in stories.STORIES.values():
        with stories.Memory.open(":memory:", policy="contract") as memory:
            chat = make(memory).chat
            for event in chat.traces(limit=1_000):
                kind = str(event["type"])
                seen[kind] = True
                assert REQUIRED.get(kind, set()) <= set(event), kind
    assert set(REQUIRED) <= set(seen)


def test_no_golden_holds_the_password() -> None:
    """What was denied for privacy stands in no trace."""
    for path in TRACES.glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert "horse" not in text.split("===== remember")[0]
        assert "correct-horse" not in text.replace("===== remember (user): My password is correct-horse-battery.", "")


WORLDS = list(itertools.product(("0", "1", "4242"), ("UTC", "Asia/Kolkata"), ("C", "C.UTF-8")))


def test_seeds_zones_and_locales_change_nothing() -> None:
    """Three hash seeds, two time zones, two locales: the same bytes."""
    told = {seed + zone + locale: _elsewhere(seed, zone, locale) for seed, zone, locale in WORLDS}
    assert len(set(told.values())) == 1


def _elsewhere(seed: str, zone: str, locale: str) -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale, "LANG": locale}
    script = str(Path(stories.__file__))
    return subprocess.run([sys.executable, script], env=environment, capture_output=True, check=True).stdout
