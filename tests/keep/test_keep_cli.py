"""Promises of the commands that keep, prove and erase: words for people, JSON for programs, honest exit codes."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import apsw
import pytest
from canary import remains
from cli_runner import Line

from recollect import Memory

WORD = "Kestrelblue"


@pytest.fixture
def run(folder: Path) -> Line:
    """A command line on a database where Ana and Bob have spoken."""
    line = Line(folder)
    for ref, text in (
        ("m1", f"I live in {WORD}."),
        ("m2", f"I live in {WORD}."),
        ("m3", "We decided to use Postgres."),
    ):
        line("remember", text, "--user", "ana", "--session", "s1", "--ref", ref, "--at", "2026-01-05T09:00:00Z")
    line("remember", "Bob was here.", "--user", "bob", "--at", "2026-01-06T09:00:00Z")
    return line


def test_facts_show_their_origin(run: Line) -> None:
    """Claim, key, confidence, count, and each message it was read from."""
    told = run("facts", "--user", "ana").out
    for words in (f"Lives in {WORD}", "profile|person|user|fact|lives_in", "said 2 times", "sure 90 %", "m1", "m2"):
        assert words in told
    (fact,) = run("facts", "--user", "ana", "--json").json["facts"]
    assert fact["value"] == WORD and fact["mention_count"] == 2 and fact["confidence"] == 900_000
    assert [turn["ref"] for turn in fact["turns"]] == ["m1", "m2"]
    assert run("facts", "--user", "ana", "--about", "Lisbon", "--json").json["facts"] == []
    assert "No facts" in run("facts", "--user", "zoe").err


def test_facts_go_page_by_page(run: Line) -> None:
    """A cursor leads from one page to the next, to the end."""
    for number in range(5):
        run("fact", f"Number {number}", "--key", f"k{number}", "--user", "ana")
    seen, cursor = [], ""
    while True:
        page = run("facts", "--user", "ana", "--limit", "2", "--cursor", cursor, "--json").json
        seen += [fact["id"] for fact in page["facts"]]
        cursor = page["cursor"]
        if not cursor:
            break
    assert len(seen) == len(set(seen)) == 6


@pytest.mark.parametrize("target", [["--ref", "m1"], ["--id", "user:ana:semantic:1"], ["--this-session"], []])
def test_erasing_needs_a_yes(run: Line, target: list[str]) -> None:
    """Without a terminal and without --yes nothing happens, with --json as well."""
    who = ["--user", "ana", *(["--session", "s1"] if target else [])]
    before = run("stats", "--hash", "--json").json["state_hash"]
    for more in ([], ["--json"]):
        assert run("erase", *who, *target, *more, code=2)
    assert run("stats", "--hash", "--json").json["state_hash"] == before


@pytest.mark.parametrize("target", [["--ref", "m1"], ["--id", "user:ana:semantic:1"], ["--this-session"], []])
def test_erase_prints_its_receipt(run: Line, target: list[str]) -> None:
    """What went, what was read again, what is pending, and what is out of reach."""
    who = ["--user", "ana", *(["--session", "s1"] if target else [])]
    receipt = run("erase", *who, *target, "--yes", "--json").json
    assert receipt["total"] == sum(receipt["erased"].values()) > 0
    assert receipt["pending"] == [] and "Exports" in receipt["note"]
    assert run("verify", "--json").json["verdict"] == "ok"
    assert run("replay", "--json").json["differences"] == []
    assert run("erase", *who, *target, "--yes", "--json", code=4).json["error"]["reason"] == "nothing_to_erase"


def test_a_whole_user_is_gone_from_every_file(run: Line, folder: Path) -> None:
    """The command line keeps the promise down to the bytes."""
    said = run("erase", "--user", "ana", "--yes")
    assert "erased user ana" in said.out and "Exports and backups" in said.err
    assert remains(folder, WORD) == {}
    assert "Bob was here." in run("list", "--user", "bob").out


@pytest.mark.parametrize(
    "words",
    [
        ["erase", "--yes"],
        ["erase", "--yes", "--session", "s1"],
        ["erase", "--yes", "--user", "ana", "--session", "s1"],
        ["erase", "--yes", "--user", "ana", "--persona", "p"],
        ["erase", "--yes", "--ref", "m1", "--id", "user:ana:semantic:1"],
        ["erase", "--yes", "--ref", "m1", "--this-session"],
    ],
)
def test_a_vague_erase_is_refused(run: Line, words: list[str]) -> None:
    """The default user, or a user with a session, is never taken for "everything of this user"."""
    assert run(*words, "--json", code=2).json["error"]["reason"] in {"no_target", "many_targets"}


def test_a_terminal_is_asked(run: Line, folder: Path) -> None:
    """On a terminal the question names what is meant; only a yes goes on, and a bar is on stderr alone."""
    for answer, code in (b"n\n", 2), (b"y\n", 0):
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            run.command("erase", "--user", "ana"),
            stdin=theirs,
            stderr=theirs,
            stdout=subprocess.PIPE,
            cwd=folder,
            env=run.surroundings(),
        )
        os.write(ours, answer)
        told, _ = process.communicate(timeout=60)
        shown = os.read(ours, 65_536).decode()
        os.close(ours)
        os.close(theirs)
        assert process.returncode == code
        assert "everything of user 'ana'" in shown
        assert ("erased user ana" in told.decode()) == (code == 0)


def test_pending_is_no_success(run: Line, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a reader in the way the exit code says try again, and scrub finishes when it is gone."""
    from recollect.adapters.stores.sqlite import connect

    monkeypatch.setattr(connect, "BUSY_TIMEOUT_MS", 100)
    reader = apsw.Connection(str(run.db))
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM items").fetchall()
    assert run("erase", "--user", "ana", "--yes", "--json", code=9).json["pending"]
    assert run("scrub", "--json", code=9).json["pending"]
    assert "reader" in run("scrub", code=9).out
    reader.close()
    assert run("scrub", "--json").json == {"pending": []}
    assert remains(folder, WORD) == {}


