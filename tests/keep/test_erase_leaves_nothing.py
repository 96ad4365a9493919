"""S12: after an erasure not one byte of what was said is in any file, whatever the history was."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from canary import SOAK, remains
from histories import DURABLE, PRESETS, Life, bystander, start, victim, views, word_for

from recollect import Memory
from recollect.adapters.stores.sqlite import store as sqlite_store
from recollect.engine.erase import ErasureReceipt

LIVES = 24 * SOAK
BYSTANDERS = {"bob": {"user": "bob", "session": "b1"}, "eve": {"user": "eve", "session": "b1", "persona": "coach"}}
Plant = Callable[[Life, str], Callable[[Memory], ErasureReceipt]]


def plant_user(life: Life, word: str) -> Callable[[Memory], ErasureReceipt]:
    """A user whose name, sessions, personas, phases and commands are made of the word."""
    for session, persona in (("s1", ""), (f"{word}-s2", f"{word}-face"), ("", "")):
        address = {"user": f"{word} von {word}", "session": session, "persona": persona, "project": "apollo"}
        chat = life.memory.session(**address)
        victim(life, chat, word, refs=f"ref-{word}", count=life.chance.randint(1, 8))
        if life.chance.random() < 0.6:
            chat.remember(f"Again {word}.", at=life.tick(), command_id=f"command {word}")
            chat.start_phase(f"phase {word}", at=life.tick())
            chat.recall(f"who is {word}?", at=life.tick())
    # A session that only ever asked.
    life.memory.session(user=f"{word} von {word}", session=f"quiet {word}").recall(f"{word}?", at=life.tick())
    return lambda memory: memory.erase_user(f"{word} von {word}")


def plant_session(life: Life, word: str) -> Callable[[Memory], ErasureReceipt]:
    """A session whose every turn, name, phase and command is made of the word, beside one that stays."""
    staying = life.memory.session(user="carol", session="staying", project="apollo")
    bystander(life, staying, 3)
    address = {"user": "carol", "session": f"{word}-talk", "project": "apollo"}
    chat = life.memory.session(**address)
    victim(life, chat, word, refs=f"ref-{word}", count=life.chance.randint(1, 8))
    chat.start_phase(f"phase {word}", at=life.tick())
    chat.remember(f"More {word}.", at=life.tick(), command_id=f"command {word}")
    chat.recall(f"who is {word}?", at=life.tick())
    bystander(life, staying, 3)
    staying.recall("billing name prefer", at=life.tick())
    return lambda memory: memory.session(**address).erase_session()


def plant_ref(life: Life, word: str) -> Callable[[Memory], ErasureReceipt]:
    """A message of the caller's own, somewhere in a conversation, erased from another conversation."""
    chat = life.memory.session(user="dave", session="s1", project="apollo")
    bystander(life, chat, life.chance.randint(0, 4))
    victim(life, chat, word, refs="msg-17", count=1)
    bystander(life, chat, life.chance.randint(0, 9))
    chat.recall("billing name prefer weather", at=life.tick())
    asked = life.chance.choice(("s1", "s2"))
    return lambda memory: memory.session(user="dave", session=asked, project="apollo").erase_ref("msg-17")


def plant_item(life: Life, word: str) -> Callable[[Memory], ErasureReceipt]:
    """A turn's own record, erased by its id."""
    chat = life.memory.session(user="erin", session="s1")
    bystander(life, chat, life.chance.randint(0, 4))
    receipt = chat.remember(f"Something about {word} and the weather.", at=life.tick())
    turns = [fate.id for fate in receipt.fates if fate.outcome == "written" and fate.kind != "profile"]
    chat.recall("weather", at=life.tick())
    item_id = life.chance.choice(turns)
    return lambda memory: memory.session(user="erin", session="s1").erase(item_id)


def plant_source(life: Life, word: str) -> Callable[[Memory], ErasureReceipt]:
    """Pages of one web site, kept apart, some of them confirmed."""
    chat = life.memory.session(user="fred", session="s1", project="apollo")
    bystander(life, chat, 2)
    victim(life, chat, word, refs="page", count=life.chance.randint(1, 5), source=f"web:https://{word}.example")
    bystander(life, chat, life.chance.randint(0, 9))
    chat.recall("billing name prefer weather", at=life.tick())
    return lambda memory: memory.purge(f"web:https://{word}.example")


PLANTS: dict[str, Plant] = {
    "user": plant_user,
    "session": plant_session,
    "ref": plant_ref,
    "item": plant_item,
    "source": plant_source,
}


