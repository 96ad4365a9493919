"""Every event carries the keys the contract requires, with the words it allows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import contract
import pytest
from scenarios import SCENARIOS, events_of

from recollect.core.wire import EVENTS, Wire

TRACES = Path(__file__).with_name("traces")
TOLD = {name: events_of(name) for name in SCENARIOS}
ALL = [event for events in TOLD.values() for event in events]


def items(events: list[Wire]) -> Iterator[tuple[str, Wire]]:
    """(where, item) of every whole item the events show."""
    for event in events:
        for key in ("written", "recalled"):
            for item in event.get(key, ()):  # type: ignore[attr-defined]
                yield key, item


def test_stories_tell_every_event() -> None:
    """The goldens together show every event there is, so none of their keys goes unchecked."""
    assert {str(event["type"]) for event in ALL} == set(contract.REQUIRED)


def test_contract_and_code_know_the_same_events() -> None:
    """The table of events in the code is the contract's list and ours, no more and no less."""
    assert {name for name in EVENTS if name in contract.REQUIRED} == set(contract.REQUIRED)


@pytest.mark.parametrize("name", contract.REQUIRED)
def test_required_keys_are_there(name: str) -> None:
    """Each event of that name has each of its required keys."""
    events = [event for event in ALL if event["type"] == name]
    assert events
    for event in events:
        assert [key for key in contract.REQUIRED[name] if key not in event] == []


@pytest.mark.parametrize(("name", "key"), contract.WORDS)
def test_closed_words_are_kept(name: str, key: str) -> None:
    """Where the contract closes a list of words, no other word appears, and each one is seen in some story."""
    found = {str(event[key]) for event in ALL if event["type"] == name}
    assert found <= set(contract.WORDS[name, key])
    if (name, key) != ("memory_conflict", "rule"):
        assert found == set(contract.WORDS[name, key])


def test_border_checks_name_both_sides() -> None:
    """Writing and promoting cross from one space to another, and the check names both."""
    for event in ALL:
        if event["type"] == "memory_border_check" and event["action"] in {"write", "promote"}:
            assert event["to_space"] in {"session", "user", "project", "system"}


def test_items_are_whole() -> None:
    """Every shown item has the contract's core fields, its event type, importance reasons and authority."""
    for where, item in items(ALL):
        assert [field for field in contract.ITEM if field not in item] == []
        meta = item["meta"]
        assert isinstance(meta, dict)
        for field in contract.WRITTEN_META if where == "written" else contract.RECALLED_META:
            assert meta[field]
        assert meta["event_type"] in contract.EVENT_TYPES
        assert meta["authority"] in contract.AUTHORITIES
        assert item["scope"] == "session"
        assert type(item["created_at"]) is int
        assert type(item["importance"]) is int


def test_recall_reasons_are_the_contract_s() -> None:
    """A recalled item says why in the contract's words, and from which space."""
    for where, item in items(ALL):
        if where == "recalled":
            reasons = item["meta"]["recall_reason"]  # type: ignore[index]
            assert {reason for reason in reasons if not reason.startswith("space:")} <= set(contract.RECALL_REASONS)
            assert f"space:{item['meta']['space']}" in reasons  # type: ignore[index]


def test_every_meta_field_is_seen() -> None:
    """Each meta field the contract names appears in some story."""
    seen = {field for _, item in items(ALL) for field in item["meta"]}  # type: ignore[attr-defined]
    assert [field for field in contract.META if field not in seen] == []


def test_expiring_items_say_when() -> None:
    """An item with a life span says at which tick it ends, and a recalled one that retention kept it."""
    shown = [item for _, item in items(TOLD["retention"]) if item["kind"] == "semantic"]
    assert all(item["meta"]["expires_at"] for item in shown)  # type: ignore[index]
    kept = [item for where, item in items(TOLD["spaces"]) if where == "recalled" and item["kind"] == "semantic"]
    assert all("kept_by:retention_rule" in item["meta"]["policy_tags"] for item in kept)  # type: ignore[index]


def test_recall_names_the_phase() -> None:
    """A recall in a place with phases tells the current one with the contract's keys."""
    recall = [event for event in TOLD["phases"] if event["type"] == "memory_recall"][-1]
    phase = recall["current_phase"]
    assert isinstance(phase, dict)
    assert {key: phase[key] for key in contract.PHASE} == {
        "phase_id": "phase-2",
        "phase_name": "planning",
        "phase_started_at": 7,
        "phase_reason": "manual",
    }


def test_denied_secret_is_nowhere() -> None:
    """No event of the governance story holds the password, its parts, or a key made from it."""
    told = str(TOLD["governance"]) + (TRACES / "governance.txt").read_text(encoding="utf-8")
    assert "hunter2" not in told
    assert "Zq81" not in told
    assert "ghp_" not in str(TOLD["by_hand"]) + (TRACES / "by_hand.txt").read_text(encoding="utf-8")


def test_ticks_and_ids_follow_the_contract() -> None:
    """The governance story counts as the contract's own goldens do: each item, kept or denied, spends one tick."""
    written = [item for where, item in items(TOLD["governance"]) if where == "written"]
    told = [(item["created_at"], item["id"]) for item in written[:3]]
    assert told == [(2, "session:ana:short_term:1"), (3, "session:ana:semantic:1"), (4, "session:ana:profile:1")]
    conflicts = [event for event in TOLD["governance"] if event["type"] == "memory_conflict"]
    assert [event["rule"] for event in conflicts] == ["recency", "recency", "correction"]
    denied = [event for event in TOLD["governance"] if event["type"] == "memory_denied"]
    assert [event["reason"] for event in denied][:3] == ["privacy_deny_sensitive"] * 3


def test_phase_diff_counts_as_the_contract_does() -> None:
    """Ada, then a correction and another turn in the next phase: four added, none deleted, one replaced."""
    diff, unknown = (event for event in TOLD["phases"] if event["type"] == "memory_phase_diff")
    assert (unknown["added_count"], unknown["deleted_count"], unknown["replaced_count"]) == (0, 0, 0)
    assert (diff["added_count"], diff["deleted_count"], diff["replaced_count"]) == (4, 0, 1)
    assert diff["summary_lines"] == ["Added 4 items", "Deleted 0 items", "Replaced 1 items"]
    changes = diff["top_changes"]
    assert isinstance(changes, list)
    assert changes[0] == {
        "change": "replaced",
        "from_id": "session:ana:profile:1",
        "to_id": "session:ana:profile:2",
        "dedup_key": "fact:name",
    }
