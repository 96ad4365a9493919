"""Promises of docs/reference/cli.md: every command and option is in it, and nothing that does not exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from recollect import errors
from recollect.surfaces.cli.address import INTERRUPTED, PIPE_CLOSED, SHARED, Group
from recollect.surfaces.cli.keep_erase import FOUND
from recollect.surfaces.cli.main import app

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### `([^`]+)`\n(.*?)(?=^##|\Z)", PAGE, flags=re.M | re.S))
SHARED_PART = PAGE.partition("## Options of every command")[2].partition("\n## ")[0]
OPTION = re.compile(r"`(--[a-z][a-z-]*)")


def walk(command: Any, path: str = "recollect") -> Iterator[tuple[str, Any]]:
    """Every command of the app that does something, with the words that call it; the app itself for its options."""
    if path == "recollect" or not getattr(command, "commands", None):
        yield path, command
    for name, child in sorted(getattr(command, "commands", {}).items()):
        yield from walk(child, f"{path} {name}")


COMMANDS = dict(walk(typer.main.get_command(app)))


def options(command: Any) -> list[str]:
    """The long names of a command's own options, `--help` aside."""
    found = [name for p in command.params if p.param_type_name == "option" for name in [*p.opts, *p.secondary_opts]]
    return [name for name in found if name.startswith("--") and name != "--help"]


def group(which: Group) -> list[str]:
    return [f"--{parameter.name}" for parameter in SHARED[which]]


def documented(section: str) -> list[str]:
    """The options a section has in its table."""
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `--")]
    return [name for row in rows for name in OPTION.findall(row)]


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_a_section(path: str) -> None:
    """What can be called can be looked up."""
    assert path in SECTIONS


@pytest.mark.parametrize("path", COMMANDS)
def test_every_option_is_in_its_section(path: str) -> None:
    """A section lists exactly the command's options; the shared ones by the name of their group."""
    section = SECTIONS[path]
    expected = {*options(COMMANDS[path])} - {"--json"}
    for which, words in ((Group.WHERE, "which memory"), (Group.WHO, "whose memory")):
        line = next((line for line in section.splitlines() if line.startswith("Shared:")), "")
        takes = set(group(which)) <= expected
        assert (words in line) == takes, f"{path}: Shared should {'' if takes else 'not '}name {words}"
        expected -= set(group(which)) if takes else set()
    assert {*documented(section)} == expected


@pytest.mark.parametrize("path", [path for path in COMMANDS if path != "recollect"])
def test_every_command_has_json(path: str) -> None:
    """There is no command a program could not use."""
    assert "--json" in options(COMMANDS[path])


def test_no_section_is_about_a_command_that_is_gone() -> None:
    """The page holds nothing that cannot be called."""
    assert set(SECTIONS) == set(COMMANDS)


def test_shared_options_are_documented() -> None:
    """Both groups, and what every command has."""
    assert {*documented(SHARED_PART)} == {*group(Group.WHERE), *group(Group.WHO), "--json", "--help"}


def test_every_exit_code_is_documented() -> None:
    """The table of exit codes is the error tree's, and ours for Ctrl-C and closed pipes."""
    kinds = [errors.RecollectError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    raised = {kind.exit_code for kind in kinds if kind is not errors.RecollectError}
    table = PAGE.partition("## Exit codes")[2].partition("\n## ")[0]
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", table, flags=re.M)}
    assert codes == {0, FOUND, INTERRUPTED, PIPE_CLOSED, *raised}


def test_every_command_explains_itself() -> None:
    """Help is never empty: every command, argument and option has a line."""
    for path, command in COMMANDS.items():
        assert (command.help or "").strip(), path
        for parameter in command.params:
            assert (getattr(parameter, "help", "") or "").strip(), f"{path} {parameter.name}"
