"""`pin`, `unpin`, `mark`, `confirm`, `correct`, `forget`, `unforget`, `promote`: what one can do to a memory by hand.

Never: reaches a memory of somebody else; a foreign id answers as a missing one does.
Spec: architecture "The public face"; rulings 3, 6, 7, 8, 22, 25.
"""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.surfaces.cli.address import At, Call, Group, ItemId, OkIfDenied, asks
from recollect.surfaces.cli.remember_commands import Text, read_words, tell

PANEL = "Govern"


def pin(call: Call, item_id: ItemId, at: At = "", ok_if_denied: OkIfDenied = False) -> None:
    """Always carry a memory; it is never archived and never expires."""
    with call.chat() as chat:
        tell(call, chat.pin(item_id, at=at or None), "pinned", ok_if_denied)


def unpin(call: Call, item_id: ItemId, at: At = "", ok_if_denied: OkIfDenied = False) -> None:
    """Let a pinned memory go back among the others."""
    with call.chat() as chat:
        tell(call, chat.unpin(item_id, at=at or None), "unpinned", ok_if_denied)


def mark(
    call: Call,
    item_id: ItemId,
    importance: Annotated[int, typer.Argument(help="From 0 to the policy's highest.")],
    at: At = "",
    ok_if_denied: OkIfDenied = False,
) -> None:
    """Set how important a memory is."""
    with call.chat() as chat:
        tell(call, chat.mark(item_id, importance, at=at or None), "marked", ok_if_denied)


def confirm(call: Call, item_id: ItemId, at: At = "", ok_if_denied: OkIfDenied = False) -> None:
    """Vouch for a memory: a confirmed copy takes its place. Lifts a quarantine."""
    with call.chat() as chat:
        tell(call, chat.confirm(item_id, at=at or None), "confirmed", ok_if_denied)


def correct(call: Call, item_id: ItemId, text: Text, at: At = "", ok_if_denied: OkIfDenied = False) -> None:
    """Say how it really is: the correction takes the memory's place.

    \b
    recollect correct user:me:profile:2 "Lives in Berlin"
    """
    words = read_words(text)
    with call.chat() as chat:
        tell(call, chat.correct(item_id, words, at=at or None), "corrected", ok_if_denied)


def forget(call: Call, item_id: ItemId, at: At = "", ok_if_denied: OkIfDenied = False) -> None:
    """Stop recalling a memory. It is archived; `unforget` brings it back."""
    with call.chat() as chat:
        tell(call, chat.forget(item_id, at=at or None), "forgotten", ok_if_denied)


def unforget(call: Call, item_id: ItemId, at: At = "", ok_if_denied: OkIfDenied = False) -> None:
    """Recall a forgotten memory again."""
    with call.chat() as chat:
        tell(call, chat.unforget(item_id, at=at or None), "brought back", ok_if_denied)


def promote(
    call: Call,
    item_id: ItemId,
    to: Annotated[str, typer.Option("--to", help="user, project or system.")],
    at: At = "",
    ok_if_denied: OkIfDenied = False,
) -> None:
    """Copy a memory to a wider space, if the policy allows.

    \b
    recollect promote user:me:semantic:5 --to project --project dashboard
    """
    with call.chat() as chat:
        tell(call, chat.promote(item_id, to, at=at or None), "promoted", ok_if_denied)


def mount(app: typer.Typer) -> None:
    """Give the app these commands."""
    for command in (pin, unpin, mark, confirm, correct, forget, unforget, promote):
        app.command(rich_help_panel=PANEL)(asks(Group.WHERE, Group.WHO)(command))
