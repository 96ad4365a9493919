"""What recollect asks of anything that makes a long stretch of talk short.

Text in, text out: who calls it records which turns the summary stands for, and falls back to the rule-based one when a
model fails. Lines are given in the order they were said.

Never: stores, decides what is summarised, or sees anything but the lines it is given.
Spec: document 002, section 8; rulings 24 and 30a.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One turn to be summarised: who said it, and the words. `ref` is how the summary may cite it."""

    speaker: str
    text: str
    ref: str = ""
    importance: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A short text with a title, and the refs of the lines it was made from."""

    title: str
    text: str
    refs: tuple[str, ...] = ()
    made_by: str = "rules"


@runtime_checkable
class Summariser(Protocol):
    """Makes lines short."""

    @property
    def name(self) -> str:
        """`rules`, or the model's name: recorded with what it made."""
        ...

    @property
    def is_quick(self) -> bool:
        """Whether it answers at once and asks nobody: then `ask` sums up by itself, else upkeep does."""
        ...

    def summarise(self, lines: Sequence[Line], *, limit_characters: int, timeout_ms: int = 10_000) -> Digest:
        """A digest of at most that many characters, title not counted."""
        ...
