"""How a listing goes through a place: page by page in the store's order, until enough items match.

Never: opens a connection; the store comes in as a function that reads one page.
Spec: ports/store.py, `Reader.page`.
"""

from __future__ import annotations

from collections.abc import Callable

from recollect.adapters.stores.rows import Row
from recollect.core.events import kind_code
from recollect.core.item import MemoryItem
from recollect.core.values import Kind
from recollect.ports.store import Filter

PAGE_SCAN = 500
ReadPage = Callable[[str, Row], list[MemoryItem]]


def page_through(read: ReadPage, wanted: Filter, after: tuple[str, int] | None, limit: int) -> list[MemoryItem]:
    """The first items behind a place in the list that a filter wants."""
    kind, n = (kind_code(Kind(after[0])), after[1]) if after is not None else (-1, 0)
    found: list[MemoryItem] = []
    while len(found) < limit:
        if wanted.ref:
            rows = read("item_by_ref", (wanted.ref, kind, n, PAGE_SCAN))
        else:
            rows = read("item_page", (kind, n, PAGE_SCAN))
        found.extend(item for item in rows if wanted.matches(item))
        if len(rows) < PAGE_SCAN:
            break
        kind, n = kind_code(rows[-1].kind), rows[-1].ref.n
    return found[:limit]
