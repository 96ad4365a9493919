"""Where everything this command line says goes out: people's words or JSON, answers on stdout, troubles on stderr.

1. With `--json`, stdout holds one JSON value (with `--follow`, one per line) and nothing else.
2. Colour only where a terminal takes it: NO_COLOR, TERM=dumb and pipes are respected.
3. Text is never read as markup; `safe` spells out what could drive the terminal.

Never: decides what to say.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recollect.errors import RecollectError
from recollect.surfaces.cli.safe import json_text, visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

# A pipe has no width: rows stay whole there, so that one line of output is one row.
PIPE_COLUMNS = 1_000


def console_for(*, stderr: bool = False, width: int | None = None) -> Console:
    """A console that takes text as text."""
    from rich.console import Console

    class QuietConsole(Console):
        """Lets a closed pipe be an error of ours, instead of ending the program by itself."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    console = QuietConsole(stderr=stderr, width=width, markup=False, highlight=False, emoji=False)
    if width is None and not console.is_terminal and not os.environ.get("COLUMNS", "").isdigit():
        console.width = PIPE_COLUMNS
    return console


@dataclass(slots=True, kw_only=True)
class Printer:
    """The voice of one command."""

    as_json: bool
    _console: Console | None = field(default=None, repr=False)

    @property
    def console(self) -> Console:
        """The console for people, made when first needed: importing rich takes longer than most commands."""
        if self._console is None:
            self._console = console_for()
        return self._console

    def json(self, value: object, *, indent: int | None = 2) -> None:
        """One JSON value on stdout."""
        encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
        sys.stdout.write(json_text(value, is_ascii=not encoding.startswith("utf"), indent=indent) + "\n")
        sys.stdout.flush()

    def show(self, *renderables: RenderableType) -> None:
        """Something for people on stdout."""
        for renderable in renderables:
            self.console.print(renderable)

    def text(self, text: str, style: str = "") -> None:
        """A caller's text, spelled safely, its lines as they are."""
        self.console.print(visible(text), style=style or None, soft_wrap=True)

    def error(self, error: RecollectError) -> None:
        """An error as every surface tells it."""
        if self.as_json:
            self.json({"error": error.to_dict()})
            return
        from rich.text import Text

        console = console_for(stderr=True)
        told = Text.assemble(("error: ", "bold red"), visible(error.message))
        console.print(told, soft_wrap=True)
        if error.hint:
            console.print(Text(f"  {visible(error.hint)}", style="dim"), soft_wrap=True)

    def note(self, text: str) -> None:
        """A remark beside the answer; never mixed into it."""
        if not self.as_json:
            console_for(stderr=True).print(visible(text), style="dim", soft_wrap=True)
