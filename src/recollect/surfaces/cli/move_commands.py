"""`migrate-store`: everything of some tenants from one store to another, with proof.

A new file gets its name only when it is whole; a server shows a tenant only when it is whole. Stopped, the same
command goes on where it stopped.

Never: changes the source, or a target that holds something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.errors import InvalidInput
from recollect.surfaces.cli.address import Call, Group, asks, names_file
from recollect.surfaces.cli.keep_progress import progress

if TYPE_CHECKING:
    from recollect.engine.memory import Memory

BESIDE = ("", "-wal", "-shm", "-ballast")


def migrate_store(
    call: Call,
    to: Annotated[str, typer.Option("--to", metavar="TARGET", help="A new file, or postgresql://…")],
    tenants: Annotated[
        str, typer.Option("--tenants", metavar="A,B", help="Several tenants at once; else the one of --tenant.")
    ] = "",
) -> None:
    """Carry everything from one store to another, and prove that it arrived.

    Stop whoever writes to the source first. The source is left as it is.

    \b
    recollect migrate-store --db memory.db --to postgresql://app@host/memories
    recollect migrate-store --db postgresql://app@host/memories --to memory.db
    """
    names = [name for name in tenants.split(",") if name] or [call.tenant]
    found: dict[str, dict[str, object]] = {}
    with call.memory() as source, _target(call, to) as target:
        for name in names:
            with progress(call, f"moving {name}", None) as bar:
                found[name] = source.move_to(target, tenant=name, on_progress=bar.count).to_dict()
    if call.as_json:
        call.printer.json({"tenants": found})
        return
    for name, moved in found.items():
        call.printer.text(f"✓ {name}: {moved['rows']:,} rows, verified", style="bold green")
        call.printer.text(f"  state hash {moved['state_hash']}")


@contextmanager
def _target(call: Call, to: str) -> Iterator[Memory]:
    """The memory to fill; a file under another name until it is whole."""
    from recollect import Memory

    settings = call.settings()
    if to == ":memory:" or to == settings.db:
        raise InvalidInput("Name another store to move to.", reason="bad_target")
    options = {"policy": settings.policy, "embedder": settings.embedder, "index_mb": settings.index_mb}
    if not names_file(to):
        with Memory.open(to, allow_owner=settings.allow_owner, **options) as memory:
            yield memory
        return
    if Path(to).exists():
        raise InvalidInput(f"{Path(to).name!r} exists.", hint="Move into a new file.", reason="file_exists")
    draft = f"{to}.moving"
    with Memory.open(draft, **options) as memory:
        yield memory
    # Closing the last connection folds the log into the file; whatever is still beside it goes along.
    for end in reversed(BESIDE):
        if Path(f"{draft}{end}").exists():
            Path(f"{draft}{end}").replace(f"{to}{end}")


def mount(app: typer.Typer) -> None:
    """Give the app this command."""
    app.command("migrate-store", rich_help_panel="Keep")(asks(Group.WHERE)(migrate_store))
