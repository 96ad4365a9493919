"""`files read`, `files list`, `files reread`: static files as recallable snippets.

Never: reads outside the configured roots.
Spec: document 002, sections 5 and 7; rulings 7, 14, 19.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.errors import Refused
from recollect.surfaces.cli.address import Call, Group, asks

if TYPE_CHECKING:
    from recollect.engine.reading import Reading

app = typer.Typer(name="files", help="Take files in as recallable snippets.", no_args_is_help=True)


@app.command("read")
@asks(Group.WHERE, Group.WHO)
def read(call: Call, path: Annotated[str, typer.Argument(metavar="PATH", help="A file below a root.")]) -> None:
    """Read a file in, cut along its structure; a changed file replaces its last reading.

    \b
    RECOLLECT_ROOTS=. recollect files read src/app.py
    """
    with call.chat(may_create=True) as chat:
        reading = chat.read_in(path)
    _show(call, [reading])
    if reading.outcome == "refused":
        raise typer.Exit(Refused.exit_code)


@app.command("list")
@asks(Group.WHERE, Group.WHO)
def listed(call: Call) -> None:
    """The files that were read in: path, hash, number of snippets."""
    with call.chat() as chat:
        known = chat.manifest()
    rows = [{"path": f.path, "sha256": f.sha256, "mtime": f.mtime_ms, "snippets": f.snippets} for f in known]
    if call.as_json:
        call.printer.json({"files": rows})
        return
    from recollect.surfaces.cli.safe import visible
    from recollect.surfaces.cli.show import grid

    table = grid("path", "snippets", "sha256")
    for file in known:
        table.add_row(visible(file.path), str(file.snippets), file.sha256[:12])
    call.printer.show(table)


@app.command("reread")
@asks(Group.WHERE, Group.WHO)
def reread(call: Call) -> None:
    """Look at every file again: unchanged, read again, or gone."""
    with call.chat() as chat:
        readings = chat.reread()
    _show(call, readings)


def _show(call: Call, readings: list[Reading]) -> None:
    if call.as_json:
        call.printer.json({"readings": [reading.to_dict() for reading in readings]})
        return
    from recollect.surfaces.cli.safe import visible
    from recollect.surfaces.cli.show import grid

    table = grid("file", "", "snippets", "")
    for one in readings:
        table.add_row(visible(one.path), one.outcome, str(one.snippets), one.reason.sentence if one.reason else "")
    call.printer.show(table)
