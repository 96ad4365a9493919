"""Damaged sheets: what search keeps beside the items misleads nobody, whatever happens to it."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import apsw
import pytest
from survival.sizes import runs

from recollect import Memory
from recollect.engine import filing, shelves

QUESTIONS = ("Where is the blue bicycle?", "What does Ana drink in the morning?", "garden", "when do we travel")
WORDS = "garden coffee train bicycle blue morning letter window island river dog piano cheese travel Ana rent".split()
COLUMNS = ("recipe", "card", "model", "vector")
Answers = list[list[tuple[str, int, tuple[tuple[str, int], ...]]]]


def answers(memory: Memory) -> Answers:
    session = memory.session(user="ana", session="asking")
    return [[(hit.item.id, hit.score, hit.parts) for hit in session.search(asked, limit=20)] for asked in QUESTIONS]


@pytest.fixture
def sound(arena: Path) -> tuple[Path, Answers]:
    """A closed file, and what it answers."""
    path, chance = arena / "sound.db", random.Random(5)
    with Memory.open(str(path)) as memory:
        for number in range(8):
            said = [{"text": f"{' '.join(chance.sample(WORDS, 6)).capitalize()}."} for _ in range(15)]
            memory.session(user="ana", session=f"s{number}").remember_many(said)
        return path, answers(memory)


def altered(value: object, chance: random.Random) -> object:
    """The same value with one bit flipped."""
    if isinstance(value, int):
        return value ^ (1 << chance.randrange(4))
    assert isinstance(value, bytes)
    at = chance.randrange(len(value))
    return value[:at] + bytes([value[at] ^ (1 << chance.randrange(8))]) + value[at + 1 :]


def damage(path: Path, target: Path, column: str, rows: int, chance: random.Random) -> Path:
    """A copy with one column of some sheets damaged."""
    shutil.copy(path, target)
    connection = apsw.Connection(str(target))
    try:
        found = connection.execute(f"SELECT scope, kind, n, {column} FROM sheets WHERE length(vector) > 0").fetchall()
        for *address, value in chance.sample(found, rows):
            statement = f"UPDATE sheets SET {column} = ? WHERE scope = ? AND kind = ? AND n = ?"
            connection.execute(statement, (altered(value, chance), *address))
    finally:
        connection.close()
    return target


@pytest.mark.soak
@pytest.mark.parametrize("column", COLUMNS)
def test_a_damaged_sheet_changes_no_answer(arena: Path, sound: tuple[Path, Answers], column: str) -> None:
    """A bit flipped anywhere in a sheet: the same answers to the last part, and a reindex makes the file whole."""
    path, expected = sound
    for seed in range(runs(100, 6)):
        chance = random.Random(f"{column}-{seed}")
        with Memory.open(str(damage(path, arena / "hurt.db", column, chance.choice((1, 3, 60)), chance))) as memory:
            assert answers(memory) == expected
            seen = memory.check_search()
            assert seen.damaged + seen.outdated > 0 and not seen.foreign
            assert memory.reindex().made == seen.damaged + seen.outdated
            assert answers(memory) == expected
            assert memory.check_search().damaged == 0
            assert memory.reindex().made == 0


def test_sheets_that_changed_places_are_noticed(arena: Path, sound: tuple[Path, Answers]) -> None:
    """Two whole sheets that stand at each other's number are both made again."""
    path, expected = sound
    target = arena / "swapped.db"
    shutil.copy(path, target)
    connection = apsw.Connection(str(target))
    one, two = connection.execute("SELECT scope, n, card, vector FROM sheets WHERE kind = 1 LIMIT 2").fetchall()
    for (scope, n, _, _), (_, _, card, vector) in ((one, two), (two, one)):
        connection.execute(
            "UPDATE sheets SET card = ?, vector = ? WHERE scope = ? AND kind = 1 AND n = ?", (card, vector, scope, n)
        )
    connection.close()
    with Memory.open(str(target)) as memory:
        assert answers(memory) == expected
        assert memory.check_search().damaged == 2


@pytest.mark.parametrize("change", ["UPDATE makers SET name = name || 'x'", "DELETE FROM makers", "DELETE FROM sheets"])
def test_lost_makers_and_lost_sheets_are_made_again(arena: Path, sound: tuple[Path, Answers], change: str) -> None:
    """Where nobody knows any more who made a sheet, it is made again instead of being believed or refused."""
    path, expected = sound
    target = arena / "lost.db"
    shutil.copy(path, target)
    connection = apsw.Connection(str(target))
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute(change)
    connection.close()
    with Memory.open(str(target)) as memory:
        if "name" not in change:
            assert answers(memory) == expected
        assert memory.reindex().made == memory.check_search().items
        assert answers(memory) == expected


def test_planted_belief_is_caught(arena: Path, sound: tuple[Path, Answers], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever believes every seal answers something else from damaged vectors, and this is how it is noticed."""
    path, expected = sound

    def believe(first: int, kind: int, n: int, sealed: bytes, vector: bytes) -> bytes:
        return sealed[: -filing.SEAL_BYTES]

    monkeypatch.setattr(shelves, "unsealed", believe)
    monkeypatch.setattr(filing, "unsealed", believe)
    with Memory.open(str(damage(path, arena / "hurt.db", "vector", 60, random.Random(1)))) as memory:
        assert answers(memory) != expected


def test_sheets_from_before_the_seal_are_read(arena: Path, sound: tuple[Path, Answers]) -> None:
    """A file whose sheets have no seal yet keeps its vectors and answers the same; a reindex seals them."""
    path, expected = sound
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE sheets SET card = substr(card, 1, length(card) - 4)")
    connection.execute("UPDATE makers SET name = 'cards 2' WHERE name = 'cards 2 sealed'")
    connection.close()
    with Memory.open(str(path)) as memory:
        assert answers(memory) == expected
        seen = memory.check_search()
        assert seen.outdated == seen.items
        assert memory.reindex().made == seen.items
        assert answers(memory) == expected
