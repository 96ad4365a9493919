"""The store contract fails a store that breaks a promise: one planted flaw per promise, each caught by its test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from recollect.adapters.stores.memory import MemoryReader, MemoryRepository, MemoryStore, MemoryWriter
from recollect.core.item import MemoryItem, stand
from recollect.core.values import ItemRef, Kind, Place
from recollect.errors import StoreClosed
from recollect.ports.store import Commit, Filed, Filter, Sheet, Store
from recollect.testing.store import StoreContract

Flaw = tuple[str, type, str, Callable[..., object]]


def newest(self: MemoryReader, place: Place, kind: Kind, limit: int) -> list[MemoryItem]:
    return self._live(place, kind)[:limit]


def keyed(self: MemoryReader, place: Place, keys: Sequence[str]) -> list[MemoryItem]:
    return self._sorted(place, lambda item: item.dedup_key in keys)


def folded(self: MemoryReader, place: Place, keys: Sequence[str]) -> list[MemoryItem]:
    return self._sorted(place, lambda item: item.dedup_key.lower() in keys)


def window(self: MemoryReader, place: Place) -> list[MemoryItem]:
    return self._sorted(place, lambda item: item.kind is Kind.SHORT_TERM)


def page(self: MemoryReader, place: Place, wanted: Filter, after: object, limit: int) -> list[MemoryItem]:
    return self._sorted(place, wanted.matches)[:limit]


def documents(self: MemoryReader, place: Place) -> Iterator[MemoryItem]:
    yield from self._sorted(place, lambda item: item.kind is not Kind.SHORT_TERM)


def fetch(self: MemoryReader, refs: Sequence[ItemRef]) -> dict[ItemRef, MemoryItem]:
    return {item.ref: stand(item, mentions=1) for ref in refs for item in self._sorted(ref.place) if item.ref == ref}


def places(self: MemoryReader, space: str = "", owner_prefix: str = "") -> list[Place]:
    return [place for place in self._tenant.numbers if place.owner.startswith(owner_prefix)]


def eager_commit(self: MemoryWriter, commit: Commit) -> None:
    self._apply(commit)


@contextmanager
def one_tenant(self: MemoryStore, name: str) -> Iterator[object]:
    with self._lock:
        if self._is_closed:
            raise StoreClosed
        yield self._tenants.setdefault("", next(iter(self._tenants.values()), None) or type_of_tenant()())


def type_of_tenant() -> type:
    store = MemoryStore()
    with store.tenant("x") as tenant:
        return type(tenant)


real_filed = MemoryReader.filed


def filed(self: MemoryReader, place: Place, after: tuple[int, int], limit: int) -> list[Filed]:
    return real_filed(self, place, after, limit + 1)[1:]


def file_anything(self: MemoryWriter, sheets: dict[ItemRef, Sheet]) -> None:
    self._tenant.sheets.update(sheets)


FLAWS: list[Flaw] = [
    ("test_newest_comes_first", MemoryReader, "newest", newest),
    ("test_key_is_held_by_one_active_item", MemoryReader, "keyed", keyed),
    ("test_key_is_held_by_one_active_item", MemoryReader, "keyed", folded),
    ("test_window_is_the_active_short_term", MemoryReader, "window", window),
    ("test_pages_join_to_the_whole", MemoryReader, "page", page),
    ("test_documents_are_what_can_be_searched", MemoryReader, "documents", documents),
    ("test_changed_standing_is_kept_and_content_is_not_touched", MemoryReader, "fetch", fetch),
    ("test_places_are_sorted_and_filtered", MemoryReader, "places", places),
    ("test_failed_block_changes_nothing", MemoryWriter, "commit", eager_commit),
    ("test_tenants_are_walls", MemoryStore, "tenant", one_tenant),
    ("test_closing_twice_is_fine_and_use_after_is_an_error", MemoryStore, "close", lambda self: None),
    ("test_answer_of_a_command_is_kept", MemoryReader, "answer", lambda self, owner, name: None),
    ("test_ageing_leaves_out_the_pinned_and_the_young", MemoryReader, "ageing", lambda s, p, k, t: s._live(p, k)),
    ("test_foremost_facts", MemoryReader, "foremost", lambda s, p, k, n: s._live(p, k)[:n]),
    ("test_lineage_is_known_in_both_directions", MemoryReader, "sources_of", lambda self, ref: []),
    ("test_counts_add_up", MemoryReader, "counts", lambda self: {}),
    ("test_dump_loads_into_an_empty_store", MemoryReader, "dump", lambda self: iter(())),
    ("test_sheets_are_committed_with_their_items", MemoryReader, "sheets", lambda self, refs: {}),
    ("test_filed_comes_in_pages", MemoryReader, "filed", filed),
    ("test_sheet_goes_with_its_item", MemoryWriter, "_file", file_anything),
]


@pytest.mark.parametrize(("name", "cls", "method", "flaw"), FLAWS, ids=[f"{f[0]}-{n}" for n, f in enumerate(FLAWS)])
def test_planted_flaw_is_caught(
    name: str, cls: type, method: str, flaw: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store with one flaw fails the test that is about it, and only because of the flaw."""

    class Flawed(StoreContract):
        def make_store(self) -> Store:
            return MemoryStore()

    getattr(Flawed(), name)()
    monkeypatch.setattr(cls, method, flaw)
    with pytest.raises(Exception):  # noqa: B017 - a broken promise shows as a failed assertion or as an error
        getattr(Flawed(), name)()


def test_contract_covers_the_port() -> None:
    """Every method of a repository that reads or writes is spoken to by some test of the contract."""
    import inspect

    from recollect.ports import store as port
    from recollect.testing import chores, commits, keeping, sheets
    from recollect.testing import store as contract

    text = "".join(inspect.getsource(module) for module in (contract, keeping, sheets, chores, commits))
    methods = [name for cls in (port.Reader, port.Writer, port.Repository) for name in vars(cls) if name[0] != "_"]
    assert [name for name in methods if f".{name}(" not in text and f".{name}," not in text and name != "read"] == []
    assert MemoryRepository
