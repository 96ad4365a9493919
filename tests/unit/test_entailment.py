"""An entailment model behind the gate: a small judge changes verdicts, an ill one costs nothing but its word."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from recollect import Context, Memory, Session

START_MS = 1_767_225_600_000
OLD, NEW = "The nightly export runs on the big server.", "The nightly export never runs on the big server any more."
QUESTION = "where does the nightly export run?"
DENIALS = ("never", "not", "no longer", "nowhere")


class Negations:
    """A rule for a model: the same words without denials are one matter; one side denies, the other does not."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.timeouts: list[int] = []

    def relate(self, pairs: Sequence[tuple[str, str]], *, timeout_ms: int) -> list[str]:
        self.asked += pairs
        self.timeouts.append(timeout_ms)
        return [self._judge(older, newer) for older, newer in pairs]

    def _judge(self, older: str, newer: str) -> str:
        first, second = (frozenset(text.lower().strip(".").split()) for text in (older, newer))
        bare = [words - {*DENIALS, "any", "more", "no", "longer"} for words in (first, second)]
        if len(bare[0] & bare[1]) * 10 < min(len(bare[0]), len(bare[1])) * 8:
            return "neither"
        is_denied = [bool(words & {*DENIALS}) for words in (first, second)]
        return "contradicts" if is_denied[0] != is_denied[1] else "same"


def asked(judge: object | None, *said: str, deadline_ms: int | None = None) -> Context:
    memory = Memory.open(":memory:", **({"entailment": judge} if judge is not None else {}))
    chat = memory.session(user="ana", session="one")
    for n, text in enumerate(said):
        chat.remember(text, ref=f"m{n}", at=START_MS + n * 60_000)
    for n in range(10):
        chat.remember(f"Small talk {n}.", at=START_MS + (100 + n) * 60_000)
    return chat.recall(QUESTION, deadline_ms=deadline_ms)


def verdict(context: Context, ref: str) -> str:
    return next(c.reason.code for c in context.choices if c.item.origin.ref == ref and c.block == "episodes")


def kept(context: Context) -> list[str]:
    return [c.item.origin.ref for c in context.kept if c.block == "episodes" and c.item.origin.ref]


def test_judge_sees_a_contradiction_rules_do_not() -> None:
    """The older of two that contradict each other goes with a conflict; without the judge both stand."""
    assert {"m0", "m1"} <= set(kept(asked(None, OLD, NEW)))
    judge = Negations()
    context = asked(judge, OLD, NEW)
    assert (OLD, NEW) in judge.asked and 0 < judge.timeouts[0] <= 2_000
    assert verdict(context, "m0") == "older_claim" and "m1" in kept(context)
    assert [(c.about, c.kept.split(":")[0]) for c in context.conflicts] == [("meaning", "user")]
    assert context.tiers["entailment"] == "ran" and context.status == "ok"


def test_judge_sees_a_paraphrase_rules_do_not() -> None:
    """The older of two that say the same in other words goes as a near-duplicate."""
    words = ("The export job runs on the big server at night.", "At night the job export runs on the big server.")
    context = asked(Negations(), *words)
    assert verdict(context, "m0") == "older_duplicate"


def test_judge_that_finds_nothing_changes_nothing() -> None:
    """A judge of no opinion leaves the context as it was without one."""

    class Silent:
        def relate(self, pairs: Sequence[tuple[str, str]], *, timeout_ms: int) -> list[str]:
            return ["neither"] * len(pairs)

    assert asked(Silent(), OLD, NEW).hash == asked(None, OLD, NEW).hash


def _hung(freed: threading.Event) -> object:
    freed.wait(20)
    return []


GARBAGE: dict[str, object] = {
    "nothing": None,
    "too few": [],
    "a word of its own": ["maybe"],
    "a text": "same",
    "numbers": [1, 2, 3],
}


@pytest.mark.parametrize("fault", ["hung", "raises", *GARBAGE])
@pytest.mark.parametrize("deadline_ms", [None, 400])
def test_ill_judge_costs_only_its_word(fault: str, deadline_ms: int | None) -> None:
    """A judge that hangs, fails or answers nonsense is named, nothing of it is used, and the rest is as without it."""
    freed = threading.Event()

    class Ill:
        def relate(self, pairs: Sequence[tuple[str, str]], *, timeout_ms: int) -> object:
            if fault == "raises":
                raise RuntimeError("no weights")
            return _hung(freed) if fault == "hung" else GARBAGE[fault]

    began = time.monotonic()
    context = asked(Ill(), OLD, NEW, deadline_ms=deadline_ms)
    freed.set()
    # A judge has two seconds of its own where there is no deadline.
    assert time.monotonic() - began < 15
    told = {"hung": "skipped: deadline", "raises": "failed: RuntimeError"}.get(fault, "failed: entailment_garbage")
    assert (context.tiers["entailment"], context.status) == (told, "degraded")
    healthy = asked(None, OLD, NEW)
    assert context.text == healthy.text and context.conflicts == healthy.conflicts


def test_judge_speaks_of_snippets_too(tmp_path: Path) -> None:
    """A newer word in chat that a judge finds contrary to a snippet takes its place until the file is read in again."""
    (tmp_path / "notes.md").write_text(f"# Export\n\n{OLD}\n", encoding="utf-8")
    memory = Memory.open(":memory:", roots=[tmp_path], entailment=Negations())
    chat: Session = memory.session(user="ana", session="one")
    chat.read_in("notes.md", at=START_MS)
    chat.remember(NEW, at=START_MS + 60_000)
    for n in range(10):
        chat.remember(f"Small talk {n}.", at=START_MS + (100 + n) * 60_000)
    codes = [c.reason.code for c in chat.recall(QUESTION).choices if c.item.origin.source == "file:notes.md"]
    assert codes == ["newer_chat"]
