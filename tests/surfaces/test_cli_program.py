"""Promises of `recollect` as a program: help, version, errors, exit codes, pipes, Ctrl-C, colour, encodings."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from cli_runner import COMMAND, Line

import recollect
from recollect import errors
from recollect.surfaces.cli import address


@pytest.fixture
def line(tmp_path: Path) -> Line:
    return Line(tmp_path)


def test_version_and_help(line: Line) -> None:
    """The version is the package's; help groups the commands and shows where to begin."""
    assert line.program("--version").out == f"recollect {recollect.__version__}\n"
    out = line.program("--help", COLUMNS="80").out
    for panel in ("Begin", "Remember", "Recall", "Govern", "Explain", "Look after"):
        assert f"─ {panel} ─" in out
    assert "recollect tour" in out and max(len(row) for row in out.splitlines()) <= 80
    assert "recollect remember --file chat.jsonl" in line("remember", "--help").out
    assert "Commands" in line("phase", code=None).out


def test_the_installed_entry_point_is_this_program() -> None:
    """`recollect` on the path is `main:run`."""
    script = Path(sys.executable).parent / "recollect"
    done = subprocess.run([script, "--version"], capture_output=True, text=True, timeout=60)
    assert done.stdout == f"recollect {recollect.__version__}\n"


def test_a_first_conversation_from_a_shell(line: Line) -> None:
    """Remember, ask, see why: four processes, one file."""
    assert line.program("remember", "I live in Lisbon.").code == 0
    assert line.program("remember", "-", stdin=b"Actually, I live in Berlin now.\n").code == 0
    said = line.program("recall", "where do I live?")
    assert "| Lives in Berlin" in said.out and said.err == "" and "\x1b" not in said.out
    assert json.loads(line.program("stats", "--json").out)["counts"]["profile.ARCHIVED"] == 1


def test_an_error_is_two_lines_on_stderr(line: Line) -> None:
    """The message, then the hint; stdout stays empty; no traceback."""
    said = line.program("recall", "x")
    assert said.code == 4 and said.out == ""
    assert [row[:6] for row in said.err.splitlines()] == ["error:", "  `rec"]


def test_an_error_is_json_on_stdout_with_json(line: Line) -> None:
    """The error tree's own words, and nothing on stderr."""
    said = line.program("recall", "x", "--json")
    assert said.code == 4 and said.err == ""
    assert said.json["error"]["code"] == "not_found" and said.json["error"]["retryable"] is False


def kinds() -> list[type[errors.RecollectError]]:
    found = [errors.RecollectError]
    for kind in found:
        found.extend(kind.__subclasses__())
    return found


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.code)
def test_every_error_of_the_tree_ends_with_its_exit_code(
    capsys: pytest.CaptureFixture[str], kind: type[errors.RecollectError]
) -> None:
    """One table, the error tree's, decides how every command ends."""

    @address.asks()
    def failing(call: address.Call) -> None:
        raise kind("It went wrong.", hint="Do better.")

    for as_json in (False, True):
        with pytest.raises(address.typer.Exit) as ended:
            failing(as_json=as_json)
        assert ended.value.exit_code == kind.exit_code
    said = capsys.readouterr()
    assert said.err == "error: It went wrong.\n  Do better.\n"
    assert json.loads(said.out)["error"] == kind("It went wrong.", hint="Do better.").to_dict()


def test_an_unexpected_error_is_not_swallowed() -> None:
    """What is not ours goes up, whole."""

    @address.asks()
    def failing(call: address.Call) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()


@pytest.mark.parametrize("words", [["remember", "--colour", "red"], ["nonsense"], ["mark", "x", "much"], ["show"]])
def test_wrong_options_are_exit_2_in_words(line: Line, words: list[str]) -> None:
    """The option parser answers on stderr; stdout stays empty."""
    said = line(*words, code=2)
    assert said.out == "" and said.err


