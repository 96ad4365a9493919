"""A cut, edited or lying export is never taken in: always a typed answer, and the target stays empty."""

from __future__ import annotations

import gzip
import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from canary import SOAK
from exports import Line, altered, lines_of, lived, sealed, write_lines

from recollect import Memory
from recollect.adapters.stores.dump import TABLES
from recollect.core.canonical import canonical
from recollect.errors import ExportInvalid, RecollectError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One export with rows in every table."""
    path = tmp_path_factory.mktemp("export") / "whole.jsonl"
    with Memory.open(":memory:") as memory:
        lived(memory)
        memory.export(path)
    return path


def refused(path: Path, target: str = ":memory:") -> ExportInvalid:
    """Restore a damaged file; the error it was refused with."""
    with Memory.open(target) as memory:
        with pytest.raises(ExportInvalid) as caught:
            memory.restore(path)
        assert memory.owners() == [], "something of a refused export was kept"
        return caught.value


def test_the_whole_export_is_taken(made: Path) -> None:
    """What is altered below is sound before."""
    with Memory.open(":memory:") as memory:
        assert memory.restore(made).items > 10
    assert {line["t"] for line in lines_of(made)[1:]} >= {"place", "phase", "item", "edge", "record", "command"}


def test_cut_after_every_line(made: Path, folder: Path) -> None:
    """However many lines are left, the end is missed."""
    lines = made.read_bytes().splitlines(keepends=True)
    for count in range(len(lines)):
        (folder / "cut").write_bytes(b"".join(lines[:count]))
        error = refused(folder / "cut")
        assert error.reason in {"export_truncated", "export_foreign"}, count


def test_cut_anywhere(made: Path, folder: Path) -> None:
    """Cut in the middle of a line, it is missed as well."""
    data = made.read_bytes()
    for seed in range(60 * SOAK):
        (folder / "cut").write_bytes(data[: random.Random(seed).randrange(len(data) - 1)])
        assert refused(folder / "cut").reason.startswith("export_")


def test_every_line_taken_out_doubled_or_swapped(made: Path, folder: Path) -> None:
    """The checksum is over the lines in their order."""
    lines = made.read_bytes().splitlines(keepends=True)
    for index in range(len(lines) - 1):
        for damaged in (
            [*lines[:index], *lines[index + 1 :]],
            [*lines[:index], lines[index], *lines[index:]],
            [*lines[:index], lines[index + 1], lines[index], *lines[index + 2 :]],
        ):
            (folder / "odd").write_bytes(b"".join(damaged))
            refused(folder / "odd")


def test_flipped_bytes(made: Path, folder: Path) -> None:
    """No single changed byte goes unnoticed, wherever it is."""
    data = bytearray(made.read_bytes())
    for seed in range(150 * SOAK):
        chance = random.Random(seed)
        index, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        data[index] ^= bit
        (folder / "flipped").write_bytes(data)
        with Memory.open(":memory:") as memory, pytest.raises(RecollectError):
            memory.restore(folder / "flipped")
        data[index] ^= bit


@pytest.mark.parametrize(
    ("field", "lie"),
    [
        ("lines", 1),
        ("lines", "many"),
        ("counts", {}),
        ("counts", {"item": 10**9}),
        ("sha256", "0" * 64),
        ("sha256", None),
        ("state_hash", "0" * 64),
        ("root", "0" * 64),
        ("version", 99),
    ],
)
def test_a_manifest_that_lies(made: Path, folder: Path, field: str, lie: object) -> None:
    """Whatever the manifest says wrongly is found, before anything is used."""
    lines = lines_of(made)
    lines[-1][field] = lie
    error = refused(write_lines(folder / "lie", lines))
    assert error.reason in {"export_altered", "export_manifest_lies", "export_foreign"}


def test_nothing_after_the_manifest_is_read(made: Path, folder: Path) -> None:
    """Rows behind the manifest are under no checksum; a file that has some is refused."""
    lines = lines_of(made)
    row = next(line for line in lines if line.get("t") == "command")
    (folder / "more").write_bytes(made.read_bytes() + f"{canonical(dict(row, id='smuggled'))}\n".encode())
    assert refused(folder / "more").reason in {"export_altered", "export_manifest_lies"}


def is_row(table: str) -> Callable[[Line], bool]:
    return lambda line: line.get("t") == table


def test_a_chain_with_a_gap(made: Path, folder: Path) -> None:
    """A record left out under a right checksum breaks the chain."""
    lines = lines_of(made)
    gap = altered(lines, lambda line: line.get("t") == "record" and line["seq"] == 2, lambda line: None)
    assert refused(write_lines(folder / "gap", sealed(gap))).reason == "export_altered"


def test_a_chain_without_its_end(made: Path, folder: Path) -> None:
    """The last record of a chain left out under a right checksum is missed."""
    lines = lines_of(made)
    last = max(line["seq"] for line in lines if line.get("t") == "record" and line["scope"] == 1)
    cut = altered(
        lines, lambda line: line.get("t") == "record" and (line["scope"], line["seq"]) == (1, last), lambda line: None
    )
    assert refused(write_lines(folder / "cut", sealed(cut))).reason in {"export_truncated", "export_altered"}


# Commands are answers beside the log, as the page on exports says.
PROVEN = ("place", "phase", "item", "edge", "record", "policy")
TABLE_COLUMNS = [(table, column) for table in PROVEN for column in TABLES[table]]


@pytest.mark.parametrize(("table", "column"), TABLE_COLUMNS)
def test_every_column_is_behind_a_proof(made: Path, folder: Path, table: str, column: str) -> None:
    """A value changed in any column under a right checksum is found by chains, seals, fold or state hash."""
    lines = lines_of(made)
    has = [line for line in lines if line.get("t") == table and line.get(column) is not None]
    row = next((line for line in has if line[column] not in ("", 0)), has[0])
    for other in ("zz", 4_711, None, [], {"a": 1}, -1, True):
        if other == row[column]:
            continue
        changed = altered(lines, lambda line: line == row, lambda line: line | {column: other})  # noqa: B023
        # What a store looks items up by only matters to a store that looks items up by it.
        target = str(folder / "memory.db") if column in {"key", "ref"} else ":memory:"
        refused(write_lines(folder / "altered", sealed(changed)), target)


@pytest.mark.parametrize("table", PROVEN)
def test_every_row_is_behind_a_proof(made: Path, folder: Path, table: str) -> None:
    """A row taken out under a right checksum is found; so is a doubled one, where twice is not the same as once."""
    lines = lines_of(made)
    row = next(line for line in lines if line.get("t") == table)
    refused(write_lines(folder / "less", sealed(altered(lines, lambda line: line == row, lambda line: None))))
    if table not in {"edge", "policy"}:
        refused(write_lines(folder / "more", sealed([*lines[:1], row, *lines[1:]])))


def deep(levels: int) -> bytes:
    return b'{"t":"item","body":' + b"[" * levels + b"]" * levels + b"}\n"


HOSTILE: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "newline": lambda: b"\n",
    "no json": lambda: b"hello\nworld\n",
    "a number": lambda: b"5\n",
    "a list": lambda: b"[]\n",
    "another program's": lambda: b'{"recollect":"something else","version":1}\n',
    "a newer version": lambda: b'{"recollect":"export","version":2}\n',
    "binary": lambda: random.Random(1).randbytes(100_000),
    "a bomb, compressed": lambda: gzip.compress(b'{"recollect":"export","version":1}\n' + b" " * 50_000_000),
    "one endless line": lambda: b'{"recollect":"export","version":1}\n{"t":"item","body":"' + b"x" * 20_000_000,
    "deep": lambda: b'{"recollect":"export","version":1}\n' + deep(100_000),
    "a million empty lines": lambda: b'{"recollect":"export","version":1}\n' + b"\n" * 1_000_000,
    "unknown rows": lambda: b'{"recollect":"export","version":1}\n{"t":"pickle"}\n',
    "a path": lambda: b'{"recollect":"export","version":1}\n{"t":"item","file":"../../../etc/passwd"}\n',
    "a huge number": lambda: b'{"recollect":"export","version":1}\n{"t":"item","n":' + b"9" * 100_000 + b"}\n",
    "not a number": lambda: b'{"recollect":"export","version":1}\n{"t":"item","n":NaN}\n',
    "only a manifest": lambda: json.dumps({"t": "manifest"}).encode() + b"\n",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files_are_refused_in_time(folder: Path, what: str) -> None:
    """Whatever is put in the place of an export, the answer is typed and comes within two seconds."""
    (folder / "hostile").write_bytes(HOSTILE[what]())
    began = time.monotonic()
    refused(folder / "hostile")
    assert time.monotonic() - began < 2


def test_places_that_are_no_files(folder: Path) -> None:
    """A folder, a missing file, a device that gives nothing: refused."""
    for path in (folder, folder / "missing", Path("/dev/null")):
        refused(path)


@pytest.mark.parametrize("change", ["cut", "edited", "foreign", "missing"])
def test_every_refusal_says_what_to_do(folder: Path, change: str) -> None:
    """Whatever is wrong with a file, the answer is typed and comes with something to do."""
    with Memory.open(":memory:") as memory:
        memory.session(user="ana").remember("I live in Lisbon.")
        memory.export(folder / "e.jsonl")
    whole = (folder / "e.jsonl").read_bytes()
    made = {"cut": whole[:-40], "edited": whole.replace(b"Lisbon", b"Berlin"), "foreign": b"Dear diary,\n"}
    if change in made:
        (folder / "bad.jsonl").write_bytes(made[change])
    with Memory.open(":memory:") as back, pytest.raises(ExportInvalid) as caught:
        back.restore(folder / "bad.jsonl")
    assert caught.value.hint
