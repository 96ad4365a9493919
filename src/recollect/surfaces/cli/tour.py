"""`tour`: plays a short conversation and shows, step by step, what becomes of it.

On a temporary database, or on the file of --db, where it keeps to a tenant of its own.

Never: touches a memory somebody uses; never waits for a key where nobody could press one.
Spec: tour_script.py holds the play.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.errors import InvalidInput
from recollect.surfaces.cli.address import Call, asks
from recollect.surfaces.cli.printer import console_for
from recollect.surfaces.cli.safe import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from recollect.engine.memory import Memory
    from recollect.surfaces.cli.tour_script import Row, Step

PANEL = "Begin"
COLUMNS = 80
STYLES = {
    "window": "blue",
    "episode": "blue",
    "fact": "green",
    "kept": "green",
    "masked": "magenta",
    "rule": "magenta",
    "archived": "yellow",
    "quarantined": "yellow",
    "dropped": "yellow",
}


def tour(
    call: Call,
    db: Annotated[str, typer.Option("--db", help="Play it in this file; else in a temporary one.")] = "",
    fast: Annotated[bool, typer.Option("--fast", help="Do not wait between the steps.")] = False,
) -> None:
    """See it work: remembered, masked, corrected, quarantined, recalled, left out and why.

    \b
    recollect tour
    recollect tour --fast
    """
    from recollect.surfaces.cli.tour_script import STEPS, Stage, play

    with _stage(db) as memory:
        steps = play(Stage(memory=memory, open_second=_second))
        if call.as_json:
            call.printer.json({"steps": [step.to_dict() for step in steps]})
            return
        console = console_for(width=min(COLUMNS, call.printer.console.width))
        is_waiting = not fast and console.is_terminal and sys.stdin.isatty()
        for number, step in enumerate(steps, start=1):
            _show(console, number, step)
            if is_waiting and number < len(STEPS):
                _wait(console)
    _farewell(console, db)


@contextmanager
def _stage(db: str) -> Iterator[Memory]:
    """An open memory that the tour may play in."""
    from recollect import Memory
    from recollect.surfaces.cli.tour_script import TENANT

    with TemporaryDirectory(prefix="recollect-tour-") as folder, Memory.open(db or f"{folder}/tour.db") as memory:
        if memory.owners(tenant=TENANT):
            hint = "Name another file, or none."
            raise InvalidInput("The tour was already played in this file.", hint=hint, reason="tour_played")
        yield memory


def _second() -> Memory:
    from recollect import Memory

    return Memory.open(":memory:")


def _show(console: Console, number: int, step: Step) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console.print()
    heading = Text.assemble((f" {number} ", "reverse"), " ", (step.title, "bold"))
    heading.append(f" {'─' * max(0, console.width - heading.cell_len - 1)}", style="dim")
    console.print(heading, no_wrap=True, overflow="crop")
    console.print(Padding(Text(step.sentence, style="dim"), (0, 2, 0, 4), expand=False))
    for scene in step.scenes:
        console.print()
        if scene.text:
            said = Text.assemble((f"{scene.speaker}: ", "bold cyan"), visible(scene.text))
            console.print(Padding(said, (0, 2, 1, 4), expand=False))
        console.print(Padding(_rows(scene.rows), (0, 0, 0, 4), expand=False))
    if step.closing:
        console.print()
        console.print(Padding(Text(step.closing, style="dim"), (0, 2, 0, 4), expand=False))


def _rows(rows: tuple[Row, ...]) -> Table:
    from rich.text import Text

    from recollect.surfaces.cli.show import grid

    if not any(row.label for row in rows):
        lines = grid("", header=False)
        for row in rows:
            lines.add_row(Text(visible(row.text), style="bold" if row.text.startswith("##") else ""))
        return lines
    table = grid("", "", header=False)
    for row in rows:
        told = Text(visible(row.text))
        if row.note:
            told.append(f"\n{visible(row.note)}", style="dim")
        table.add_row(Text(row.label, style=STYLES.get(row.label, "cyan")), told)
    return table


def _wait(console: Console) -> None:
    """Until somebody presses Enter; the end of the input goes on too."""
    console.print("\n    Enter goes on, Ctrl-C stops", style="dim", end=" ")
    sys.stdin.readline()


def _farewell(console: Console, db: str) -> None:
    from rich.padding import Padding
    from rich.text import Text

    kept = f"It is kept in {visible(db)}, tenant `tour`.\n" if db else ""
    told = f'{kept}Your turn:\n\n  recollect remember "…"\n  recollect recall "…" --why\n  recollect --help'
    console.print()
    console.print(Padding(Text(told), (0, 2, 1, 4), expand=False))


def mount(app: typer.Typer) -> None:
    """Give the app this command."""
    app.command(rich_help_panel=PANEL)(asks()(tour))
