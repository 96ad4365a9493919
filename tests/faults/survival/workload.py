"""What the harnesses write: seeded scenarios of ordinary calls, and the truth about each prefix of one.

1. A step is plain data. Which memory it is done to is found by looking, so a step means the same after a crash.
2. Every step carries its own time, so the same steps give the same state on every store.
3. `Truth` holds the state hash after each step, taken from the store in memory: the oracle.

Never: looks behind the public face, except to ask the oracle for its state hash.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from recollect import Memory, Policy, Receipt, RecollectError, Session
from recollect.adapters.clock.system import FixedClock
from recollect.adapters.stores.memory import MemoryStore
from recollect.assemble import open_memory, read_policy
from recollect.errors import StoreError
from recollect.ports.store import Store

POLICIES = ("default", "companion", "coding", "contract")
START_MS = 1_767_225_600_000
STEP_MS = 60_000
# Three doors: a plain one, one with a persona and a project (up to four places in one act), and a stranger's.
DOORS: tuple[dict[str, str], ...] = (
    {"user": "ana", "session": "1"},
    {"user": "ana", "session": "2", "persona": "sage", "project": "atlas"},
    {"user": "ben", "session": "1"},
)
CITIES = "Lisbon Berlin Osaka Quito Turin Bergen Accra Hanoi".split()
THINGS = "garden invoice piano train camera recipe server contract bicycle letter".split()
SENTENCES = (
    "I live in {city}.",
    "Actually, I live in {city} now.",
    "My dog is called Rex{n}.",
    "I prefer short answers about the {thing}.",
    "We decided to ship the {thing} on day {n}.",
    "Remember this for me: the {thing} key is under pot {n}.",
    "Remember this for the project: the {thing} freezes on day {n}.",
    "The {thing} from {city} arrived, number {n}.",
    "Is the {thing} ready?",
    "ok",
)
LONG = "The minutes of the {thing} meeting in {city}, part {n}: " + "we went on and on about the budget; " * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One call. `pick` chooses among the memories the door can see; unused fields are ignored."""

    number: int
    verb: str
    door: int
    texts: tuple[str, ...] = ()
    key: str = ""
    pick: int = 0
    is_private: bool = False

    @property
    def at_ms(self) -> int:
        return START_MS + self.number * STEP_MS

    @property
    def command(self) -> str:
        """The caller's own name for this call, where the call takes one."""
        return f"step-{self.number}" if self.verb in COMMANDED else ""


COMMANDED = frozenset({"say", "batch", "fact", "rule"})
CHANGES = ("pin", "unpin", "mark", "forget", "unforget", "correct", "confirm", "promote")
# How often each verb comes up. Changes by hand are rarer than words, as in life.
VERBS = ("say",) * 8 + ("batch",) * 3 + ("fact",) * 4 + ("rule",) + CHANGES + ("pin", "phase")


def scenario(seed: int, length: int, verbs: tuple[str, ...] = VERBS) -> list[Step]:
    """The steps of one seed."""
    chance = random.Random(f"scenario-{seed}")
    return [_step(chance, number, verbs) for number in range(length)]


def _step(chance: random.Random, number: int, verbs: tuple[str, ...]) -> Step:
    verb = chance.choice(verbs)
    count = chance.randint(2, 5) if verb == "batch" else 1
    return Step(
        number=number,
        verb=verb,
        door=chance.randrange(len(DOORS)),
        texts=tuple(sentence(chance) for _ in range(count)),
        key=chance.choice(("home", "pet", "plan", "")),
        pick=chance.randrange(1_000),
        is_private=chance.random() < 0.1,
    )


def sentence(chance: random.Random) -> str:
    """An invented turn: a fact, a correction, a spoken promotion, small talk, now and then a long one."""
    shape = LONG if chance.random() < 0.05 else chance.choice(SENTENCES)
    return shape.format(city=chance.choice(CITIES), thing=chance.choice(THINGS), n=chance.randint(1, 99))


