"""The document's state evolution timeline, t=0 to t=n, told as text and compared with what it should be."""

from __future__ import annotations

import json
from pathlib import Path

from talks import MINUTE_MS, START_MS, holds, open_memory

from recollect import Session

GOLDEN = Path(__file__).parent / "timeline.txt"


def story() -> str:
    """Play the timeline and write down the state after each step."""
    memory = open_memory()
    coach = memory.session(user="ana", persona="coach")
    lines: list[str] = []

    def step(title: str) -> None:
        lines.append(f"== {title}")
        lines.extend(_state(coach))

    def say(text: str, minute: int) -> None:
        coach.remember(text, at=START_MS + minute * MINUTE_MS)

    say("My sister Priya lives in Pune. I'll call her tomorrow.", 0)
    step("t=0: first message to Coach")
    say("I keep forgetting my keys.", 1)
    step("t=1: second message")
    say("I prefer green tea.", 2)
    say("We decided to paint the kitchen blue.", 3)
    step("t=3: fourth message")
    memory.upkeep(START_MS + 35 * MINUTE_MS)
    step("t=35min: no activity")
    say("Good afternoon!", 36)
    step("t=36min: back again")
    blocks = [name for name, _ in coach.recall("what about the kitchen?", at=START_MS + 36 * MINUTE_MS).blocks]
    lines.append(f"context: {', '.join(blocks)}")
    for number in range(6, 21):
        say(f"Just chatting about thing {number}.", 31 + number)
    step("t=n: twenty messages")
    lines.append(
        f"sophie: {json.dumps(memory.session(user='ana', persona='sophie').companion.state(), sort_keys=True)}"
    )
    holds(memory)
    return "\n".join(lines) + "\n"


def _state(chat: Session) -> list[str]:
    companion = chat.companion
    told = [f"state: {json.dumps(companion.state(), sort_keys=True)}"]
    told += [f"session: {json.dumps(session.to_dict(), sort_keys=True)}" for session in companion.sessions()]
    told += [f"memory: {item.id} {item.text}" for item in chat.list(kind="profile", space="user").items]
    told += [f"todo: {todo.kind} {todo.status} {todo.text}" for todo in companion.todos(status="all", at=START_MS)]
    told += [f"summary: {json.dumps(summary, sort_keys=True)}" for summary in companion.summaries()]
    spine = companion.spine()
    return [*told, f"spine: {json.dumps(spine, sort_keys=True)}"] if spine is not None else told


def test_state_evolution_timeline() -> None:
    """The same calls give the document's timeline, byte for byte."""
    assert story() == GOLDEN.read_text(encoding="utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(story(), encoding="utf-8")
