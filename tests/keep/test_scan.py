"""A scan finds the secrets that were stored before a rule existed, says where and by which rule, and never what."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from canary import remains
from cli_runner import Line
from histories import DURABLE

from recollect import Memory
from recollect.core.write import privacy
from recollect.engine import door
from recollect.errors import InvalidInput, NotFound

TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
KEY = "AKIAQ4DZWXJ7KM2N5PRT"
PASSWORD = "hunter2-Zq81!"


@contextmanager
def without_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As it was before the rules existed: nothing is found on the way in."""
    with monkeypatch.context() as patch:
        patch.setattr(privacy, "find_secrets", lambda text: [])
        patch.setattr(privacy, "find_in_name", lambda key, value: [])
        patch.setattr(door, "has_token", lambda name: False)
        yield


def leaky(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database from those times, with secrets in everything an item carries."""
    path = folder / "memory.db"
    with without_rules(monkeypatch), Memory.open(str(path)) as memory:
        chat = memory.session(user="ana b", session="s/1", persona="coach")
        chat.remember(f"The token is {TOKEN}.", ref="r1")
        chat.remember("A harmless turn.", speaker=f"bot {KEY}", ref="r2")
        chat.remember("Another harmless turn.", meta={"password": PASSWORD}, ref="r3")
        chat.remember("And a file.", files=(f"logs/{TOKEN}.txt",), ref="r4")
        memory.session(user="bob", project="apollo").remember_fact(f"The key is {KEY}.", key="aws")
        memory.session(user="bob").remember("Nothing to see here.")
    return path


def test_what_was_stored_before_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Text, speaker, metadata and file names, of every owner; harmless items are not named."""
    with Memory.open(str(leaky(folder, monkeypatch))) as memory:
        found = memory.scan()
        assert len(found.found) == 9
        assert set(found.codes) >= {"github_token"} and sum(found.codes.values()) == 9
        harmless = [item.id for item in memory.session(user="bob").list(kind="semantic")]
        assert not set(harmless) & {item_id for item_id, _ in found.found}
        assert memory.verify().verdict == "ok"


def test_a_clean_memory_has_nothing(folder: Path) -> None:
    """What came in under the rules was masked, so there is nothing to find."""
    with Memory.open(str(folder / "m.db")) as memory:
        memory.session(user="ana").remember(f"The token is {TOKEN} and the key {KEY}.")
        found = memory.scan()
        assert found.items > 0 and found.found == ()


def test_no_value_is_ever_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the result, nor its printed forms, nor a log line carries what was found."""
    caplog.set_level(logging.DEBUG)
    path = leaky(folder, monkeypatch)
    with Memory.open(str(path)) as memory:
        told = json.dumps(memory.scan().to_dict())
    said = [Line(folder)("scan", "--json", code=1), Line(folder)("scan", code=1)]
    shown = "".join([told, repr(told), caplog.text, *(each.out + each.err for each in said)])
    for secret in (TOKEN, KEY, PASSWORD):
        assert secret not in shown and secret[:12] not in shown


def test_secrets_in_names_never_come_in(folder: Path) -> None:
    """A key, a phase or a command cannot be masked, so a secret there is refused, without being quoted."""
    with Memory.open(str(folder / "m.db")) as memory:
        chat = memory.session(user="ana", session="s1")
        for call in (
            lambda: chat.remember_fact("The build token is set.", key=TOKEN),
            lambda: chat.start_phase(f"phase {TOKEN}"),
            lambda: chat.remember("A turn.", command_id=f"c {TOKEN}"),
        ):
            with pytest.raises(InvalidInput) as caught:
                call()
            assert caught.value.reason == "secret_in_name" and TOKEN not in str(caught.value.to_dict())
        memory.scrub()
    assert remains(folder, TOKEN) == {}


@pytest.mark.parametrize("name", ["user", "session", "persona", "project"])
def test_a_token_is_no_name(folder: Path, name: str) -> None:
    """Whoever would be called like a token is asked for another name; addresses and plain numbers are names."""
    with Memory.open(str(folder / "m.db")) as memory:
        with pytest.raises(InvalidInput) as caught:
            memory.session(**{"user": "ana", name: TOKEN}).remember("A turn.")
        assert TOKEN not in str(caught.value.to_dict())
        for plain in ("ana@example.org", "+351 912 345 678", "5f0c2d1e-8a4b-4c6d-9e7f-0a1b2c3d4e5f", "user_1234567890"):
            memory.session(**{"user": "ana", name: plain}).remember("A turn.")
        memory.scrub()
    assert remains(folder, TOKEN) == {}


def test_scan_and_erase_leaves_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`recollect scan --erase` takes every finding out, whoever owns it, and the next scan is clean."""
    leaky(folder, monkeypatch)
    run = Line(folder)
    assert run("scan", "--erase", code=2).err.count("yes") >= 1
    erased = run("scan", "--erase", "--yes", "--json").json
    assert len(erased["found"]) == 9 and sum(receipt["total"] for receipt in erased["erased"]) >= 9
    assert run("scan", "--json").json["found"] == []
    assert remains(folder, TOKEN, KEY, PASSWORD) == {}
    assert run("list", "--user", "bob").out.count("Nothing to see here.") == 2


def test_progress_counts_items(folder: Path) -> None:
    """A long scan says how far it is."""
    with Memory.open(":memory:") as memory:
        memory.session(user="ana").remember_many([{"text": f"turn {n}"} for n in range(1_100)])
        seen: list[int] = []
        assert memory.scan(on_progress=seen.append).items >= 1_100
        assert seen == [500, 1_000]


def leaky_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database with secrets in everything but its items."""
    with without_rules(monkeypatch), Memory.open(str(folder / "memory.db"), policy=DURABLE) as memory:
        chat = memory.session(user="ana", session="s1")
        chat.remember("A harmless turn.", command_id=f"c {TOKEN}")
        chat.start_phase(f"phase {TOKEN}")
        chat.recall(f"What was {TOKEN} for?")
        memory.session(user=KEY).remember("Another harmless turn.")
        memory.session(user="bob").remember("Nothing to see here.", command_id="4111111111111111")


def test_names_answers_and_recalls_are_looked_at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the items: names, phases, answered commands, kept recalls; each says what to do, and none says what."""
    leaky_names(folder, monkeypatch)
    with Memory.open(str(folder / "memory.db"), policy=DURABLE) as memory:
        found = memory.scan()
        assert found.found == () and not found.is_clean
        assert {each.kind for each in found.elsewhere} == {"name", "phase", "answer", "recall"}
        told = json.dumps(found.to_dict())
        assert "what_to_do" in told and TOKEN not in told and KEY not in told
    said = Line(folder)("scan", code=1)
    assert "Erase that user" in said.out + said.err and TOKEN not in said.out + said.err


def test_answers_and_recalls_are_dropped_and_names_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Erasing drops what nothing else hangs on; a name goes with whom it names, and until then the scan says so."""
    leaky_names(folder, monkeypatch)
    run = Line(folder)
    assert {each["kind"] for each in run("scan", "--erase", "--yes", "--json", code=1).json["elsewhere"]} >= {"answer"}
    with Memory.open(str(folder / "memory.db"), policy=DURABLE) as memory:
        left = memory.scan()
        assert {each.kind for each in left.elsewhere} == {"name", "phase"} and left.staying == left.elsewhere
        before = memory.stats()
        memory.session(user="bob").remember("Nothing to see here.", command_id="4111111111111111")
        assert memory.stats() == before, "a harmless answer was dropped: the command was done again"
        memory.session(user="ana", session="s1").erase_session()
        monkeypatch.setattr(door, "has_token", lambda name: False)
        memory.erase_user(KEY)
        assert memory.scan().is_clean and memory.verify().verdict == "ok"
        memory.scrub()
    assert remains(folder, TOKEN, KEY) == {}


def test_many_findings_are_erased_in_few_commits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of findings of many owners are one erasure, not hundreds."""
    path = folder / "memory.db"
    with without_rules(monkeypatch), Memory.open(str(path)) as memory:
        for user in range(4):
            turns = [{"text": f"The token number {n} is {TOKEN}."} for n in range(60)]
            memory.session(user=f"u{user}").remember_many(turns)
    with Memory.open(str(path)) as memory:
        before = memory.stats()["records"]
        found = memory.scan()
        assert len(found.found) >= 240
        assert memory.erase_found(found).total >= 240
        assert memory.stats()["records"] - before <= 20
        assert memory.scan().is_clean and memory.verify().verdict == "ok"
        with pytest.raises(NotFound):
            memory.erase_found(memory.scan())
        with pytest.raises(InvalidInput):
            memory.erase_found("everything")  # type: ignore[arg-type]
    assert remains(folder, TOKEN) == {}
