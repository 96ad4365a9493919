"""Pages of memories.

An unknown filter word is an error, never "everything".
Never: ranks. Order is place, kind, number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from recollect.core.events import KINDS, kind_code
from recollect.core.item import MemoryItem
from recollect.core.spaces import escape_name
from recollect.core.values import EventType, Kind, Place, Status, parse_id
from recollect.engine.door import label
from recollect.engine.paging import walk
from recollect.errors import InvalidInput
from recollect.ports.store import Filter, Reader

W = TypeVar("W", bound=StrEnum)
EVERYTHING = Filter(statuses=())
PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Some memories, and where the next page begins ('' at the end)."""

    items: tuple[MemoryItem, ...]
    cursor: str = ""

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[MemoryItem]:
        return iter(self.items)


def read_filter(
    *,
    kind: str = "",
    status: str = "active",
    event_type: str = "",
    session: str = "",
    ref: str = "",
    pinned: bool | None = None,
    contains: str = "",
) -> Filter:
    """The filter a caller's words mean."""
    for name, value in (("kind", kind), ("status", status), ("event_type", event_type), ("contains", contains)):
        label(value, name, 1_000)
    if pinned is not None and not isinstance(pinned, bool):
        raise InvalidInput("pinned should be True, False or None.", reason="wrong_type")
    statuses = () if status == "all" else (_word(Status, status.upper(), "status"),)
    return Filter(
        kinds=(_word(Kind, kind, "kind"),) if kind else (),
        statuses=statuses,
        event_types=(_word(EventType, event_type, "event_type"),) if event_type else (),
        ref=label(ref, "ref"),
        session=escape_name(label(session, "session")),
        is_pinned=pinned,
        contains=contains,
    )


def list_items(reader: Reader, places: Sequence[Place], wanted: Filter, limit: int, cursor: str) -> Page:
    """One page over several places, in their order."""
    after = parse_id(label(cursor, "cursor", 2_000)) if cursor else None
    if cursor and (after is None or after.place not in places):
        raise InvalidInput("This cursor does not belong here.", reason="bad_cursor")
    start = places.index(after.place) if after is not None else 0
    found: list[MemoryItem] = []
    for place in places[start:]:
        mark = (after.kind.value, after.n) if after is not None and after.place == place else None
        found.extend(reader.page(place, wanted, mark, limit + 1 - len(found)))
        if len(found) > limit:
            return Page(items=tuple(found[:limit]), cursor=found[limit - 1].id)
    return Page(items=tuple(found))


def all_items(reader: Reader, place: Place, wanted: Filter = EVERYTHING) -> Iterator[MemoryItem]:
    """Every item of a place that a filter lets through."""

    def read(after: tuple[int, int] | None) -> list[MemoryItem]:
        return reader.page(place, wanted, (KINDS[after[0]].value, after[1]) if after else None, PAGE)

    yield from walk(read, lambda item: (kind_code(item.kind), item.ref.n), None)


def _word(words: type[W], value: str, what: str) -> W:
    try:
        return words(value)
    except ValueError as error:
        allowed = ", ".join(word.value.lower() for word in words)
        raise InvalidInput(f"{what} is {str(value)[:40]!r}.", hint=f"Allowed: {allowed}.") from error