@pytest.mark.parametrize(
    "words",
    [
        ["remember", "heard"],
        ["remember", "heard", "--json"],
        ["list"],
        ["list", "--json"],
        ["tour"],
        ["policy", "show"],
    ],
)
def test_a_closed_pipe_is_quiet(line: Line, words: list[str]) -> None:
    """`recollect list | true`: no traceback, the exit code of a closed pipe, and what was remembered stays."""
    line("remember", "I live in Lisbon.")
    reader, writer = os.pipe()
    os.close(reader)
    command = line.command(*words)
    done = subprocess.run(
        command, stdout=writer, stderr=subprocess.PIPE, env=line.surroundings(), cwd=line.folder, timeout=60
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (address.PIPE_CLOSED, b"")
    assert line("stats", "--json").json["counts"]["semantic.ACTIVE"] == (2 if words[0] == "remember" else 1)


def test_ctrl_c_is_130_without_a_traceback(line: Line) -> None:
    """The tour waits for Enter on a terminal, and Ctrl-C ends it there."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        line.command("tour"),
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**line.surroundings(), "TERM": "xterm"},
        cwd=line.folder,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as running:
        giving_up = threading.Timer(60, running.kill)
        giving_up.start()
        os.close(follower)
        first = until(leader, b"Ctrl-C stops")
        os.write(leader, b"\n")
        second = until(leader, b"Ctrl-C stops")
        time.sleep(0.3)  # Between the prompt and its read, a signal would be noticed only by the next Enter.
        running.send_signal(signal.SIGINT)
        rest = until(leader, b"(never said)")
        assert running.wait() == address.INTERRUPTED
        giving_up.cancel()
    os.close(leader)
    assert b"Remember" in first and b"Mask" not in first and b"Mask" in second
    assert b"Traceback" not in rest


def until(leader: int, word: bytes) -> bytes:
    """What comes out of a terminal, up to a word or to the end."""
    told = b""
    while word not in told:
        try:
            part = os.read(leader, 65_536)
        except OSError:  # Linux says EIO when the other side is gone.
            return told
        if not part:
            return told
        told += part
    return told


def test_an_encoding_that_cannot_say_it_gets_escapes(line: Line) -> None:
    """ASCII terminals see escapes, ASCII pipes get valid JSON."""
    line("remember", "Grüße aus 東京")
    ascii_only = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    said = line.program("show", "user:me:semantic:1", **ascii_only)
    assert said.code == 0 and said.out.startswith("Gr\\xfc\\xdfe aus \\u6771\\u4eac")
    assert line.program("show", "user:me:semantic:1", "--json", **ascii_only).json["text"] == "Grüße aus 東京"


def on_a_terminal(line: Line, *words: str, **environment: str) -> str:
    """What a program prints when a terminal is looking."""
    leader, follower = pty.openpty()
    surroundings = {**line.surroundings(), "TERM": "xterm", **environment}
    surroundings = {name: value for name, value in surroundings.items() if value}
    with subprocess.Popen(
        line.command(*words), stdin=follower, stdout=follower, stderr=follower, env=surroundings, cwd=line.folder
    ) as running:
        os.close(follower)
        told = until(leader, b"(never said)")
        assert running.wait(60) == 0, told
    os.close(leader)
    return told.decode()


def test_colour_only_where_it_is_welcome(line: Line) -> None:
    """A terminal gets colour; NO_COLOR takes it away; --json never has any."""
    assert "\x1b[" in on_a_terminal(line, "remember", "I live in Lisbon.", NO_COLOR="")
    assert "\x1b[3" not in on_a_terminal(line, "list", NO_COLOR="1")
    assert "\x1b" not in on_a_terminal(line, "list", "--json", NO_COLOR="")
    assert "of 8,000 tokens" in on_a_terminal(line, "recall", "lisbon", NO_COLOR="1")


def test_settings_come_from_environment_file_and_option(line: Line) -> None:
    """The option wins over the environment, the environment over the file."""
    (line.folder / "recollect.toml").write_text('db = "from-file.db"\n', encoding="utf-8")
    line.program("remember", "x")
    assert line.db.exists()
    line.program("remember", "x", RECOLLECT_DB="from-environment.db")
    assert (line.folder / "from-environment.db").exists()
    line.program("remember", "x", "--db", "from-option.db")
    assert (line.folder / "from-option.db").exists() and not (line.folder / "from-file.db").exists()
    assert line.program("remember", "x", RECOLLECT_INDEX_MB="lots").code == 2


def test_many_processes_write_one_file(line: Line) -> None:
    """Each of them is heard; nothing is lost."""
    running = [
        subprocess.Popen(
            line.command("remember", f"voice {number}", "--session", str(number % 2)),
            env=line.surroundings(),
            cwd=line.folder,
            stdout=subprocess.DEVNULL,
        )
        for number in range(4)
    ]
    assert [each.wait(60) for each in running] == [0] * 4
    assert line("stats", "--json").json["counts"]["semantic.ACTIVE"] == 4
    line("doctor")


def test_no_command_is_slow_to_describe_itself() -> None:
    """Every command can print its help without opening anything."""
    for path in (["phase"], ["policy"], ["voice"], []):
        command = COMMAND
        for name in path:
            command = command.commands[name]
        for name in command.commands:
            with pytest.raises(SystemExit) as ended:
                COMMAND.main(args=[*path, name, "--help"], prog_name="recollect")
            assert ended.value.code == 0
