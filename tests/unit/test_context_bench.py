"""The data of the context's benches is what it says, and the code passes it: conversations and labelled pairs."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from recollect.core.policy import Policy

BENCH = Path(__file__).parents[2] / "bench"


def load(name: str) -> ModuleType:
    """A bench by its file: its folder must not come before the standard library."""
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


context_bench, pairs_bench = load("context"), load("pairs")
SCENARIOS = context_bench.scenarios()


def test_there_are_enough_of_both() -> None:
    """At least forty conversations, each with something to check, and two hundred pairs of both kinds."""
    assert len(SCENARIOS) >= 40
    assert all(scenario.question and scenario.checks for scenario in SCENARIOS)
    labels = [is_copy for _, _, is_copy in pairs_bench.pairs()]
    assert len(labels) >= 200
    assert 50 <= sum(labels) <= len(labels) - 50


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_conversation_has_the_context_it_needs(scenario: object) -> None:
    """What must be in the context is in it, what must not is not, within the budget."""
    assert list(context_bench.faults(scenario)) == []


def test_bench_finds_a_planted_fault() -> None:
    """A scenario that asks for what was never said fails."""
    planted = context_bench.Scenario("planted", [("u:", "hello there")], "what?", [("must", "goodbye")])
    assert list(context_bench.faults(planted)) == ["must: goodbye"]


def test_gate_is_precise_on_the_pairs() -> None:
    """With the default strictness nearly every copy is found, and hardly anything else is called one."""
    rules = Policy().context
    hit, wrong, missed, _ = pairs_bench.judge((rules.duplicate_percent, rules.similar_percent))
    assert hit / (hit + wrong) >= 0.97
    assert hit / (hit + missed) >= 0.97


def test_strictness_is_a_knob() -> None:
    """A stricter gate calls fewer pairs copies."""
    strict, loose = pairs_bench.judge((100, 101)), pairs_bench.judge((40, 80))
    assert strict[0] + strict[1] < loose[0] + loose[1]
