"""`verify`, `anchor`, `replay`: proving that the log is whole, and that the state is what the log says.

Never: repairs anything, or calls a doubtful answer a success: what is not ok ends with 1.
Spec: ruling 10a; S13; law 1.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.errors import InvalidInput
from recollect.surfaces.cli.address import Call
from recollect.surfaces.cli.keep_erase import FOUND, SHOWN
from recollect.surfaces.cli.keep_export import Force, new_file, write_whole
from recollect.surfaces.cli.keep_progress import progress

if TYPE_CHECKING:
    from recollect.engine.verify import Verification

ANCHOR_BYTES = 64 * 1_048_576
STYLES = {"ok": ("✓", "green"), "unanchored_tail": ("✓", "green")}
TOLD = {
    "ok": "every chain hangs together, every word is the one that was written",
    "unanchored_tail": "all is well up to the anchor; what came after it is consistent",
    "altered": "something is not what the log says it was",
    "truncated": "records are missing at the end",
    "rewritten": "the log hangs together, but it is not the one that was anchored",
}


def verify(
    call: Call,
    anchor_file: Annotated[str, typer.Option("--anchor", metavar="FILE", help="An anchor kept elsewhere.")] = "",
) -> None:
    """Prove that the log is whole and that the stored words are the ones it wrote.

    \b
    recollect verify
    recollect verify --anchor monday.anchor
    """
    kept = read_anchor_file(Path(anchor_file)) if anchor_file else None
    with call.memory() as memory, progress(call, "verifying") as bar:
        verification = memory.verify(tenant=call.tenant, anchor=kept, on_progress=bar.of)
    if call.as_json:
        call.printer.json({"ok": verification.is_ok, **verification.to_dict()})
    else:
        _show(call, verification, is_anchored=kept is not None)
    if not verification.is_ok:
        raise typer.Exit(FOUND)


def read_anchor_file(path: Path) -> dict[str, object]:
    """An anchor from a file; whether it is one, the engine says."""
    try:
        with path.open("rb") as file:
            raw = json.loads(file.read(ANCHOR_BYTES))
    except OSError as error:
        raise InvalidInput(f"{path.name!r} cannot be read: {error.strerror}.", reason="unreadable_file") from error
    except (ValueError, RecursionError) as error:
        hint = "Make one with `recollect anchor --out FILE`."
        raise InvalidInput(f"{path.name!r} is not an anchor.", hint=hint, reason="not_an_anchor") from error
    if not isinstance(raw, dict):
        raise InvalidInput(f"{path.name!r} is not an anchor.", reason="not_an_anchor")
    return raw


def _show(call: Call, verification: Verification, *, is_anchored: bool) -> None:
    from recollect.surfaces.cli.show import pairs_view

    mark, style = STYLES.get(verification.verdict, ("✗", "red"))
    verdict = verification.verdict.replace("_", " ")
    call.printer.text(f"{mark} {verdict}: {TOLD[verification.verdict]}", style=f"bold {style}")
    rows = [("chains", f"{verification.chains:,}"), ("records", f"{verification.records:,}")]
    rows += [("events", f"{verification.events:,}"), ("root", verification.root)]
    call.printer.show(pairs_view(rows))
    for finding in verification.findings[:SHOWN]:
        where = f"chain {finding.chain}" + (f", record {finding.seq}" if finding.seq else "")
        call.printer.text(
            f"{finding.verdict:<15}  {where}: {finding.sentence}", style="" if style == "green" else style
        )
    if len(verification.findings) > SHOWN:
        call.printer.note(f"and {len(verification.findings) - SHOWN} more; --json names them all")
    if not is_anchored:
        call.printer.note("Without an anchor, a log that was rewritten from its start is not noticed: --anchor FILE.")


def anchor(
    call: Call,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Write the anchor into a new file.")] = "",
    force: Force = False,
) -> None:
    """Print where every chain stands now. Keep it somewhere else, and verify against it later.

    \b
    recollect anchor --out monday.anchor
    recollect verify --anchor monday.anchor
    """
    with call.memory() as memory:
        made = memory.anchor(tenant=call.tenant)
    if out:
        path = new_file(call, out, force=force)
        write_whole(path, json.dumps(made.to_dict(), indent=1) + "\n")
    if call.as_json:
        call.printer.json({**made.to_dict(), **({"file": out} if out else {})})
        return
    from recollect.surfaces.cli.show import pairs_view

    records = sum(seq for _, seq, _ in made.chains)
    rows = [("root", made.root), ("chains", f"{len(made.chains):,}"), ("records", f"{records:,}")]
    call.printer.show(pairs_view([*rows, *([("file", out)] if out else [])]))
    call.printer.note(
        "Keep it on another machine, or print it." if out else "`--out FILE` writes what `verify --anchor` reads."
    )


def replay(call: Call) -> None:
    """Rebuild the state from the log alone and compare it with what is stored.

    \b
    recollect replay
    """
    with call.memory() as memory:
        differences = memory.replay(tenant=call.tenant)
        digest = memory.state_hash(tenant=call.tenant)
        places = len(memory.owners(tenant=call.tenant))
    if call.as_json:
        told = [{"where": d.where, "stored": d.stored, "folded": d.folded} for d in differences]
        call.printer.json({"ok": not differences, "places": places, "differences": told, "state_hash": digest})
    else:
        _show_replay(
            call, [f"{d.where}: stored {d.stored}, by the log {d.folded}" for d in differences], places, digest
        )
    if differences:
        raise typer.Exit(FOUND)


def _show_replay(call: Call, differences: list[str], places: int, digest: str) -> None:
    if differences:
        call.printer.text(f"✗ {len(differences):,} differences", style="bold red")
    else:
        call.printer.text(f"✓ the logs of {places:,} places fold to what is stored", style="bold green")
    for line in differences[:SHOWN]:
        call.printer.text(line, style="red")
    call.printer.text(f"state hash {digest}", style="dim")
