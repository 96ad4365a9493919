"""A stateful comparison: whatever is done, in whatever order, a file and a server answer like the oracle in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from conversations import (
    ACTORS,
    ACTS,
    FACT_STEPS,
    PHASE_STEPS,
    READS,
    SAYS,
    SOAK,
    START_MS,
    Actor,
    Diary,
    Step,
    difference,
    open_memory,
    play_step,
    policies,
)
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from recollect import Memory

WHO = st.sampled_from(ACTORS[:6] + ACTORS[7:8])


class FileAgainstOracle(RuleBasedStateMachine):
    """Every step goes to both; every answer, hash and replay must agree. The file is reopened now and then."""

    @initialize(policy=policies)
    def open_both(self, policy: str) -> None:
        self.policy = policy
        self.folder = TemporaryDirectory()
        self.target = self.place()
        self.oracle = open_memory(policy)
        self.memory = open_memory(policy, self.target)
        # A second process of sorts: its own connections, caches and indexes on the same file.
        self.other = open_memory(policy, self.target)
        self.diaries = (Diary(), Diary())
        self.clock = START_MS
        self.tenants = {"default": True}

    def place(self) -> str:
        return str(Path(self.folder.name) / "memory.db")

    def both(self, step: Step, actor: Actor, memory: Memory) -> None:
        self.clock += 1_000
        step = replace(step, actor=actor, at_ms=self.clock, private=step.private and bool(actor.persona))
        self.tenants[actor.tenant] = True
        expected = play_step(self.oracle, step, self.diaries[0])
        assert difference(play_step(memory, step, self.diaries[1]), expected) == "", step

    @rule(step=SAYS, actor=WHO)
    def say(self, step: Step, actor: Actor) -> None:
        self.both(step, actor, self.memory)

    @rule(step=st.one_of(SAYS, FACT_STEPS, ACTS), actor=WHO)
    def write_from_elsewhere(self, step: Step, actor: Actor) -> None:
        self.both(step, actor, self.other)

    @rule(step=FACT_STEPS, actor=WHO)
    def state(self, step: Step, actor: Actor) -> None:
        self.both(step, actor, self.memory)

    @rule(step=ACTS, actor=WHO)
    def act(self, step: Step, actor: Actor) -> None:
        self.both(step, actor, self.memory)

    @rule(step=PHASE_STEPS, actor=WHO)
    def move_on(self, step: Step, actor: Actor) -> None:
        self.both(step, actor, self.memory)

    @rule(step=READS, actor=WHO)
    def read(self, step: Step, actor: Actor) -> None:
        self.both(step, actor, self.memory)
        self.both(step, actor, self.other)

    @rule()
    def reopen(self) -> None:
        self.memory.close()
        self.memory = open_memory(self.policy, self.target)

    @precondition(lambda self: hasattr(self, "oracle"))
    @invariant()
    def states_agree(self) -> None:
        for tenant in self.tenants:
            assert self.memory.state_hash(tenant=tenant) == self.oracle.state_hash(tenant=tenant)
            assert self.other.stats(tenant=tenant) == self.oracle.stats(tenant=tenant)

    def teardown(self) -> None:
        if not hasattr(self, "oracle"):
            return
        for tenant in self.tenants:
            assert self.memory.replay(tenant=tenant) == []
        assert self.memory.check() == []
        for memory in (self.oracle, self.memory, self.other):
            memory.close()
        self.folder.cleanup()


STEPS = 30


def steps(examples: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        deadline=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )


TestFileAgainstOracle = FileAgainstOracle.TestCase
# Goal R8: 50,000 steps in a soak.
TestFileAgainstOracle.settings = steps(50_100 // STEPS if SOAK > 1 else 60)


def test_server_against_oracle(make_postgres_url: Callable[..., str]) -> None:
    """The same machine on a PostgreSQL server, with two pools beside each other."""

    class ServerAgainstOracle(FileAgainstOracle):
        def place(self) -> str:
            return make_postgres_url()

    run_state_machine_as_test(ServerAgainstOracle, settings=steps(8 * SOAK))
