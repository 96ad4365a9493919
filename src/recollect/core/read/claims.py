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
from dataclasses import dataclass

from recollect.core.recent import by_text

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
# What stands between a name and its value; a text without it claims nothing, and most have none.
_LINK = re.compile(r"=|:|->|\b(?:to|is|be|becomes|at)\b", re.IGNORECASE)
_VALUE = re.compile(r"[-+]?\d[\w.%]*|true|false|on|off|none|null", re.IGNORECASE)
# Without a number, a quotation or a switch there is no value to disagree about.
_SIGNAL = re.compile(r"\d|[`\"']|\b(?:true|false|on|off|none)\b", re.IGNORECASE)
_NAME = re.compile(r"[_.\d]|[a-z][A-Z]")
_EQUAL = {"on": "true", "yes": "true", "off": "false", "no": "false", "null": "none"}
READ_CHARACTERS = 40_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What a text says of names: firmly (an assignment, a name that looks like one), or in passing."""

    firm: Mapping[str, str]
    passing: Mapping[str, str]


def assigned(text: str) -> Claims:
    """Every name a file assigns one value to; a name with two values claims nothing."""
    return Claims(firm=_assignments(text[:READ_CHARACTERS]), passing={})


@by_text(4_096)
def said(text: str) -> Claims:
    """What talk says about names."""
    read = text[:READ_CHARACTERS]
    firm = _assignments(read) if "\n" in read else {}
    passing: dict[str, str] = {}
    if _SIGNAL.search(read) is None or _LINK.search(read) is None:
        return Claims(firm=firm, passing=passing)
    for name, value in _SAID.findall(read):
        is_literal = value[0] in "`\"'" or _VALUE.fullmatch(value) is not None
        if is_literal:
            (firm if _NAME.search(name) else passing)[_key(name)] = _value(value)
    return Claims(firm=firm, passing=passing)


def contradictions(one: Claims, other: Claims) -> list[tuple[str, str, str]]:
    """(name, value here, value there) for every name both speak of differently and one of them firmly."""
    if not one.firm and not other.firm:
        return []
    found = [(name, value, there) for name, value in one.firm.items() if (there := _of(other, name)) not in {"", value}]
    return found + [
        (name, here, value)
        for name, value in other.firm.items()
        if name not in one.firm and (here := one.passing.get(name, "")) not in {"", value}
    ]


def _of(claims: Claims, name: str) -> str:
    return claims.firm.get(name) or claims.passing.get(name, "")


def _assignments(read: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in _ASSIGNED.findall(read):
        key, told = _key(name), _value(value)
        found[key] = told if found.get(key, told) == told else ""
    return {name: value for name, value in found.items() if value}


def _key(name: str) -> str:
    return name.casefold().replace("-", "_").rsplit(".", 1)[-1]


def _value(value: str) -> str:
    told = value.strip().strip("`\"'").rstrip(".,").casefold()
    return _EQUAL.get(told, told)
