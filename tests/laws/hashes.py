"""Plays one fixed conversation under every policy and prints what it came to, as hashes.

Run as a program by `test_law_of_determinism.py` under different hash seeds, time zones and locales.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from conversations import (
    ACTORS,
    FACTS,
    HARSH,
    HINTS,
    OUTSIDE,
    PLAIN,
    PRESETS,
    QUERIES,
    SECRETS,
    START_MS,
    Step,
    open_memory,
    play,
    tenants,
)

VERBS = ("pin", "mark", "promote", "forget", "unforget", "confirm", "correct", "used", "unpin")


def fixed_conversation() -> list[Step]:
    """Everything the generator knows, once, in one order."""
    steps: list[Step] = []
    for number, text in enumerate((*PLAIN, *FACTS, *HINTS, *SECRETS)):
        actor = ACTORS[number % len(ACTORS)]
        steps.append(Step(verb="remember", actor=actor, text=text, role=("user", "user", "assistant")[number % 3]))
        steps.append(Step(verb="remember_fact", actor=actor, text=text, key=("", "name")[number % 2]))
    for number, text in enumerate(OUTSIDE):
        steps.append(Step(verb="remember", actor=ACTORS[number], text=text, source=("web", "import", "tool:x")[number]))
    for number, verb in enumerate(VERBS * 2):
        steps.append(
            Step(verb=verb, actor=ACTORS[number % 3], text="Actually, it is Porto.", pick=number, space="user")
        )
    for number, query in enumerate(QUERIES):
        steps.append(Step(verb="recall", actor=ACTORS[number % 5], text=query, number=8_000))
        steps.append(Step(verb="search", actor=ACTORS[number % 5], text=query, number=10))
    steps.append(Step(verb="start_phase", text="planning"))
    steps.append(Step(verb="recall", text="postgres", number=8_000))
    timed = []
    for number, step in enumerate(steps):
        fields = {name: getattr(step, name) for name in Step.__dataclass_fields__}
        timed.append(Step(**{**fields, "at_ms": START_MS + 86_399_000 * number}))
    return timed


def outcome(policy: str, target: str) -> dict[str, object]:
    steps = fixed_conversation()
    with open_memory(policy, target) as memory:
        pages = play(memory, steps).pages
        answers = json.dumps([answer for _, answer in pages], sort_keys=True, ensure_ascii=True, default=str)
        return {
            "state": [memory.state_hash(tenant=tenant) for tenant in tenants(steps)],
            "answers": sha256(answers.encode()).hexdigest(),
            "replay": [len(memory.replay(tenant=tenant)) for tenant in tenants(steps)],
        }


def main() -> None:
    found = {policy[:12]: outcome(policy, ":memory:") for policy in (*PRESETS, HARSH)}
    with TemporaryDirectory() as folder:
        found["on a file"] = outcome("contract", str(Path(folder) / "memory.db"))
    json.dump(found, sys.stdout, sort_keys=True)


if __name__ == "__main__":
    main()
