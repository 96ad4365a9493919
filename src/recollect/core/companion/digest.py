"""What is kept of a session in few words: the rolling summary, the session's summary, the spine. By rule.

1. A digest is a list of lines with a weight each, so that two versions can be compared line by line. A line of the last
   version is in the next one, or the diff says why not.
2. Only the user's own words are quoted; what the assistant guessed does not become the user's by summing up.
3. Caps are hard: 600 characters for the rolling summary, 200, 40 and 5 times 120 for the parts of a session's summary,
   1,200 for the spine.

Never: calls a model. A model's words, where one is configured, come in as data and are held to the same caps.
Spec: state and memory model "State objects"; facts 3.13, 3.14; rulings 24, 30.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from recollect.core.companion.loops import TIMEBOX, WILL, Loop
from recollect.core.companion.outcomes import kind_of
from recollect.core.item import MemoryItem
from recollect.core.text import normalise
from recollect.core.values import EventType, Role
from recollect.core.write.classify import classify

LINE_CHARACTERS = 120
ONE_LINER_CHARACTERS = 200
TONE_CHARACTERS = 40
LIST_ITEMS = 5
SECTIONS: tuple[str, ...] = ("PROFILE", "PROJECTS", "PEOPLE", "OPEN_LOOPS")
_SENTENCE = re.compile(r"(?<=[.!?।])\s+|\n+")
_NAMED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+|\d")
# Talk about the talk itself says nothing that must be carried on.
_META = re.compile(r"\b(?:testing|can you hear me|are you there|as an ai|ready to help)\b", re.I)
_TONES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "stressed",
        re.compile(
            r"\b(?:stress(?:ed|ful)?|overwhelm(?:ed|ing)|pressure|deadline|panic|anxious|worried|tension)\b", re.I
        ),
    ),
    ("sad", re.compile(r"\b(?:sad|lonely|cried|crying|miss (?:him|her|them)|heartbroken|down|grief|hurt)\b", re.I)),
    ("tired", re.compile(r"\b(?:tired|exhausted|drained|sleepy|burnt out|thak)\b", re.I)),
    ("frustrated", re.compile(r"\b(?:frustrat\w+|annoy\w+|angry|fed up|hate)\b", re.I)),
    ("happy", re.compile(r"\b(?:happy|great|excited|love|glad|proud|amazing|wonderful|khush)\b", re.I)),
)
_WEIGHTS = {
    EventType.CORRECTION: 3,
    EventType.DECISION: 3,
    EventType.PREFERENCE: 3,
    EventType.FACT: 3,
    EventType.RULE: 3,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a digest and how much it matters (0 to 3)."""

    text: str
    weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """One version: its lines, and what changed against the version before."""

    lines: tuple[Line, ...]
    added: tuple[str, ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        return " | ".join(line.text for line in self.lines)

    def to_value(self, version: int) -> dict[str, object]:
        return {
            "version": version,
            "lines": [[line.weight, line.text] for line in self.lines],
            "added": list(self.added),
            "dropped": [list(pair) for pair in self.dropped],
        }


def weigh(text: str) -> int:
    """How much a user's turn matters to a summary."""
    weight = _WEIGHTS.get(classify(text, Role.USER), 1)
    if WILL.search(text) or TIMEBOX.search(text):
        weight = 3
    elif weight == 1 and _NAMED.search(text):
        weight = 2
    return 0 if _META.search(text) or len(normalise(text)) < 4 else weight


def lines_of(text: str, weight: int) -> list[Line]:
    """A turn as lines of their own, each cut to its cap."""
    parts = [part.strip() for part in _SENTENCE.split(text) if part.strip()]
    if parts == [text]:
        return [Line(text=clip(text, LINE_CHARACTERS), weight=weight)]
    return [Line(text=clip(part, LINE_CHARACTERS), weight=min(weight, weigh(part)) if weight else 0) for part in parts]


def clip(text: str, limit: int) -> str:
    """On one line, within the cap; what is cut says so."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1].rstrip()}…"


def roll(before: Sequence[Line], new: Iterable[Line], limit: int) -> Digest:
    """The next version: the last one and the new lines, the weakest and oldest let go of where there is no room."""
    known = {normalise(line.text) for line in before}
    fresh: dict[str, Line] = {}
    for line in new:
        if line.weight and normalise(line.text) not in known:
            fresh.setdefault(normalise(line.text), line)
    lines = [*before, *fresh.values()]
    dropped: list[tuple[str, str]] = []
    while lines and len(" | ".join(line.text for line in lines)) > limit:
        weakest = min(range(len(lines)), key=lambda index: (lines[index].weight, index))
        gone = lines.pop(weakest)
        dropped.append((gone.text, "no_room"))
    kept = {line.text for line in lines}
    return Digest(
        lines=tuple(lines),
        added=tuple(line.text for line in fresh.values() if line.text in kept),
        dropped=tuple(dropped),
    )


def lines_from(value: Mapping[str, object]) -> list[Line]:
    """The lines of a stored version."""
    raw = value.get("lines")
    return [Line(weight=int(pair[0]), text=str(pair[1])) for pair in raw] if isinstance(raw, list) else []


def summarise(
    lines: Sequence[Line], todos: Sequence[MemoryItem], people: Sequence[str], persona: str
) -> dict[str, object]:
    """A session as the document's six fields, within its caps; the persona is not one of the people."""
    heavy = sorted(lines, key=lambda line: -line.weight)
    first = _without(heavy[0].text, persona) if heavy else ""
    by_kind = {kind: [todo.text for todo in todos if kind_of(todo) is kind] for kind in Loop}
    return {
        "one_liner": clip(first, ONE_LINER_CHARACTERS),
        "what_mattered": _capped(line.text for line in heavy if line.weight >= 2),
        "open_loops": _capped([*by_kind[Loop.THREAD], *by_kind[Loop.FRICTION]]),
        "commitments": _capped([*by_kind[Loop.COMMITMENT], *by_kind[Loop.HABIT]]),
        "people": _capped(name for name in people if normalise(name) != normalise(persona)),
        "tone": clip(_tone(lines), TONE_CHARACTERS),
    }


def capped_summary(raw: Mapping[str, object], persona: str) -> dict[str, object]:
    """A summary in a model's words, held to the same shape and caps."""
    lists = {name: raw.get(name) for name in ("what_mattered", "open_loops", "commitments", "people")}
    read = {name: [str(entry) for entry in value] if isinstance(value, list) else [] for name, value in lists.items()}
    read["people"] = [name for name in read["people"] if normalise(name) != normalise(persona)]
    return {
        "one_liner": clip(_without(str(raw.get("one_liner", "")), persona), ONE_LINER_CHARACTERS),
        **{name: _capped(read[name]) for name in lists},
        "tone": clip(str(raw.get("tone", "")) or "unknown", TONE_CHARACTERS),
    }


def render_summary(value: Mapping[str, object]) -> str:
    """A session's summary as one line for a prompt; empty parts are left out."""
    titles = {
        "one_liner": "One-liner",
        "what_mattered": "What mattered",
        "open_loops": "Open loops",
        "commitments": "Commitments",
        "people": "People",
        "tone": "Tone",
    }
    parts = []
    for name, title in titles.items():
        told = value.get(name)
        text = "; ".join(str(entry) for entry in told) if isinstance(told, list) else str(told or "")
        if text:
            parts.append(f"{title}: {text}")
    return " | ".join(parts)


def spine(facts: Sequence[MemoryItem], todos: Sequence[MemoryItem], limit: int) -> dict[str, list[str]]:
    """The four sections, filled in turn so that no section starves another, within the cap."""
    named = {"PROFILE": "PROFILE", "PROJECT": "PROJECTS", "PEOPLE": "PEOPLE"}
    pools: dict[str, list[str]] = {section: [] for section in SECTIONS}
    for fact in facts:
        section = named.get(fact.fact.type if fact.fact else "")
        if section:
            pools[section].append(clip(fact.text, LINE_CHARACTERS))
    pools["OPEN_LOOPS"] = [clip(todo.text, LINE_CHARACTERS) for todo in todos]
    sections: dict[str, list[str]] = {section: [] for section in SECTIONS}
    for row in range(max((len(pool) for pool in pools.values()), default=0)):
        for section in SECTIONS:
            if row < len(pools[section]):
                tried = {**sections, section: [*sections[section], pools[section][row]]}
                if len(render_spine(tried)) <= limit:
                    sections = tried
    return sections


def render_spine(sections: Mapping[str, Sequence[str]]) -> str:
    return "\n".join(f"{name}: {'; '.join(sections[name])}" for name in SECTIONS if sections.get(name))


def spine_diff(before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """What a version of the spine says that the last did not, and the other way round."""
    old = [f"{name}: {line}" for name in SECTIONS for line in before.get(name, ())]
    new = [f"{name}: {line}" for name in SECTIONS for line in after.get(name, ())]
    return {"added": [line for line in new if line not in old], "removed": [line for line in old if line not in new]}


def _capped(lines: Iterable[str]) -> list[str]:
    return [clip(line, LINE_CHARACTERS) for line in dict.fromkeys(lines)][:LIST_ITEMS]


def _without(text: str, persona: str) -> str:
    """The text without the persona's name in front."""
    return re.sub(rf"^{re.escape(persona)}\b[\s,:]*", "", text, flags=re.I) if persona else text


def _tone(lines: Sequence[Line]) -> str:
    text = " ".join(line.text for line in lines)
    counts = [(len(pattern.findall(text)), tone) for tone, pattern in _TONES]
    best = max(counts, key=lambda pair: pair[0])
    return best[1] if best[0] else "neutral"
