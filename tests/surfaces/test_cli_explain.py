"""Promises of `recollect trace`, `stats` and `doctor`: what happened, how much there is, whether all is well."""

from __future__ import annotations

import contextlib
import json
import signal
import sqlite3
import subprocess
import threading
from pathlib import Path

import pytest
from cli_runner import Line

from recollect import Memory
from recollect.surfaces.cli.trace_commands import _end

SECRET = "hunter2-Xk9q"


@pytest.fixture
def line(tmp_path: Path) -> Line:
    made = Line(tmp_path)
    made("remember", "I live in Lisbon.")
    made("remember", f"The staging password is {SECRET}")
    made("remember", "Actually, I live in Berlin now.")
    return made


def test_trace_tells_a_line_for_each_event(line: Line) -> None:
    """What was written, masked and settled, with the rule's sentence; open borders only when asked for."""
    out = line("trace").out
    assert "write " in out and "Lives in Lisbon" in out and "masked " in out
    assert "conflict " in out and "the newer claim is a correction" in out
    assert "border_check" not in out and SECRET not in out
    assert "border_check" in line("trace", "--borders").out


def test_trace_plain_is_the_plain_view_of_every_event(line: Line) -> None:
    """`key: value` lines, an empty line between events, the policy unless left out."""
    out = line("trace", "--plain").out
    assert "\ntype: memory_conflict\n" in out and "policy_snapshot.name: default" in out and SECRET not in out
    events = line("trace", "--json").json["traces"]
    assert out.count("\ntype: ") == len(events)
    assert "policy_snapshot" not in line("trace", "--plain", "--without-policy").out
    assert "policy_snapshot" not in line("trace", "--json", "--without-policy").out


def test_trace_keeps_to_its_own_conversation(line: Line) -> None:
    """Another user, session or persona sees nothing of it."""
    for who in (("--user", "bob"), ("--session", "other"), ("--persona", "coach"), ("--tenant", "other")):
        assert line("trace", *who, "--json").json == {"traces": []}
    assert "Nothing happened here yet." in line("trace", "--user", "bob").err


def test_trace_limit_counts_the_last_acts(line: Line) -> None:
    """The newest acts are shown, not the oldest."""
    out = line("trace", "--limit", "1").out
    assert "Berlin" in out and "password" not in out
    line("trace", "--limit", "0", code=2)


def test_every_kind_of_event_has_its_line(line: Line) -> None:
    """Acts by hand, phases, promotions and denials are told too."""
    line("pin", "user:me:profile:1", code=3)
    line("pin", "user:me:profile:2")
    line("mark", "user:me:profile:2", "1")
    line("forget", "user:me:semantic:1")
    line("unforget", "user:me:semantic:1")
    line("phase", "start", "two")
    line("promote", "user:me:profile:2", "--to", "project", code=3)
    line("promote", "user:me:profile:2", "--to", "project", "--project", "p")
    line("remember", "I live in Berlin now.")
    line("remember", "obey", "--source", "web:x")
    line("remember", f"My password is {SECRET}", "--policy", "contract", code=3)
    out = line("trace", "--limit", "50").out
    words = [row.split()[0] for row in out.splitlines()]
    expected = "pinned marked archived restored phase_started promotion_denied promoted merged quarantined denied"
    assert [word for word in expected.split() if word not in words] == []
    assert "phase-2 two in session:me" in out


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8, 9])
def test_following_finds_the_end_of_a_log_of_any_length(tmp_path: Path, count: int) -> None:
    """Doubling and halving ends at the last position, without reading what lies before."""
    with Memory.open(str(tmp_path / "m.db")) as memory:
        chat = memory.session(user="ana")
        for number in range(count):
            chat.remember(f"turn {number}")
        assert _end(chat) == chat.traces_after(0, limit=100)[0] == count


def test_follow_prints_what_happens_and_ends_with_130(line: Line) -> None:
    """One event per line from the last acts on, then whatever another process does, until Ctrl-C."""
    command = line.command("trace", "--follow", "--json", "--without-policy", "--limit", "1")
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=line.surroundings(),
        cwd=line.folder,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as running:
        giving_up = threading.Timer(60, running.kill)
        giving_up.start()
        assert running.stdout is not None and running.stderr is not None
        first = json.loads(running.stdout.readline())
        assert first["type"] == "memory_write" and "Berlin" in first["written"][0]["text"]
        line("remember", "Somebody else speaks.")
        told = ""
        while "Somebody else speaks." not in told:
            told = running.stdout.readline().decode()
            assert told, running.stderr.read()
            json.loads(told)
        running.send_signal(signal.SIGINT)
        running.stdout.read()
        assert running.wait() == 130 and running.stderr.read() == b""
        giving_up.cancel()


def test_stats_counts_what_is_stored(line: Line) -> None:
    """Counts by kind and status, the size of the file, the hash when asked."""
    told = line("stats", "--json").json
    assert told["counts"]["semantic.ACTIVE"] == 3 and told["bytes"] > 10_000 and "state_hash" not in told
    assert len(line("stats", "--hash", "--json").json["state_hash"]) == 64
    out = line("stats").out
    assert "semantic.ACTIVE" in out and "memory.db" in out


# the doctor


def verdicts(line: Line, *words: str, code: int = 0) -> dict[str, str]:
    told = line("doctor", "--json", *words, code=code).json
    assert told["healthy"] is (code == 0)
    return {finding["probe"]: finding["verdict"] for finding in told["findings"]}


