"""What two texts claim about the same setting, and whether they contradict each other.

A claim is a name and a value: `retries = 5`, `"region": "eu-west-1"`, "set retries to 8". Names are taken from what is
written as an assignment; in talk a name counts when it looks like one (an underscore, a dot) or when the other side
assigns to it.

Never: reads meaning into prose. What a rule cannot see, an entailment model may say through the same gate.
Spec: document 002, sections 5 and 7; ruling 14 (conflicts are listed).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_ASSIGNED = re.compile(
    r"^[ \t]*[\"']?([A-Za-z_][\w.-]{1,60})[\"']?[ \t]*"
    r"(?::[ \t]*[\w\[\], .|]{1,40}=|=|:)[ \t]*"
    r"([^\s#;,{}()][^\n#;{}]{0,60}?)[ \t]*[,;]?[ \t]*(?:#.*)?$",
    re.MULTILINE,
)
_SAID = re.compile(
    r"`?\b([A-Za-z_][\w.-]{1,60})\b`?[ \t]*"
    r"(?:=|:|->|\bto\b|\bis now\b|\bis\b|\bshould be\b|\bmust be\b|\bbecomes\b|\bat\b)[ \t]*"
    r"(?:now |set to |be |at least |at most )?"
    r"(`[^`\n]{1,60}`|\"[^\"\n]{1,60}\"|'[^'\n]{1,60}'|[-+]?\d[\w.%]*|true|false|on|off|none|[\w./-]{2,40})",
    re.IGNORECASE,
)
_VALUE = re.compile(r"[-+]?\d[\w.%]*|true|false|on|off|none|null", re.IGNORECASE)
_NAME = re.compile(r"[_.\d]|[a-z][A-Z]")
_EQUAL = {"on": "true", "yes": "true", "off": "false", "no": "false", "null": "none"}
READ_CHARACTERS = 40_000


def assigned(text: str) -> dict[str, str]:
    """Every name a text assigns one value to; a name with two values claims nothing."""
    found: dict[str, str] = {}
    for name, value in _ASSIGNED.findall(text[:READ_CHARACTERS]):
        key, told = _key(name), _value(value)
        found[key] = told if found.get(key, told) == told else ""
    return {name: value for name, value in found.items() if value}


def said(text: str, known: Mapping[str, str]) -> dict[str, str]:
    """What talk says about names: those the other side knows, and those that look like names."""
    found = dict(assigned(text)) if "\n" in text else {}
    for name, value in _SAID.findall(text[:READ_CHARACTERS]):
        key, told = _key(name), _value(value)
        is_literal = value[0] in "`\"'" or _VALUE.fullmatch(value) is not None
        if (key in known and (is_literal or told == known[key])) or (_NAME.search(name) and is_literal):
            found[key] = told
    return found


def contradictions(one: Mapping[str, str], other: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """(name, value here, value there) for every name both speak of differently, in the order of the first."""
    return [(name, value, other[name]) for name, value in one.items() if other.get(name, value) != value]


def _key(name: str) -> str:
    return name.casefold().replace("-", "_").rsplit(".", 1)[-1]


def _value(value: str) -> str:
    told = value.strip().strip("`\"'").rstrip(".,").casefold()
    return _EQUAL.get(told, told)