def test_export_and_restore(run: Line, folder: Path) -> None:
    """There and back: the same state hash, in words and as JSON."""
    manifest = run("export", str(folder / "e.jsonl"), "--json").json
    assert manifest["state_hash"] == run("stats", "--hash", "--json").json["state_hash"]
    restored = run("restore", str(folder / "e.jsonl"), "--into", str(folder / "n.db"), "--json").json
    assert restored["state_hash"] == manifest["state_hash"] and restored["lost"] == 0
    assert run("verify", "--db", str(folder / "n.db"), "--json").json["root"] == manifest["root"]
    assert "exported to f.jsonl" in run("export", str(folder / "f.jsonl")).out


def test_export_writes_over_nothing(run: Line, folder: Path) -> None:
    """An older export needs --force, anything else is never written over, least of all the database."""
    run("export", str(folder / "e.jsonl"))
    older = (folder / "e.jsonl").read_bytes()
    run("remember", "More.", "--user", "ana")
    assert run("export", str(folder / "e.jsonl"), "--json", code=2).json["error"]["reason"] == "file_exists"
    assert (folder / "e.jsonl").read_bytes() == older
    run("export", str(folder / "e.jsonl"), "--force")
    assert (folder / "e.jsonl").read_bytes() != older
    (folder / "mine.txt").write_text("mine", encoding="utf-8")
    run("export", str(folder / "mine.txt"), "--force", code=2)
    assert (folder / "mine.txt").read_text(encoding="utf-8") == "mine"
    (folder / "link").symlink_to(run.db)
    for name in ("memory.db", "link", "memory.db-ballast"):
        told = run("export", str(folder / name), "--force", "--json", code=2).json
        assert told["error"]["reason"] == "own_database"
    assert run("verify", "--json").json["verdict"] == "ok"


def test_restore_to_a_moment_from_the_database_itself(run: Line, folder: Path) -> None:
    """Without a file, the database is exported for the length of the call, and nothing of that is left."""
    told = run("restore", "--to", "2026-01-05T12:00:00", "--into", str(folder / "then.db"), "--json").json
    assert told["items"] > 0
    assert "Bob was here." not in run("list", "--user", "bob", "--db", str(folder / "then.db")).out
    assert WORD in run("list", "--user", "ana", "--db", str(folder / "then.db")).out
    left = {path.name.split("-")[0] for path in folder.iterdir()}
    assert left == {"memory.db", "then.db"}


