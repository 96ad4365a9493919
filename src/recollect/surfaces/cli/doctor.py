"""`stats` and `doctor`: how much is stored, and whether everything is as it should be.

The doctor's findings are a list of probes; each says ok, warn or fail, what it saw, and what to do about it.

Never: repairs, and never makes a database to look at.
Spec: law 1 (the log folds to the state); reliability.md.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from recollect.errors import RecollectError, StoreError
from recollect.surfaces.cli.address import Call, Group, asks, names_file

if TYPE_CHECKING:
    from recollect.engine.memory import Memory

PANEL = "Look after"
# The first release whose WAL cannot be reset under a reader; the package asks for it too.
SQLITE_AT_LEAST = (3, 51, 3)
PYTHON_AT_LEAST = (3, 11)
# A commit grows the WAL before the file; below the second number one commit of a full batch may not fit.
LOW_DISK_BYTES = 1_073_741_824
NO_DISK_BYTES = 67_108_864
SHOWN = 3

Verdict = Literal["ok", "warn", "fail"]
STYLES: dict[Verdict, tuple[str, str]] = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "red")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one probe saw."""

    probe: str
    verdict: Verdict
    told: str
    advice: str = ""

    def to_dict(self) -> dict[str, str]:
        return {"probe": self.probe, "verdict": self.verdict, "told": self.told, "advice": self.advice}


def stats(
    call: Call,
    with_hash: Annotated[bool, typer.Option("--hash", help="Add the hash over everything stored.")] = False,
) -> None:
    """Count what is stored.

    \b
    recollect stats --hash
    """
    with call.memory() as memory:
        counts = memory.stats(tenant=call.tenant)
        digest = memory.state_hash(tenant=call.tenant) if with_hash else ""
        policy = memory.policy.name
    from recollect.settings import shown_db

    db = call.settings().db
    size = sum(path.stat().st_size for path in (Path(db), Path(f"{db}-wal")) if path.exists())
    if call.as_json:
        found: dict[str, object] = {
            "db": shown_db(db),
            "bytes": size,
            "policy": policy,
            "tenant": call.tenant,
            "counts": counts,
        }
        call.printer.json(found | ({"state_hash": digest} if with_hash else {}))
        return
    from recollect.surfaces.cli.show import pairs_view

    rows = [
        ("database", f"{shown_db(db)} ({size:,} bytes)" if names_file(db) else shown_db(db)),
        ("policy", policy),
        ("tenant", call.tenant),
    ]
    rows += [(name, f"{count:,}") for name, count in counts.items()]
    call.printer.show(pairs_view([*rows, *([("state hash", digest)] if with_hash else [])]))


def doctor(call: Call) -> None:
    """Look at everything recollect stands on; exit 0 only if nothing fails."""
    findings = [*_machine(), *_memory(call)]
    is_well = all(finding.verdict != "fail" for finding in findings)
    if call.as_json:
        call.printer.json({"healthy": is_well, "findings": [finding.to_dict() for finding in findings]})
    else:
        _show(call, findings)
    if not is_well:
        raise typer.Exit(StoreError.exit_code)


def _show(call: Call, findings: list[Finding]) -> None:
    from rich.text import Text

    from recollect.surfaces.cli.safe import visible
    from recollect.surfaces.cli.show import grid

    table = grid("", "", "", header=False)
    for finding in findings:
        mark, style = STYLES[finding.verdict]
        told = Text(visible(finding.told))
        if finding.advice:
            told.append(f"\n{visible(finding.advice)}", style="dim")
        table.add_row(Text(f"{mark} {finding.verdict}", style=style), finding.probe, told)
    call.printer.show(table)


def _machine() -> Iterator[Finding]:
    found = sys.version_info[:3]
    verdict: Verdict = "ok" if found >= PYTHON_AT_LEAST else "fail"
    yield Finding(probe="python", verdict=verdict, told=platform.python_version(), advice=_newer(verdict, "3.11"))
    try:
        import apsw
    except ImportError as error:
        told = f"apsw cannot be imported: {error}"
        yield Finding(probe="sqlite", verdict="fail", told=told, advice="Install recollect again.")
        return
    version = apsw.sqlite_lib_version()
    verdict = "ok" if tuple(int(part) for part in version.split(".")) >= SQLITE_AT_LEAST else "warn"
    yield Finding(probe="sqlite", verdict=verdict, told=f"{version} (apsw)", advice=_newer(verdict, "3.51.3"))


def _newer(verdict: Verdict, version: str) -> str:
    return "" if verdict == "ok" else f"Install {version} or newer."


def _memory(call: Call) -> Iterator[Finding]:
    try:
        settings = call.settings()
    except RecollectError as error:
        yield _failed("settings", error)
        return
    yield from _policy(settings.policy)
    path = Path(settings.db).absolute()
    if not names_file(settings.db):
        yield from _database(call, settings.db)
        return
    yield _disk(path)
    if path.exists():
        yield from _database(call, str(path))
    else:
        yield _absent(path)


