"""The command line `recollect`: the words of the Python API, for people and scripts.

Each group of commands is a file; this one puts them together, in the order a newcomer meets them.

Never: does anything itself.
Spec: architecture "The same words everywhere"; errors.py (exit codes).
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from recollect.surfaces.cli import (
    ask_commands,
    change_commands,
    companion_commands,
    db_commands,
    doctor,
    file_commands,
    index_commands,
    keep_commands,
    move_commands,
    phase_commands,
    policy_commands,
    recall_commands,
    remember_commands,
    tour,
    trace_commands,
    voice,
    worker_commands,
)
from recollect.surfaces.cli.address import INTERRUPTED

# Typer makes a line of each paragraph here.
EPILOG = """
[bold]Begin here[/bold]

recollect tour

recollect remember "We decided to use Postgres for billing."

recollect recall "what did we pick for billing?" --why

[dim]Exit codes: 0 done, 2 wrong input, 3 denied, 4 not found, 7 over a limit, 8 store, 9 busy, 130 Ctrl-C.[/dim]
"""

app = typer.Typer(
    name="recollect",
    help="The memory of an AI assistant that can account for itself.",
    epilog=EPILOG,
    no_args_is_help=True,
    rich_markup_mode="rich",
    # A traceback with local variables would print the very texts that a memory keeps to itself.
    pretty_exceptions_enable=False,
)


def _version(is_asked: bool) -> None:
    if is_asked:
        import recollect

        typer.echo(f"recollect {recollect.__version__}")
        raise typer.Exit


@app.callback()
def recollect_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The memory of an AI assistant that can account for itself."""


tour.mount(app)
remember_commands.mount(app)
recall_commands.mount(app)
change_commands.mount(app)
ask_commands.mount(app)
app.add_typer(file_commands.app, rich_help_panel=recall_commands.PANEL)
app.add_typer(phase_commands.app, rich_help_panel=change_commands.PANEL)
app.add_typer(policy_commands.app, rich_help_panel=change_commands.PANEL)
companion_commands.mount(app)
trace_commands.mount(app)
keep_commands.mount(app)
move_commands.mount(app)
doctor.mount(app)
index_commands.mount(app)
worker_commands.mount(app)
app.add_typer(db_commands.app, rich_help_panel=doctor.PANEL)
app.add_typer(voice.app, rich_help_panel="Speak")


def run() -> None:
    """The entry point."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter gets its escape; a crash would hide the answer.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="recollect")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
