"""Inputs made to cost a rule as much time as possible.

For every rule: its keywords repeated with everything its expression may skip over, its own samples with the last
character broken, and runs of one class of characters.

Never: is about finding anything; only about how long not finding takes.
"""

from __future__ import annotations

from recollect.core.write.secret_rules import Rule

from .families import Sample

_FILLERS: tuple[str, ...] = (
    "",
    " ",
    ":",
    " is ",
    "=",
    '="',
    " for ",
    "_",
    "-",
    "\n",
    ' key "',
    ": a",
    " 1",
    "'",
    " token ",
)
_RUNS: tuple[str, ...] = (
    "a",
    "A",
    "0",
    " ",
    "a1",
    "A1b2",
    "4",
    "1 ",
    "4-",
    "-",
    ".",
    "a.",
    "a ",
    "aa ",
    "\n",
    "=",
    "://",
    "a:b@",
)
_HEADS: tuple[str, ...] = ("", "my ", "aws secret ", "-----BEGIN ")


def seeds_of_hostility(rule: Rule, broken: list[Sample]) -> list[str]:
    """Short texts whose repetition a rule may find hard."""
    words = rule.keywords or ("",)
    seeds = [head + word + filler for word in words for filler in _FILLERS for head in _HEADS]
    seeds += [sample.text[:-1] + "\x00" for sample in broken]
    seeds += [sample.text[: len(sample.text) // 2] for sample in broken]
    return [seed for seed in dict.fromkeys(seeds) if seed]


def hostile_texts(rule: Rule, broken: list[Sample], size: int) -> list[str]:
    """Texts of one size: every seed repeated, and every keyword followed by one long run of one class."""
    out = [(seed * (size // len(seed) + 1))[:size] for seed in seeds_of_hostility(rule, broken)]
    for word in rule.keywords[:2] or ("",):
        for run in _RUNS:
            out.append((word + run * size)[:size])
            out.append((word + ": " + run * size)[:size])
            # Long runs, each behind its own keyword: the worst for a bounded repetition that is tried again and again.
            out.append(
                ((word + run * 250 + "\x00") * size)[:size] if len(run) < 3 else (word + run * 100 + "\x00") * 200
            )
    return out
