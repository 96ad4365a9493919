"""`remember`, `fact`, `rule`: words go in, a receipt comes out.

Never: reads more of a text than recollect takes; never stores the first line of a file whose last is wrong.
Spec: architecture "The public face": the same words as `session.remember`, `remember_fact`, `add_rule`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.errors import InvalidInput
from recollect.surfaces.cli.address import (
    At,
    Call,
    CommandId,
    Group,
    OkIfDenied,
    Private,
    asks,
    stop_if_denied,
)

if TYPE_CHECKING:
    from recollect.engine.receipt import Receipt

PANEL = "Remember"

Text = Annotated[str, typer.Argument(metavar="TEXT", help="The words; `-` reads them from stdin.")]
OptionalText = Annotated[str, typer.Argument(metavar="TEXT", help="The words; `-` reads them from stdin.")]
BatchFile = Annotated[str, typer.Option("--file", metavar="JSONL", help="Remember one turn per line; `-` is stdin.")]
Skip = Annotated[int, typer.Option("--skip", min=0, help="With --file: leave out this many turns.")]
Role = Annotated[str, typer.Option("--role", help="user, assistant, tool or system.")]
Speaker = Annotated[str, typer.Option("--speaker", help="The name of who spoke.")]
Ref = Annotated[str, typer.Option("--ref", help="Your own id of the message.")]
Source = Annotated[str, typer.Option("--source", help="chat, tool, web, import, file or external, with a :detail.")]
Tool = Annotated[str, typer.Option("--tool", help="The tool that spoke.")]
AboutFile = Annotated[list[str] | None, typer.Option("--about-file", metavar="PATH", help="A file it names. Repeat.")]
Meta = Annotated[list[str] | None, typer.Option("--meta", metavar="KEY=VALUE", help="Carried along. Repeat.")]


def remember(
    call: Call,
    text: OptionalText = "",
    file: BatchFile = "",
    skip: Skip = 0,
    role: Role = "user",
    speaker: Speaker = "",
    at: At = "",
    ref: Ref = "",
    source: Source = "",
    tool: Tool = "",
    about_file: AboutFile = None,
    meta: Meta = None,
    private: Private = False,
    command_id: CommandId = "",
    ok_if_denied: OkIfDenied = False,
) -> None:
    """Remember a turn: in the window, as an episode, and the facts in it, as the policy allows.

    \b
    recollect remember "We decided to use Postgres for billing." --ref msg-17
    git log -1 --format=%B | recollect remember - --source file:commit
    recollect remember --file chat.jsonl --session monday
    """
    if bool(text) == bool(file):
        raise InvalidInput("Say what to remember.", hint="Give TEXT, `-` for stdin, or --file.", reason="no_text")
    if file:
        from recollect.surfaces.cli.batch import remember_file

        remember_file(call, file, skip=skip, command_id=command_id, ok_if_denied=ok_if_denied)
        return
    words = read_words(text)
    with call.chat(may_create=True) as chat:
        receipt = chat.remember(
            words,
            role=role,
            speaker=speaker,
            at=at or None,
            ref=ref,
            source=source,
            tool=tool,
            files=about_file or (),
            meta=_pairs(meta or []),
            private=private,
            command_id=command_id,
        )
        tell(call, receipt, "remembered", ok_if_denied)


def fact(
    call: Call,
    text: Text,
    key: Annotated[str, typer.Option("--key", help="A later fact with this key meets this one, by rule.")] = "",
    private: Private = False,
    at: At = "",
    ref: Ref = "",
    command_id: CommandId = "",
    ok_if_denied: OkIfDenied = False,
) -> None:
    """State a lasting fact.

    \b
    recollect fact "Ships from Rotterdam" --key warehouse
    """
    words = read_words(text)
    with call.chat(may_create=True) as chat:
        receipt = chat.remember_fact(words, key=key, private=private, at=at or None, ref=ref, command_id=command_id)
        tell(call, receipt, "stated", ok_if_denied)


def rule(
    call: Call,
    text: Text,
    private: Private = False,
    at: At = "",
    command_id: CommandId = "",
    ok_if_denied: OkIfDenied = False,
) -> None:
    """Add a standing rule: it heads every context until it is forgotten.

    \b
    recollect rule "Answer in British English."
    """
    words = read_words(text)
    with call.chat(may_create=True) as chat:
        tell(call, chat.add_rule(words, private=private, at=at or None, command_id=command_id), "added", ok_if_denied)


def read_words(text: str) -> str:
    """The argument itself, or stdin for `-`, without the line feed the shell added."""
    if text != "-":
        return text
    from recollect.engine.door import TEXT_BYTES

    # One byte too many is enough to be refused; reading on would only fill memory.
    words = sys.stdin.buffer.read(TEXT_BYTES + 2).decode("utf-8", "replace")
    return words.removesuffix("\n").removesuffix("\r")


def tell(call: Call, receipt: Receipt, done: str, ok_if_denied: bool) -> None:
    """A receipt, for people or programs, and the exit code of a denial."""
    if call.as_json:
        items = [item.to_wire() for item in receipt.items]
        call.printer.json({**receipt.to_dict(), "ids": list(receipt.ids), "items": items, "why": _why(receipt)})
    else:
        from recollect.surfaces.cli.show import receipt_view

        call.printer.show(*receipt_view(receipt, done))
    stop_if_denied(receipt.status == "denied", ok_if_denied)


def _why(receipt: Receipt) -> list[Mapping[str, object]]:
    """The trace without the policy and the borders that were open: what a program wants to know about a write."""
    told = [event for event in receipt.trace if event.get("allowed") is not True and event["type"] != "memory_write"]
    return [{key: value for key, value in event.items() if key != "policy_snapshot"} for event in told]


def _pairs(given: list[str]) -> dict[str, object]:
    pairs: dict[str, object] = {}
    for each in given:
        key, sign, value = each.partition("=")
        if not key or not sign:
            raise InvalidInput("--meta should be KEY=VALUE.", reason="bad_meta")
        pairs[key] = value
    return pairs


def mount(app: typer.Typer) -> None:
    """Give the app these commands."""
    for command in (remember, fact, rule):
        app.command(rich_help_panel=PANEL)(asks(Group.WHERE, Group.WHO)(command))
