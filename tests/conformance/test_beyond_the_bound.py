"""An owner larger than the index bound is answered by an exact scan in chunks, with the same bytes on every store."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from recollect import Memory
from recollect.adapters.clock.system import FixedClock
from recollect.engine import shelves

WORDS = "garden kitchen tomato river budget piano train window coffee doctor camera holiday bicycle server".split()
QUESTIONS = ("what about the river?", "who likes the piano and the train?", "coffee", "the doctor's kitchne", "…")
START_MS = 1_767_225_600_000
BOUND_BYTES = 20_000


@pytest.fixture(params=["memory", "file", "server"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], object]:
    """Opens the same store again and again."""
    if request.param == "memory":
        from recollect.adapters.stores.memory import MemoryStore

        store = MemoryStore()
        return lambda: store
    if request.param == "file":
        return lambda: str(tmp_path / "memory.db")
    url = request.getfixturevalue("postgres_url")
    return lambda: url


def open_at(target: object, bound_bytes: int = 0) -> Memory:
    memory = Memory.open(target, clock=FixedClock(at_ms=START_MS))  # type: ignore[arg-type]
    if bound_bytes:
        memory._parts = replace(memory._parts, index_bound_bytes=bound_bytes)
    return memory


def fill(memory: Memory, count: int = 300) -> None:
    """Many turns, of which some are forgotten, some wait in quarantine, and some were read by nobody yet."""
    chance = random.Random(3)
    chat = memory.session(user="ana", session="s")
    said = [f"The {' and the '.join(chance.sample(WORDS, 4))}, number {n}." for n in range(count)]
    chat.remember_many([{"text": text, "at": START_MS + 1_000 * n} for n, text in enumerate(said)])
    for item in chat.list(kind="semantic", limit=200).items[::9]:
        chat.forget(item.id)


def told(memory: Memory) -> list[object]:
    chat = memory.session(user="ana", session="s")
    found = [[hit.to_dict() for hit in chat.search(question, limit=20)] for question in QUESTIONS]
    recalled = [(chat.recall(question).text, chat.recall(question).trace) for question in QUESTIONS]
    return [found, recalled]


def held(memory: Memory) -> int:
    return sum(bool(shelf.index) for shelf in memory._office("default").shelves._shelves.values())


def test_beyond_the_bound_the_answer_is_the_same(target: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """From an index or in chunks, in memory, in a file or on a server: the same hits, scores, reasons and traces."""
    monkeypatch.setattr(shelves, "CHUNK", 37)
    with open_at(":memory:") as oracle, open_at(target()) as memory, open_at(target(), BOUND_BYTES) as scanned:
        fill(oracle)
        fill(memory)
        expected = told(oracle)
        assert told(memory) == expected
        assert held(memory)
        assert told(scanned) == expected
        assert held(scanned) == 0
        scanned.session(user="ana", session="s").remember("Zeppelins over the river.")
        for each in (scanned, memory):
            assert "Zeppelins" in each.session(user="ana", session="s").search("zeppelin")[0].item.text
