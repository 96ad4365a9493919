"""What a turn does: states a preference, decides, corrects, reports a fact, runs a tool, or just talks.

The first pattern of the table that matches wins.

Never: reads anything but the words and the role. An assistant's words are always `context`.
Spec: facts 4.2, 4.3.
"""

from __future__ import annotations

import re

from recollect.core.values import EventType, Role
from recollect.core.write.contract_facts import FACT_PATTERNS

# One alternation per row, and pieces one of which every match holds; the order of the rows is the law.
RULES: tuple[tuple[EventType, tuple[str, ...], re.Pattern[str]], ...] = (
    (
        EventType.CORRECTION,
        ("actually", "correction", "not"),
        re.compile(r"\bactually\b|\bcorrection\b|\bnot\b[^\n]{1,200}?\bbut\b"),
    ),
    (
        EventType.PREFERENCE,
        ("i prefer", "i like", "i want", "never "),
        re.compile(r"\bi prefer\b|\bi like\b|\bi want\b|\bnever (?:do|use|call)\b"),
    ),
    (
        EventType.DECISION,
        ("decided", "decision", "choose", "let's use", "will use", "use "),
        re.compile(r"\bwe decided\b|\bdecision\b|\bdecided\b|\bchoose\b|\blet's use\b|\bwe will use\b|\buse [a-z0-9]"),
    ),
    (
        EventType.FACT,
        ("name is", "call me", "timezone", "language", "project", "working on", "editor is", "use"),
        re.compile("|".join(pattern.pattern for _, pattern in FACT_PATTERNS)),
    ),
)
READ_CHARACTERS = 4_000  # what a turn does is said early; the rest of a pasted file is not read for it


def classify(text: str, role: Role) -> EventType:
    """The event type of a turn."""
    if role is Role.TOOL:
        return EventType.EXECUTION
    if role is not Role.USER:
        return EventType.CONTEXT
    lowered = text[:READ_CHARACTERS].lower()
    for event_type, pieces, pattern in RULES:
        if [piece for piece in pieces if piece in lowered] and pattern.search(lowered):
            return event_type
    return EventType.CONTEXT
