"""What one rule of the secret finder is made of.

A rule has a stable code, a gate (the cheap feature a text must show before the rule is even considered), keywords
(one of them must occur in the lower-cased text), a bounded regular expression, and sometimes a check that settles
what an expression cannot (a checksum, a decoded header, a placeholder).

Rules for writing rules:
1. Every quantifier is bounded, and no two neighbouring ones can share the same characters without a bound of their
   own, so one match attempt costs a constant and a whole text costs its length.
2. The capturing group that closes last is the span (so a group around everything may hold groups for
   back-references). No group: the whole match.
3. Keywords are lower case. `folded` rules see the lower-cased text, the others the text as it was written.

Never: holds, prints or raises a value that was found.
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """An expression compiled on first use, so that importing the table costs nothing."""
    return re.compile(pattern)


class Gate(StrEnum):
    """The cheap feature of a text without which a rule cannot hit."""

    WORD = "word"  # one of the keywords, nothing else
    URL = "url"  # "://"
    RUN = "run"  # sixteen token characters in a row
    DIGIT = "digit"  # at least one digit
    CAPITALS = "capitals"  # at least one digit, and two capitals in a row
    NUMBER = "number"  # at least seven digits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Hit:
    """One match on its way to the check; lives only as long as the check runs and never prints its text."""

    text: str
    head: str  # the match up to the value, as written
    start: int
    end: int

    @property
    def value(self) -> str:
        """The characters the rule believes to be the secret."""
        return self.text[self.start : self.end]

    def before(self, size: int = 64) -> str:
        """Lower-cased text in front of the value."""
        return self.text[max(0, self.start - size) : self.start].lower()

    def after(self, size: int = 32) -> str:
        """Lower-cased text behind the value."""
        return self.text[self.end : self.end + size].lower()


Check = Callable[[Hit], bool]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rule:
    """One line of the table."""

    code: str
    about: str
    pattern: str
    keywords: tuple[str, ...] = ()
    gate: Gate = Gate.RUN
    check: Check | None = None
    folded: bool = False
    token_shaped: bool = True


# A token may follow "=", "_" or a quote, but not a letter or digit of a longer word.
LEFT = r"(?<![A-Za-z0-9])"
RIGHT = r"(?![A-Za-z0-9_-])"


def near(vendors: str, value: str) -> str:
    """A pattern for a value that only its vendor's name on the same line tells apart from any other string."""
    return rf"(?<![A-Za-z])(?i:{vendors})[^\n]{{0,60}}?[\s\"'=:(>`,]({value}){RIGHT}"
