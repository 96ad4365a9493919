"""Short ways to say what the tests of the companion say often."""

from __future__ import annotations

from recollect import Memory, Session
from recollect.adapters.clock.system import FixedClock
from recollect.core.item import MemoryItem
from recollect.engine.listing import all_items

START_MS = 1_767_225_600_000  # 1 January 2026, a Thursday
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS


def open_memory(target: str = ":memory:", policy: str = "companion") -> Memory:
    return Memory.open(target, policy=policy, clock=FixedClock(START_MS))


def tell(chat: Session, *texts: str, at: int = START_MS, step: int = MINUTE_MS) -> int:
    """Say things one after the other; the moment after the last."""
    for text in texts:
        chat.remember(text, at=at)
        at += step
    return at


def everything(memory: Memory) -> list[MemoryItem]:
    """Every item of every place, whatever its status."""
    with memory._office("default").repository.reading() as reader:
        return [item for place in reader.places() for item in all_items(reader, place)]


def holds(memory: Memory) -> None:
    """What must hold after anything: the log folds to the state, and verifies."""
    assert memory.replay() == []
    assert memory.verify().verdict == "ok"
