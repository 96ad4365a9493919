"""Reads a policy from TOML, strictly.

An unknown key, a wrong type or a value outside its set is an error that names the path and what is allowed there.

Never: guesses, fills a typo with a default, or reads a file (the text comes in as data).
Spec: contract v1 "Policies are enforced (not advisory)"; architecture, "Policy".
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any, Literal

from recollect.core.policy import Companion, Policy, Ranking, RetentionMode, RetentionRule
from recollect.errors import PolicyInvalid

PATTERN_CHARACTERS = 200
# A caller's pattern runs on every write; nested quantifiers are what makes Python's `re` take for ever.
_NESTED = re.compile(r"\((?:[^()\\]|\\.)*[+*}](?:[^()\\]|\\.)*\)[+*{]")


def parse_policy(text: str, *, name: str = "") -> Policy:
    """The policy a TOML text describes; what it leaves out has the value of the preset `default`."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyInvalid(f"The policy is not valid TOML: {error}.", reason="policy_not_toml") from error
    if name:
        raw.setdefault("name", name)
    return policy_from(raw)


def policy_from(raw: Mapping[str, object]) -> Policy:
    """The policy that nested plain data describes."""
    policy = recorded_policy(raw)
    _check(policy)
    return policy


def recorded_policy(raw: Mapping[str, object]) -> Policy:
    """A policy as a log holds it: it was in force, whatever the limits are today."""
    policy: Policy = _read(Policy, raw, "")
    return policy


@cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def _read(cls: type, raw: object, path: str) -> Any:
    if not isinstance(raw, Mapping):
        raise _wrong(path, "a table", raw)
    hints = _hints(cls)
    names = [f.name for f in dataclasses.fields(cls)]
    for key in raw:
        if key not in names:
            raise PolicyInvalid(
                f"Unknown policy key {_join(path, str(key)[:60])!r}.",
                hint=f"Allowed here: {', '.join(names)}.",
                reason="policy_unknown_key",
            )
    values = {key: _value(hints[key], value, _join(path, key)) for key, value in raw.items()}
    try:
        return cls(**values)
    except TypeError as error:
        required = [f.name for f in dataclasses.fields(cls) if _is_required(f) and f.name not in values]
        raise PolicyInvalid(f"{path or 'The policy'} lacks {', '.join(required)}.", reason="policy_missing") from error


def _is_required(f: dataclasses.Field[Any]) -> bool:
    return f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING


def _value(hint: Any, raw: object, path: str) -> Any:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        inner = [arg for arg in typing.get_args(hint) if arg is not type(None)]
        return _value(inner[0], raw, path)
    if origin is tuple:
        if not isinstance(raw, list):
            raise _wrong(path, "a list", raw)
        inner_hint = typing.get_args(hint)[0]
        return tuple(_value(inner_hint, entry, f"{path}[{index}]") for index, entry in enumerate(raw))
    if origin is Literal:
        return _word(list(typing.get_args(hint)), raw, path)
    if hint is RetentionRule and isinstance(raw, str):
        return RetentionRule(mode=RetentionMode(_word([m.value for m in RetentionMode], raw, path)))
    if dataclasses.is_dataclass(hint):
        return _read(hint, raw, path)  # type: ignore[arg-type]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint(_word([word.value for word in hint], raw, path))
    if hint is bool or hint is int or hint is str:
        if type(raw) is not hint:
            raise _wrong(path, {bool: "true or false", int: "a whole number", str: "a string"}[hint], raw)
        return raw
    raise AssertionError(f"no reader for {hint!r}")


def _word(allowed: list[str], raw: object, path: str) -> str:
    if raw not in allowed:
        raise PolicyInvalid(
            f"{path} is {str(raw)[:60]!r}.", hint=f"Allowed: {', '.join(allowed)}.", reason="policy_bad_value"
        )
    return str(raw)


def _wrong(path: str, wanted: str, raw: object) -> PolicyInvalid:
    return PolicyInvalid(f"{path} should be {wanted}, not {type(raw).__name__}.", reason="policy_bad_type")


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


