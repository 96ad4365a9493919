"""How an item becomes a row and a row an item.

Never: decides, and never opens a connection.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from recollect.core.canonical import short_key
from recollect.core.events import KINDS, kind_code
from recollect.core.item import MemoryItem, Phase, Standing, from_body
from recollect.core.values import ItemRef, Place, Status
from recollect.errors import StoreDamaged

Row = tuple[Any, ...]
_STATUSES = {word.value: word for word in Status}
# Nothing else counts as pinned or not: an index finds what is pinned by exactly this number.
_PINNED = {0: False, 1: True}


def names_of(user: str) -> tuple[str, str, str, str, str]:
    """A user's own name, and between which names those lie that go on with `/` and with `~`; bytes order them."""
    return user, f"{user}/", f"{user}0", f"{user}~", f"{user}\x7f"


def item_row(item: MemoryItem, scope: int, salt: bytes, body: str, number_of: Callable[[Place], int]) -> Row:
    """The columns of `item_add`."""
    standing = item.standing
    return (
        scope,
        kind_code(item.kind),
        item.ref.n,
        standing.status.value,
        item.created_at,
        standing.importance,
        int(standing.is_pinned),
        standing.mentions,
        standing.reason,
        pack_ref(standing.replaced_by, number_of),
        standing.changed_ms,
        short_key(item.dedup_key) if item.dedup_key else None,
        item.origin.ref or None,
        salt,
        body,
    )


def standing_row(item: MemoryItem, scope: int, number_of: Callable[[Place], int]) -> Row:
    """The columns of `item_stand`."""
    standing = item.standing
    return (
        standing.status.value,
        standing.importance,
        int(standing.is_pinned),
        standing.mentions,
        standing.reason,
        pack_ref(standing.replaced_by, number_of),
        standing.changed_ms,
        scope,
        kind_code(item.kind),
        item.ref.n,
    )


def read_item(
    place: Place,
    row: Row,
    phase_of: Callable[[Place, int], Phase],
    place_of: Callable[[int], Place],
    known: MemoryItem | None = None,
) -> MemoryItem:
    """The item of a row. A body never changes, so one that was read before is not read again; its standing is."""
    try:
        kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body = row
        standing = _standing((status, importance, pinned, mentions, reason, replaced_by, changed_ms), place_of)
        if type(n) is not int or type(created_at) is not int:
            raise _unreadable()
        if known is not None:
            return known if known.standing == standing else replace(known, standing=standing)
        return from_body(ItemRef(place, KINDS[kind], n), created_at, body, standing, phase_of)
    except _UNREADABLE:
        # What was raised may quote what is stored.
        raise _unreadable() from None


def read_standing(place: Place, row: Row, place_of: Callable[[int], Place]) -> tuple[ItemRef, Standing]:
    """How the item of a row stands."""
    try:
        return ItemRef(place, KINDS[row[0]], row[1]), _standing(row[2:], place_of)
    except _UNREADABLE:
        raise _unreadable() from None


def _standing(row: Row, place_of: Callable[[int], Place]) -> Standing:
    status, importance, pinned, mentions, reason, replaced_by, changed_ms = row
    if not replaced_by:
        return _plain_standing(status, importance, pinned, mentions, reason, changed_ms)
    return replace(
        _plain_standing(status, importance, pinned, mentions, reason, changed_ms),
        replaced_by=unpack_ref(replaced_by, place_of),
    )


@lru_cache(maxsize=1_024, typed=True)
def _plain_standing(status: str, importance: int, pinned: int, mentions: int, reason: str, changed_ms: int) -> Standing:
    """Thousands of items stand alike, and what never changes can be shared."""
    if not (type(importance) is type(mentions) is type(changed_ms) is int and type(reason) is str):
        raise TypeError("a damaged column comes back as another type")
    return Standing(
        status=_STATUSES[status],
        importance=importance,
        is_pinned=_PINNED[pinned],
        mentions=mentions,
        reason=reason,
        changed_ms=changed_ms,
    )


_UNREADABLE = (ValueError, KeyError, IndexError, TypeError, AttributeError)


def _unreadable() -> StoreDamaged:
    return StoreDamaged("A stored memory cannot be read.", hint="Run `recollect verify` to see what was altered.")


def pack_ref(ref: ItemRef | None, number_of: Callable[[Place], int]) -> str:
    return "" if ref is None else f"{number_of(ref.place)}:{kind_code(ref.kind)}:{ref.n}"


def unpack_ref(packed: str, place_of: Callable[[int], Place]) -> ItemRef:
    number, kind, n = packed.split(":")
    return ItemRef(place_of(int(number)), KINDS[int(kind)], int(n))
