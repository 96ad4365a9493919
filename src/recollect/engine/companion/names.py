"""What the user answered about spellings: to everyone, and to this persona alone.

Never: reads another persona's answers.
Spec: ruling 27.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.core.companion.ledger import Shelf
from recollect.core.item import MemoryItem
from recollect.core.places import ledgers
from recollect.core.values import Kind, Lens
from recollect.ports.store import Reader

RECORDS = 1_000


def aliases(reader: Reader, lens: Lens) -> list[MemoryItem]:
    """The answers this persona may know."""
    return aliases_among([item for place in ledgers(lens) for item in reader.newest(place, Kind.PROFILE, RECORDS)])


def aliases_among(records: Sequence[MemoryItem]) -> list[MemoryItem]:
    return [item for item in records if item.fact is not None and item.fact.type == Shelf.ALIAS]
