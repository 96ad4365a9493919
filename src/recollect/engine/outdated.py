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
from recollect.core.places import is_ledger
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
    made = [pair for pair in reader.made_from(turns) if _is_fact(pair[0])] if turns else []
    since = _since(reader, [*dict.fromkeys(fact for fact, _ in made)])
    found: dict[ItemRef, Since] = {}
    for fact, turn in made:
        # A turn that also states what is so now is not outdated by it.
        if fact in since and turn not in since[fact].said_in:
            found.setdefault(turn, since[fact])
    return found


def _is_fact(ref: ItemRef) -> bool:
    """Summaries and todos are made from turns too; a newer one says nothing against the turn."""
    return ref.kind is Kind.PROFILE and not is_ledger(ref.place)


def _since(reader: Reader, facts: Sequence[ItemRef]) -> dict[ItemRef, Since]:
    """The live fact at the end of each chain of replacements, where a conflict was settled on the way."""
    at = {ref: item for ref, item in reader.fetch(facts).items() if item.standing.replaced_by} if facts else {}
    overtaken: dict[ItemRef, bool] = {}
    for _ in range(CHANGES):
        steps = {ref: item.standing.replaced_by for ref, item in at.items() if item.standing.replaced_by}
        if not steps:
            break
        overtaken |= {ref: True for ref in steps if at[ref].standing.reason == "superseded"}
        found = reader.fetch([*dict.fromkeys(steps.values())])
        at = {ref: found.get(steps[ref], item) if ref in steps else item for ref, item in at.items()}
    ends = {ref: item for ref, item in at.items() if ref in overtaken and item.status is Status.ACTIVE}
    said_in = {item.ref: tuple(reader.sources_of(item.ref)) for item in ends.values()}
    return {ref: Since(item, said_in[item.ref]) for ref, item in ends.items()}


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