def open_on(store: Store | str, policy: str) -> Memory:
    """A memory whose clock stands still: whatever is stamped is stamped the same in every run."""
    return open_memory(store, policy=_policy(policy), clock=FixedClock())


@lru_cache(maxsize=8)
def _policy(name: str) -> Policy:
    return read_policy(name)


def perform(memory: Memory, step: Step, tenant: str = "default") -> Receipt | None:
    """Do one step. What the policy refuses is an answer like any other; what the store cannot do is raised."""
    session = memory.session(**DOORS[step.door], tenant=tenant)
    try:
        return _ACTIONS[step.verb](session, step)
    except StoreError:
        raise
    except RecollectError:
        return None


def _say(session: Session, step: Step) -> Receipt:
    role = "assistant" if step.pick % 4 == 0 else "user"
    return session.remember(
        step.texts[0],
        role=role,
        at=step.at_ms,
        ref=f"turn-{step.number}",
        private=step.is_private,
        command_id=step.command,
    )


def _batch(session: Session, step: Step) -> Receipt:
    turns: list[dict[str, object]] = [
        {"text": text, "at": step.at_ms + index, "ref": f"turn-{step.number}.{index}"}
        for index, text in enumerate(step.texts)
    ]
    return session.remember_many(turns, command_id=step.command)[0]


def _fact(session: Session, step: Step) -> Receipt:
    return session.remember_fact(
        step.texts[0], key=step.key, private=step.is_private, at=step.at_ms, command_id=step.command
    )


def _rule(session: Session, step: Step) -> Receipt:
    return session.add_rule(step.texts[0], at=step.at_ms, command_id=step.command)


def _phase(session: Session, step: Step) -> None:
    session.start_phase(f"chapter {step.number}", at=step.at_ms)


def _picked(session: Session, step: Step) -> str:
    held = session.list(status="all", limit=200).items
    return held[step.pick % len(held)].id if held else "session:nobody:profile:1"


def _change(session: Session, step: Step) -> Receipt:
    item_id, at = _picked(session, step), step.at_ms
    match step.verb:
        case "mark":
            return session.mark(item_id, step.pick % 5, at=at)
        case "correct":
            return session.correct(item_id, step.texts[0], at=at)
        case "promote":
            return session.promote(item_id, ("user", "project")[step.pick % 2], at=at)
        case _:
            call: Callable[..., Receipt] = getattr(session, step.verb)
            return call(item_id, at=at)


_ACTIONS: dict[str, Callable[[Session, Step], Receipt | None]] = {
    "say": _say,
    "batch": _batch,
    "fact": _fact,
    "rule": _rule,
    "phase": _phase,
    **dict.fromkeys(CHANGES, _change),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """A scenario and its policy; after how many steps which state stands, and which steps left an answer behind."""

    seed: int
    policy: str
    steps: tuple[Step, ...]
    hashes: tuple[str, ...]
    is_answered: tuple[bool, ...]

    def commands(self, count: int) -> list[str]:
        """The command ids of the first `count` steps that must be recognised when they come again."""
        return [step.command for step, is_kept in zip(self.steps[:count], self.is_answered, strict=False) if is_kept]


@lru_cache(maxsize=64)
def truth(seed: int, length: int) -> Truth:
    """Play a scenario on the oracle and note the state after each step."""
    policy = POLICIES[seed % len(POLICIES)]
    steps = tuple(scenario(seed, length))
    with open_on(MemoryStore(), policy) as memory:
        hashes = [memory.state_hash()]
        is_answered = []
        for step in steps:
            receipt = perform(memory, step)
            is_answered.append(bool(step.command) and receipt is not None)
            hashes.append(memory.state_hash())
    return Truth(seed=seed, policy=policy, steps=steps, hashes=tuple(hashes), is_answered=tuple(is_answered))
