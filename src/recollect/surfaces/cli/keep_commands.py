"""What keeps, proves and erases, put together: one line for each command and the options it shares.

Never: does anything itself.
"""

from __future__ import annotations

import typer

from recollect.surfaces.cli.address import Group, asks
from recollect.surfaces.cli.keep_erase import erase, purge, scan, scrub
from recollect.surfaces.cli.keep_export import export, import_turns, restore
from recollect.surfaces.cli.keep_facts import facts
from recollect.surfaces.cli.keep_prove import anchor, replay, verify

KEEP, PROVE, ERASE = "Keep", "Prove", "Erase"


def mount(app: typer.Typer) -> None:
    """Give the app these commands."""
    whose = asks(Group.WHERE, Group.WHO)
    where = asks(Group.WHERE)
    app.command("facts", rich_help_panel="Recall")(whose(facts))
    app.command("export", rich_help_panel=KEEP)(where(export))
    app.command("import", rich_help_panel=KEEP)(where(import_turns))
    app.command("restore", rich_help_panel=KEEP)(where(restore))
    app.command("verify", rich_help_panel=PROVE)(where(verify))
    app.command("anchor", rich_help_panel=PROVE)(where(anchor))
    app.command("replay", rich_help_panel=PROVE)(where(replay))
    app.command("erase", rich_help_panel=ERASE)(whose(erase))
    app.command("purge", rich_help_panel=ERASE)(where(purge))
    app.command("scrub", rich_help_panel=ERASE)(where(scrub))
    app.command("scan", rich_help_panel=ERASE)(where(scan))
