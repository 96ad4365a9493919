"""Laws 7, 8 and 10: the window is always there, the budget is never passed, and a failing part is named, not felt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from conversations import (
    FACT_STEPS,
    PHASE_STEPS,
    READS,
    SAYS,
    START_MS,
    Actor,
    Diary,
    Step,
    conversations,
    difference,
    law,
    open_memory,
    places_of,
    play,
    play_step,
    policies,
)
from hypothesis import given
from hypothesis import strategies as st

from recollect import Context, Memory
from recollect.adapters.index.exact import ExactIndexes
from recollect.adapters.tokens.safe import SafeCounter
from recollect.core.values import ItemRef, Place
from recollect.errors import RecollectError
from recollect.ports.index import Document, Hit, PlaceIndex

# Law 7


class WindowModel:
    """What the window of each session must carry, told a second time from the rulings."""

    def __init__(self, memory: Memory) -> None:
        snapshot = memory.policy.snapshot
        self.window: dict[str, object] = snapshot["window"]  # type: ignore[assignment]
        self.phase: dict[str, object] = snapshot["phase"]  # type: ignore[assignment]
        self.turns: dict[Actor, list[tuple[str, bool, int]]] = {}
        self.phases: dict[Actor, int] = {}

    def said(self, actor: Actor, receipt: dict[str, list[dict[str, str]]], *, is_user: bool) -> None:
        kept = [
            fate["id"] for fate in receipt["fates"] if fate["kind"] == "short_term" and fate["outcome"] == "written"
        ]
        turns = self.turns.setdefault(actor, [])
        turns.extend((item_id, is_user, self.phases.get(actor, 1)) for item_id in kept)
        self.turns[actor] = turns[self._first(turns) :]

    def _first(self, turns: list[tuple[str, bool, int]]) -> int:
        size, longest = int(str(self.window["size"])), int(str(self.window["max_messages"]))
        if self.window["unit"] == "messages":
            return max(0, len(turns) - min(size, longest))
        users = [at for at, (_, is_user, _) in enumerate(turns) if is_user]
        start = users[-size] if len(users) > size else 0
        return max(start, len(turns) - longest)

    def carried(self, actor: Actor) -> list[str]:
        looks_back = self.phase["mode"] == "all" or self.phase["allow_cross_phase_recall"]
        now = self.phases.get(actor, 1)
        return [item_id for item_id, _, phase in self.turns.get(actor, []) if looks_back or phase == now]


WINDOWS = (
    "default",
    "coding",
    "companion",
    "contract",
    '[window]\nunit = "exchanges"\nsize = 1\nmax_messages = 3\n',
    '[window]\nunit = "messages"\nsize = 2\nsummary = true\n',
    '[window]\nunit = "messages"\nsize = 0\n',
    '[window]\nunit = "exchanges"\nsize = 12\n',
)
TALK = st.one_of(SAYS, SAYS, FACT_STEPS, PHASE_STEPS, READS)


@law(100)
@given(conversations(TALK), st.sampled_from(WINDOWS))
def test_last_turns_are_in_every_context(steps: list[Step], policy: str) -> None:
    """Whatever is asked and however much else there is, a context carries exactly the window, word for word."""
    with open_memory(policy) as memory:
        model, diary = WindowModel(memory), Diary()
        for step in steps:
            answer = play_step(memory, step, diary)
            _follow(model, step, answer)
            context = step.actor.at(memory).recall("billing", at=step.at_ms, budget_tokens=100_000)
            window = [c for c in context.kept if c.block == "window" and c.reason.code == "recent_window"]
            assert [choice.item.id for choice in window] == model.carried(step.actor)
            for choice in window:
                assert _fenced(choice.item.text) in context.text


def _follow(model: WindowModel, step: Step, answer: object) -> None:
    if step.verb == "start_phase" and step.space == "session" and isinstance(answer, dict):
        model.phases[step.actor] = int(str(answer["phase_index"]))
    elif (
        step.verb == "remember" and isinstance(answer, tuple) and answer[0] == "receipt" and not answer[1]["is_repeat"]
    ):
        model.said(step.actor, answer[1], is_user=step.role == "user")
    elif step.verb == "remember_many" and isinstance(answer, list):
        for number, (_, receipt, _) in enumerate(answer):
            model.said(step.actor, receipt, is_user=number % 2 == 0)


def _fenced(text: str) -> str:
    return "\n".join(f"| {line}" for line in text.splitlines() or [""])


# Law 8


class CharacterCounter:
    """One token per character."""

    name = "characters"
    is_exact = True

    def count(self, text: str) -> int:
        return len(text)


COUNTERS = st.sampled_from([SafeCounter(), CharacterCounter()])
BUDGETS = st.one_of(st.integers(1, 60), st.integers(60, 2_000), st.just(1_000_000))


@law(80)
@given(conversations(), policies, COUNTERS, st.lists(BUDGETS, min_size=1, max_size=4))
def test_rendered_tokens_never_pass_the_budget(
    steps: list[Step], policy: str, counter: SafeCounter | CharacterCounter, budgets: list[int]
) -> None:
    """The text of a context counts no more than its budget; what cannot fit is refused with what it would take."""
    with open_memory(policy, tokens=counter) as memory:
        play(memory, steps)
        for actor in places_of(steps):
            for budget in budgets:
                context = actor.at(memory).recall("what did we pick for billing?", budget_tokens=budget)
                assert context.tokens == counter.count(context.text)
                assert context.tokens <= budget
                if context.status == "refused":
                    assert (context.text, context.kept) == ("", ())
                    assert context.tokens_needed > budget
                    retried = actor.at(memory).recall("billing", budget_tokens=context.tokens_needed)
                    assert retried.status == "ok"


@law(60)
@given(conversations(), policies, st.integers(40, 3_000))
def test_context_parses_back_to_its_items(steps: list[Step], policy: str, budget: int) -> None:
    """No text breaks out of its envelope: the rendered context reads back as exactly the items it was made of."""
    with open_memory(policy) as memory:
        play(memory, steps)
        for actor in places_of(steps):
            context = actor.at(memory).recall("billing tea name", budget_tokens=budget)
            assert parsed(context) == [(item.id, item.text.splitlines() or [""]) for item in context.items]


def parsed(context: Context) -> list[tuple[str, list[str]]]:
    """A context's text as (id, lines) again. Only fenced lines belong to a memory; marks open one."""
    found: list[tuple[str, list[str]]] = []
    for line in context.text.split("\n"):
        if line.startswith("["):
            found.append((line[1:].split("]", 1)[0], []))
        elif line.startswith("| "):
            found[-1][1].append(line[2:])
        else:
            assert line == "" or line.startswith("## "), line
    return found