def test_the_doctor_finds_a_healthy_memory_healthy(line: Line) -> None:
    """Every probe is ok, for people and programs."""
    probes = ["python", "sqlite", "policy", "disk", "database", "store", "replay", "search"]
    assert verdicts(line) == dict.fromkeys(probes, "ok")
    out = line("doctor").out
    assert out.count("✓ ok") == len(probes) and "fold to what is stored" in out and "can be searched" in out


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE sheets SET vector = x'', model = 0, card = x'00'", "have a damaged sheet"),
        ("DELETE FROM sheets", "are read again at every start"),
    ],
)
def test_the_doctor_counts_what_search_lacks(line: Line, change: str, told: str) -> None:
    """Sheets that are missing or damaged are a warning with the command that mends them, and are gone after it."""
    with contextlib.closing(sqlite3.connect(line.db)) as file:
        file.execute(change)
        file.commit()
    assert verdicts(line)["search"] == "warn"
    said = line("doctor").out
    assert told in said and "recollect reindex" in said
    line("reindex")
    assert verdicts(line)["search"] == "ok"


def test_the_doctor_names_another_models_vectors(line: Line) -> None:
    """Vectors of another model fail, because search does; both are named, and what to do. No embedder needs none."""
    with Memory.open(str(line.db), embedder="none") as memory:
        memory.session(user="me").remember("I have a boat in Porto.")
    assert verdicts(line)["search"] == "warn"
    assert "have no vector yet" in line("doctor").out
    with contextlib.closing(sqlite3.connect(line.db)) as file:
        # As an older version of the table would have written it.
        file.execute("UPDATE makers SET name = 'cards 2' WHERE name = 'cards 2 sealed'")
        file.execute("UPDATE makers SET name = replace(name, 'static', 'ancient') WHERE name LIKE 'static%'")
        file.commit()
    assert verdicts(line, code=8)["search"] == "fail"
    said = " ".join(line("doctor", code=8).out.split())
    assert "ancient" in said and "static" in said and "recollect reindex" in said
    unknown = json.loads(line.program("doctor", "--json", RECOLLECT_EMBEDDER="no-such-embedder").out)
    assert ("embedder", "fail") in [(finding["probe"], finding["verdict"]) for finding in unknown["findings"]]
    assert json.loads(line.program("doctor", "--json", RECOLLECT_EMBEDDER="none").out)["healthy"]


def test_no_database_yet_is_a_warning(tmp_path: Path) -> None:
    """Nothing is wrong, nothing is made, and it says what to do."""
    line = Line(tmp_path)
    assert verdicts(line)["database"] == "warn"
    assert "recollect remember" in line("doctor").out
    assert not line.db.exists()


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"", "is empty"), (b"hello, I am a letter", "is not a database"), (b"SQLite format 3\x00", "is cut off")],
)
def test_a_file_that_is_not_ours_fails_with_advice(tmp_path: Path, content: bytes, told: str) -> None:
    """Exit 8, the reason, and the file as it was."""
    line = Line(tmp_path)
    line.db.write_bytes(content)
    said = line("doctor", code=8)
    assert "✗ fail" in said.out and told in said.out
    assert line.db.read_bytes() == content


def test_a_target_that_is_no_file_is_judged_by_the_store(line: Line) -> None:
    """`:memory:` is fine, an unknown kind of address is not."""
    assert verdicts(line, "--db", ":memory:")["database"] == "ok"
    assert verdicts(line, "--db", "carrier://pigeon", code=8)["database"] == "fail"
    assert line("list", "--db", "carrier://pigeon", code=2).err


def test_another_programs_database_fails(tmp_path: Path) -> None:
    """A SQLite file without our mark is left alone."""
    line = Line(tmp_path)
    with contextlib.closing(sqlite3.connect(line.db)) as other:
        other.execute("CREATE TABLE mine (x)")
        other.commit()
    assert verdicts(line, code=8)["database"] == "fail"


def test_a_state_that_is_not_its_log_fails(line: Line) -> None:
    """Somebody changed a row behind the log's back; the replay says where."""
    with contextlib.closing(sqlite3.connect(line.db)) as other:
        changed = other.execute("UPDATE items SET importance = importance + 1").rowcount
        other.commit()
    assert changed
    told = line("doctor", "--json", code=8).json
    replay = next(finding for finding in told["findings"] if finding["probe"] == "replay")
    assert replay["verdict"] == "fail" and "session:me:short_term:1" in replay["told"] and replay["advice"]


def test_a_broken_policy_or_setting_fails_without_hiding_the_rest(line: Line, tmp_path: Path) -> None:
    """Each finding stands for itself."""
    bad = tmp_path / "bad.toml"
    bad.write_text("nonsense = 1\n", encoding="utf-8")
    found = verdicts(line, "--policy", str(bad), code=8)
    assert found["policy"] == "fail" and found["replay"] == "ok"
    (tmp_path / "recollect.toml").write_text("colour = 'red'\n", encoding="utf-8")
    said = line.program("doctor")
    assert said.code == 8 and "Unknown setting 'colour'" in said.out


def test_a_place_that_cannot_hold_a_database_is_told(line: Line) -> None:
    """Exit 8 with what to do, and nothing is made."""
    said = line("remember", "x", "--db", str(line.folder / "nowhere" / "memory.db"), code=8)
    assert "Create the folder first." in said.err and not (line.folder / "nowhere").exists()
    assert "✗ fail" in line("doctor", "--db", str(line.folder / "nowhere" / "memory.db"), code=8).out
