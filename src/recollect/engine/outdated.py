"""Which turns say something that is no longer so: a fact was read from them, and a later claim has taken its place.

The turn stays what it is, the record of what was said; whoever shows it says what is so now, and does not show it
before the words that changed it.

Never: hides a turn, or judges by text: only a settled conflict between facts makes a turn outdated.
Spec: ruling 5; wants.md ("Conflicts settled by rules one can see").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from recollect.core.item import MemoryItem
from recollect.core.values import ItemRef, Kind, Status
from recollect.ports.store import Reader

# A fact that changed more often than this within one look is followed no further.
CHANGES = 8


class Since(NamedTuple):
    """What is so now, and the turns that said so."""

    fact: MemoryItem
    said_in: tuple[ItemRef, ...]


def outdated(reader: Reader, items: Sequence[MemoryItem]) -> dict[ItemRef, Since]:
    """For each of these turns that is outdated: what took the place of a fact read from it."""
    turns = [item.ref for item in items if item.kind is Kind.SEMANTIC]
    made = reader.made_from(turns) if turns else []
    facts = reader.fetch([fact for fact, _ in made if fact.kind is Kind.PROFILE]) if made else {}
    found: dict[ItemRef, Since] = {}
    for fact, turn in made:
        now = _standing(reader, facts.get(fact))
        # A turn that also states what is so now is not outdated by it.
        if now is not None and turn not in now.said_in:
            found.setdefault(turn, now)
    return found


def _standing(reader: Reader, fact: MemoryItem | None) -> Since | None:
    """The live fact at the end of a chain of replacements, where the fact was replaced at all."""
    place = fact
    for _ in range(CHANGES):
        if place is None or place.standing.replaced_by is None:
            break
        follower = place.standing.replaced_by
        place = reader.fetch([follower]).get(follower)
    if place is None or place is fact or place.status is not Status.ACTIVE:
        return None
    return Since(place, tuple(reader.sources_of(place.ref)))


def current_first(refs: Sequence[ItemRef], since: Mapping[ItemRef, Since]) -> list[ItemRef]:
    """The same refs in the same order, but an outdated turn stands after the first word of what is so now."""
    ordered = list(refs)
    for ref in [ref for ref in refs if ref in since]:
        newer = (since[ref].fact.ref, *since[ref].said_in)
        later = [place for place, other in enumerate(ordered) if other in newer]
        at = ordered.index(ref)
        if later and at < later[0]:
            ordered.insert(later[0], ordered.pop(at))
    return ordered