@law(60)
@given(conversations(), policies)
def test_tracing_never_changes_a_result(steps: list[Step], policy: str) -> None:
    """The same calls with traces on and off give the same receipts, contexts and state."""
    with open_memory(policy, tracing=True) as traced, open_memory(policy, tracing=False) as silent:
        first, second = play(traced, steps).pages, play(silent, steps).pages
        told = [[_untraced(answer) for _, answer in pages] for pages in (first, second)]
        assert difference(*told) == ""
        assert traced.state_hash() == silent.state_hash()


def _untraced(answer: object) -> object:
    if isinstance(answer, list):
        return [_untraced(entry) for entry in answer]
    return answer[:2] if isinstance(answer, tuple) and answer[0] in {"receipt", "context"} else answer


# Law 10


class FailingIndex:
    """The real index, which breaks where it is told to, with an error nobody planned for."""

    def __init__(self, inner: PlaceIndex, switch: Switch) -> None:
        self._inner = inner
        self._switch = switch

    @property
    def seq(self) -> int:
        return self._inner.seq

    @seq.setter
    def seq(self, seq: int) -> None:
        self._inner.seq = seq

    def fill(self, place: Place, documents: Sequence[Document]) -> None:
        self._switch.check("add")
        self._inner.fill(place, documents)

    def remove(self, ref: ItemRef) -> None:
        self._switch.check("remove")
        self._inner.remove(ref)

    def search(self, *given: object, **named: object) -> Sequence[Hit]:
        self._switch.check("search")
        return self._inner.search(*given, **named)

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)


