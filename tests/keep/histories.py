"""Random lives of a memory, from a seed: many owners talk, and some of them say words that will have to go.

A life has bystanders, whose recalls must not change by a byte, and one victim for each way of erasing. A victim's
word is in everything a person can name: texts, speakers, refs, sessions, personas, phases, commands, metadata, files,
and in whatever was made from them (facts, corrections, confirmations, promotions, summaries, kept recalls).

Never: looks behind the public face.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from recollect import Memory, RecollectError, Session
from recollect.adapters.clock.system import FixedClock
from recollect.assemble import preset_text

START_MS = 1_767_225_600_000
PRESETS = ("default", "coding", "companion", "contract")
# The default, with a short window that is summarised, and with the traces of recalls written down.
DURABLE = preset_text("default").replace('"default"', '"durable"').replace("size = 4", "size = 2\nsummary = true")
DURABLE += "\n[trace]\ndurable_recalls = true\n"
PLAIN = (
    "We decided to use Postgres for billing.",
    "I prefer green tea in the morning.",
    "My sister Maria works at Acme.",
    "I live in Lisbon.",
    "Actually, I live in Porto now.",
    "The meeting is on Tuesday at nine.",
    "What did we pick for billing?",
    "Never use tabs in this project.",
)
# What a victim says; `{}` is the word that has to go.
SPOKEN = (
    "I live in {}.",
    "My name is {}.",
    "Actually, my name is {}.",
    "We decided to use {} for billing.",
    "I prefer {} in the morning.",
    "My sister {} works at Acme.",
    "Remember this for me: I prefer {} seats.",
    "Remember this for the project: we decided to use {}.",
    "Something about {} and the weather, nothing more.",
    "{0} {0} {0}",
)
QUERIES = ("billing postgres", "what do I prefer?", "where do I live?", "name", "tuesday meeting")


def word_for(seed: int, what: str) -> str:
    """A word nobody says by chance, different in every life and for every victim."""
    chance = random.Random(f"{seed}/{what}")
    return what[:1].upper() + "".join(chance.choice("bcdfghjklmnpqrstvwxz") + chance.choice("aeiou") for _ in range(6))


@dataclass(slots=True, kw_only=True)
class Life:
    """A memory under way, with the clock that only moves when somebody acts."""

    memory: Memory
    chance: random.Random
    now_ms: int = START_MS
    ids: dict[str, list[str]] = field(default_factory=dict)

    def tick(self) -> int:
        self.now_ms += self.chance.choice((500, 1_000, 60_000))
        return self.now_ms


def start(seed: int, target: str, policy: str | None = None) -> Life:
    """A new life on a store; the policy is the seed's choice unless one is named."""
    chance = random.Random(seed)
    chosen = policy or chance.choice((*PRESETS, DURABLE, DURABLE))
    memory = Memory.open(target, policy=chosen, clock=FixedClock(at_ms=START_MS), index_mb=16)
    return Life(memory=memory, chance=chance)


def long_text(chance: random.Random, word: str) -> str:
    """Sometimes a text of several pages, with the word in its middle, so that overflow pages hold it."""
    size = chance.choice((0, 0, 0, 0, 3_000, 9_000, 40_000))
    filler = " ".join(chance.choice(("lorem", "ipsum", "dolor", "amet", "sed")) for _ in range(size // 6))
    return f"{filler} {word} {filler}".strip()


def bystander(life: Life, session: Session, count: int) -> None:
    """Somebody whose memory must stay exactly as it is."""
    for _ in range(count):
        text = life.chance.choice(PLAIN)
        if life.chance.random() < 0.1:
            text = f"{text} {long_text(life.chance, 'quokka')}"
        role = life.chance.choice(("user", "user", "assistant"))
        session.remember(text, role=role, at=life.tick(), ref=f"by-{life.now_ms}")


def victim(life: Life, session: Session, word: str, *, refs: str, count: int, source: str = "") -> list[str]:
    """Somebody whose word is in everything they say; the ids of what was stored."""
    ids: list[str] = []
    for number in range(count):
        text = life.chance.choice(SPOKEN).format(word)
        if life.chance.random() < 0.3:
            text = f"{text} {long_text(life.chance, word)}"
        receipt = session.remember(
            text,
            at=life.tick(),
            ref=refs,
            role="user" if source else life.chance.choice(("user", "user", "user", "assistant", "tool")),
            source=source,
            speaker=f"{word} the {number}th",
            meta={f"k{word}": word},
            files=(f"notes/{word}.md",),
        )
        ids.extend(fate.id for fate in receipt.fates if fate.outcome in {"written", "quarantined"})
    for item_id in life.chance.sample(ids, min(len(ids), 6)):
        _attempt(lambda item_id=item_id: _act(life, session, word, item_id))  # type: ignore[misc]
    return ids


def _act(life: Life, session: Session, word: str, item_id: str) -> None:
    """One thing a person may do to a memory; some are refused, and that is fine."""
    at = life.tick()
    acts: tuple[Callable[[], object], ...] = (
        lambda: session.confirm(item_id, at=at),
        lambda: session.correct(item_id, f"It is {word} after all.", at=at),
        lambda: session.promote(item_id, "user", at=at),
        lambda: session.promote(item_id, "project", at=at),
        lambda: session.pin(item_id, at=at),
        lambda: session.forget(item_id, at=at),
        lambda: session.recall(life.chance.choice(QUERIES), at=at),
        lambda: session.recall("weather prefer name", at=at).used([item_id]),
    )
    life.chance.choice(acts)()


def _attempt(act: Callable[[], object]) -> None:
    try:
        act()
    except RecollectError:
        return


def views(memory: Memory, sessions: dict[str, dict[str, str]]) -> dict[str, object]:
    """Everything bystanders can see, as comparable data."""
    seen: dict[str, object] = {}
    for name, address in sessions.items():
        session = memory.session(**address)
        for query in QUERIES:
            context = session.recall(query, at=START_MS + 10**9)
            seen[f"{name} {query}"] = (context.text, context.hash, [c.to_wire() for c in context.choices])
        seen[f"{name} list"] = [item.to_wire() for item in session.list(status="all", limit=1_000)]
        seen[f"{name} search"] = [hit.to_dict() for hit in session.search("postgres billing tea", limit=20)]
    return seen
