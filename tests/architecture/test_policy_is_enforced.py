"""Policies are enforced, not advisory: every field of the policy is read by some decision."""

from __future__ import annotations

import ast
import dataclasses
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.core.policy import Importance, Policy, RetentionByType, RetentionRule
from recollect.core.values import EventType

SOURCE = Path(__file__).parents[2] / "src" / "recollect"
# Reading a field to check its range or to print it is not a decision.
NOT_DECISIONS = {"core/policy_file.py"}
# Fields named after an event type are read through its name.
BY_EVENT_TYPE = {RetentionByType, Importance}


def leaves(cls: type, path: str = "") -> Iterator[tuple[str, str]]:
    """(dotted path, attribute) of every value of the policy."""
    hints = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        dotted = f"{path}.{field.name}" if path else field.name
        inner = [hints[field.name], *typing.get_args(hints[field.name])]
        nested = next((hint for hint in inner if dataclasses.is_dataclass(hint)), None)
        if nested is not None and nested is not RetentionRule:
            yield from leaves(nested, dotted)  # type: ignore[arg-type]
        elif not (cls in BY_EVENT_TYPE and field.name in [*EventType]):
            yield dotted, field.name


def attributes_read() -> frozenset[str]:
    """Every attribute some module of the source reads, and every word it passes to getattr."""
    found: list[str] = []
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).as_posix() in NOT_DECISIONS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                found.append(node.attr)
    return frozenset(found)


READ = attributes_read()
# A nested attribute is found by its own name, so a common word needs the whole path spelled out somewhere.
COMMON = {"phase.mode": "phase.mode"}


@pytest.mark.parametrize(("dotted", "name"), dict(leaves(Policy)).items())
def test_policy_field_is_read_by_a_decision(dotted: str, name: str) -> None:
    """A policy value that nobody reads would be a promise nobody keeps."""
    if dotted in COMMON:
        sources = [path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))]
        assert any(COMMON[dotted] in text for text in sources)
    else:
        assert name in READ


def test_by_event_type_fields_name_every_event_type() -> None:
    """The tables that are read through an event type's name have a row for each."""
    for cls in BY_EVENT_TYPE:
        assert {event_type.value for event_type in EventType} <= {field.name for field in dataclasses.fields(cls)}
