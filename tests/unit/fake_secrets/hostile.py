"""Inputs made to cost a rule as much time as possible.

For every rule: its keywords repeated with everything its expression may skip over, its own samples with the last
character broken, and keywords followed by long runs of one class of characters.

Never: is about finding anything; only about how long not finding takes.
"""

from __future__ import annotations

from dataclasses import dataclass

from recollect.core.write.secret_rules import Rule

from .families import Sample

_FILLERS = ("", " ", ":", " is ", "=", '="', " for ", "_", "-", "\n", ' key "', ": a", " 1", "'", " token ", " (", ", ")
_HEADS = ("", "my ", "set ")
_RUNS = ("a", "A", "0", " ", "a1", "A1b2", "1 ", "-", ".", "a ", "\n", "=", "a:b@")


@dataclass(frozen=True, slots=True)
class Hostile:
    """A head once, then one unit over and over."""

    head: str
    unit: str

    def text(self, size: int) -> str:
        """The text of a given size."""
        return (self.head + self.unit * (size // len(self.unit) + 1))[:size]


def hostile(rule: Rule, broken: list[Sample]) -> list[Hostile]:
    """What a rule may find hard."""
    words = rule.keywords[:4] or ("",)
    units = [head + word + filler for word in words for filler in _FILLERS for head in _HEADS]
    units += [sample.text[:-1] + "\x00" for sample in broken]
    units += [sample.text[: len(sample.text) // 2] for sample in broken]
    # Long runs, each behind its own keyword: the worst for a bounded repetition that is tried again and again.
    units += [word + run * 200 + "\x00" for word in words[:2] for run in _RUNS]
    out = [Hostile("", unit) for unit in dict.fromkeys(units) if unit]
    out += [Hostile(word + gap, run) for word in words[:2] for gap in ("", ": ") for run in _RUNS]
    return out
