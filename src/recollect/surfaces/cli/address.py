"""The options every command shares, and the Call they become.

    where   --db  --policy  --tenant              which memory, under which policy
    who     --user  --session  --persona  --project   whose memory, in which conversation
    always  --json

`asks(...)` gives a command those options without repeating them in each signature, hands it one Call, and turns
what goes wrong into the lines, the JSON and the exit code of the error tree.

Never: swallows an error that is not ours; never makes a database for a question.
Spec: errors.py (exit codes); settings.py (where the database is when nobody says).
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Concatenate, ParamSpec

import typer

from recollect.errors import NotFound, RecollectError, Refused
from recollect.surfaces.cli.printer import Printer

if TYPE_CHECKING:
    from recollect.engine.memory import Memory
    from recollect.engine.session import Session
    from recollect.settings import Settings

P = ParamSpec("P")
INTERRUPTED = 130
# What a shell reports for a program that a closed pipe ended.
PIPE_CLOSED = 141


class Group(Enum):
    """Which shared options a command takes."""

    WHERE = "where"
    POLICY = "policy"
    WHO = "who"


def _option(name: str, default: object, kind: type, told: str, panel: str = "") -> inspect.Parameter:
    flag = "--json" if name == "as_json" else f"--{name}"
    info = typer.Option(flag, help=told, rich_help_panel=panel or None, show_default=bool(default))
    annotation = Annotated[kind, info]  # type: ignore[valid-type]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


_MEMORY, _SPEAKER = "Which memory", "Whose memory"
_POLICY = _option("policy", "", str, "A preset or a TOML file; else RECOLLECT_POLICY, default.", _MEMORY)
SHARED: dict[Group, tuple[inspect.Parameter, ...]] = {
    Group.WHERE: (
        _option("db", "", str, "A file or postgresql://…; else RECOLLECT_DB, recollect.toml, memory.db.", _MEMORY),
        _POLICY,
        _option("tenant", "default", str, "The wall around everything.", _MEMORY),
    ),
    Group.POLICY: (_POLICY,),
    Group.WHO: (
        _option("user", "me", str, "Who owns what is remembered.", _SPEAKER),
        _option("session", "", str, "The conversation.", _SPEAKER),
        _option("persona", "", str, "The assistant's face.", _SPEAKER),
        _option("project", "", str, "A memory shared by those who work on it.", _SPEAKER),
    ),
}
ALWAYS = (_option("as_json", False, bool, "Print JSON and nothing else."),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One command at work: where, who, and how it answers."""

    printer: Printer
    db: str = ""
    policy: str = ""
    tenant: str = "default"
    user: str = "me"
    session: str = ""
    persona: str = ""
    project: str = ""

    @property
    def as_json(self) -> bool:
        return self.printer.as_json

    @contextmanager
    def memory(self, *, may_create: bool = False) -> Iterator[Memory]:
        """The memory this call is about; a question does not make one where there is none."""
        from recollect import Memory

        settings = self.settings()
        if not may_create and names_file(settings.db) and not Path(settings.db).exists():
            raise NotFound(
                f"There is no memory at {settings.db!r} yet.",
                hint="`recollect remember` makes it; or name another with --db.",
                reason="no_database",
            )
        options = {
            "policy": settings.policy,
            "index_mb": settings.index_mb,
            "allow_owner": settings.allow_owner,
            "approximate": settings.approximate,
        }
        with Memory.open(settings.db, **options, **settings.aids) as memory:
            yield memory

    @contextmanager
    def chat(self, *, may_create: bool = False) -> Iterator[Session]:
        """The session this call speaks in."""
        with self.memory(may_create=may_create) as memory:
            yield memory.session(
                user=self.user,
                session=self.session,
                persona=self.persona,
                project=self.project,
                tenant=self.tenant,
            )

    def settings(self) -> Settings:
        """The settings of this process, with this call's own words first."""
        from recollect.settings import read_settings

        read = read_settings()
        return replace(read, db=self.db or read.db, policy=self.policy or read.policy)


def names_file(db: str) -> bool:
    """Whether a target is a file; the others are for the store to judge."""
    return db != ":memory:" and "://" not in db


def asks(*groups: Group) -> Callable[[Callable[Concatenate[Call, P], None]], Callable[..., None]]:
    """Give a command the shared options of these groups, and a Call as its first argument."""
    shared = [parameter for group in groups for parameter in SHARED[group]]

    def wrap(command: Callable[Concatenate[Call, P], None]) -> Callable[..., None]:
        own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]

        @functools.wraps(command)
        def run(*args: P.args, **kwargs: P.kwargs) -> None:
            given = {parameter.name: str(kwargs.pop(parameter.name, parameter.default)) for parameter in shared}
            printer = Printer(as_json=bool(kwargs.pop("as_json", False)))
            with told(printer):
                command(Call(printer=printer, **given), *args, **kwargs)

        parameters = [*(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own), *shared, *ALWAYS]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return wrap


@contextmanager
def told(printer: Printer) -> Iterator[None]:
    """Our errors as lines and an exit code, Ctrl-C as 130, a closed pipe as silence; anything else goes up."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except RecollectError as error:
        printer.error(error)
        raise typer.Exit(type(error).exit_code) from error
    except KeyboardInterrupt as error:
        if sys.stderr.isatty():
            sys.stderr.write("\n")
        raise typer.Exit(INTERRUPTED) from error
    except BrokenPipeError as error:
        # What is still buffered would complain once more when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(PIPE_CLOSED) from error


def stop_if_denied(is_denied: bool, ok_if_denied: bool) -> None:
    """A denial is an answer, but a script should notice it."""
    if is_denied and not ok_if_denied:
        raise typer.Exit(Refused.exit_code)


# Options several commands share word for word.
At = Annotated[str, typer.Option("--at", metavar="TIME", help="When it was said or done (ISO); else now.")]
CommandId = Annotated[str, typer.Option("--command-id", help="Repeating it changes nothing.")]
Private = Annotated[bool, typer.Option("--private", help="Keep it to this persona.")]
OkIfDenied = Annotated[bool, typer.Option("--ok-if-denied", help="Exit 0 when the policy says no.")]
SpaceName = Annotated[str, typer.Option("--space", help="session, user, project or system.")]
ItemId = Annotated[str, typer.Argument(metavar="ID", help="The memory's id, as `list` shows it.")]
