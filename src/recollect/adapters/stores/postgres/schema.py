"""The tables in the database: made, brought up to date, checked, and handed to a restricted role.

1. `init` and `migrate` are the owner's work; a memory is opened by a role that owns nothing.
2. `look` refuses what would be unsafe or could not work, before anything is read or written.
3. The application role can read and write rows, add to the log and never change it, and make nothing.

Never: run by a memory that is opened; opening one changes nothing in the schema.
Spec: reliability.md "Doors".
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from psycopg import sql

from recollect import errors
from recollect.adapters.stores.postgres import nearest
from recollect.adapters.stores.postgres.connect import Connection, connect, read_address
from recollect.adapters.stores.postgres.trouble import translated

OLDEST_SERVER = 140_000
MAINTAIN_SINCE = 170_000
# What the application role may do with each table. Nothing may change or remove a record of the log.
GRANTS = {
    "scopes": "SELECT, INSERT, UPDATE",
    "phases": "SELECT, INSERT, DELETE",
    "items": "SELECT, INSERT, UPDATE, DELETE",
    "edges": "SELECT, INSERT, DELETE",
    "log": "SELECT, INSERT",
    "commands": "SELECT, INSERT, DELETE",
    "policies": "SELECT, INSERT",
    "recalls": "SELECT, INSERT, DELETE",
    "makers": "SELECT, INSERT",
    "sheets": "SELECT, INSERT, UPDATE, DELETE",
    "chores": "SELECT, INSERT, UPDATE",
    "rests": "SELECT, INSERT, UPDATE",
    "recollect_schema": "SELECT",
}
WALLED = tuple(table for table in GRANTS if table != "recollect_schema")
# Made only where the owner asks for it; walled like the others.
OPTIONAL = (nearest.TABLE,)
ROLE_NAME_BYTES = 63


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a connection sees of its server."""

    server: int
    version: int
    role: str
    schema: str
    encoding: str
    is_read_only: bool
    is_superuser: bool
    passes_walls: bool
    owns_tables: bool
    unwalled: tuple[str, ...]
    can_vacuum: bool
    optional: tuple[str, ...]


def migrations() -> list[tuple[int, str]]:
    """All migrations by number."""
    folder = files(__package__).joinpath("migrations")
    found = [
        (int(entry.name[:4]), entry.read_text(encoding="utf-8"))
        for entry in folder.iterdir()
        if entry.name.endswith(".sql")
    ]
    return sorted(found)


def newest_version() -> int:
    """The schema this recollect works with."""
    return migrations()[-1][0]


def look(connection: Connection) -> Look:
    """What this connection would work with. Reads catalogues only."""
    with translated():
        server = connection.info.server_version
        row = connection.execute(
            "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on',"
            " current_setting('server_encoding'), current_user::text,"
            " coalesce(current_schema()::text, ''), r.rolsuper, r.rolbypassrls"
            " FROM pg_roles r WHERE r.rolname = current_user"
        ).fetchone()
        assert row is not None
        version = _version(connection)
        tables = _tables(connection)
        can_vacuum = bool(tables) and all(owner or _may_maintain(connection, server, name) for name, owner, _ in tables)
    return Look(
        server=server,
        version=version,
        role=row[2],
        schema=row[3],
        encoding=row[1],
        is_read_only=row[0],
        is_superuser=row[4],
        passes_walls=row[5],
        owns_tables=any(owner for _, owner, _ in tables),
        unwalled=tuple(name for name, _, walled in tables if not walled),
        can_vacuum=can_vacuum,
        optional=tuple(name for name, _, _ in tables if name in OPTIONAL),
    )


def _tables(connection: Connection) -> list[tuple[str, bool, bool]]:
    """Our tables: whether this role owns (or may become the owner of) each, and whether its wall is up and forced."""
    rows = connection.execute(
        "SELECT relname::text, pg_has_role(current_user, relowner, 'MEMBER'), relrowsecurity AND relforcerowsecurity"
        " FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname::text = ANY ($1::text[])"
        " AND relkind IN ('r', 'p') ORDER BY relname",
        ([*WALLED, *OPTIONAL],),
    ).fetchall()
    return [(row[0], row[1], row[2]) for row in rows]


