"""`db init`, `db migrate`, `db check`, `db role`, `db vectors`: the owner's work on a PostgreSQL database.

1. The tables belong to their owner; a memory is opened by a role that owns nothing and cannot take a wall down.
2. A password comes from a file or from stdin, never from the command line, where everybody can read it.

Never: opens a memory, and never touches a row of one.
Spec: reliability.md "Doors".
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.errors import InvalidInput, StoreError
from recollect.surfaces.cli.address import Call, Group, asks

if TYPE_CHECKING:
    from recollect.adapters.stores.postgres.schema import Schema

app = typer.Typer(name="db", help="Make, update, check and hand over a PostgreSQL database.", no_args_is_help=True)

RoleName = Annotated[str, typer.Argument(metavar="NAME", help="The role recollect will connect as.")]
Dimensions = Annotated[int, typer.Option("--dimensions", metavar="N", help="How many numbers a vector has.")]
PasswordFile = Annotated[str, typer.Option("--password-file", metavar="FILE", help="Holds its password; - is stdin.")]


@app.command()
@asks(Group.WHERE)
def init(call: Call) -> None:
    """Make the tables, as the role that will own them.

    \b
    recollect db init --db postgresql://owner@host/memories
    """
    _tell_versions(call, _schema(call).init())


@app.command()
@asks(Group.WHERE)
def migrate(call: Call) -> None:
    """Bring the tables up to date, as their owner. It is all or nothing, and repeating it is fine."""
    _tell_versions(call, _schema(call).migrate())


@app.command()
@asks(Group.WHERE)
def check(call: Call) -> None:
    """Say what is wrong with the tables, the walls and the role; exit 0 only if nothing is."""
    wrong = _schema(call).check()
    if call.as_json:
        call.printer.json({"healthy": not wrong, "findings": wrong})
    else:
        for sentence in wrong:
            call.printer.text(f"✗ {sentence}", style="red")
        if not wrong:
            call.printer.text("✓ the tables, their walls and this role are as they should be", style="bold green")
    if wrong:
        raise typer.Exit(StoreError.exit_code)


@app.command()
@asks(Group.WHERE)
def role(call: Call, name: RoleName, password_file: PasswordFile = "") -> None:
    """Make the restricted role of the application, or mend what it may do.

    It can read and write rows behind the wall of a tenant, add to the log and never change it, and make nothing.

    \b
    recollect db role recollect_app --db postgresql://owner@host/memories
    """
    is_new = _schema(call).role(name, _password(password_file))
    if call.as_json:
        call.printer.json({"role": name, "made": is_new})
    else:
        call.printer.text(f"✓ {name} {'was made' if is_new else 'has what it needs'}", style="bold green")


@app.command()
@asks(Group.WHERE)
def vectors(call: Call, dimensions: Dimensions = 256) -> None:
    """Make an approximate index over vectors, for owners too large to hold in memory. Needs pgvector 0.8 or newer.

    It is used only by a memory that is opened with `approximate`; its answers say `exact: false`.

    \b
    recollect db vectors --db postgresql://owner@host/memories
    """
    is_new = _schema(call).vectors(dimensions)
    if call.as_json:
        call.printer.json({"dimensions": dimensions, "made": is_new})
    else:
        told = "was made" if is_new else "was there already"
        call.printer.text(f"✓ the approximate index {told}", style="bold green")


def _schema(call: Call) -> Schema:
    from recollect.assemble import schema_of

    return schema_of(call.settings().db)


def _password(file: str) -> str:
    if not file:
        return ""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("The password file cannot be read.", reason="bad_path") from error
    return text.rstrip("\r\n")


def _tell_versions(call: Call, versions: tuple[int, int]) -> None:
    before, after = versions
    if call.as_json:
        call.printer.json({"from": before, "to": after})
    elif before == after:
        call.printer.text(f"✓ the tables are at version {after} already", style="bold green")
    else:
        call.printer.text(f"✓ the tables went from version {before} to {after}", style="bold green")
