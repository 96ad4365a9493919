"""How this process talks to a PostgreSQL server: one pool of checked connections, each with its brakes on.

1. A connection is checked when it is borrowed, by the statement that begins its transaction: a dead one is thrown
   away and another is taken, before anything was asked of it.
2. Every connection has a timeout for statements, for locks and for standing idle in a transaction, and a bounded life.
3. `commit` on the server waits for its disk, whatever the server's default is.
4. Every connection of the pool holds a lock of its own, by a number nobody else has: whoever gets that lock knows that
   the connection has ended on the server, and whatever it was doing with it.

Never: builds SQL from values, and never keeps a password in a message.
Spec: reliability.md.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from recollect import errors
from recollect.adapters.stores.postgres.trouble import in_words, refused_connection


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that knows by which lock its end can be seen; 0 outside a pool."""

    mark: int = 0


POOL_SIZE = 10
BORROW_SECONDS = 10
LIFETIME_SECONDS = 1_800
IDLE_SECONDS = 300
CONNECT_SECONDS = 10
# What the address itself sets in `options` comes after these and wins.
BRAKES = (
    "-c statement_timeout=60000 -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000"
    " -c synchronous_commit=on -c client_min_messages=warning -c timezone=UTC -c plan_cache_mode=force_generic_plan"
    " -c default_transaction_isolation=read\\ committed"
)
KEEPALIVE = {"keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3", "tcp_user_timeout": "30000"}
LOST = (psycopg.OperationalError, psycopg.InterfaceError)
# The pool tells its log of every failed try; it goes to whoever listens, and to nobody's terminal by itself.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


def read_address(url: str) -> str:
    """The address as libpq takes it, with our brakes; an error when it is none."""
    try:
        given = conninfo_to_dict(url)
    except psycopg.Error as error:
        raise errors.InvalidInput(
            "The address of the database cannot be read.",
            hint="It should look like postgresql://role@host:5432/database.",
            reason="bad_target",
        ) from RuntimeError(type(error).__name__)
    options = f"{BRAKES} {given.pop('options', None) or ''}".strip()
    given.setdefault("connect_timeout", str(CONNECT_SECONDS))
    given.setdefault("application_name", "recollect")
    return make_conninfo("", **{**KEEPALIVE, **given, "options": options})


def connect(address: str) -> Connection:
    """One connection of its own, for looking and for the owner's work."""
    try:
        return Connection.connect(address, autocommit=True, cursor_factory=psycopg.RawCursor)
    except psycopg.Error as error:
        raise refused_connection(error) from RuntimeError(type(error).__name__)


def _mark(connection: Connection) -> None:
    connection.mark = int.from_bytes(os.urandom(8), "big", signed=True)
    connection.execute("SELECT pg_advisory_lock($1)", (connection.mark,))


class Pool:
    """The connections of one process."""

    def __init__(self, address: str, size: int = POOL_SIZE, borrow_seconds: float = BORROW_SECONDS) -> None:
        self._address = address
        self._borrow_seconds = borrow_seconds
        self.size = size
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            address,
            connection_class=Connection,
            configure=_mark,
            kwargs={"autocommit": True, "cursor_factory": psycopg.RawCursor},
            min_size=0,
            max_size=size,
            max_lifetime=LIFETIME_SECONDS,
            max_idle=IDLE_SECONDS,
            timeout=borrow_seconds,
            reconnect_timeout=borrow_seconds,
            name="recollect",
            open=True,
        )

    @contextmanager
    def borrowed(self) -> Iterator[Connection]:
        """A connection for one transaction. It comes back clean, or is thrown away."""
        connection = self.take()
        try:
            yield connection
        finally:
            self.give_back(connection)

    def take(self) -> Connection:
        """A connection out of the pool; the caller gives it back."""
        try:
            return self._wait_for_one()
        except PoolClosed as error:
            raise errors.StoreClosed("The memory was closed.", hint="Open it again.") from error
        except psycopg.Error as error:
            raise in_words(error) from RuntimeError(type(error).__name__)

    def _wait_for_one(self) -> Connection:
        try:
            return self._pool.getconn(timeout=self._borrow_seconds)
        except PoolTimeout:
            # Waiting in vain means that all are in use, or that the server took nobody: ask it which.
            if self._pool.get_stats().get("pool_size", 0) >= self.size:
                raise
            connect(self._address).close()
        # It does take somebody by now; the pool only pauses ever longer between its tries.
        return self._pool.getconn(timeout=self._borrow_seconds)

    def give_back(self, connection: Connection) -> None:
        """Return a connection, whatever became of it."""
        self._pool.putconn(connection)

    def look_over(self) -> None:
        """After a cut: throw away every idle connection that is dead, so that nobody else stumbles over it."""
        self._pool.check()

    def stats(self) -> dict[str, int]:
        """What the pool counts, for metrics."""
        return dict(self._pool.get_stats())

    def close(self) -> None:
        """Give all connections back."""
        self._pool.close()
