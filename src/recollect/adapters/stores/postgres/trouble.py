"""PostgreSQL's errors in our words: what was wrong, and what to do.

None of them quotes a statement, a value or a password.

Never: decides whether to try again; `retryable` on the error says whether somebody may.
Spec: reliability.md "Outcomes of a write".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from psycopg_pool import PoolTimeout

from recollect import errors

Make = Callable[[], errors.StoreError]

# By SQLSTATE, the longest prefix first.
STATES: dict[str, Make] = {
    "23": lambda: errors.StoreError("The database refused an inconsistent write.", reason="constraint"),
    "25006": lambda: errors.StoreReadOnly(
        "The server takes no writes: it is a read-only replica, or was set read-only.",
        hint="Name the primary, or list all hosts and add target_session_attrs=read-write.",
        reason="read_only_replica",
    ),
    "25P03": lambda: _lost("The server ended a transaction that stood still for too long."),
    "28P01": lambda: _unreachable("wrong_password"),
    "28": lambda: _unreachable("not_allowed_in"),
    "3D000": lambda: _unreachable("no_such_database"),
    "40": lambda: _busy("Two writers stood in each other's way."),
    "42501": lambda: errors.StoreReadOnly(
        "The role may not do this in the database.",
        hint="Run `recollect db role` as the owner to give it what it needs.",
        reason="missing_grant",
    ),
    "42": lambda: errors.StoreDamaged(
        "The database does not have the tables it should have.", hint="Run `recollect db check`.", reason="schema"
    ),
    "53100": lambda: errors.StoreFull(
        "The server's disk is full; nothing was written.", hint="Free some space on the server and repeat."
    ),
    "53": lambda: _busy("The server has no room for another connection or for this statement.", "server_exhausted"),
    "55P03": lambda: _busy("Another writer holds this memory."),
    "57014": lambda: _busy("The statement took longer than the server allows.", "statement_timeout"),
    "57P": lambda: _lost("The server is shutting down or starting."),
    "57": lambda: _lost("The server stopped the statement."),
    "58": lambda: errors.StoreError("The server's disk did not do what was asked.", reason="io"),
    "08": lambda: _lost("The connection was cut."),
    "XX": lambda: errors.StoreDamaged(
        "The server says its data is damaged.", hint="Look at the server's log and its disk.", reason="server_damaged"
    ),
}

# What a refused connection says, in the words of libpq; the rest of the message may name hosts and is left out.
GREETINGS: tuple[tuple[str, str], ...] = (
    ("password authentication failed", "wrong_password"),
    ("no password supplied", "wrong_password"),
    ("no pg_hba.conf entry", "not_allowed_in"),
    ("does not exist", "no_such_database"),
    ("too many clients", "server_exhausted"),
    ("remaining connection slots", "server_exhausted"),
    ("too many connections", "server_exhausted"),
    ("session is read-only", "read_only_replica"),
    ("the database system is", "starting"),
    ("could not translate host name", "no_such_host"),
    ("failed to resolve host", "no_such_host"),
    ("connection refused", "nobody_listens"),
    ("no such file or directory", "nobody_listens"),
    ("timeout", "no_answer"),
)
SENTENCES: dict[str, tuple[str, str]] = {
    "wrong_password": (
        "The server did not accept the password of this role.",
        "Check the role and the password in the address, or PGPASSWORD, or ~/.pgpass.",
    ),
    "not_allowed_in": (
        "The server does not let this role in from here.",
        "Ask for a line in the server's pg_hba.conf, or use another role.",
    ),
    "no_such_database": (
        "The server has no such database or role.",
        "Create it, or correct the address; then run `recollect db init`.",
    ),
    "no_such_host": ("The host in the address cannot be found.", "Check the spelling of the address."),
    "nobody_listens": (
        "Nothing listens at this host and port.",
        "Start the server, or correct the host and port in the address.",
    ),
    "no_answer": ("The server did not answer in time.", "Check the network, the firewall and the address."),
    "starting": ("The server is starting or stopping.", "Try again in a moment."),
    "server_exhausted": ("The server has no connection left.", "Raise max_connections, or run fewer processes."),
    "read_only_replica": (
        "Every server in the address is a read-only replica.",
        "Name the primary, or list all hosts and add target_session_attrs=read-write.",
    ),
    "unreachable": ("The server could not be reached.", "Check the address with `recollect doctor`."),
}


def _unreachable(reason: str) -> errors.StoreError:
    sentence, hint = SENTENCES[reason]
    kind = {
        "server_exhausted": errors.StoreBusy,
        "starting": errors.StoreLost,
        "read_only_replica": errors.StoreReadOnly,
    }
    return kind.get(reason, errors.StoreUnreachable)(sentence, hint=hint, reason=reason)


def _busy(sentence: str, reason: str = "") -> errors.StoreError:
    return errors.StoreBusy(sentence, hint="Try again; nothing was changed.", reason=reason)


def _lost(sentence: str) -> errors.StoreError:
    return errors.StoreLost(sentence, hint="Nothing was changed; try again.")


def in_words(error: psycopg.Error) -> errors.StoreError:
    """What an error of the driver means."""
    if isinstance(error, PoolTimeout):
        return _busy("All connections of this process are in use.", "pool_exhausted")
    state = error.sqlstate or ""
    for length in (5, 3, 2):
        if state[:length] in STATES:
            return STATES[state[:length]]()
    if isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)) and not state:
        return _lost("The connection was cut.")
    return errors.StoreError("The database could not do it.", reason=type(error).__name__)


def refused_connection(error: psycopg.Error) -> errors.StoreError:
    """Why a connection could not be made."""
    if error.sqlstate:
        return in_words(error)
    said = str(error).lower()
    return _unreachable(next((reason for words, reason in GREETINGS if words in said), "unreachable"))


@contextmanager
def translated() -> Iterator[None]:
    """The driver's errors in our words."""
    try:
        yield
    except psycopg.Error as error:
        raise in_words(error) from kind_of(error)
    except UnicodeDecodeError:
        raise errors.StoreDamaged("A stored text is not UTF-8.", hint="Run `recollect verify`.") from None


def kind_of(error: psycopg.Error) -> Exception:
    """What may stand in a traceback: the kind of error and its state, never its text, which can quote a row."""
    return RuntimeError(f"{type(error).__name__} {error.sqlstate or ''}".strip())