def test_a_failed_restore_leaves_nothing(run: Line, folder: Path) -> None:
    """A damaged export makes no database; an existing target is not touched."""
    run("export", str(folder / "e.jsonl"))
    data = (folder / "e.jsonl").read_bytes()
    (folder / "cut.jsonl").write_bytes(data[: len(data) // 2])
    told = run("restore", str(folder / "cut.jsonl"), "--into", str(folder / "n.db"), "--json", code=2).json
    assert told["error"]["code"] == "export_invalid"
    assert not list(folder.glob("n.db*"))
    reasons = {
        ("restore", str(folder / "e.jsonl"), "--into", str(run.db)): "file_exists",
        ("restore", "--into", str(folder / "n.db")): "nothing_to_restore",
        ("restore", str(folder / "e.jsonl"), "--into", str(folder / "no" / "n.db")): "no_such_folder",
    }
    for words, reason in reasons.items():
        assert run(*words, "--json", code=None).json["error"]["reason"] == reason
    assert run("verify", "--json").json["verdict"] == "ok"


def test_tombstones_keep_the_erased_away(run: Line, folder: Path) -> None:
    """An older export, without what was erased since."""
    run("export", str(folder / "old.jsonl"))
    run("erase", "--user", "ana", "--yes")
    run("export", str(folder / "new.jsonl"))
    (folder / "r").mkdir()
    words = ("restore", str(folder / "old.jsonl"), "--tombstones", str(folder / "new.jsonl"))
    run(*words, "--into", str(folder / "r" / "n.db"))
    assert remains(folder / "r", WORD) == {}
    assert "Bob was here." in run("list", "--user", "bob", "--db", str(folder / "r" / "n.db")).out


def test_import_reports_each_line(run: Line, folder: Path) -> None:
    """What came in, what did not and why; a file of which nothing came in is an error for scripts."""
    (folder / "t.jsonl").write_text('{"text":"Hello from outside."}\nnonsense\n', encoding="utf-8")
    told = run("import", str(folder / "t.jsonl"), "--user", "ana", "--source", "old", "--json").json
    assert told == {"turns": 1, "skipped": [{"line": 2, "reason": "not_json"}]}
    assert "line 2 left out: not_json" in run("import", str(folder / "t.jsonl"), "--user", "ana").out
    assert "Hello from outside." in run("list", "--user", "ana", "--status", "quarantined").out
    (folder / "bad.jsonl").write_text("nonsense\n", encoding="utf-8")
    run("import", str(folder / "bad.jsonl"), code=2)
    run("purge", "--source", "import:old", "--yes")
    assert run("list", "--user", "ana", "--status", "quarantined").out.count("Hello from outside.") == 1
    run("purge", "--source", "import", "--yes")
    assert "Hello from outside." not in run("list", "--user", "ana", "--status", "all").out


def test_purge_needs_a_source_that_is_one(run: Line) -> None:
    """`chat` is everybody's own words; it is not purged."""
    assert run("purge", "--source", "chat", "--yes", "--json", code=2).json["error"]["code"] == "invalid_input"
    assert run("purge", "--source", "web", "--yes", "--json", code=4).json["error"]["reason"] == "nothing_to_erase"


def test_verify_and_anchor(run: Line, folder: Path) -> None:
    """An anchor kept elsewhere tells growth from tampering; exit 1 says that something is wrong."""
    run("anchor", "--out", str(folder / "a.json"))
    assert run("anchor", "--out", str(folder / "a.json"), "--json", code=2).json["error"]["reason"] == "file_exists"
    kept = json.loads((folder / "a.json").read_text(encoding="utf-8"))
    assert run("anchor", "--json").json["root"] == kept["root"]
    assert run("verify", "--anchor", str(folder / "a.json"), "--json").json["verdict"] == "ok"
    run("remember", "More.", "--user", "ana")
    assert run("verify", "--anchor", str(folder / "a.json"), "--json").json["verdict"] == "unanchored_tail"
    connection = apsw.Connection(str(run.db))
    connection.execute("UPDATE items SET pinned = 1 WHERE kind = 1")
    connection.close()
    told = run("verify", "--json", code=1).json
    assert (told["ok"], told["verdict"]) == (False, "altered")
    assert "✗ altered" in run("verify", code=1).out
    assert run("replay", "--json", code=1).json["differences"]
    assert "differences" in run("replay", code=1).out


@pytest.mark.parametrize("text", ["", "nonsense", "5", "[]", "{}", '{"root":"x","chains":[]}', "[" * 100_000])
def test_a_file_that_is_no_anchor(run: Line, folder: Path, text: str) -> None:
    """Whatever is handed in as an anchor, the answer is wrong input, not a verdict."""
    (folder / "a.json").write_text(text, encoding="utf-8")
    assert "error" in run("verify", "--anchor", str(folder / "a.json"), "--json", code=2).json
    assert "error" in run("verify", "--anchor", str(folder / "missing"), "--json", code=2).json


@pytest.mark.parametrize(
    "words",
    [
        ["facts"],
        ["verify"],
        ["anchor"],
        ["replay"],
        ["scan"],
        ["scrub"],
        ["export", "x.jsonl"],
        ["erase", "--user", "ana", "--yes"],
        ["purge", "--source", "web", "--yes"],
    ],
)
def test_a_question_makes_no_database(folder: Path, words: list[str]) -> None:
    """Where there is no memory, that is the answer (exit 4), and none is made."""
    told = Line(folder)(*words, "--json", code=4).json
    assert told["error"]["reason"] == "no_database"
    assert list(folder.iterdir()) == []


def test_tenants_are_apart(run: Line, folder: Path) -> None:
    """Every command works on the tenant it is told and on no other."""
    run("remember", "Acme only.", "--tenant", "acme", "--user", "ana")
    run("export", str(folder / "acme.jsonl"), "--tenant", "acme")
    assert WORD not in (folder / "acme.jsonl").read_text(encoding="utf-8")
    run("erase", "--user", "ana", "--yes", "--tenant", "acme")
    assert run("facts", "--user", "ana", "--json").json["facts"]
    assert run("verify", "--tenant", "acme", "--json").json["verdict"] == "ok"


def test_as_a_program(run: Line, folder: Path) -> None:
    """Started by a shell: JSON alone on stdout, nothing on stderr, no bar in a pipe."""
    for words in (["verify"], ["facts", "--user", "ana"], ["export", "p.jsonl"], ["scan"]):
        said = run.program(*words, "--json")
        assert said.code == 0 and said.err == "" and isinstance(said.json, dict)
    said = run.program("verify")
    assert "✓ ok" in said.out and "\x1b" not in said.out + said.err
    with Memory.open(str(run.db)) as memory:
        assert memory.verify().verdict == "ok"
