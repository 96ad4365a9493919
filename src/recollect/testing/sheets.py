"""The part of the store contract that is about sheets: what search needs of an item comes and goes with it.

Never: looks behind the port.
Spec: ports/store.py.
"""

from __future__ import annotations

from dataclasses import replace

from recollect.core.events import Archived, Deleted
from recollect.core.item import MemoryItem
from recollect.core.values import ItemRef, Kind, Status
from recollect.ports.store import Filed, Reader, Repository, Sheet
from recollect.testing.commits import ANA, BOB, decided, keep, keep_many, offered, seat
from recollect.testing.opening import OpensStore

START = (0, 0)


def sheet_of(item: MemoryItem, model: str = "m 1") -> Sheet:
    """A sheet that says whose it is."""
    return Sheet("r 1", f"card {item.text}".encode(), model, f"vector {item.text}\x00\xff".encode("latin-1"))


class SheetsContract(OpensStore):
    """Cards and vectors."""

    def test_sheets_are_committed_with_their_items(self) -> None:
        """What is filed is what was committed, in the order of documents, with the names of what made it."""
        with self.repository() as repository:
            kept = self._filed(repository, "one", "two")
            with repository.reading() as reader:
                assert reader.sheets([item.ref for item in kept]) == {item.ref: sheet_of(item) for item in kept}
                assert self._told(reader, reader.filed(ANA, START, 10)) == [self._row(item) for item in kept]
                assert reader.filed(BOB, START, 10) == []
                assert reader.sheets([]) == {}

    def test_filed_comes_in_pages(self) -> None:
        """Pages of any size join to the whole, which is what documents are."""
        with self.repository() as repository:
            self._filed(repository, *(f"text {number}" for number in range(7)))
            keep_many(repository, ANA, Kind.PROFILE, 3)
            with repository.reading() as reader:
                whole = reader.filed(ANA, START, 100)
                paged, after = list[Filed](), START
                while page := reader.filed(ANA, after, 3):
                    paged += page
                    after = (page[-1].kind, page[-1].n)
                assert paged == whole
                assert [row.n for row in whole] == [item.ref.n for item in reader.documents(ANA)]

    def test_nobody_guesses_what_is_near_unless_asked_to(self) -> None:
        """A store without an approximate index says so, instead of proposing something."""
        with self.repository() as repository:
            self._filed(repository, "text")
            with repository.reading() as reader:
                assert reader.nearest(ANA, "some model", bytes(8), 5) is None

    def test_item_without_a_sheet_is_filed_empty(self) -> None:
        """An item that has no sheet yet is filed all the same, by nobody."""
        with self.repository() as repository:
            item = keep_many(repository, ANA, Kind.SEMANTIC, 1)[0]
            with repository.reading() as reader:
                row = reader.filed(ANA, START, 10)[0]
                assert (row.n, row.recipe, row.card, row.model, row.vector) == (item.ref.n, 0, b"", 0, b"")
                assert reader.sheets([item.ref]) == {}

    def test_sheet_can_be_made_later_and_anew(self) -> None:
        """A sheet can be put in after its item, and replaced by another model's."""
        with self.repository() as repository:
            item = keep_many(repository, ANA, Kind.SEMANTIC, 1)[0]
            for model in ("m 1", "m 2"):
                with repository.writing((ANA,)) as writer:
                    writer.file({item.ref: sheet_of(item, model)})
                with repository.reading() as reader:
                    assert reader.sheets([item.ref]) == {item.ref: sheet_of(item, model)}

    def test_sheet_goes_with_its_item(self) -> None:
        """With an item its card and vector are gone, and none can be put in for it any more."""
        with self.repository() as repository:
            gone, stays = self._filed(repository, "gone", "stays")
            with repository.writing((ANA,)) as writer:
                desk = seat(writer, ANA)
                desk.change(gone, Deleted(gone.ref, "expired"))
                writer.commit(decided(desk, ANA))
            with repository.writing((ANA,)) as writer:
                writer.file({gone.ref: sheet_of(gone), ItemRef(BOB, Kind.SEMANTIC, 9): sheet_of(gone)})
            with repository.reading() as reader:
                assert reader.sheets([gone.ref, stays.ref]) == {stays.ref: sheet_of(stays)}
                assert [row.n for row in reader.filed(ANA, START, 10)] == [stays.ref.n]

    def test_archived_item_keeps_its_sheet_and_is_not_filed(self) -> None:
        """What is archived cannot be searched, and needs no new vector when it comes back."""
        with self.repository() as repository:
            item = self._filed(repository, "old")[0]
            with repository.writing((ANA,)) as writer:
                desk = seat(writer, ANA)
                desk.change(item, Archived(item.ref, "forgotten", None))
                writer.commit(decided(desk, ANA))
            with repository.reading() as reader:
                assert reader.fetch([item.ref])[item.ref].status is Status.ARCHIVED
                assert reader.filed(ANA, START, 10) == []
                assert reader.sheets([item.ref]) == {item.ref: sheet_of(item)}

    def test_failed_block_files_nothing(self) -> None:
        """A block that fails leaves no sheet behind."""
        with self.repository() as repository:
            item = keep_many(repository, ANA, Kind.SEMANTIC, 1)[0]
            try:
                with repository.writing((ANA,)) as writer:
                    writer.file({item.ref: sheet_of(item)})
                    raise _Stumble
            except _Stumble:
                pass
            with repository.reading() as reader:
                assert reader.sheets([item.ref]) == {}

    @staticmethod
    def _filed(repository: Repository, *texts: str) -> list[MemoryItem]:
        with repository.writing((ANA,)) as writer:
            desk = seat(writer, ANA)
            kept = [keep(desk, offered(ANA, text)) for text in texts]
            sheets = {item.ref: sheet_of(item) for item in kept}
            writer.commit(replace(decided(desk, ANA), sheets=sheets))
        return kept

    @staticmethod
    def _row(item: MemoryItem) -> tuple[int, str, int, Sheet]:
        return item.ref.n, item.status.value, item.created_at, sheet_of(item)

    @staticmethod
    def _told(reader: Reader, rows: list[Filed]) -> list[tuple[int, str, int, Sheet]]:
        names = {0: "", **reader.makers()}
        return [
            (row.n, row.status, row.tick, Sheet(names[row.recipe], row.card, names[row.model], row.vector))
            for row in rows
        ]


class _Stumble(Exception):
    """What goes wrong inside a block that must then leave nothing behind."""
