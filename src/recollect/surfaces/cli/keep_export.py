"""`export`, `import`, `restore`: everything out into one file, another system's words in, and back to a moment.

1. A file that exists is not written over without `--force`, and the database never.
2. `restore` makes a new database; what goes wrong on the way leaves none behind.

Never: merges into a memory that holds something.
Spec: "Export, import, verify, replay"; ruling 7; S14.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.errors import InvalidInput, StoreReadOnly
from recollect.surfaces.cli.address import Call
from recollect.surfaces.cli.keep_progress import progress

if TYPE_CHECKING:
    from recollect.engine.foreign import Imported
    from recollect.engine.memory import Memory

SHOWN = 10
# What a SQLite store keeps beside its file.
BESIDE = ("", "-wal", "-shm", "-journal", "-ballast")

Force = Annotated[bool, typer.Option("--force", help="Write over an older one.")]


def export(
    call: Call,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to write.")],
    force: Force = False,
) -> None:
    """Write everything of this memory into one file of JSON lines, with a manifest and checksums.

    The file holds what people said, in plain text: keep it as safe as the database.

    \b
    recollect export monday.jsonl
    """
    path = new_file(call, file, force=force)
    with call.memory() as memory:
        counts = memory.stats(tenant=call.tenant)
        with progress(call, "exporting", sum(counts.values())) as bar:
            manifest = memory.export(path, tenant=call.tenant, on_progress=bar.count)
    if call.as_json:
        call.printer.json({"file": file, "bytes": path.stat().st_size, **manifest.to_dict()})
        return
    from recollect.surfaces.cli.show import pairs_view

    call.printer.text(f"✓ exported to {path.name} ({path.stat().st_size:,} bytes)", style="bold green")
    rows = [(f"  {table}", f"{count:,}") for table, count in manifest.counts.items()]
    call.printer.show(pairs_view([*rows, ("  root", manifest.root), ("  state hash", manifest.state_hash)]))


def import_turns(
    call: Call,
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSON lines, one turn each, or an export.")],
    user: Annotated[str, typer.Option("--user", help="Whose memory takes them in.")] = "me",
    source: Annotated[str, typer.Option("--source", help="Where they come from, for `purge` and people.")] = "import",
) -> None:
    """Take in what another system remembered: in quarantine, until somebody confirms it.

    \b
    recollect import chats.jsonl --user ana --source old-assistant
    """
    with call.memory(may_create=True) as memory, progress(call, "importing") as bar:
        imported = memory.import_turns(Path(file), user=user, source=source, tenant=call.tenant, on_progress=bar.count)
    if call.as_json:
        call.printer.json(imported.to_dict())
    else:
        _show_imported(call, imported)
    if imported.skipped and not imported.turns:
        raise typer.Exit(InvalidInput.exit_code)


def _show_imported(call: Call, imported: Imported) -> None:
    mark, style = ("✓", "green") if imported.turns else ("✗", "red")
    call.printer.text(f"{mark} {imported.turns:,} turns taken in, kept apart until confirmed", style=f"bold {style}")
    for line, why in imported.skipped[:SHOWN]:
        call.printer.text(f"  line {line} left out: {why}", style="yellow")
    if len(imported.skipped) > SHOWN:
        call.printer.note(f"and {len(imported.skipped) - SHOWN} more; --json names them all")
    if imported.turns:
        call.printer.note("`recollect list --status quarantined` shows them, `recollect confirm ID` vouches for one.")


def restore(
    call: Call,
    into: Annotated[str, typer.Option("--into", metavar="NEW.db", help="The database to make.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="An export; else the database itself (--db).")] = "",
    to: Annotated[str, typer.Option("--to", metavar="TIME", help="As it was at this moment (ISO).")] = "",
    tombstones: Annotated[
        str, typer.Option("--tombstones", metavar="FILE", help="A newer export: what it erased stays away.")
    ] = "",
) -> None:
    """Put a checked export into a new database, whole or as it was at a moment.

    \b
    recollect restore monday.jsonl --into restored.db
    recollect restore --db memory.db --to 2026-01-05T09:00:00 --into monday.db
    recollect restore january.jsonl --tombstones june.jsonl --into restored.db
    """
    if not file and not to:
        hint = "FILE; or --to TIME for the database itself."
        raise InvalidInput("Say what to restore.", hint=hint, reason="nothing_to_restore")
    path = Path(into)
    if path.exists():
        raise InvalidInput(f"{path.name!r} exists.", hint="Restore into a new file.", reason="file_exists")
    with _export_of(call, file, path) as exported, _made(call, path) as target:
        restored = target.restore(exported, tenant=call.tenant, to=to or None, tombstones=tombstones or None)
    if call.as_json:
        call.printer.json({"into": into, **restored.to_dict()})
        return
    from recollect.surfaces.cli.show import pairs_view

    call.printer.text(f"✓ restored into {path.name}", style="bold green")
    rows = [("  memories", f"{restored.items:,}"), ("  records", f"{restored.records:,}")]
    call.printer.show(pairs_view([*rows, ("  state hash", restored.state_hash)]))
    if restored.lost:
        call.printer.text(f"! {len(restored.lost):,} memories were erased or deleted since and cannot come back")


@contextmanager
def _export_of(call: Call, file: str, into: Path) -> Iterator[Path]:
    """The export to restore: the file that was named, or one made of the database for the length of this call."""
    if file:
        yield Path(file)
        return
    try:
        # Beside the target and readable by its owner only: it holds everything people said.
        with TemporaryDirectory(prefix=".recollect-", dir=into.absolute().parent) as folder:
            path = Path(folder) / "export.jsonl"
            with (
                call.memory() as memory,
                progress(call, "reading", sum(memory.stats(tenant=call.tenant).values())) as bar,
            ):
                memory.export(path, tenant=call.tenant, on_progress=bar.count)
            yield path
    except OSError as error:
        raise StoreReadOnly(f"{into.name!r} cannot be made: {error.strerror}.", hint="Check the folder.") from error


@contextmanager
def _made(call: Call, path: Path) -> Iterator[Memory]:
    """A new database that is gone again when the block fails."""
    from recollect import Memory

    settings = call.settings()
    try:
        with Memory.open(
            str(path), policy=settings.policy, embedder=settings.embedder, index_mb=settings.index_mb
        ) as memory:
            yield memory
    except BaseException:
        for end in BESIDE:
            Path(f"{path}{end}").unlink(missing_ok=True)
        raise


def new_file(call: Call, name: str, *, force: bool) -> Path:
    """A path that may be written: nothing is there, or writing over it was asked for, and it is not the database."""
    path, db = Path(name), call.settings().db
    if any(_is_same(path, Path(f"{db}{end}")) for end in BESIDE):
        raise InvalidInput(f"{path.name!r} is the database itself.", hint="Name another file.", reason="own_database")
    if path.exists() and not force:
        raise InvalidInput(f"{path.name!r} exists.", hint="Name another, or add --force.", reason="file_exists")
    return path


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one.absolute() == other.absolute()


def write_whole(path: Path, text: str) -> None:
    """A small file that is there whole or not at all."""
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise StoreReadOnly(f"{path.name!r} cannot be written: {error.strerror}.", hint="Check the folder.") from error
