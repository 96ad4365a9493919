"""What the engine lays out of a persona's ledger: for one commit, and for one recall.

Never: decides, and never outlives the decision it was laid out for.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from recollect.core.item import MemoryItem
from recollect.core.values import ItemRef, Place


@dataclass(slots=True, kw_only=True)
class Said:
    """One thing the user said in this session, since the last rolling summary."""

    text: str
    item: MemoryItem | None
    weight: int


@dataclass(slots=True, kw_only=True)
class Ledger:
    """What the engine laid out of a ledger for one commit."""

    place: Place
    todos: dict[ItemRef, MemoryItem] = field(default_factory=dict)
    said: list[Said] = field(default_factory=list)
    facts: dict[ItemRef, MemoryItem] = field(default_factory=dict)
    # In which sessions a known fact was spoken of, as (persona, session, moment) of each turn behind it.
    spoken: dict[ItemRef, list[tuple[str, str, int]]] = field(default_factory=dict)
    # Folds about those a turn speaks of, with their parts.
    folds: dict[ItemRef, tuple[MemoryItem, list[MemoryItem]]] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Kept:
    """What was gathered of a persona's ledger for one recall."""

    session: MemoryItem | None = None
    todos: list[MemoryItem] = field(default_factory=list)
    done: list[MemoryItem] = field(default_factory=list)
    records: list[tuple[str, MemoryItem]] = field(default_factory=list)
    # Each merged spelling with the reference that stands for it.
    into: dict[str, str] = field(default_factory=dict)

    def refs(self, item: MemoryItem) -> list[str]:
        """Whom and what a fact is about, under the spelling that stands."""
        refs = item.fact.entity_refs if item.fact is not None else ()
        return [*dict.fromkeys(self.into.get(ref, ref) for ref in refs)]
