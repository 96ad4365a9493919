"""Rules and a model side by side on the same labelled texts: what each reads, by type.

Run: python bench/extractors.py [--url http://127.0.0.1:PORT/v1] [--model NAME] [--texts 80] [--minutes 20]

Without --url the rules alone are scored. Half of the texts are drawn from bench/data/loops.jsonl and half from
bench/data/facts.jsonl (those that stand alone), with a fixed seed. The model is asked through the ordinary client with
the ordinary form, its answer goes through the ordinary contract; only its time is stretched. A memory is right when its
type is the expected one and it holds the expected value, a todo when its kind is. What one half has no labels for is
not scored there. The run ends after --minutes, and scores both on what was read by then.
"""

import argparse
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from recollect.adapters.models.openai import OpenAiModel
from recollect.core.companion.contract import extracted, parse
from recollect.core.companion.forms import READING
from recollect.core.companion.loops import read_loops
from recollect.core.write.facts import extract_facts
from recollect.engine.companion.extraction import ask
from recollect.ports.model import Model, ModelAnswer, ModelCall

DATA = Path(__file__).resolve().parent / "data"
SEED = 31
TYPES = ("PROFILE", "PEOPLE", "PROJECT", "COMMITMENT", "HABIT", "THREAD", "FRICTION")


@dataclass
class Read:
    """What one reader found in one text: memories as (type, words), todos as kinds."""

    memories: list[tuple[str, str]] = field(default_factory=list)
    loops: list[str] = field(default_factory=list)


@dataclass
class Text:
    """A labelled text; one of the two kinds of labels is None."""

    words: str
    facts: list[tuple[str, str]] | None = None
    loops: list[str] | None = None


class Patient:
    """A model that is given time: a small one on a shared machine is slow, which is not what is measured."""

    def __init__(self, inner: Model) -> None:
        self._inner, self.answers, self.name = inner, 0, inner.name

    def answer(self, call: ModelCall) -> ModelAnswer:
        self.answers += 1
        return self._inner.answer(replace(call, timeout_ms=180_000))


def texts(count: int) -> list[Text]:
    loops = [json.loads(line) for line in (DATA / "loops.jsonl").read_text(encoding="utf-8").splitlines()]
    facts = [json.loads(line) for line in (DATA / "facts.jsonl").read_text(encoding="utf-8").splitlines()]
    alone = [row for row in facts if not row.get("recent")]
    chance = random.Random(SEED)
    drawn = [Text(words=row["text"], loops=row["expect"]) for row in chance.sample(loops, count // 2)]
    for row in chance.sample(alone, count - count // 2):
        drawn.append(
            Text(words=row["text"], facts=[(key.split("|")[0].upper(), value) for key, value in row["expect"]])
        )
    chance.shuffle(drawn)
    return drawn


def by_rules(text: str) -> Read:
    facts = [(draft.type, f"{draft.text} {draft.value}") for draft in extract_facts(text)]
    return Read(memories=facts, loops=[str(draft.kind) for draft in read_loops(text)])


def by_model(model: Patient, text: str) -> Read | None:
    """None where no usable answer came, not even after a repair."""
    answer = ask(model, [text], READING, parse)
    raw = parse(answer) if answer is not None else None
    if raw is None:
        return None
    found = extracted(raw, [text], [])
    memories = [(stated.type, stated.content) for stated in found.memories]
    return Read(memories=memories, loops=[str(draft.kind) for draft in found.loops])


@dataclass
class Score:
    right: Counter[str] = field(default_factory=Counter)
    claimed: Counter[str] = field(default_factory=Counter)
    expected: Counter[str] = field(default_factory=Counter)

    def add(self, text: Text, read: Read) -> None:
        if text.loops is not None:
            self.expected.update(text.loops)
            self.claimed.update(read.loops)
            self.right.update(Counter(text.loops) & Counter(read.loops))
        if text.facts is not None:
            self.expected.update(kind for kind, _ in text.facts)
            self.claimed.update(kind for kind, _ in read.memories)
            left = [*text.facts]
            for kind, words in read.memories:
                hit = next((f for f in left if f[0] == kind and f[1].casefold() in words.casefold()), None)
                if hit is not None:
                    left.remove(hit)
                    self.right[kind] += 1

    def line(self, kind: str) -> str:
        kinds = TYPES if kind == "all" else (kind,)
        right, claimed, expected = (
            sum(counted[name] for name in kinds) for counted in (self.right, self.claimed, self.expected)
        )
        return f"{claimed:>8}{right:>7}{right / max(1, claimed):>11.2f}{right / max(1, expected):>8.2f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", default="")
    parser.add_argument("--model", default="model")
    parser.add_argument("--texts", type=int, default=80)
    parser.add_argument("--minutes", type=int, default=20)
    args = parser.parse_args()
    model = Patient(OpenAiModel(args.url, args.model)) if args.url else None
    rules, asked, unusable, seen, began = Score(), Score(), 0, 0, time.monotonic()
    for text in texts(args.texts):
        if model is not None and time.monotonic() - began > args.minutes * 60:
            break
        seen += 1
        rules.add(text, by_rules(text.words))
        if model is not None:
            read = by_model(model, text.words)
            unusable += read is None
            asked.add(text, read or Read())
            print(f"{seen}: {text.words[:60]!r} -> {read}", flush=True)
    print(f"{seen} texts" + (f"; {model.answers} answers, {unusable} texts without a usable one" if model else ""))
    heads = f"{'claimed':>8}{'right':>7}{'precision':>11}{'recall':>8}"
    print(f"{'':<12}{'expected':>9} |{heads} rules" + (f" |{heads} {args.model}" if model else ""))
    for kind in (*TYPES, "all"):
        expected = sum(rules.expected.values()) if kind == "all" else rules.expected[kind]
        told = f"{kind:<12}{expected:>9} |{rules.line(kind)}      "
        print(told + (f" |{asked.line(kind)}" if model is not None else ""))


if __name__ == "__main__":
    main()
