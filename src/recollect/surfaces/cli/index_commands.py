"""`reindex`: make what search needs anew, after another embedder was chosen or an older file was opened.

Never: changes what is remembered.
Spec: engine/reindex.py.
"""

from __future__ import annotations

import typer

from recollect.surfaces.cli.address import Call, Group, asks
from recollect.surfaces.cli.doctor import PANEL
from recollect.surfaces.cli.keep_progress import progress


def reindex(call: Call) -> None:
    """Make missing or outdated search cards and vectors; stop it at any time and run it again.

    \b
    recollect reindex
    RECOLLECT_EMBEDDER=minilm recollect reindex
    """
    with call.memory() as memory, progress(call, "reindexing") as bar:
        done = memory.reindex(tenant=call.tenant, on_progress=bar.of)
    if call.as_json:
        call.printer.json(done.to_dict())
        return
    model = done.model.rpartition(" ")[0] or "none"
    call.printer.text(f"✓ {done.items:,} items can be searched; {done.made:,} were made anew (embedder: {model})")


def mount(app: typer.Typer) -> None:
    """Give the app this command."""
    app.command(rich_help_panel=PANEL)(asks(Group.WHERE)(reindex))
