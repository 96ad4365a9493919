"""What a file that was pulled out of an accident must be, and what it is.

1. Every acknowledged step is there: the state is that of a prefix of the scenario that holds them all.
2. At most the one step in flight is there beyond them, and then the whole of it, its answer included.
3. The log folds to the state, the chains are unbroken, no act is half there, SQLite finds nothing wrong.

Never: repairs, and never takes a file that does not open for a clean one.
Spec: goals R1, R2, R3 and R5.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from recollect import Memory, RecollectError
from recollect.adapters.stores.sqlite.store import SqliteStore
from survival.chains import broken_links
from survival.workload import Truth, open_on


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """`prefix` is how many steps are there; None when the state is that of no prefix."""

    prefix: int | None
    is_lost: bool = False
    problems: tuple[str, ...] = ()

    @property
    def is_clean(self) -> bool:
        return not self.is_lost and not self.problems


@dataclass(slots=True)
class Tally:
    """The verdicts of many accidents."""

    count: int = 0
    lost: int = 0
    inconsistent: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, verdict: Verdict, label: str) -> None:
        self.count += 1
        self.lost += verdict.is_lost
        self.inconsistent += bool(verdict.problems)
        if not verdict.is_clean and len(self.examples) < 10:
            self.examples.append(f"{label}: lost={verdict.is_lost} {'; '.join(verdict.problems)[:300]}")

    @property
    def is_clean(self) -> bool:
        return self.lost == 0 and self.inconsistent == 0

    def merge(self, other: Tally) -> None:
        self.count += other.count
        self.lost += other.lost
        self.inconsistent += other.inconsistent
        self.examples = [*self.examples, *other.examples][:10]


def judge(path: Path, truth: Truth, acknowledged: int, *, in_flight: int = 1) -> Verdict:
    """Open a file after an accident and compare it with the truth.

    `acknowledged` steps were answered; up to `in_flight` more may have been made durable without an answer.
    """
    try:
        with open_on(SqliteStore(str(path)), truth.policy) as memory:
            return _examine(memory, path, truth, acknowledged, in_flight)
    except RecollectError as error:
        return Verdict(prefix=None, is_lost=acknowledged > 0, problems=(f"does not open: {error!r}",))


def _examine(memory: Memory, path: Path, truth: Truth, acknowledged: int, in_flight: int) -> Verdict:
    last = min(acknowledged + in_flight, len(truth.steps))
    state = memory.state_hash()
    prefix = next((n for n in range(acknowledged, last + 1) if truth.hashes[n] == state), None)
    is_lost = prefix is None and state in truth.hashes[:acknowledged]
    problems = [f"not the fold of its log: {difference}" for difference in memory.replay()]
    problems += [f"integrity: {line}" for line in memory.check()]
    problems += [f"verify: {finding.sentence}" for finding in memory.verify().findings]
    if prefix is None and not is_lost:
        problems.append("the state is that of no prefix")
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        problems += broken_links(connection)
        problems += _answer_faults(connection, truth, acknowledged, prefix)
    finally:
        connection.close()
    return Verdict(prefix=prefix, is_lost=is_lost, problems=tuple(problems))


def _answer_faults(connection: apsw.Connection, truth: Truth, acknowledged: int, prefix: int | None) -> list[str]:
    """An acknowledged call that is not recognised when it comes again would be done twice."""
    if prefix is None:
        return []
    answered = {row[0]: row[1] for row in connection.execute("SELECT id, receipt FROM commands")}
    missing = [command for command in truth.commands(acknowledged) if command not in answered]
    beyond = [command for command in answered if int(command.partition("-")[2]) >= max(prefix, acknowledged)]
    if len(truth.hashes) > prefix + 1 and truth.hashes[prefix] == truth.hashes[min(prefix + 1, len(truth.steps))]:
        beyond = []  # A step that changes nothing else may have left its answer behind.
    faults = [f"no answer kept for {command}" for command in missing]
    faults += [f"an answer without its effect: {command}" for command in beyond]
    faults += [f"unreadable answer of {command}" for command, receipt in answered.items() if not _is_json(receipt)]
    return faults


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
