"""Hard input is normal input: each has a typed error or a receipt with a code, and nothing is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from recollect import Memory, RecollectError
from recollect.errors import (
    CommandReused,
    InvalidInput,
    LimitExceeded,
    NotFound,
    PolicyInvalid,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreNewer,
    StoreReadOnly,
)

HOSTILE = Path(__file__).resolve().parents[3] / "shared" / "data" / "hostile" / "blns.json"


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b\u200d\ufeff", "\x00"])
def test_a_text_without_a_word_is_refused(text: str) -> None:
    """Empty, blank and invisible texts are the caller's mistake, and nothing is stored."""
    with Memory.open(":memory:") as memory:
        with pytest.raises(InvalidInput) as error:
            memory.session(user="ana").remember(text)
        assert error.value.reason == "empty_text"
        assert memory.stats()["records"] == 0


def test_a_megabyte_is_kept_and_more_is_a_limit(tmp_path: Path) -> None:
    """A text of 1 MiB is remembered whole; one byte more is a typed limit."""
    whole = "word " * 209_715 + "x"
    with Memory.open(str(tmp_path / "m.db")) as memory:
        chat = memory.session(user="ana")
        receipt = chat.remember(whole)
        assert receipt.status == "committed"
        assert chat.get("user:ana:semantic:1").text == whole
        with pytest.raises(LimitExceeded):
            chat.remember("x" * 1_048_577)
        assert chat.recall("word", budget_tokens=8_000).tokens <= 8_000


@pytest.mark.parametrize(
    "text",
    [
        "a lone \ud800 surrogate",
        "a \x00 in the middle",
        "right to left \u202e drawkcab",
        "zero\u200bwidth\u200djoiners",
        "Zalgo t\u0300\u0301\u0302\u0303\u0304ext",
        "👩‍👩‍👧‍👦 family",
    ],
)
def test_odd_characters_lose_nothing_else(text: str, tmp_path: Path) -> None:
    """What no store can hold becomes U+FFFD; every other character comes back."""
    with Memory.open(str(tmp_path / "m.db")) as memory:
        chat = memory.session(user="ana")
        chat.remember(text)
        kept = chat.get("user:ana:semantic:1").text
        assert kept == "".join("\ufffd" if c == "\x00" or "\ud800" <= c <= "\udfff" else c for c in text)
        assert chat.recall(text).status == "ok"


@pytest.mark.parametrize(
    "given",
    [
        {"role": "wizard"},
        {"source": "moon"},
        {"at": "tomorrow"},
        {"at": -1},
        {"meta": {"a": {"b": 1}}},
        {"files": "abc"},
        {"private": True},
        {"command_id": "ghp_" + "a1B2" * 9},
    ],
)
def test_a_wrong_argument_is_named(given: dict[str, object]) -> None:
    """Every wrong argument is an InvalidInput that names it, and nothing is stored."""
    with Memory.open(":memory:") as memory:
        with pytest.raises(InvalidInput) as error:
            memory.session(user="ana").remember("Some words.", **given)  # type: ignore[arg-type]
        assert error.value.message
        assert memory.stats()["records"] == 0


def test_unknown_policy_keys_say_what_is_allowed() -> None:
    """A typo in a policy is an error with its path and what may stand there."""
    with pytest.raises(PolicyInvalid) as error:
        Memory.open(":memory:", policy="[recall]\nbudget_token = 5")
    assert "recall.budget_token" in error.value.message
    assert "budget_tokens" in error.value.hint


@pytest.mark.parametrize("budget", [0, -5, 10_000_000])
def test_a_budget_must_be_possible(budget: int) -> None:
    """A negative, empty or absurd budget is a typed error."""
    with Memory.open(":memory:") as memory, pytest.raises(RecollectError) as error:
        memory.session(user="ana").recall("anything", budget_tokens=budget)
    assert isinstance(error.value, (InvalidInput, LimitExceeded))


def test_a_foreign_id_answers_exactly_like_a_missing_one(tmp_path: Path) -> None:
    """Ids of other users and other tenants are not there, word for word as if they never were."""
    with Memory.open(str(tmp_path / "m.db")) as memory:
        memory.session(user="ana", tenant="one").remember("Ana's words.")
        answers = []
        for chat in (memory.session(user="bob", tenant="one"), memory.session(user="ana", tenant="two")):
            for item_id in ("user:ana:semantic:1", "user:nobody:semantic:7", "nonsense", "user:ana:semantic:01"):
                with pytest.raises(NotFound) as error:
                    chat.get(item_id)
                answers.append(json.dumps(error.value.to_dict()))
        assert len(set(answers)) == 1