def _may_maintain(connection: Connection, server: int, table: str) -> bool:
    if server < MAINTAIN_SINCE:
        return False
    row = connection.execute("SELECT has_table_privilege($1::regclass, 'MAINTAIN')", (table,)).fetchone()
    return bool(row and row[0])


def _version(connection: Connection) -> int:
    row = connection.execute("SELECT to_regclass('recollect_schema') IS NOT NULL").fetchone()
    if row is None or not row[0]:
        return 0
    found = connection.execute("SELECT coalesce(max(version), 0) FROM recollect_schema").fetchone()
    return int(found[0]) if found is not None else 0


def refuse_unusable(seen: Look, *, is_owner_allowed: bool) -> None:
    """Stop before a memory is opened on what could not work or would not be safe."""
    refuse_server(seen)
    newest = newest_version()
    if seen.version == 0:
        raise errors.StoreForeign(
            "This database holds no memory yet.",
            hint="Run `recollect db init` as its owner, then `recollect db role`.",
            reason="not_initialised",
        )
    if seen.version > newest:
        raise errors.StoreNewer(
            f"The database has schema version {seen.version}, this recollect knows {newest}.",
            hint="Install a newer recollect.",
        )
    if seen.version < newest:
        raise errors.StoreForeign(
            f"The database has schema version {seen.version}, this recollect needs {newest}.",
            hint="Run `recollect db migrate` as its owner.",
            reason="schema_older",
        )
    if seen.unwalled:
        raise errors.StoreDamaged(
            "The wall between tenants is down in this database.",
            hint="Run `recollect db check` to see where.",
            reason="wall_down",
        )
    if not is_owner_allowed and (seen.is_superuser or seen.passes_walls or seen.owns_tables):
        raise errors.StoreError(why_not_as(seen), hint=ROLE_HINT, reason="role_too_strong")


def refuse_server(seen: Look) -> None:
    """Stop on a server that could not work."""
    if seen.server < OLDEST_SERVER:
        raise errors.StoreError(
            f"The server is PostgreSQL {seen.server // 10_000}; at least {OLDEST_SERVER // 10_000} is needed.",
            hint="Upgrade the server.",
            reason="server_too_old",
        )
    if seen.is_read_only:
        raise errors.StoreReadOnly(
            "The server takes no writes: it is a read-only replica, or was set read-only.",
            hint="Name the primary, or list all hosts and add target_session_attrs=read-write.",
            reason="read_only_replica",
        )
    if seen.encoding != "UTF8":
        raise errors.StoreError(
            "The database does not store UTF-8.",
            hint="Create one with ENCODING 'UTF8' TEMPLATE template0.",
            reason="wrong_encoding",
        )


ROLE_HINT = "Run `recollect db role NAME` and connect as that role; or say allow_owner if you know why."


def why_not_as(seen: Look) -> str:
    """Why this role is too strong to serve a memory with."""
    if seen.is_superuser:
        return f"{seen.role!r} is a superuser: no wall between tenants holds for it."
    if seen.passes_walls:
        return f"{seen.role!r} may bypass row-level security: no wall between tenants holds for it."
    return f"{seen.role!r} owns the tables: it could take the walls between tenants down."


def migrate(url: str, *, is_first: bool) -> tuple[int, int]:
    """Bring the schema up to date, as its owner; from which version to which. `is_first` allows starting at none."""
    with connect(read_address(url)) as connection, translated():
        seen = look(connection)
        refuse_server(seen)
        if seen.version > newest_version():
            refuse_unusable(seen, is_owner_allowed=True)
        if seen.version == 0 and not is_first:
            refuse_unusable(seen, is_owner_allowed=True)
        if not seen.schema:
            raise errors.StoreForeign(
                "The schema named in the address does not exist.", hint="Create it first.", reason="no_such_schema"
            )
        with connection.transaction():
            # Of two that migrate at once, the second waits and then finds nothing to do.
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('recollect_schema', 0))")
            before = _version(connection)
            for number, script in migrations():
                if number > before:
                    connection.execute(script)
                    connection.execute("INSERT INTO recollect_schema (version) VALUES ($1)", (number,))
        return before, newest_version()


