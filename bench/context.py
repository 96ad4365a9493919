"""The context on programming conversations: what must be in it, what must not, also under a small budget; its time.

Run `python bench/context.py`; data in bench/data/scenarios.txt. The time is that of assembly beyond search.
"""

from __future__ import annotations

import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from recollect import Context, Memory, Session

DATA = Path(__file__).with_name("data") / "scenarios.txt"
START_MS = 1_767_225_600_000
HOUR_MS = 3_600_000
TALK = (
    ("Can you explain generators once more?", "They yield one value at a time."),
    ("The coffee machine is broken again.", "That is bad news."),
    ("How do I sort a dict by value in Python?", "Use sorted with a key."),
    ("What is the difference between a list and a tuple?", "A tuple never changes."),
    ("Please make the sentence sound friendlier.", "Sure, here is a friendlier one."),
    ("I will be in a meeting for an hour.", "See you later."),
    ("Which colour fits the new banner?", "A calm green."),
    ("Translate good morning into Portuguese.", "Bom dia."),
)
BIG = "\n\n\n".join(f"def step_{n}(x):\n    y = x + {n}\n    return y * {n}" for n in range(400))


@dataclass(slots=True)
class Scenario:
    """One conversation and what its context must and must not hold."""

    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)
    question: str = ""
    checks: list[tuple[str, str]] = field(default_factory=list)


def scenarios() -> list[Scenario]:
    """Every scenario of the data file."""
    found: list[Scenario] = []
    for line in DATA.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            found.append(Scenario(line[3:]))
        elif line.startswith("? "):
            found[-1].question = line[2:]
        elif match := re.match(r"(must|not|small|refused|once|conflict|missing): (.*)", line):
            found[-1].checks.append((match[1], match[2]))
        elif line and not line.startswith("#"):
            verb, _, rest = line.partition(" ") if not line.startswith("...") else ("...", "", line[3:])
            found[-1].steps.append((verb, rest.replace("\\n", "\n")))
    return found


class Player:
    """Plays a scenario on a memory of its own."""

    def __init__(self, folder: Path, policy: str) -> None:
        self._folder = folder
        self._at = START_MS
        self._said = 0
        self.chat: Session = Memory.open(":memory:", policy=policy, roots=[folder]).session(user="ana", session="work")

    def step(self, verb: str, rest: str) -> None:
        STEPS.get(verb, Player._say)(self, verb, rest)

    def _say(self, verb: str, text: str) -> None:
        role = {"u:": "user", "a:": "assistant", "t:": "tool"}[verb]
        self._at += 60_000
        self.chat.remember(text, role=role, at=self._at)

    def _filler(self, verb: str, count: str) -> None:
        for _ in range(int(count)):
            user, assistant = TALK[self._said % len(TALK)]
            self._said += 1
            self._say("u:", f"{user} ({self._said})")
            self._say("a:", assistant)

    def _file(self, verb: str, rest: str) -> None:
        path, _, text = rest.partition(": ")
        target = self._folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(BIG if text == "@big" else f"{text}\n")

    def _read(self, verb: str, path: str) -> None:
        self._at += 60_000
        self.chat.read_in(path, at=self._at)

    def _gap(self, verb: str, hours: str) -> None:
        self._at += int(hours) * HOUR_MS

    def _mark(self, verb: str, text: str) -> None:
        for item in self.chat.list(kind="semantic", contains=text, limit=1).items:
            self.chat.mark(item.id, 3)

    def _rule(self, verb: str, text: str) -> None:
        self.chat.add_rule(text)

    def ask(self, question: str, **more: int) -> Context:
        options: dict[str, object] = {}
        words = question.split(" ")
        for word in list(words):
            if word.startswith(("files=", "off=")):
                name, _, paths = word.partition("=")
                options[name] = paths.split(",")
            elif word in {"lock", "nolock"}:
                options["lock"] = word == "lock"
            else:
                continue
            words.remove(word)
        return self.chat.recall(" ".join(words), at=self._at + 60_000, **options, **more)  # type: ignore[arg-type]


STEPS: dict[str, Callable[[Player, str, str], None]] = {
    "...": Player._filler,
    "file": Player._file,
    "write": Player._file,
    "read": Player._read,
    "gap": Player._gap,
    "mark": Player._mark,
    "rule": Player._rule,
}


def faults(scenario: Scenario, policy: str = "coding") -> Iterator[str]:
    """What is wrong with the context of a scenario; nothing when all is as it should be."""
    with TemporaryDirectory() as name:
        player = Player(Path(name), policy)
        for verb, rest in scenario.steps:
            player.step(verb, rest)
        context = player.ask(scenario.question)
        yield from _wrong(scenario, context)
        for kind, value in scenario.checks:
            if kind == "small":
                small = player.ask(scenario.question, budget_tokens=int(value))
                if small.tokens > int(value):
                    yield f"{small.tokens} tokens of {value}"
                if small.status != "refused":
                    yield from (f"small: {fault}" for fault in _wrong(scenario, small))
            elif kind == "refused" and player.ask(scenario.question, budget_tokens=int(value)).status != "refused":
                yield "not refused"


def _wrong(scenario: Scenario, context: Context) -> Iterator[str]:
    if context.tokens > context.budget_tokens:
        yield "over budget"
    for kind, value in scenario.checks:
        for part in value.split(" | ") if kind in {"must", "not"} else ():
            if (part in context.text) != (kind == "must"):
                yield f"{kind}: {part}"
        if kind == "once" and context.text.count(value) != 1:
            yield f"{context.text.count(value)} times: {value}"
        if kind == "conflict" and value not in [conflict.about for conflict in context.conflicts]:
            yield f"no conflict over {value}"
        if kind == "missing" and value not in [shown.path for shown in context.files if not shown.is_kept]:
            yield f"not named as missing: {value}"


def assembly_ms(memories: int = 10_000, questions: int = 60) -> tuple[float, float]:
    """Median milliseconds of a recall, and of what it does beyond search."""
    with TemporaryDirectory() as folder, Memory.open(f"{folder}/bench.db") as memory:
        return _timed(memory.session(user="ana", session="work"), memories, questions)


def _timed(chat: Session, memories: int, questions: int) -> tuple[float, float]:
    turns = [
        {"text": f"{TALK[n % 8][n % 2]} Item {n} of project {n % 97} uses port {n % 9000}.", "at": START_MS + n * 1000}
        for n in range(memories)
    ]
    for start in range(0, memories, 500):
        chat.remember_many(turns[start : start + 500])
    whole, searched = [], []
    for n in range(questions):
        question = f"which port does project {n % 97} use?"
        began = time.perf_counter()
        chat.search(question, limit=32)
        middle = time.perf_counter()
        chat.recall(question)
        searched.append(middle - began)
        whole.append(time.perf_counter() - middle)
    rest = [max(0.0, one - other) for one, other in zip(whole, searched, strict=True)]
    return statistics.median(whole) * 1_000, statistics.median(rest) * 1_000


def main() -> None:
    every = scenarios()
    good = 0
    for scenario in every:
        found = list(faults(scenario))
        good += not found
        for fault in found:
            print(f"  {scenario.name}: {fault}", file=sys.stderr)
    print(f"| scenarios | {good} of {len(every)} |")
    whole, rest = assembly_ms()
    print(f"| recall at 10,000 memories, p50 | {whole:.1f} ms |\n| beyond search, p50 | {rest:.1f} ms |")


if __name__ == "__main__":
    main()
