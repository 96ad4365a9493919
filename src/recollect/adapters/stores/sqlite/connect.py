"""Opens a SQLite file that is ours, or says precisely why not.

1. A file that exists must be a recollect database of a version we know; nothing else is ever written to.
2. An empty or damaged file is never started over: that would be losing a memory quietly.
3. Every connection has WAL, full sync, secure delete, a busy timeout, and no trust in the schema.

Never: creates a file where one exists, or repairs one.
Spec: reliability.md "Measured here".
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import apsw

from recollect import errors
from recollect.adapters.stores.named_queries import load_queries
from recollect.adapters.stores.sqlite.log_tail import has_lost_commits

APPLICATION_ID = 0x52434C31  # "RCL1"
MAGIC = b"SQLite format 3\x00"
BUSY_TIMEOUT_MS = 10_000
PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -32768",
)


def migrations() -> list[tuple[int, str]]:
    """All migrations by number."""
    folder = files(__package__).joinpath("migrations")
    found = [
        (int(entry.name[:4]), entry.read_text(encoding="utf-8"))
        for entry in folder.iterdir()
        if entry.name.endswith(".sql")
    ]
    return sorted(found)


def connect(path: str, vfs: str | None = None, pragmas: Sequence[str] = PRAGMAS) -> apsw.Connection:
    """One more connection to a database that `prepare` has looked at."""
    with translated():
        connection = apsw.Connection(path, vfs=vfs, statementcachesize=200)
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        for pragma in pragmas:
            connection.execute(pragma)
        return connection


def prepare(path: str, vfs: str | None = None) -> None:
    """Look at the file, create it where there is none, and bring its schema up to date."""
    if Path(path).exists():
        _inspect(Path(path), vfs)
    elif _has_orphan_log(Path(path)):
        raise errors.StoreDamaged(
            f"{Path(path).name!r} is gone, but its write-ahead log is still there.",
            hint="Put the database back beside its -wal file; nothing was touched.",
            reason="store_orphan_log",
        )
    elif not Path(path).resolve().parent.is_dir():
        raise errors.StoreReadOnly(
            f"There is no folder for {Path(path).name!r}.", hint="Create the folder first.", reason="no_such_folder"
        )
    else:
        _create(Path(path), vfs)
    with translated():
        _bring_up_to_date(path, vfs)


def _bring_up_to_date(path: str, vfs: str | None, *, is_draft: bool = False) -> None:
    connection = apsw.Connection(path, vfs=vfs)
    try:
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        if not is_draft:
            _refuse_lost_commits(connection, path, vfs)
        _migrate(connection)
        if is_draft and connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall() != [(0, 0, 0)]:
            # Closing would swallow this, and half a database would get the name of a whole one.
            raise errors.StoreError("The new database could not be written out.", reason="io")
    finally:
        connection.close()


def _refuse_lost_commits(connection: apsw.Connection, path: str, vfs: str | None) -> None:
    """Go no further where commits would be dropped: the next write would overwrite them."""
    # Should this connection be the last to close, it must leave the log as it found it.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    if has_lost_commits(connection, path, vfs):
        raise errors.StoreDamaged(
            f"The write-ahead log of {Path(path).name!r} is damaged, and commits behind the damage cannot be read.",
            hint="Nothing was changed. Keep the database and its -wal file; restore a copy or an export elsewhere.",
            reason="store_log_damaged",
        )
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)


def _create(path: Path, vfs: str | None) -> None:
    """Build a new database under another name and give it its own only when it is whole.

    A crash on the way leaves nothing under the name, and of two processes that create at once the first one wins.
    """
    draft = path.with_name(f"{path.name}.new-{os.urandom(6).hex()}")
    try:
        with translated():
            _bring_up_to_date(str(draft), vfs, is_draft=True)
        if not draft.exists():
            return  # this file system layer keeps its files elsewhere
        # It will hold what people say: nobody else on this machine needs to read it.
        draft.chmod(0o600)
        _sync(draft)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:
            # Some file systems have no links; renaming is the next best thing.
            if not path.exists():
                draft.rename(path)
        _sync(path.resolve().parent)
    except OSError as error:
        raise errors.StoreReadOnly(
            f"{path.name!r} cannot be created: {error.strerror}.", hint="Check the folder."
        ) from error
    finally:
        for leftover in (draft, Path(f"{draft}-wal"), Path(f"{draft}-shm"), Path(f"{draft}-journal")):
            leftover.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Make sure a file or a folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _has_orphan_log(path: Path) -> bool:
    """Whether commits are waiting in a log whose database is missing."""
    log = path.with_name(f"{path.name}-wal")
    return log.is_file() and log.stat().st_size > 0


def _inspect(path: Path, vfs: str | None) -> None:
    """Refuse what is not ours before SQLite touches it."""
    if not path.is_file():
        raise errors.StoreForeign(f"{path.name!r} is not a file.")
    with translated():
        head = _first_bytes(path, vfs)
    if not head:
        raise errors.StoreDamaged(
            f"{path.name!r} is empty.",
            hint="If nothing was ever stored in it, delete it; else restore a copy.",
            reason="store_empty",
        )
    if head[:16] != MAGIC:
        raise errors.StoreForeign(
            f"{path.name!r} is not a database.", hint="Name another file; this one was left as it is."
        )
    if len(head) < 100:
        raise errors.StoreDamaged(f"{path.name!r} is cut off.", hint="Restore it from a copy.")


def _first_bytes(path: Path, vfs: str | None) -> bytes:
    """The head of the file, read through SQLite's own layer: closing a plain handle would drop this process's locks."""
    flags = [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0]
    file = apsw.VFSFile(vfs or "", str(path), flags)
    try:
        return file.xRead(min(100, file.xFileSize()), 0)
    finally:
        file.xClose()


def _migrate(connection: apsw.Connection) -> None:
    application_id = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    steps = migrations()
    if application_id == 0 and version == 0 and _table_count(connection) == 0:
        # A file that another process is creating right now looks like this too; the lock below sorts it out.
        pass
    elif application_id != APPLICATION_ID:
        raise errors.StoreForeign(
            "The file is a database of another program.", hint="Name another file; this one was left as it is."
        )
    if version > steps[-1][0]:
        raise errors.StoreNewer(
            f"The database has schema version {version}, this recollect knows {steps[-1][0]}.",
            hint="Install a newer recollect.",
        )
    if version == steps[-1][0]:
        return
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _pragma(connection, "user_version")
        for number, script in steps:
            if number > version:
                connection.execute(script)
        if version == 0:
            queries = load_queries(__package__)
            connection.execute(queries["identity_add"], (os.urandom(16),))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {steps[-1][0]}")
        connection.execute("COMMIT")
    except apsw.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _pragma(connection: apsw.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").get)


def _table_count(connection: apsw.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM sqlite_schema").get)


def _io_error(error: apsw.IOError) -> errors.StoreError:
    """What a failing disk means: it is full, the file is cut off, or it simply failed."""
    match getattr(error, "extendedresult", 0):
        case apsw.SQLITE_IOERR_SHMSIZE:
            return errors.StoreFull("The disk is full.", hint="Free some space and try again.")
        case apsw.SQLITE_IOERR_SHORT_READ:
            return errors.StoreDamaged("The database is cut off.", hint="Restore it from a copy.")
        case _:
            hint = "Look at the disk; nothing is assumed written."
            return errors.StoreError("The disk did not do what was asked.", hint=hint, reason="io")


@contextmanager
def translated() -> Iterator[None]:
    """SQLite's errors in our words. None of them quotes a statement or a value."""
    try:
        yield
    except UnicodeDecodeError:
        # Its message would quote what is stored.
        raise errors.StoreDamaged("A stored text is not UTF-8.", hint="Run `recollect verify`.") from None
    except apsw.BusyError as error:
        raise errors.StoreBusy("Another writer holds the database.", hint="Try again; nothing was changed.") from error
    except apsw.FullError as error:
        raise errors.StoreFull("The disk is full; nothing was written.", hint="Free some space and repeat.") from error
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError) as error:
        raise errors.StoreReadOnly(
            "The database cannot be written.", hint="Check the folder's permissions; SQLite writes beside the file too."
        ) from error
    except apsw.NotADBError as error:
        raise errors.StoreDamaged("The file does not read as a database.", hint="Restore it from a copy.") from error
    except apsw.CorruptError as error:
        raise errors.StoreDamaged(
            "The database could not be read.",
            hint="Look at the disk first; restore a copy only if `recollect verify` says so.",
        ) from error
    except apsw.IOError as error:
        raise _io_error(error) from error
    except apsw.ConstraintError as error:
        raise errors.StoreError("The database refused an inconsistent write.", reason="constraint") from error
    except apsw.SQLError as error:
        raise errors.StoreDamaged(
            "The database does not have the tables it should have.", hint="Run `recollect doctor`.", reason="schema"
        ) from error
    except apsw.Error as error:
        raise errors.StoreError("The database could not do it.", reason=type(error).__name__) from error