def test_a_command_repeated_changes_nothing_and_other_content_is_refused(tmp_path: Path) -> None:
    """The same command twice has one effect; the same name for other words is an error."""
    with Memory.open(str(tmp_path / "m.db")) as memory:
        chat = memory.session(user="ana")
        first = chat.remember("We meet at noon.", command_id="c-1", at=1)
        before = memory.state_hash()
        again = chat.remember("We meet at noon.", command_id="c-1", at=1)
        assert again.is_repeat
        assert again.fates == first.fates
        with pytest.raises(CommandReused):
            chat.remember("We meet at one.", command_id="c-1", at=1)
        assert memory.state_hash() == before


def test_files_that_are_not_ours_are_left_as_they_are(tmp_path: Path) -> None:
    """Text, another program, empty, cut off, newer: a typed error each, and not a byte changed."""
    ours = tmp_path / "ours.db"
    with Memory.open(str(ours)) as memory:
        memory.session(user="ana").remember("Some words.")
    other = tmp_path / "other.db"
    connection = apsw.Connection(str(other))
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    newer = tmp_path / "newer.db"
    newer.write_bytes(ours.read_bytes())
    connection = apsw.Connection(str(newer))
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    (tmp_path / "text.db").write_text("hello, this is not a database\n" * 20)
    (tmp_path / "empty.db").write_bytes(b"")
    (tmp_path / "cut.db").write_bytes(ours.read_bytes()[:60])
    (tmp_path / "folder.db").mkdir()
    expected = {
        "text.db": StoreForeign,
        "other.db": StoreForeign,
        "newer.db": StoreNewer,
        "empty.db": StoreDamaged,
        "cut.db": StoreDamaged,
        "folder.db": StoreForeign,
    }
    for name, error in expected.items():
        path = tmp_path / name
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(error):
            Memory.open(str(path))
        assert (path.read_bytes() if path.is_file() else b"") == before, name


def test_a_place_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    """No folder, or a file where a folder should be: a typed error with what to do."""
    (tmp_path / "file").write_text("x")
    for target in (tmp_path / "nowhere" / "m.db", tmp_path / "file" / "m.db"):
        with pytest.raises(StoreReadOnly) as error:
            Memory.open(str(target))
        assert error.value.hint


def test_two_processes_share_a_file(tmp_path: Path) -> None:
    """Two real processes write one memory; nothing is lost."""
    code = (
        "import sys\nfrom recollect import Memory\n"
        "with Memory.open(sys.argv[1]) as memory:\n"
        "    chat = memory.session(user='ana', session=sys.argv[2])\n"
        "    for n in range(30): chat.remember(f'Turn {n} of {sys.argv[2]}.')\n"
    )
    path = str(tmp_path / "m.db")
    running = [subprocess.Popen([sys.executable, "-c", code, path, name]) for name in ("one", "two")]
    assert [process.wait() for process in running] == [0, 0]
    with Memory.open(path) as memory:
        assert memory.stats()["semantic.ACTIVE"] == 60
        assert memory.replay() == []
        assert memory.verify().verdict == "ok"


def test_a_closed_memory_is_closed(tmp_path: Path) -> None:
    """Closing twice is fine; using it afterwards is a typed error."""
    memory = Memory.open(str(tmp_path / "m.db"))
    memory.close()
    memory.close()
    with pytest.raises(StoreClosed):
        memory.session(user="ana").remember("Too late.")
    assert issubclass(StoreClosed, StoreError)


@pytest.mark.skipif(not HOSTILE.exists(), reason="the hostile texts are not beside the checkout")
def test_naughty_strings_go_in_and_come_out(tmp_path: Path) -> None:
    """Every naughty string is remembered word for word or refused with a type, and the memory stays whole."""
    with Memory.open(str(tmp_path / "m.db")) as memory:
        chat = memory.session(user="ana")
        for text in json.loads(HOSTILE.read_text(encoding="utf-8")):
            try:
                receipt = chat.remember(text)
            except RecollectError as error:
                assert error.reason == "empty_text"
                continue
            assert receipt.status in {"committed", "merged"}
            assert chat.recall(text[:1_000]).status == "ok"
        assert memory.replay() == []
        assert memory.verify().verdict == "ok"
