"""Which of two claims stands when they were made under two spellings of one name.

"Makesh lives in Pune", "Mukesh lives in Delhi", and the user says that they are one: now both claim one thing. The
ordinary table of conflicts tells which stands, and it is asked anew at every look. Nothing is archived for it: who
merges for one persona must not change what the others know, and taking a merge back has nothing to restore.

Never: judges claims under one spelling, which were settled when they were written; never takes a fold for a claim.
Spec: rulings 5, 20, 27.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from recollect.core.item import MemoryItem
from recollect.core.values import Authority, ItemRef
from recollect.core.write.conflict import claim, settle


def key_under(key: str, into: Mapping[str, str]) -> str:
    """A fact's key with the spelling that stands: `people|person|makesh|…` is `people|person|mukesh|…`."""
    parts = key.split("|")
    end = into.get(f"{parts[1]}:{parts[2]}", "") if len(parts) > 3 else ""
    return "|".join([*parts[:2], end.partition(":")[2], *parts[3:]]) if end else key


def other_keys(key: str, into: Mapping[str, str]) -> list[str]:
    """The keys of the same claim under every other spelling of the name."""
    merged = key_under(key, into)
    parts = merged.split("|")
    if len(parts) <= 3:
        return []
    end = f"{parts[1]}:{parts[2]}"
    names = [ref.partition(":")[2] for ref in (end, *(ref for ref, stands in into.items() if stands == end))]
    return [other for name in names if (other := "|".join([*parts[:2], name, *parts[3:]])) != key]


def overtaken(
    facts: Iterable[MemoryItem], into: Mapping[str, str], ranks: dict[Authority, int]
) -> dict[ItemRef, ItemRef]:
    """Each fact that does not stand, with the one that does: another claim, or the same one said later."""
    groups: dict[str, list[MemoryItem]] = {}
    for item in facts if into else ():
        if item.dedup_key and item.made_how != "fold":
            groups.setdefault(key_under(item.dedup_key, into), []).append(item)
    lost: dict[ItemRef, ItemRef] = {}
    for group in groups.values():
        if len({item.dedup_key for item in group}) > 1:
            stands = _standing(group, ranks)
            lost |= {item.ref: stands.ref for item in group if item.ref != stands.ref}
    return lost


def _standing(group: list[MemoryItem], ranks: dict[Authority, int]) -> MemoryItem:
    """The one that stands, each against the next in the order of their moments: ticks of two places do not compare."""
    told = sorted(group, key=lambda item: (item.origin.at_ms, item.created_at, item.ref))
    stands, *newer = [replace(item, created_at=number) for number, item in enumerate(told)]
    for item in newer:
        stands = settle(claim(stands, ranks, is_newer=False), claim(item, ranks, is_newer=True))[0]
    return told[stands.created_at]
