"""The contract's own facts: six keys read by one pattern each.

Never: reads more than one fact from a turn, or a value of over 60 characters.
Spec: facts 4.3.
"""

from __future__ import annotations

import re

VALUE_CHARACTERS = 60
_VALUE = r"\s+([^.!?,;\n]{1,200})"
# The first row that matches gives the fact.
FACT_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("name", re.compile(r"\b(?:my name is|call me)" + _VALUE, re.IGNORECASE)),
    ("timezone", re.compile(r"\b(?:my timezone is|timezone (?:is|=))" + _VALUE, re.IGNORECASE)),
    ("language", re.compile(r"\b(?:my language is|language preference is)" + _VALUE, re.IGNORECASE)),
    ("project", re.compile(r"\b(?:my project (?:name )?is|working on)" + _VALUE, re.IGNORECASE)),
    ("editor", re.compile(r"\bmy editor is" + _VALUE, re.IGNORECASE)),
    ("units", re.compile(r"\buse\s+(metric|imperial) units\b", re.IGNORECASE)),
)


def contract_fact(text: str) -> tuple[str, str] | None:
    """The key and value of the first fact in a turn."""
    for key, pattern in FACT_PATTERNS:
        match = pattern.search(text[:4_000])
        if match:
            value = match.group(1).strip().strip("\"'").strip().rstrip(".!?,;:")
            return (key, value[:VALUE_CHARACTERS]) if value else None
    return None
