"""`worker`: does what is due for everybody, again and again, beside any number of others.

Never: needed; what needs no model also happens on each user's next write.
"""

from __future__ import annotations

import time
from typing import Annotated

import typer

from recollect.errors import InvalidInput
from recollect.surfaces.cli.address import Call, Group, asks


def worker(
    call: Call,
    every: Annotated[
        int, typer.Option("--every", metavar="SECONDS", help="How often each user is looked after.")
    ] = 3_600,
    once: Annotated[bool, typer.Option("--once", help="One round, then end.")] = False,
) -> None:
    """Do what is due for every user: end sessions, sum up, curate, let retention remove, read changed files again.

    Several workers share the users, on one machine or many; one that dies is replaced by the others.

    \b
    recollect worker --once
    """
    if every < 1:
        raise InvalidInput("--every should be at least 1.", reason="not_positive")
    with call.memory() as memory:
        while True:
            shift = memory.work(every_seconds=every, tenant=call.tenant)
            if call.as_json:
                call.printer.json(shift.to_dict(), indent=None)
            elif shift.users or once:
                done = (
                    ", ".join(f"{count:,} {name}" for name, count in shift.done.items() if count) or "nothing was due"
                )
                call.printer.text(f"✓ {shift.users:,} users looked after: {done}", style="bold green")
            if once:
                return
            time.sleep(min(every, 60))


def mount(app: typer.Typer) -> None:
    """Give the app this command."""
    app.command(rich_help_panel="Look after")(asks(Group.WHERE)(worker))