def _absent(path: Path) -> Finding:
    """No database is no fault, as long as one could be made there."""
    if not path.parent.is_dir():
        told, advice = f"there is no folder {path.parent}", "Create the folder first."
        return Finding(probe="database", verdict="fail", told=told, advice=advice)
    if not os.access(path.parent, os.W_OK):
        told, advice = (
            f"the folder {path.parent} cannot be written",
            "Change its permissions, or name another with --db.",
        )
        return Finding(probe="database", verdict="fail", told=told, advice=advice)
    advice = "The first `recollect remember` makes it; or name another with --db."
    return Finding(probe="database", verdict="warn", told=f"{path} does not exist yet", advice=advice)


def _policy(given: str) -> Iterator[Finding]:
    from recollect.assemble import read_policy

    try:
        policy = read_policy(given)
    except RecollectError as error:
        yield _failed("policy", error)
    else:
        yield Finding(probe="policy", verdict="ok", told=f"{policy.name}, hash {policy.hash[:12]}")


def _disk(path: Path) -> Finding:
    folder = path.parent
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    verdict: Verdict = "fail" if free < NO_DISK_BYTES else "warn" if free < LOW_DISK_BYTES else "ok"
    advice = "" if verdict == "ok" else "Free some space: a full disk stops every write."
    return Finding(probe="disk", verdict=verdict, told=f"{free // 1_048_576:,} MB free at {folder}", advice=advice)


def _database(call: Call, db: str) -> Iterator[Finding]:
    from recollect import Memory
    from recollect.assemble import choose_embedder
    from recollect.settings import shown_db

    embedder = None
    try:
        embedder = choose_embedder(call.settings().embedder)
    except RecollectError as error:
        yield _failed("embedder", error)
    try:
        # A broken policy or embedder has its own finding; it must not hide the state of the file.
        memory = Memory.open(db, policy="default", embedder=embedder or "none", allow_owner=call.settings().allow_owner)
    except RecollectError as error:
        yield _failed("database", error, f"{shown_db(db)}: ")
        return
    with memory:
        yield Finding(probe="database", verdict="ok", told=f"{shown_db(db)} opens")
        yield _probe_store(memory, "Restore the file from a copy." if names_file(db) else "See `recollect db check`.")
        yield _probe_replay(memory, call.tenant)
        yield _probe_search(memory, call.tenant)


def _probe_store(memory: Memory, advice: str) -> Finding:
    try:
        wrong = memory.check()
    except RecollectError as error:
        return _failed("store", error)
    if wrong:
        told = "; ".join(wrong[:SHOWN])
        return Finding(probe="store", verdict="fail", told=told, advice=advice)
    return Finding(probe="store", verdict="ok", told="the store passes its own check")


def _probe_replay(memory: Memory, tenant: str) -> Finding:
    try:
        differences = memory.replay(tenant=tenant)
        places = len(memory.owners(tenant=tenant))
    except RecollectError as error:
        return _failed("replay", error)
    if differences:
        told = f"{len(differences)} differences, the first at {differences[0].where}"
        advice = "Restore the file from a copy, and report this."
        return Finding(probe="replay", verdict="fail", told=told, advice=advice)
    told = f"the logs of {places:,} owners fold to what is stored (tenant {tenant})"
    return Finding(probe="replay", verdict="ok", told=told)


def _probe_search(memory: Memory, tenant: str) -> Finding:
    """Whether everything can be found by what it means, and by whose measure."""
    from recollect.engine.filing import short

    try:
        seen = memory.check_search(tenant=tenant)
    except RecollectError as error:
        return _failed("search", error)
    if seen.foreign:
        others = " and ".join(f"{count:,} have a vector by {short(model)!r}" for model, count in seen.foreign)
        told = f"of {seen.items:,} items, {others}; the embedder is {short(seen.model)!r}"
        advice = "Set RECOLLECT_EMBEDDER to what made them, or run `recollect reindex` to make them anew."
        return Finding(probe="search", verdict="fail", told=told, advice=advice)
    wrong = [
        f"{count:,} {what}"
        for count, what in (
            (seen.bare, "have no vector yet and are found by their words alone"),
            (seen.outdated, "were read by an older version and are read again at every start"),
            (seen.damaged, "have a damaged sheet, which is made again at every start"),
        )
        if count
    ]
    if wrong:
        told = f"of {seen.items:,} items, {'; '.join(wrong)}"
        return Finding(probe="search", verdict="warn", told=told, advice="Run `recollect reindex`.")
    by = f", all with a vector by {short(seen.model)!r}" if seen.model else ", by their words"
    return Finding(probe="search", verdict="ok", told=f"{seen.items:,} items can be searched{by}")


def _failed(probe: str, error: RecollectError, where: str = "") -> Finding:
    return Finding(probe=probe, verdict="fail", told=f"{where}{error.message}", advice=error.hint)


def mount(app: typer.Typer) -> None:
    """Give the app these commands."""
    app.command(rich_help_panel=PANEL)(asks(Group.WHERE)(stats))
    app.command(rich_help_panel=PANEL)(asks(Group.WHERE)(doctor))
