"""The approximate index over vectors that pgvector keeps in the database, where its owner asked for one.

1. It is made by the owner (`recollect db vectors`), and filled and emptied by the database together with the sheets.
2. It only proposes: whatever it finds is scored like everything else, and the answer says that it is not exact.

Never: used unless a memory was opened with `approximate`, and never for a place that fits into memory.
Spec: "pgvector's HNSW as an opt-in whose answers say `exact: false`".
"""

from __future__ import annotations

from importlib.resources import files

import psycopg
from psycopg import sql

from recollect import errors
from recollect.adapters.stores.named_queries import load_queries
from recollect.adapters.stores.postgres.connect import Connection
from recollect.adapters.stores.postgres.trouble import kind_of, translated

TABLE = "vectors"
POWERS = "SELECT, INSERT, UPDATE, DELETE"
# Scans that go on until enough rows of one owner are found came with this version.
OLDEST_EXTENSION = (0, 8)
MOST_DIMENSIONS = 4_000
HINT = "Install pgvector on the server, and let a superuser run CREATE EXTENSION vector in this database."


def make_vectors(connection: Connection, dimensions: int) -> bool:
    """Make the index and fill it with what is stored; whether it was made."""
    if isinstance(dimensions, bool) or not 1 <= dimensions <= MOST_DIMENSIONS:
        raise errors.InvalidInput(
            f"A vector has from 1 to {MOST_DIMENSIONS} numbers.",
            hint="Give the dimensions of the embedder.",
            reason="bad_dimensions",
        )
    if _exists(connection):
        return False
    _ensure_extension(connection)
    script = files(__package__).joinpath("vectors.sql").read_text(encoding="utf-8")
    with translated(), connection.transaction():
        connection.execute("SET LOCAL statement_timeout = 0")
        connection.execute(_in_place(connection, script).replace("{dimensions}", str(dimensions)))
        for (role,) in connection.execute(
            "SELECT DISTINCT grantee::regrole::text FROM pg_class, aclexplode(relacl)"
            " WHERE oid = 'sheets'::regclass AND grantee <> 0 AND grantee <> relowner ORDER BY 1"
        ).fetchall():
            # The server wrote the name, quoted where it must be.
            connection.execute(f"GRANT {POWERS} ON {TABLE} TO {role}")
    return True


def statements(connection: Connection) -> dict[str, str]:
    """What asks the index; an error that says what to do where there is none."""
    if not _exists(connection):
        raise errors.StoreError(
            "This database has no approximate index.",
            hint="Let its owner run `recollect db vectors`, or open the memory without `approximate`.",
            reason="no_vectors",
        )
    return {name: _in_place(connection, text) for name, text in load_queries(__package__, "nearest.sql").items()}


def grant(connection: Connection, schema: str, role: sql.Identifier) -> None:
    """Let the application's role use the index, where there is one."""
    if _exists(connection):
        known = (sql.Identifier(schema, TABLE), role)
        connection.execute(sql.SQL(f"GRANT {POWERS} ON {{}} TO {{}}").format(*known))


def _exists(connection: Connection) -> bool:
    with translated():
        row = connection.execute("SELECT to_regclass($1) IS NOT NULL", (TABLE,)).fetchone()
    return bool(row and row[0])


def _ensure_extension(connection: Connection) -> None:
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.Error as error:
        raise errors.StoreError(
            "The database has no extension pgvector, and this role cannot add it.",
            hint=HINT,
            reason="missing_extension",
        ) from kind_of(error)
    with translated():
        row = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    version = tuple(int(part) for part in str(row[0] if row else "0").split(".")[:2] if part.isdigit())
    if version < OLDEST_EXTENSION:
        raise errors.StoreError(
            "The extension pgvector is too old: version 0.8 or newer is needed.",
            hint="Install it, then run ALTER EXTENSION vector UPDATE.",
            reason="missing_extension",
        )


def _in_place(connection: Connection, script: str) -> str:
    """A script with the schema of the extension, which need not be ours."""
    with translated():
        row = connection.execute(
            "SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace"
            " WHERE extname = 'vector'"
        ).fetchone()
    return script.replace("{extension}", str(row[0]) if row else "public")
