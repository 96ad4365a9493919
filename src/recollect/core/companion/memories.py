"""Reads one memory in the document's own shape, whoever wrote it: a seed, another system, a model.

    type, content, entityRefs[], entityLabel, subtype{entityType, factType}, importance, pinned, confidence, …

Both spellings of a name are read (`entityRefs`, `entity_refs`). What is odd is set right by rule; what is no memory is
refused with a reason.

Never: invents a field, or trusts one.
Spec: state and memory model "Memory metadata"; facts 3.4 to 3.7; ruling 20.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from recollect.core.entities import ENTITY_KINDS, make_ref, slugify
from recollect.core.text import has_words, normalise, storable
from recollect.core.values import MICRO

TYPES = ("PROFILE", "PEOPLE", "PROJECT", "OPEN_LOOP")
FACT_TYPES = ("fact", "preference", "relationship", "friction", "habit")
LOOP_KINDS = ("COMMITMENT", "HABIT", "THREAD", "FRICTION")
MOST_REFS = 5
LABEL_CHARACTERS = 100
CONTENT_CHARACTERS = 4_000
KEY_CHARACTERS = 120
_SLIPS = {"person:makesh": "person:mukesh"}
_DECIMAL = re.compile(r"(\d{1,9})(?:\.(\d+))?")
_CAMEL = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """One memory, read and set right."""

    type: str
    content: str
    refs: tuple[str, ...]
    label: str
    entity_type: str
    fact_type: str
    importance: int
    is_pinned: bool
    confidence: int
    mentions: int
    at_ms: int
    loop: str = "OPEN_LOOP"

    @property
    def key(self) -> str:
        """The document's key; words stand in where there is no reference, so that two facts never meet by accident."""
        entity = self.entity_type or (self.refs[0].partition(":")[0] if self.refs else "none")
        words = normalise(self.content)[:KEY_CHARACTERS] or self.content[:KEY_CHARACTERS]
        slug = self.refs[0].partition(":")[2] if self.refs else f"content:{words}"
        head = f"{self.type.lower()}|{entity}|{slug}|{self.fact_type}"
        # Two facts of one kind about one person are two: the words tell them apart where no predicate does.
        return f"{head}|{words}" if self.refs else head


def read_memory(raw: object) -> Stated | str:
    """The memory, or why it is none."""
    if not isinstance(raw, Mapping):
        return "not_a_memory"
    fields = {_CAMEL.sub("_", str(name)).lower(): value for name, value in raw.items()}
    content = fields.get("content", fields.get("text"))
    if not isinstance(content, str) or not has_words(content):
        return "no_content"
    kind = str(fields.get("type", "PROFILE")).split("|")[0].strip().upper()
    if kind not in TYPES:
        return "unknown_type"
    subtype = fields.get("subtype")
    parts = {_CAMEL.sub("_", str(k)).lower(): v for k, v in subtype.items()} if isinstance(subtype, Mapping) else {}
    entity_type = str(parts.get("entity_type", ""))
    fact_type = str(parts.get("fact_type", "fact"))
    loop = str(fields.get("kind", "OPEN_LOOP")).upper()
    is_pinned = fields.get("pinned") is True
    return Stated(
        type=kind,
        content=storable(content).strip()[:CONTENT_CHARACTERS],
        refs=read_refs(fields.get("entity_refs")),
        label=_label(fields.get("entity_label")),
        entity_type=entity_type if entity_type in ENTITY_KINDS else "",
        fact_type=fact_type if fact_type in FACT_TYPES else "fact",
        importance=3 if is_pinned else _importance(fields.get("importance")),
        is_pinned=is_pinned,
        confidence=_confidence(fields.get("confidence")),
        mentions=_mentions(fields.get("mention_count")),
        at_ms=_moment(fields.get("at")),
        loop=loop if loop in LOOP_KINDS else "OPEN_LOOP",
    )


def read_refs(raw: object) -> tuple[str, ...]:
    """At most five references, each once, in order; what is none is dropped, a known slip is mended."""
    found: dict[str, bool] = {}
    for entry in raw if isinstance(raw, list) else ():
        kind, _, name = str(entry).partition(":")
        ref = make_ref(kind.strip().lower(), name)
        if ref and slugify(name):
            found[_SLIPS.get(ref, ref)] = True
    return tuple(found)[:MOST_REFS]


def _label(raw: object) -> str:
    text = " ".join(raw.split()) if isinstance(raw, str) else ""
    return text if 0 < len(text) <= LABEL_CHARACTERS else ""


def _importance(raw: object) -> int:
    """A number from 0 to 3, rounded; anything else is the standard 1."""
    micro = _micro(raw)
    return (micro + MICRO // 2) // MICRO if micro is not None and micro <= 3 * MICRO else 1


def _confidence(raw: object) -> int:
    micro = _micro(raw)
    return micro if micro is not None and micro <= MICRO else MICRO


def _micro(raw: object) -> int | None:
    """A number that is not negative, in millionths, read from its decimals."""
    found = _DECIMAL.fullmatch(str(raw)) if not isinstance(raw, (bool, str)) else None
    return int(found.group(1)) * MICRO + int((found.group(2) or "0")[:6].ljust(6, "0")) if found else None


def _mentions(raw: object) -> int:
    return raw if isinstance(raw, int) and not isinstance(raw, bool) and 1 <= raw <= 1_000_000 else 1


def _moment(raw: object) -> int:
    return raw if isinstance(raw, int) and not isinstance(raw, bool) and 0 <= raw <= 253_402_300_799_999 else 0