# (path, lowest, highest): a limit on everything.
_RANGES: tuple[tuple[str, int, int], ...] = (
    ("window.max_messages", 1, 1_000),
    ("facts.limit", 0, 200),
    ("recall.candidates", 1, 200),
    ("recall.top_k", 0, 200),
    ("recall.budget_tokens", 1, 1_000_000),
    ("recall.turn_tokens", 20, 100_000),
    ("recall.floor", 0, 1_000_000),
    ("recall.half_life_ticks", 1, 10_000_000),
    ("recall.weights.terms", 0, 100),
    ("recall.weights.recency", 0, 100),
    ("recall.weights.importance", 0, 100),
    ("phase.max_phases", 0, 10_000),
    ("trace.ring", 0, 100_000),
    ("importance.maximum", 1, 100),
    ("importance.growth_sessions", 1, 1_000),
    # Ten deviations decide any question; a negative weight speaks against.
    *((f"recall.ranking.{f.name}", -1_000, 1_000) for f in dataclasses.fields(Ranking)),
    ("context.episode_tokens", 0, 1_000_000),
    ("context.new_turns", 1, 100_000),
    ("context.on_topic", 0, 1_000_000),
    ("context.alike_from", 0, 999_999),
    ("context.important", 1, 101),
    ("context.edge_percent", 1, 100),
    ("context.keep_floor", 0, 1_000_000),
    ("context.duplicate_percent", 0, 100),
    ("context.similar_percent", 1, 101),
    ("context.gap_hours", 1, 100_000),
    ("context.gap_turns", 0, 100_000),
    ("context.max_files", 1, 100),
    ("context.file_bytes", 1, 1_073_741_824),
    ("context.file_tokens", 50, 1_000_000),
    ("context.span_turns", 0, 10_000),
    ("context.summary_characters", 80, 20_000),
    ("context.summaries", 1, 10_000),
    ("ask.deadline_ms", 1, 3_600_000),
    ("ask.recall_ms", 1, 3_600_000),
    ("ask.condense_ms", 1, 3_600_000),
    ("ask.model_ms", 1, 3_600_000),
    ("ask.ceiling_tokens", 1, 10_000_000),
    ("ask.answer_tokens", 1, 1_000_000),
    ("ask.retries", 0, 10),
    ("ask.backoff_ms", 0, 60_000),
    ("ask.breaker_failures", 1, 1_000),
    ("ask.breaker_ms", 0, 3_600_000),
    ("ask.session_tokens", 0, 1_000_000_000),
)


# k of document 002 counts exchanges: one at least, or "the last turns, always" would say nothing; twelve at most, or
# the window would eat the room of everything else. The contract counts messages, and its 0 carries none.
_WINDOW_SIZES: dict[str, tuple[int, int]] = {"exchanges": (1, 12), "messages": (0, 200)}


def _check(policy: Policy) -> None:
    for path, lowest, highest in _RANGES:
        value: Any = policy
        for part in path.split("."):
            value = getattr(value, part)
        _check_range(path, value, lowest, highest)
    unit = policy.window.unit
    _check_range("window.size", policy.window.size, *_WINDOW_SIZES[unit], of=f" {unit}")
    if policy.companion is not None:
        _check_companion(policy.companion)
    for index, pattern in enumerate(policy.privacy.deny_patterns):
        _check_pattern(pattern, f"privacy.deny_patterns[{index}]")
    if len(set(policy.authority_order)) != len(policy.authority_order):
        raise PolicyInvalid("authority_order names a level twice.", reason="policy_bad_value")
    if policy.episodes.space not in policy.spaces.read_order:
        raise PolicyInvalid("episodes.space is not in spaces.read_order.", reason="policy_bad_value")


# These count something that cannot be zero; everything else of the companion may be.
_COMPANION_AT_LEAST_ONE = ("session_minutes", "rolling_every", "spine_every", "half_life_days", "growth_sessions")


def _check_companion(companion: Companion) -> None:
    for field in dataclasses.fields(companion):
        value = getattr(companion, field.name)
        lowest = int(field.name in _COMPANION_AT_LEAST_ONE)
        if type(value) is int:
            _check_range(f"companion.{field.name}", value, lowest, 1_000_000)


def _check_range(path: str, value: int, lowest: int, highest: int, *, of: str = "") -> None:
    if not lowest <= value <= highest:
        hint = f"Allowed: {lowest} to {highest}{of}."
        raise PolicyInvalid(f"{path} is {value}{of}.", hint=hint, reason="policy_out_of_range")


def _check_pattern(pattern: str, path: str) -> None:
    if len(pattern) > PATTERN_CHARACTERS or _NESTED.search(pattern):
        raise PolicyInvalid(
            f"{path} is too long or repeats a repetition.",
            hint=f"Use at most {PATTERN_CHARACTERS} characters and no quantifier on a group that holds one.",
            reason="policy_bad_pattern",
        )
    try:
        re.compile(pattern)
    except re.error as error:
        raise PolicyInvalid(f"{path} is not a regular expression: {error}.", reason="policy_bad_pattern") from error
