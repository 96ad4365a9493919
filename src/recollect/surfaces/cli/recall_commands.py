"""`recall`, `search`, `list`, `show`: asking, without leaving a mark.

Never: changes anything, and never makes a database.
Spec: architecture "The public face"; law 5 (recall and search change nothing at all).
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.errors import InvalidInput, LimitExceeded
from recollect.surfaces.cli.address import Call, Group, ItemId, asks

if TYPE_CHECKING:
    from recollect.engine.context import Context

PANEL = "Recall"
NEAR_MISSES = 3

Query = Annotated[str, typer.Argument(metavar="QUERY", help="The question.")]
Kind = Annotated[str, typer.Option("--kind", help="short_term, semantic or profile.")]
EventType = Annotated[str, typer.Option("--type", help="preference, decision, fact, correction, …")]
FromSession = Annotated[str, typer.Option("--from-session", help="Only what came from this conversation.")]
Ref = Annotated[str, typer.Option("--ref", help="Only what has this message id.")]
Pinned = Annotated[bool | None, typer.Option("--pinned/--not-pinned", help="Only what is, or is not, pinned.")]


def recall(
    call: Call,
    query: Query,
    budget_tokens: Annotated[int | None, typer.Option("--budget-tokens", help="The most it may take.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", help="The most episodes it may bring.")] = None,
    at: Annotated[str, typer.Option("--at", metavar="TIME", help="Ask as if it were then.")] = "",
    as_of: Annotated[str, typer.Option("--as-of", metavar="TIME", help="What was believed then.")] = "",
    deadline_ms: Annotated[int | None, typer.Option("--deadline-ms", help="Leave out what takes longer.")] = None,
    file: Annotated[
        list[str] | None, typer.Option("--file", help="Show this file, or what a pattern finds, as ❖ FILES. Repeat.")
    ] = None,
    off: Annotated[
        list[str] | None, typer.Option("--off", help="Leave this file out, with all that points at it. Repeat.")
    ] = None,
    lock: Annotated[
        bool | None, typer.Option("--lock/--no-lock", help="Files and recent turns only; else as the policy says.")
    ] = None,
    override: Annotated[
        list[str] | None,
        typer.Option("--override", metavar="KEY=VALUE", help="A policy value for this call: recall.top_k=3. Repeat."),
    ] = None,
    why: Annotated[bool, typer.Option("--why", help="Show what was kept and left out, and why.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show the trace of this recall, in Plain view.")] = False,
) -> None:
    """Bring back what helps with a question: the text to put into a prompt.

    \b
    recollect recall "what did we pick for billing?" --why
    recollect recall "billing" --budget-tokens 800 --json | jq -r .text
    """
    with call.chat() as chat:
        context = chat.recall(
            query,
            budget_tokens=budget_tokens,
            limit=limit,
            at=at or None,
            as_of=as_of or None,
            deadline_ms=deadline_ms,
            files=file or [],
            off=off or [],
            lock=lock,
            overrides=_overrides(override or []),
        )
    if call.as_json:
        call.printer.json({**context.to_dict(), **({"trace": context.trace} if trace else {})})
    else:
        _show_context(call, context, why=why, trace=trace)
    if context.status == "refused":
        raise typer.Exit(LimitExceeded.exit_code)


def _show_context(call: Call, context: Context, *, why: bool, trace: bool) -> None:
    from recollect.core.plain import plain
    from recollect.surfaces.cli.show import context_footer, why_view

    printer = call.printer
    if context.text:
        printer.text(context.text)
    if context.status == "refused":
        needed = f"The recent turns{' and the locked files' if context.is_locked else ' alone'}"
        printer.note(f"{needed} need {context.tokens_needed} tokens; nothing was brought back.")
    if why:
        printer.show(*why_view(context))
    # In a pipe the text stands alone, ready for a prompt.
    if why or printer.console.is_terminal:
        printer.show(context_footer(context))
    for event in context.trace if trace else ():
        printer.text(f"\n{plain(event)}")


def search(
    call: Call,
    query: Query,
    limit: Annotated[int, typer.Option("--limit", help="The most hits.")] = 10,
    kind: Kind = "",
    event_type: EventType = "",
    from_session: FromSession = "",
    ref: Ref = "",
    pinned: Pinned = None,
    why: Annotated[bool, typer.Option("--why", help="Show what each score is made of, and the near misses.")] = False,
) -> None:
    """Rank the memories that match a question, best first.

    \b
    recollect search "postgres" --type decision
    recollect search "who is Maria?" --why
    """
    with call.chat() as chat:
        found = chat.search(
            query,
            limit=limit,
            kind=kind,
            event_type=event_type,
            session=from_session,
            ref=ref,
            pinned=pinned,
            misses=NEAR_MISSES if why else 0,
        )
    hits, missed = [hit for hit in found if not hit.lacked], [hit for hit in found if hit.lacked]
    if call.as_json:
        told = {"near_misses": [hit.to_dict() for hit in missed]} if why else {}
        call.printer.json({"hits": [hit.to_dict() for hit in hits], **told})
        return
    from recollect.surfaces.cli.show import hits_view
    from recollect.surfaces.cli.why import search_why

    if not hits:
        call.printer.note("Nothing matches.")
    elif why:
        call.printer.show(*search_why(hits, missed))
    else:
        call.printer.show(hits_view(hits))


def list_memories(
    call: Call,
    space: Annotated[str, typer.Option("--space", help="session, user, project or system; else all.")] = "",
    kind: Kind = "",
    status: Annotated[str, typer.Option("--status", help="active, archived, quarantined or all.")] = "active",
    event_type: EventType = "",
    from_session: FromSession = "",
    ref: Ref = "",
    pinned: Pinned = None,
    contains: Annotated[str, typer.Option("--contains", help="Only what has these letters.")] = "",
    limit: Annotated[int, typer.Option("--limit", help="The most on one page.")] = 50,
    cursor: Annotated[str, typer.Option("--cursor", help="Where the next page begins.")] = "",
) -> None:
    """List memories, page by page.

    \b
    recollect list --kind profile
    recollect list --status quarantined --json
    """
    with call.chat() as chat:
        page = chat.list(
            space=space,
            kind=kind,
            status=status,
            event_type=event_type,
            session=from_session,
            ref=ref,
            pinned=pinned,
            contains=contains,
            limit=limit,
            cursor=cursor,
        )
    if call.as_json:
        call.printer.json({"items": [item.to_wire() for item in page], "cursor": page.cursor})
        return
    from recollect.surfaces.cli.show import items_view

    if page.items:
        call.printer.show(items_view(page.items))
    else:
        call.printer.note("Nothing here.")
    if page.cursor:
        call.printer.note(f"There is more: --cursor {page.cursor}")


def show(call: Call, item_id: ItemId) -> None:
    """Show one memory whole: its text, where it came from, its standing, its reasons.

    \b
    recollect show user:me:profile:1
    """
    with call.chat() as chat:
        item = chat.get(item_id)
    if call.as_json:
        call.printer.json(item.to_wire())
        return
    from recollect.surfaces.cli.show import item_view

    call.printer.show(*item_view(item))


def _overrides(given: list[str]) -> Mapping[str, object] | None:
    """`recall.top_k=3` as nested policy data; a value is TOML, and what is not TOML is a string."""
    merged: dict[str, object] = {}
    for each in given:
        key, sign, value = each.partition("=")
        try:
            read = tomllib.loads(f"{key} = {value}")
        except tomllib.TOMLDecodeError:
            read = _quoted(key, value)
        if not sign or "\n" in each:
            raise InvalidInput("--override should be KEY=VALUE.", reason="bad_override")
        _lay(merged, read)
    return merged or None


def _quoted(key: str, value: str) -> dict[str, object]:
    try:
        return tomllib.loads(f"{key} = {json.dumps(value)}")
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput("--override should be KEY=VALUE.", reason="bad_override") from error


def _lay(held: dict[str, object], over: Mapping[str, object]) -> None:
    """Put nested data over nested data."""
    for key, value in over.items():
        below = held.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            _lay(below, value)
        else:
            held[key] = value


def mount(app: typer.Typer) -> None:
    """Give the app these commands."""
    for name, command in (("recall", recall), ("search", search), ("list", list_memories), ("show", show)):
        app.command(name, rich_help_panel=PANEL)(asks(Group.WHERE, Group.WHO)(command))
