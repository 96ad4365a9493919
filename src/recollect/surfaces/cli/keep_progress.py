"""A bar for what takes long: on stderr, where somebody is looking at it, and nowhere else.

Never: prints with `--json` or into a pipe; what a command says is the same with and without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.surfaces.cli.address import Call
from recollect.surfaces.cli.printer import console_for

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar; its methods are what the engine calls as it goes on."""

    _bar: Progress
    _task: TaskID

    def of(self, done: int, total: int) -> None:
        """So many of so many."""
        self._bar.update(self._task, completed=done, total=total)

    def count(self, done: int) -> None:
        """So many, of a number nobody knows yet or that was given at the start."""
        self._bar.update(self._task, completed=done)


@contextmanager
def progress(call: Call, doing: str, total: int | None = None) -> Iterator[Bar]:
    """A bar for the block; it is gone when the block ends."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = console_for(stderr=True)
    bar = Progress(
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=call.as_json or not console.is_terminal,
    )
    with bar:
        yield Bar(_bar=bar, _task=bar.add_task(doing, total=total))
