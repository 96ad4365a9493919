"""`ask` and `chat`: a question to the configured model with what the memory brings, and what was kept and why.

Never: sends anything before the ceiling was looked at; prints a model's words but through `safe`.
Spec: document 002, section 12 and the safety part.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.errors import LimitExceeded, ModelError, RecollectError
from recollect.surfaces.cli.address import Call, Group, asks

if TYPE_CHECKING:
    from recollect.engine.ask import Reply
    from recollect.engine.session import Session

PANEL = "Ask"
HELP = """/why            what was kept, dropped and why, with the tokens of each
/important ID   mark a memory important
/lock FILE...   show these files and the recent turns only; /unlock ends it
/files FILE...  show these files; /files alone shows none
/off FILE...    leave these files out, with all that points at them
/trace          the trace of the last recall, in plain words
/prompt         the whole prompt of the last question
/breakers       the state of every model's breaker
/quit           leave"""

Files = Annotated[list[str] | None, typer.Option("--file", help="Show this file as ❖ FILES. Repeat.")]
Lock = Annotated[bool | None, typer.Option("--lock/--no-lock", help="Files and recent turns only.")]


def ask(
    call: Call,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="The question.")],
    file: Files = None,
    lock: Lock = None,
    deadline_ms: Annotated[int | None, typer.Option("--deadline-ms", help="Give up after this long.")] = None,
    why: Annotated[bool, typer.Option("--why", help="Show what was kept and left out, and why.")] = False,
) -> None:
    """Ask the configured model with what the memory brings; without a model, print the prompt to use.

    \b
    RECOLLECT_MODEL_URL=http://127.0.0.1:8080/v1 RECOLLECT_MODEL=local recollect ask "what did we pick for billing?"
    """
    with call.chat(may_create=True) as chat:
        listener = _listener(call)
        reply = chat.ask(question, files=file or [], lock=lock, deadline_ms=deadline_ms, on_piece=listener)
    _show(call, reply, is_heard=listener is not None, why=why)
    if reply.status == "refused":
        raise typer.Exit(LimitExceeded.exit_code)
    if reply.status == "failed":
        raise typer.Exit(ModelError.exit_code)


def chat(call: Call, file: Files = None, lock: Lock = None) -> None:
    """Talk with the configured model; `/help` lists the commands. With --json: one object for each question.

    \b
    recollect chat --session monday --file src/app.py
    """
    with call.chat(may_create=True) as session:
        talk = Talk(call=call, session=session, files=list(file or ()), lock=lock)
        for line in _lines(call):
            try:
                if not talk.hear(line):
                    return
            except RecollectError as error:
                call.printer.error(error)


@dataclass(slots=True, kw_only=True)
class Talk:
    """A conversation in the terminal, and what its commands have set."""

    call: Call
    session: Session
    files: list[str] = field(default_factory=list)
    off: list[str] = field(default_factory=list)
    lock: bool | None = None
    last: Reply | None = None

    def hear(self, line: str) -> bool:
        """One line; false when it ends the talk."""
        words = line.split()
        if not words:
            return True
        if not line.startswith("/"):
            self._ask(line)
            return True
        if words[0] == "/quit":
            return False
        command = COMMANDS.get(words[0], Talk._help)
        command(self, words[1:])
        return True

    def _ask(self, question: str) -> None:
        listener = _listener(self.call)
        self.last = self.session.ask(question, files=self.files, off=self.off, lock=self.lock, on_piece=listener)
        _show(self.call, self.last, is_heard=listener is not None, why=False, is_talk=True)

    def _help(self, given: list[str]) -> None:
        self.call.printer.note(HELP)

    def _why(self, given: list[str]) -> None:
        from recollect.surfaces.cli.show import why_view

        if self.last is not None:
            self.call.printer.show(*why_view(self.last.context))

    def _important(self, given: list[str]) -> None:
        if not given:
            self.call.printer.note("Which one? /important ID; /why shows the ids.")
            return
        highest = 3
        for item_id in given:
            self.session.mark(item_id, highest)
        self.call.printer.note(f"marked: {', '.join(given)}")

    def _lock(self, given: list[str]) -> None:
        self.files, self.lock = given or self.files, True
        self.call.printer.note(f"locked onto {', '.join(self.files) or 'the recent turns'}")

    def _unlock(self, given: list[str]) -> None:
        self.lock = False
        self.call.printer.note("unlocked")

    def _files(self, given: list[str]) -> None:
        self.files = given
        self.call.printer.note(f"files shown: {', '.join(given) or 'none'}")

    def _off(self, given: list[str]) -> None:
        self.off = given
        self.call.printer.note(f"files left out: {', '.join(given) or 'none'}")

    def _trace(self, given: list[str]) -> None:
        from recollect.core.plain import plain

        for event in self.last.context.trace if self.last is not None else ():
            self.call.printer.text(plain(event))

    def _prompt(self, given: list[str]) -> None:
        if self.last is not None:
            self.call.printer.text(self.last.prompt.text)

    def _breakers(self, given: list[str]) -> None:
        for name, told in self.session.breakers().items():
            self.call.printer.note(f"{name}: {told['state']}, failures {told['failures']} {told['last_reason']}")


COMMANDS: dict[str, Callable[[Talk, list[str]], None]] = {
    "/why": Talk._why,
    "/important": Talk._important,
    "/lock": Talk._lock,
    "/unlock": Talk._unlock,
    "/files": Talk._files,
    "/off": Talk._off,
    "/trace": Talk._trace,
    "/prompt": Talk._prompt,
    "/breakers": Talk._breakers,
}


def _lines(call: Call) -> Iterator[str]:
    """What is typed, or what a pipe holds."""
    while True:
        if sys.stdin.isatty() and not call.as_json:
            sys.stderr.write("you> ")
            sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            return
        yield line.strip()


def _listener(call: Call) -> Callable[[str], None] | None:
    """Prints an answer as it comes, where a person watches."""
    from recollect.surfaces.cli.safe import visible

    if call.as_json or not call.printer.console.is_terminal:
        return None

    def hear(piece: str) -> None:
        sys.stdout.write(visible(piece))
        sys.stdout.flush()

    return hear


def _show(call: Call, reply: Reply, *, is_heard: bool, why: bool, is_talk: bool = False) -> None:
    from recollect.surfaces.cli.show import context_footer, why_view

    printer = call.printer
    if call.as_json:
        printer.json(reply.to_dict())
        return
    if reply.status == "answered":
        printer.text("\n" if is_heard else reply.text)
    elif reply.status == "refused":
        printer.note(f"Refused before any call ({reply.reason}): it would take {reply.tokens_needed} tokens.")
    elif reply.status == "failed" and is_talk:
        printer.note(f"No model answered ({reply.reason}). /prompt shows what was asked.")
    else:
        if reply.status == "failed":
            printer.note(f"No model answered ({reply.reason}). This is the prompt:")
        printer.text(reply.prompt.text)
    for told in (*reply.notes, *(f"fallback: {each}" for each in reply.fallbacks)):
        printer.note(told)
    if why:
        printer.show(*why_view(reply.context))
    if why or printer.console.is_terminal:
        printer.show(context_footer(reply.context))


def mount(app: typer.Typer) -> None:
    """Give the app these commands."""
    for name, command in (("ask", ask), ("chat", chat)):
        app.command(name, rich_help_panel=PANEL)(asks(Group.WHERE, Group.WHO)(command))
