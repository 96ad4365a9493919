"""Damages files in every way a disk or a careless hand does, and looks at whether anybody is told.

What may come of a damaged copy, from best to worst:

    identical    nothing that is stored has changed: the damage hit free space
    refused      a typed error, on opening or on reading
    reported     it opens, and `check`, `replay` or `verify` says that something is wrong
    rolled back  it is, to the last byte, what it was a while ago: only an anchor can tell, and the anchor does
    unsealed     only the answers kept for repeated commands differ: the log does not cover them, which is documented
    derived      only what search derives from the items differs, words and vectors: it is made anew by `reindex`
    silent       something that was stored has changed or is gone, and nobody says so
    untyped      an error that is not recollect's own
    hung         no answer at all
    empty        a new, empty memory where there was one

The last four must never happen.

Never: damages anything but a copy. Spec: "Survive", damaged files; S13.
"""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import apsw

from recollect import Memory, RecollectError
from recollect.adapters.stores.sqlite.connect import PRAGMAS
from recollect.adapters.stores.sqlite.store import SqliteStore
from recollect.ports.store import Store
from survival.workload import DOORS, Truth, open_on, perform, truth

FILE = "memory.db"
STEPS = 40
MIDWAY = 24
PAGE = 4096
TABLES = ("scopes", "phases", "items", "log", "commands", "policies", "edges", "sheets", "makers")
GOOD = ("identical", "refused", "reported", "rolled back", "unsealed", "derived")
UNSEALED = ("commands",)
DERIVED = ("sheets", "makers")
BAD = ("silent", "untyped", "hung", "empty")
PATIENCE_S = 5
OpenStore = Callable[[str], Store]
Rows = dict[str, list[tuple[object, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A healthy memory, as files: closed, still open (with its log), and as it was midway; and a stranger's."""

    told: Truth
    anchor: dict[str, object]
    closed: bytes
    main: bytes
    log: bytes
    early_main: bytes
    early_log: bytes
    foreign_main: bytes
    foreign_log: bytes
    rows: Rows
    rows_before: tuple[Rows, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wreck:
    """The files somebody is going to open. None means that there is no such file."""

    main: bytes | None
    log: bytes | None = None


@dataclass(slots=True)
class Findings:
    """What came of each kind of damage."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)

    def add(self, kind: str, outcome: str, label: str) -> None:
        self.counts.setdefault(kind, Counter())[outcome.split(":")[0]] += 1
        if outcome.split(":")[0] in BAD:
            self.examples.append(f"{label}: {outcome}")

    @property
    def bad(self) -> int:
        return sum(counted[word] for counted in self.counts.values() for word in BAD)

    @property
    def total(self) -> int:
        return sum(sum(counted.values()) for counted in self.counts.values())

    def table(self) -> str:
        """The counts, as a table to print."""
        words = (*GOOD, *BAD)
        lines = ["damage".ljust(28) + "".join(word.rjust(12) for word in words)]
        for kind, counted in self.counts.items():
            lines.append(kind.ljust(28) + "".join(str(counted[word]).rjust(12) for word in words))
        return "\n".join(lines)


def make_sample(folder: Path, seed: int) -> Sample:
    """Write a memory and take its files at the right moments."""
    told = truth(seed, STEPS)
    early = folder / "early"
    late = folder / "late"
    rows: list[Rows] = []
    (folder / "live").mkdir()
    path = folder / "live" / FILE
    # Every other sample is carried over to the file from time to time; the rest live in their log until they close.
    pragmas = (*PRAGMAS, f"PRAGMA wal_autocheckpoint = {40 if seed % 2 else 1_000}")
    memory = open_on(SqliteStore(str(path), pragmas=pragmas), told.policy)
    rows.append(_rows(path))
    for number, step in enumerate(told.steps):
        if number == MIDWAY:
            _take(path, early)
        perform(memory, step)
        rows.append(_rows(path))
    anchor = memory.anchor().to_dict()
    _take(path, late)
    memory.close()
    other = make_foreign(folder, seed + 1)
    return Sample(
        told=told,
        anchor=anchor,
        closed=path.read_bytes(),
        main=(late / FILE).read_bytes(),
        log=(late / f"{FILE}-wal").read_bytes(),
        early_main=(early / FILE).read_bytes(),
        early_log=(early / f"{FILE}-wal").read_bytes(),
        foreign_main=(other / FILE).read_bytes(),
        foreign_log=(other / f"{FILE}-wal").read_bytes(),
        rows=rows[-1],
        rows_before=tuple(rows[:-1]),
    )


def make_foreign(folder: Path, seed: int) -> Path:
    """Another memory, with its log."""
    told = truth(seed, MIDWAY)
    (folder / "foreign").mkdir()
    path = folder / "foreign" / FILE
    memory = open_on(SqliteStore(str(path)), told.policy)
    for step in told.steps:
        perform(memory, step)
    _take(path, folder / "other")
    memory.close()
    return folder / "other"


def _take(path: Path, target: Path) -> None:
    """Copy an open memory. Another process does it: to close the file here would give up SQLite's locks on it."""
    target.mkdir()
    subprocess.run(["cp", str(path), f"{path}-wal", str(target)], check=True)


def _rows(path: Path) -> Rows:
    """Everything that is stored, row by row."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        return {table: _rows_of(connection, table) for table in TABLES if table in names}
    finally:
        connection.close()


def _rows_of(connection: apsw.Connection, table: str) -> list[tuple[object, ...]]:
    try:
        return sorted(connection.execute(f"SELECT * FROM {table}").fetchall(), key=repr)
    except UnicodeDecodeError:
        return [("unreadable",)]


# Ways to damage. Each takes a healthy sample and chance, and gives the files that are left.

Damage = Callable[[Sample, random.Random], Wreck]


def _flipped(data: bytes, chance: random.Random, first: int = 0, last: int | None = None) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 8))):
        changed[chance.randrange(first, last or len(data))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _flip_closed(sample: Sample, chance: random.Random) -> Wreck:
    return Wreck(main=_flipped(sample.closed, chance))


def _flip_text(sample: Sample, chance: random.Random) -> Wreck:
    """A bit inside somebody's words, which no b-tree notices."""
    places = _all_of(sample.closed, b'"text":"')
    at = chance.choice(places) + len(b'"text":"')
    return Wreck(main=_flipped(sample.closed, chance, at, at + 8))


def _all_of(data: bytes, needle: bytes) -> list[int]:
    found, at = [], data.find(needle)
    while at >= 0:
        found.append(at)
        at = data.find(needle, at + 1)
    return found


def _flip_header(sample: Sample, chance: random.Random) -> Wreck:
    return Wreck(main=_flipped(sample.closed, chance, 0, 100))


def _flip_log(sample: Sample, chance: random.Random) -> Wreck:
    return Wreck(main=sample.main, log=_flipped(sample.log, chance))


def _flip_open(sample: Sample, chance: random.Random) -> Wreck:
    return Wreck(main=_flipped(sample.main, chance), log=sample.log)


def _wipe_page(sample: Sample, chance: random.Random) -> Wreck:
    at = chance.randrange(len(sample.closed) // PAGE) * PAGE
    fill = chance.choice((bytes(PAGE), b"\xff" * PAGE, chance.randbytes(PAGE)))
    return Wreck(main=sample.closed[:at] + fill + sample.closed[at + PAGE :])


def _swap_pages(sample: Sample, chance: random.Random) -> Wreck:
    one, two = sorted(chance.sample(range(len(sample.closed) // PAGE), 2))
    pages = [sample.closed[at : at + PAGE] for at in range(0, len(sample.closed), PAGE)]
    pages[one], pages[two] = pages[two], pages[one]
    return Wreck(main=b"".join(pages))


def _old_page(sample: Sample, chance: random.Random) -> Wreck:
    """A write that never arrived: one page is as it was before the last checkpoint."""
    at = chance.randrange(len(sample.main) // PAGE) * PAGE
    return Wreck(main=sample.closed[:at] + sample.main[at : at + PAGE] + sample.closed[at + PAGE :])


def _cut_closed(sample: Sample, chance: random.Random) -> Wreck:
    pages = len(sample.closed) // PAGE
    length = chance.choice(
        (chance.randrange(len(sample.closed)), chance.randrange(pages) * PAGE, chance.randrange(200))
    )
    return Wreck(main=sample.closed[:length])


def _cut_open(sample: Sample, chance: random.Random) -> Wreck:
    return Wreck(main=sample.main[: chance.randrange(len(sample.main))], log=sample.log)


def _cut_log(sample: Sample, chance: random.Random) -> Wreck:
    return Wreck(main=sample.main, log=sample.log[: chance.randrange(len(sample.log))])


def _grown(sample: Sample, chance: random.Random) -> Wreck:
    return Wreck(main=sample.closed + chance.randbytes(chance.randrange(1, 3 * PAGE)))


def _as_is(main: str, log: str) -> Damage:
    return lambda sample, chance: Wreck(
        main=getattr(sample, main) if main else None, log=getattr(sample, log) if log else None
    )


def _empty_main(sample: Sample, chance: random.Random) -> Wreck:
    return Wreck(main=b"", log=chance.choice((None, sample.log)))


def _garbage(sample: Sample, chance: random.Random) -> Wreck:
    return Wreck(
        main=chance.choice((chance.randbytes(5_000), b"Dear diary,\n" * 50, b"SQLite format 3\x00" + bytes(84)))
    )


KINDS: dict[str, Damage] = {
    "flipped bits": _flip_closed,
    "flipped bits in words": _flip_text,
    "flipped bits in the header": _flip_header,
    "flipped bits in the log": _flip_log,
    "flipped bits beside a log": _flip_open,
    "a page wiped": _wipe_page,
    "two pages swapped": _swap_pages,
    "a page from before": _old_page,
    "cut off": _cut_closed,
    "cut off beside a log": _cut_open,
    "log cut off": _cut_log,
    "rubbish at the end": _grown,
}
# Damage that has only one shape.
SHAPES: dict[str, Damage] = {
    "log missing": _as_is("main", ""),
    "file missing, log there": _as_is("", "log"),
    "log of another memory": _as_is("main", "foreign_log"),
    "log of another, closed file": _as_is("closed", "foreign_log"),
    "log from before": _as_is("main", "early_log"),
    "backup under a newer log": _as_is("early_main", "log"),
    "closed file under an old log": _as_is("closed", "early_log"),
    "file of another memory": _as_is("foreign_main", "log"),
    "empty file": _empty_main,
    "no database at all": _garbage,
}


class Hung(BaseException):
    """No answer within the time that is a thousand times too long. No handler of the product may catch it."""


@contextmanager
def patience() -> Iterator[None]:
    """Give up on what does not come back."""

    def give_up(*_: object) -> None:
        raise Hung

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def assess(wreck: Wreck, sample: Sample, folder: Path, open_store: OpenStore = SqliteStore) -> str:
    """What becomes of somebody who opens this."""
    try:
        with patience():
            return _assess(wreck, sample, folder, open_store)
    except Hung:
        return "hung: no answer"


def _assess(wreck: Wreck, sample: Sample, folder: Path, open_store: OpenStore) -> str:
    place = folder / "wreck"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for name, data in ((FILE, wreck.main), (f"{FILE}-wal", wreck.log)):
        if data is not None:
            (place / name).write_bytes(data)
    try:
        memory = open_on(open_store(str(place / FILE)), sample.told.policy)
    except RecollectError as error:
        return f"refused: {type(error).__name__}"
    except Exception as error:  # noqa: BLE001 - an error of another make is a finding
        return f"untyped: opening, {_short(error)}"
    with memory:
        return _assess_open(memory, place / FILE, sample, wreck.main)


def _assess_open(memory: Memory, path: Path, sample: Sample, main: bytes | None) -> str:
    outcome = _read_everything(memory)
    if outcome.startswith("untyped"):
        return outcome
    found = _told_by(memory)
    if found.startswith("untyped"):
        return found
    if found or outcome:
        return found or outcome
    rows = _rows(path)
    if rows == sample.rows:
        return "identical"
    is_new = not any(rows.values()) and path.read_bytes() != main
    if is_new:
        return "empty: a new memory"
    changed = [table for table in rows if rows[table] != sample.rows.get(table)]
    if all(table in DERIVED for table in changed):
        return "derived"
    if _underived(rows) in map(_underived, sample.rows_before):
        is_told = not memory.verify(anchor=sample.anchor).is_ok
        return "rolled back" if is_told else "silent: rolled back, and the anchor does not tell"
    if all(table in (*UNSEALED, *DERIVED) for table in changed):
        return "unsealed"
    return f"silent: {', '.join(_changes(rows, sample.rows))}"


def _underived(rows: Rows) -> Rows:
    return {table: found for table, found in rows.items() if table not in DERIVED}


def _changes(rows: Rows, before: Rows) -> list[str]:
    """Which columns of which tables differ."""
    found = []
    for table, now in rows.items():
        then = before[table]
        if len(now) != len(then):
            found.append(f"{table}: {len(then)} rows became {len(now)}")
            continue
        odd = [(a, b) for a, b in zip(then, now, strict=True) if a != b]
        columns = sorted({column for a, b in odd for column in range(len(a)) if a[column] != b[column]})
        found += [f"{table} column {column}" for column in columns]
    return found


def _read_everything(memory: Memory) -> str:
    """Ask for all there is, as a user would."""
    for door in DOORS:
        session = memory.session(**door)
        for ask in (
            partial(session.list, status="all", limit=1_000),
            partial(session.recall, "Where do I live, and what is decided about the garden?"),
            partial(session.search, "garden"),
            session.phases,
            session.traces,
        ):
            try:
                ask()
            except RecollectError as error:
                return f"refused: {type(error).__name__}"
            except Exception as error:  # noqa: BLE001
                return f"untyped: {ask.func.__name__ if isinstance(ask, partial) else ask.__name__}, {_short(error)}"
    return ""


def _short(error: Exception) -> str:
    """The error without what it quotes."""
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    line = f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where is not None else ""
    return f"{type(error).__name__} at {line}"


def _told_by(memory: Memory) -> str:
    """What the product's own checks say; a typed refusal to go on is an answer too."""
    said: list[str] = []
    for check in (memory.check, memory.replay, memory.verify):
        try:
            answer = check()
        except RecollectError as error:
            said.append(f"{check.__name__} refuses: {type(error).__name__}")
            continue
        except Exception as error:  # noqa: BLE001
            return f"untyped: {check.__name__}, {_short(error)}"
        is_fine = answer.is_ok if hasattr(answer, "is_ok") else not answer
        if not is_fine:
            said.append(check.__name__)
    return f"reported: {', '.join(said)}" if said else ""


def harm(folder: Path, seed: int, times: int, open_store: OpenStore = SqliteStore) -> Findings:
    """Damage a sample so many times in each of the random ways, and once in each of the others."""
    findings = Findings()
    chance = random.Random(f"damage-{seed}")
    sample = make_sample(folder, seed)
    for kind, damage in KINDS.items():
        for number in range(times):
            outcome = assess(damage(sample, chance), sample, folder, open_store)
            findings.add(kind, outcome, f"{kind} #{number} of sample {seed}")
    for kind, damage in SHAPES.items():
        findings.add(kind, assess(damage(sample, chance), sample, folder, open_store), f"{kind} of sample {seed}")
    outcome = assess(Wreck(main=_other_program(folder)), sample, folder, open_store)
    findings.add("database of another program", outcome, f"sample {seed}")
    return findings


def change_cells(folder: Path, seed: int, rows_each: int, open_store: OpenStore = SqliteStore) -> Findings:
    """Change one stored value at a time, in every column of every table, leaving the file sound for SQLite.

    This is what a flipped bit in a column that no index holds comes down to, and what a meddling hand does.
    """
    findings = Findings()
    chance = random.Random(f"cells-{seed}")
    sample = make_sample(folder, seed)
    for table in sample.rows:
        for column in _columns(sample, folder, table):
            for _ in range(rows_each):
                wreck = _with_changed_cell(sample, folder, table, column, chance)
                if wreck is not None:
                    outcome = assess(wreck, sample, folder, open_store)
                    findings.add(f"{table}.{column}", outcome, f"{table}.{column} of sample {seed}")
    return findings


def _columns(sample: Sample, folder: Path, table: str) -> list[str]:
    path = folder / "cells.db"
    path.write_bytes(sample.closed)
    connection = apsw.Connection(str(path))
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    connection.close()
    return names


def _with_changed_cell(sample: Sample, folder: Path, table: str, column: str, chance: random.Random) -> Wreck | None:
    path = folder / "cells.db"
    path.write_bytes(sample.closed)
    connection = apsw.Connection(str(path))
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
        keys = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[5]]
        wanted = ", ".join([*keys, column])
        row = chance.choice(connection.execute(f"SELECT {wanted} FROM {table}").fetchall())
        where = " AND ".join(f"{key} = ?" for key in keys)
        values = (_altered(row[-1], chance), *row[:-1])
        try:
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", values)
        except apsw.ConstraintError:
            return None
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()
    return Wreck(main=path.read_bytes())


def _altered(value: object, chance: random.Random) -> object:
    """Another value of the same type."""
    match value:
        case int():
            return value ^ (1 << chance.randrange(3))
        case str() if value:
            at = chance.randrange(len(value))
            return value[:at] + chr((ord(value[at]) ^ 1) or 33) + value[at + 1 :]
        case bytes() if value:
            return _flipped(value, chance)
        case _:
            return "x" if isinstance(value, str) else b"x"


def _other_program(folder: Path) -> bytes:
    path = folder / "other-program.db"
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (text TEXT)")
    connection.commit()
    connection.close()
    return path.read_bytes()
