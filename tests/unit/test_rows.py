"""What a store reads back is what it wrote, or is refused: a flipped bit can turn a number into anything."""

from __future__ import annotations

import pytest

from recollect.adapters.stores.rows import Row, read_item, read_standing
from recollect.core.item import Phase
from recollect.core.values import Place, Space
from recollect.errors import StoreDamaged

PLACE = Place(Space.USER, "ana")
BODY = (
    '{"text":"hello","source":"user","at":5,"role":"user","event":"context","authority":"user_asserted",'
    '"why_authority":"source:user","importance":1,"why_importance":["event:context"],"key":"","phase":1,"tags":[]}'
)
ROW: Row = (1, 7, "ACTIVE", 9, 1, 0, 1, "", None, 0, BODY)
NUMBERS = {"n": 1, "created_at": 3, "importance": 4, "mentions": 6, "changed_ms": 9}


def read(row: Row) -> None:
    item = read_item(PLACE, row, lambda place, index: Phase(index=index, started_at=1), lambda number: PLACE)
    assert item.text == "hello"


def test_whole_row_is_read() -> None:
    """The row of these tests is one that can be read."""
    read(ROW)


@pytest.mark.parametrize("value", [None, "1", b"\x01", 1.0, True])
@pytest.mark.parametrize("column", NUMBERS.values(), ids=NUMBERS)
def test_number_of_another_type_is_damage(column: int, value: object) -> None:
    """A number that comes back as nothing, text, bytes or a fraction is refused before anybody reckons with it."""
    with pytest.raises(StoreDamaged):
        read((*ROW[:column], value, *ROW[column + 1 :]))


@pytest.mark.parametrize("value", [None, 3, b""])
def test_reason_of_another_type_is_damage(value: object) -> None:
    """The same for the one word of a standing."""
    with pytest.raises(StoreDamaged):
        read_standing(PLACE, (*ROW[:2], ROW[2], *ROW[4:7], value, None, 0), lambda number: PLACE)
