"""`phase start`, `phase list`, `phase diff`: stretches of a memory's life, and what changed between them.

Never: ends a phase; the next one does.
Spec: contract v1 phases; ruling 12.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.surfaces.cli.address import At, Call, Group, SpaceName, asks

if TYPE_CHECKING:
    from recollect.core.item import Phase

app = typer.Typer(name="phase", help="Begin, list and compare phases.", no_args_is_help=True)

PhaseName = Annotated[str, typer.Argument(metavar="NAME", help="What to call it.")]
PhaseNumber = Annotated[str, typer.Argument(help="A number, or phase-N.")]


@app.command()
@asks(Group.WHERE, Group.WHO)
def start(call: Call, name: PhaseName = "", space: SpaceName = "session", at: At = "") -> None:
    """Begin a new phase; under policies that recall the current phase only, earlier turns step back.

    \b
    recollect phase start "second draft"
    """
    with call.chat(may_create=True) as chat:
        phase = chat.start_phase(name, space=space, at=at or None)
    if call.as_json:
        call.printer.json(phase.to_wire())
    else:
        call.printer.text(f"✓ {phase.id} {_named(phase)}began", style="bold green")


@app.command("list")
@asks(Group.WHERE, Group.WHO)
def list_phases(call: Call, space: SpaceName = "session") -> None:
    """List the phases of a space, oldest first."""
    with call.chat() as chat:
        phases = chat.phases(space)
    if call.as_json:
        call.printer.json({"phases": [phase.to_wire() for phase in phases]})
        return
    from recollect.surfaces.cli.safe import visible_line
    from recollect.surfaces.cli.show import grid

    table = grid("phase", "began at tick", "why", "name")
    for phase in phases:
        table.add_row(phase.id, str(phase.started_at), phase.reason, visible_line(phase.name))
    call.printer.show(table)


@app.command()
@asks(Group.WHERE, Group.WHO)
def diff(call: Call, from_phase: PhaseNumber, to_phase: PhaseNumber, space: SpaceName = "session") -> None:
    """Say what changed between the end of one phase and the end of another.

    \b
    recollect phase diff 1 2
    """
    with call.chat() as chat:
        found = chat.diff_phases(from_phase, to_phase, space=space)
    if call.as_json:
        changes = [
            {
                "change": change.change,
                "from_id": change.before.id if change.before else None,
                "to_id": change.after.id if change.after else None,
            }
            for change in found.changes
        ]
        phases = {"from_phase_id": f"phase-{found.from_phase}", "to_phase_id": f"phase-{found.to_phase}"}
        call.printer.json({**phases, "summary_lines": list(found.summary_lines), "changes": changes})
        return
    from recollect.surfaces.cli.show import grid

    call.printer.text("\n".join(found.summary_lines))
    table = grid("", "", "", header=False)
    for change in found.changes:
        before = change.before.id if change.before else ""
        after = change.after.id if change.after else ""
        table.add_row(change.change, before, f"→ {after}" if before and after else after)
    call.printer.show(table)


def _named(phase: Phase) -> str:
    return f"{phase.name!r} " if phase.name else ""