def make_role(url: str, name: str, password: str = "") -> bool:
    """Make or mend the restricted role of the application; whether it was made."""
    if not name or len(name.encode()) > ROLE_NAME_BYTES or "\0" in name:
        raise errors.InvalidInput("The role should have a name of at most 63 bytes.", reason="bad_role")
    with connect(read_address(url)) as connection, translated():
        seen = look(connection)
        refuse_unusable(seen, is_owner_allowed=True)
        with connection.transaction():
            known = connection.execute(
                "SELECT rolsuper OR rolbypassrls, pg_has_role(rolname, current_user, 'MEMBER') FROM pg_roles"
                " WHERE rolname = $1",
                (name,),
            ).fetchone()
            if known is not None and (known[0] or name == seen.role or known[1]):
                raise errors.StoreError(
                    f"{name!r} is a superuser, passes the walls or can become the owner.",
                    hint="Name another role; it should own nothing.",
                    reason="role_too_strong",
                )
            role = sql.Identifier(name)
            if known is None:
                connection.execute(sql.SQL("CREATE ROLE {} LOGIN NOINHERIT").format(role))
            if password:
                connection.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(role, sql.Literal(password)))
            _grant(connection, seen, role)
        return known is None


def _grant(connection: Connection, seen: Look, role: sql.Identifier) -> None:
    connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(sql.Identifier(seen.schema), role))
    for table, powers in GRANTS.items():
        known = (sql.Identifier(seen.schema, table), role)
        connection.execute(sql.SQL("REVOKE ALL ON {} FROM {}").format(*known))
        connection.execute(sql.SQL(f"GRANT {powers} ON {{}} TO {{}}").format(*known))
        if seen.server >= MAINTAIN_SINCE:
            # So that an erasure can vacuum what it deleted.
            connection.execute(sql.SQL("GRANT MAINTAIN ON {} TO {}").format(*known))
    nearest.grant(connection, seen.schema, role)


def make_vectors(url: str, dimensions: int) -> bool:
    """Make the approximate index, as the owner of the tables; whether it was made."""
    with connect(read_address(url)) as connection:
        seen = look(connection)
        refuse_unusable(seen, is_owner_allowed=True)
        if not (seen.is_superuser or seen.owns_tables):
            raise errors.StoreError(
                f"{seen.role!r} does not own the tables.",
                hint="Run `recollect db vectors` as their owner.",
                reason="not_owner",
            )
        return nearest.make_vectors(connection, dimensions)


def check(connection: Connection) -> list[str]:
    """What is wrong with the schema and the role, in words."""
    seen = look(connection)
    found: list[str] = []
    for judge in (refuse_server, lambda s: refuse_unusable(s, is_owner_allowed=True)):
        try:
            judge(seen)
        except errors.StoreError as error:
            found.append(f"{error.message} {error.hint}".strip())
            break
    if seen.is_superuser or seen.passes_walls or seen.owns_tables:
        found.append(why_not_as(seen))
    found.extend(f"The wall of {table} is down or not forced." for table in seen.unwalled)
    if seen.version == newest_version():
        found.extend(_missing_tables(connection))
    return found


def _missing_tables(connection: Connection) -> list[str]:
    with translated():
        rows = connection.execute(
            "SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL ORDER BY name", (list(GRANTS),)
        ).fetchall()
    return [f"The table {row[0]} is missing." for row in rows]


class Schema:
    """The owner's work on one database, as the command line asks for it."""

    def __init__(self, url: str) -> None:
        self._url = url

    def init(self) -> tuple[int, int]:
        """Make the tables; from which version to which."""
        return migrate(self._url, is_first=True)

    def migrate(self) -> tuple[int, int]:
        """Bring existing tables up to date; from which version to which."""
        return migrate(self._url, is_first=False)

    def role(self, name: str, password: str = "") -> bool:
        """Make or mend the restricted role; whether it was made."""
        return make_role(self._url, name, password)

    def vectors(self, dimensions: int) -> bool:
        """Make the approximate index over vectors; whether it was made."""
        return make_vectors(self._url, dimensions)

    def check(self) -> list[str]:
        """What is wrong, in words; empty when a memory can be opened safely."""
        with connect(read_address(self._url)) as connection:
            return check(connection)
