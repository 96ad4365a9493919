"""Writes everything of a tenant into one file, and reads such a file back only after checking it.

    line 1        what this is
    lines         one row each: places, phases, items, edges, records, commands, policies, tombstones
    last line     the manifest: how many of each, a checksum over all lines before it, the state hash, the anchor's root

The file is plain text. It holds what people said; keep it as safe as the database.

Never: follows a path in the file, unpacks anything, or trusts a count it did not take itself.
Spec: "Export, import, verify, replay"; S14.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from recollect.core.canonical import canonical
from recollect.core.events import Erased, kind_code
from recollect.engine.replay import state_hash
from recollect.engine.traces import all_events
from recollect.engine.verify import anchor
from recollect.errors import ExportInvalid, InvalidInput, StoreReadOnly
from recollect.ports.store import Reader, Row

VERSION = 1
LINE_BYTES = 8 * 1_048_576
TABLES = ("place", "phase", "item", "edge", "record", "command", "policy", "tombstone")
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What an export says of itself."""

    lines: int
    counts: dict[str, int]
    sha256: str
    state_hash: str
    root: str

    def to_dict(self) -> dict[str, object]:
        return {
            "t": "manifest",
            "version": VERSION,
            "lines": self.lines,
            "counts": self.counts,
            "sha256": self.sha256,
            "state_hash": self.state_hash,
            "root": self.root,
        }


def export(reader: Reader, path: Path, on_progress: Progress | None = None) -> Manifest:
    """Write an export. The file appears under its name only when it is whole."""
    if path.exists() and not _is_export(path):
        raise InvalidInput(
            f"{path.name!r} exists and is not an export.", hint="Name another file.", reason="file_exists"
        )
    draft = path.with_name(f"{path.name}.part-{os.urandom(6).hex()}")
    try:
        # It holds everything people said: nobody else on this machine needs to read it.
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            manifest = _write(reader, file.write, on_progress)
            file.flush()
        draft.replace(path)
    except OSError as error:
        raise StoreReadOnly(
            f"The export could not be written: {error.strerror}.", reason="export_not_written"
        ) from error
    finally:
        # Whatever stopped it, nobody's words stay behind under another name.
        draft.unlink(missing_ok=True)
    return manifest


def _is_export(path: Path) -> bool:
    """Whether a file may be replaced by an export: it is one."""
    try:
        with path.open("rb") as file:
            return file.read(40).startswith(b'{"recollect":"export"')
    except OSError:
        return False


def _write(reader: Reader, write: Callable[[bytes], int], on_progress: Progress | None) -> Manifest:
    checksum = hashlib.sha256()
    counts: dict[str, int] = {}
    lines = 0

    def put(value: object) -> None:
        nonlocal lines
        line = f"{canonical(value)}\n".encode()
        checksum.update(line)
        write(line)
        lines += 1
        if on_progress is not None and lines % 500 == 0:
            on_progress(lines)

    put({"recollect": "export", "version": VERSION})
    for table, row in _rows(reader):
        counts[table] = counts.get(table, 0) + 1
        put({"t": table, **row})
    manifest = Manifest(
        lines=lines,
        counts=dict(sorted(counts.items())),
        sha256=checksum.hexdigest(),
        state_hash=state_hash(reader),
        root=anchor(reader).root,
    )
    write(f"{canonical(manifest.to_dict())}\n".encode())
    return manifest


def _rows(reader: Reader) -> Iterator[tuple[str, Row]]:
    yield from reader.dump()
    for chain in reader.chains():
        for event in all_events(reader, chain.place):
            if isinstance(event, Erased):
                row: Row = {"scope": chain.number, "kind": kind_code(event.ref.kind), "n": event.ref.n}
                yield "tombstone", row


def check_export(path: Path) -> Manifest:
    """Read a whole export once and compare it with its manifest; nothing of it is used before that."""
    checksum = hashlib.sha256()
    counts: dict[str, int] = {}
    manifest: Manifest | None = None
    for lines, (raw, line) in enumerate(_lines(path)):
        if manifest is not None:
            raise ExportInvalid("The export goes on after its manifest.", reason="export_altered")
        if lines == 0 and (line.get("recollect") != "export" or line.get("version") != VERSION):
            raise ExportInvalid("This is not an export of this version.", reason="export_foreign")
        if line.get("t") == "manifest":
            manifest = _compare(line, lines, counts, checksum.hexdigest())
            continue
        checksum.update(raw)
        if lines > 0:
            table = str(line.get("t"))
            if table not in TABLES:
                raise ExportInvalid(f"Line {lines + 1} is of no known kind.", reason="export_altered")
            counts[table] = counts.get(table, 0) + 1
    if manifest is not None:
        return manifest
    raise ExportInvalid(
        "The export ends without its manifest.", hint="It was cut off; make it again.", reason="export_truncated"
    )


def _compare(line: Row, lines: int, counts: dict[str, int], checksum: str) -> Manifest:
    manifest = Manifest(
        lines=lines,
        counts=dict(sorted(counts.items())),
        sha256=checksum,
        state_hash=str(line.get("state_hash")),
        root=str(line.get("root")),
    )
    if line.get("sha256") != checksum:
        raise ExportInvalid("The export was altered: its checksum is wrong.", reason="export_altered")
    if line.get("version") != VERSION or line.get("lines") != lines or line.get("counts") != manifest.counts:
        raise ExportInvalid("The manifest does not say what the export holds.", reason="export_manifest_lies")
    return manifest


def rows_of(path: Path) -> Iterator[tuple[str, Row]]:
    """The rows of an export that was checked."""
    for index, (_, line) in enumerate(_lines(path)):
        table = str(line.pop("t", ""))
        if index and table in TABLES:
            yield table, line


def _lines(path: Path) -> Iterator[tuple[bytes, Row]]:
    """Each line as bytes and as a row; a line that is too long or no object ends it."""
    try:
        with path.open("rb") as file:
            number = 0
            while raw := file.readline(LINE_BYTES + 1):
                number += 1
                if len(raw) > LINE_BYTES:
                    raise ExportInvalid(f"Line {number} is longer than any of ours.", reason="export_foreign")
                yield raw, _row(raw, number)
    except OSError as error:
        raise ExportInvalid(f"The file cannot be read: {error.strerror}.", reason="export_unreadable") from error


def _row(raw: bytes, number: int) -> Row:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        what = "export_foreign" if number == 1 else "export_truncated"
        raise ExportInvalid(f"Line {number} is not one of ours.", hint="Was the file cut off?", reason=what) from error
    if not isinstance(value, dict):
        raise ExportInvalid(f"Line {number} is not one of ours.", reason="export_foreign")
    return value


def all_rows(rows: Iterable[tuple[str, Row]]) -> dict[str, list[Row]]:
    """Rows by table."""
    found: dict[str, list[Row]] = {}
    for table, row in rows:
        found.setdefault(table, []).append(row)
    return found