@pytest.mark.parametrize("seed", range(LIVES))
def test_nothing_is_left_of_any_victim(folder: Path, seed: int) -> None:
    """Five ways of erasing in one life: each leaves no byte, a sound log, and everybody else exactly as they were."""
    life = start(seed, str(folder / "memory.db"))
    order = list(PLANTS)
    life.chance.shuffle(order)
    erasures: dict[str, tuple[str, Callable[[Memory], ErasureReceipt]]] = {}
    for what in order:
        for address in BYSTANDERS.values():
            bystander(life, life.memory.session(**address), 2)
        word = word_for(seed, what)
        erasures[what] = (word, PLANTS[what](life, word))
    before = views(life.memory, BYSTANDERS)
    for what in sorted(erasures):
        word, run = erasures[what]
        if not remains(folder, word):
            # The contract forgets fast: a turn may have left the window already, and nothing else held it.
            assert life.memory.policy.name == "contract"
            continue
        receipt = run(life.memory)
        assert receipt.pending == () and receipt.total > 0
        assert remains(folder, word) == {}, f"{what}, policy {life.memory.policy.name}, {receipt.to_dict()}"
        assert life.memory.replay() == []
        assert life.memory.verify().verdict == "ok"
        assert views(life.memory, BYSTANDERS) == before
    life.memory.close()
    assert remains(folder, *(word for word, _ in erasures.values())) == {}


@pytest.mark.parametrize("seed", range(8 * SOAK))
def test_many_owners_and_long_texts(folder: Path, seed: int) -> None:
    """Among many owners with texts of many pages, the pages of one of them are really gone."""
    life = start(seed, str(folder / "memory.db"), policy="default")
    word = word_for(seed, "gone")
    for number in range(30):
        chat = life.memory.session(user=f"owner{number}")
        bystander(life, chat, 2)
        if number == 17:
            for size in (100, 4_000, 4_100, 60_000):
                chat.remember(f"{word} {'x' * size} {word}", at=life.tick())
    life.memory.session(user="owner3").forget(life.memory.session(user="owner3").list(kind="semantic").items[0].id)
    life.memory.erase_user("owner17")
    assert remains(folder, word) == {}
    assert life.memory.replay() == [] and life.memory.verify().verdict == "ok"
    life.memory.close()


def test_the_search_catches_what_plain_deletion_leaves(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the zeroing of gaps switched off the same search finds remnants, so an empty result means something."""
    monkeypatch.setattr(sqlite_store, "zero_gaps", lambda path, vfs: 0)
    caught = 0
    for seed in range(8):
        (folder / str(seed)).mkdir()
        caught += bool(_erased_life(seed, folder / str(seed)))
    assert caught > 0


def test_the_search_catches_a_log_that_was_not_emptied(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the checkpoint the write-ahead log still holds the words, and the search says in which file."""
    monkeypatch.setattr(sqlite_store.SqliteStore, "_empty_log", lambda self: [])
    monkeypatch.setattr(sqlite_store.SqliteStore, "_zero_gaps", lambda self: True)
    assert "memory.db-wal" in _erased_life(1, folder)


@pytest.mark.parametrize("seed", range(8))
def test_the_same_lives_leave_nothing_with_everything_on(folder: Path, seed: int) -> None:
    """The twin of the planted remnants: same lives, nothing patched, nothing left."""
    assert _erased_life(seed, folder) == {}


def _erased_life(seed: int, folder: Path) -> dict[str, int]:
    """A life in which doomed turns lie among others on pages that split; what is left of them after erasing."""
    chance = random.Random(seed)
    life = start(seed, str(folder / "memory.db"), policy="default")
    word = word_for(seed, "gone")
    chats = [life.memory.session(user=name) for name in ("ann", "mia", "zed")]
    for number in range(150):
        is_doomed = number < 3 or chance.random() < 0.15
        chat = chats[number] if number < 3 else chance.choice(chats)
        text = f"{word if is_doomed else 'other'} {number} {'y' * chance.randint(1, 700)}"
        chat.remember(text, at=life.tick(), ref="doomed" if is_doomed else "")
    for chat in chats:
        chat.erase_ref("doomed")
    left = remains(folder, word)
    life.memory.close()
    return left


@pytest.mark.parametrize("policy", [*PRESETS, DURABLE], ids=[*PRESETS, "durable"])
def test_an_erased_user_may_come_back_as_a_stranger(folder: Path, policy: str) -> None:
    """The same name speaks again: nothing of before is recalled, and the new words are."""
    with Memory.open(str(folder / "memory.db"), policy=policy) as memory:
        chat = memory.session(user="ana", session="s1")
        for number in range(3):
            chat.remember(f"We decided to use Kestrel number {number} for billing.")
        memory.erase_user("ana")
        chat = memory.session(user="ana", session="s1")
        assert "Kestrel" not in chat.recall("billing kestrel").text
        chat.remember("We decided to use Postgres for billing.")
        assert "Postgres" in chat.recall("billing").text
        assert "Kestrel" not in chat.recall("billing kestrel").text
        assert memory.replay() == [] and memory.verify().verdict == "ok"