class FailingIndexes(ExactIndexes):
    """Makes such indexes."""

    def __init__(self, dimensions: int, switch: Switch) -> None:
        super().__init__(dimensions)
        self._switch = switch

    def make(self, light_for: str | None = None) -> FailingIndex:
        return FailingIndex(super().make(light_for), self._switch)


@dataclass
class Switch:
    """What is broken at the moment."""

    broken: str = ""

    def check(self, name: str) -> None:
        if self.broken == name:
            raise ZeroDivisionError("the index is down")


def with_index(policy: str, switch: Switch) -> Memory:
    parts = open_memory(policy)._parts
    return Memory(replace(parts, indexes=FailingIndexes(parts.embedder.dimensions, switch)))


@pytest.mark.parametrize("broken", ["add", "search"])
@law(30)
@given(steps=conversations(SAYS), policy=st.sampled_from(["default", "coding", "companion"]))
def test_recall_survives_a_broken_index(steps: list[Step], policy: str, broken: str) -> None:
    """With the index down, recall answers with window and facts, says what failed, and is whole again afterwards."""
    index = Switch()
    with with_index(policy, index) as memory, open_memory(policy) as healthy:
        play(memory, steps)
        play(healthy, steps)
        for actor in places_of(steps):
            expected = actor.at(healthy).recall("billing postgres")
            index.broken = broken
            context = actor.at(memory).recall("billing postgres")
            if expected.choices and context.status != "ok":
                assert context.status == "degraded"
                assert context.tiers["terms"].startswith("failed")
                assert context.tiers["window"] == context.tiers["facts"] == "ran"
            assert _block(context, "window") == _block(expected, "window")
            assert _block(context, "rules") == _block(expected, "rules")
            index.broken = ""
            assert actor.at(memory).recall("billing postgres").hash == expected.hash


def _block(context: Context, name: str) -> list[str]:
    return [choice.item.id for choice in context.kept if choice.block == name]


@law(30)
@given(conversations(SAYS), st.sampled_from(["add", "search", "remove"]))
def test_writing_survives_a_broken_index(steps: list[Step], broken: str) -> None:
    """A write that is durable is answered as done, whatever the search index makes of it."""
    index = Switch()
    with with_index("default", index) as memory, open_memory() as healthy:
        for number, step in enumerate(steps):
            for each in (memory, healthy):
                step.actor.at(each).search("billing")
            index.broken = broken if number % 2 else ""
            assert difference(play_step(memory, step, Diary()), play_step(healthy, step, Diary())) == ""
            index.broken = ""
        for actor in places_of(steps):
            assert actor.at(memory).recall("billing").hash == actor.at(healthy).recall("billing").hash


def test_search_with_a_broken_index_is_a_typed_error() -> None:
    """Search has no lower tier to stand on, so a broken index is an error of ours, not an empty list."""
    index = Switch()
    with with_index("default", index) as memory:
        session = memory.session(user="ana")
        session.remember("We decided to use Postgres for billing.")
        index.broken = "search"
        with pytest.raises(RecollectError) as caught:
            session.search("billing")
        assert "index is down" not in str(caught.value)


def test_recall_past_its_deadline_still_has_the_window() -> None:
    """When the time is up before anything was looked up, the window is there and the rest is named as skipped."""
    with open_memory() as memory:
        session = memory.session(user="ana")
        for number in range(200):
            session.remember(f"We decided to use tool number {number} for billing.", at=START_MS)
        told = [session.recall("billing", deadline_ms=1) for _ in range(20)]
        for context in told:
            assert len(_block(context, "window")) == 4
            skipped = [tier for tier, state in context.tiers.items() if state == "skipped: deadline"]
            assert context.status == ("degraded" if skipped else "ok")
