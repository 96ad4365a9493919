"""`trace`: what happened in a conversation's memory, from its log; and following along as it happens.

For people, a line for each event, open borders left out; `--plain` the Plain view, `--json` the events as they are.

Never: shows another conversation's events, or a word of what was denied or erased.
Spec: contract v1 "Trace events", "Studio (Plain view)"; ruling 10.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.core.plain import plain
from recollect.surfaces.cli.address import Call, Group, asks
from recollect.surfaces.cli.safe import visible, visible_line

if TYPE_CHECKING:
    from recollect.engine.session import Session

PANEL = "Explain"
POLL_SECONDS = 0.5
PAGE = 100

Wire = Mapping[str, object]
STYLES: Mapping[str, str] = {
    "memory_write": "green",
    "memory_denied": "red",
    "memory_promotion_denied": "red",
    "memory_quarantined": "yellow",
    "memory_masked": "magenta",
    "memory_conflict": "magenta",
}


def trace(
    call: Call,
    is_plain: Annotated[bool, typer.Option("--plain", help="The Plain view: key: value, nothing hidden.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="Go on as things happen, until Ctrl-C.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000, help="How many of the last acts.")] = 20,
    borders: Annotated[bool, typer.Option("--borders", help="Show the borders that were open too.")] = False,
    without_policy: Annotated[bool, typer.Option("--without-policy", help="Leave the policy's lines out.")] = False,
) -> None:
    """Show what happened in this conversation's memory, and by which rule.

    \b
    recollect trace --session monday
    recollect trace --plain --without-policy
    recollect trace --follow --json
    """
    tell = _teller(call, is_plain=is_plain, follow=follow, borders=borders, without_policy=without_policy)
    with call.chat() as chat:
        if follow:
            _follow(chat, limit, tell)
            return
        events = chat.traces(limit=limit, recalls=False)
    tell(events)
    if not events and not call.as_json:
        call.printer.note("Nothing happened here yet.")


Teller = Callable[[list[dict[str, object]]], None]


def _teller(call: Call, *, is_plain: bool, follow: bool, borders: bool, without_policy: bool) -> Teller:
    """How events are told, chosen once."""

    def bare(event: Wire) -> dict[str, object]:
        return {key: value for key, value in event.items() if not (without_policy and key == "policy_snapshot")}

    def as_json(events: list[dict[str, object]]) -> None:
        if not follow:
            call.printer.json({"traces": [bare(event) for event in events]})
        for event in events if follow else ():
            call.printer.json(bare(event), indent=None)

    def as_plain(events: list[dict[str, object]]) -> None:
        for event in events:
            call.printer.text(f"{plain(bare(event))}\n")

    def as_lines(events: list[dict[str, object]]) -> None:
        from rich.text import Text

        for event in events:
            if borders or event["type"] != "memory_border_check" or event["allowed"] is not True:
                name = str(event["type"])
                line = Text.assemble((f"{name.removeprefix('memory_'):<16} ", STYLES.get(name, "cyan")), summary(event))
                call.printer.console.print(line, soft_wrap=True)

    return as_json if call.as_json else as_plain if is_plain else as_lines


def summary(event: Wire) -> str:
    """What an event says, in one line."""
    name, told = event["type"], str(event.get("sentence", ""))
    match name:
        case "memory_write":
            written = event["written"]
            assert isinstance(written, list)
            return "; ".join(f"{item['id']} {visible_line(item['text'], 60)}" for item in written)
        case "memory_denied":
            attempted = event["attempted"]
            assert isinstance(attempted, Mapping)
            return f"{attempted['id']}  {told}"
        case "memory_conflict":
            return f"{event['winner_id']} over {event['loser_id']}  {told}"
        case "memory_border_check":
            way = " to ".join(str(event[key]) for key in ("from_space", "to_space") if key in event)
            return f"{event['action']} {way}  {'open' if event['allowed'] is True else told}"
        case "memory_promoted":
            return f"{event['from_id']} to {event['to_id']}  {told}"
        case "memory_phase_started":
            named = f" {visible_line(str(event['phase_name']))}" if event["phase_name"] else ""
            return f"{event['phase_id']}{named} in {event['space']}:{event['owner']}"
    return _about_one(event, told)


def _about_one(event: Wire, told: str) -> str:
    """Events about one memory: its id, then whatever else they say."""
    more = [f"into {event['into_id']}"] if "into_id" in event else []
    more += [f"for {event['replaced_by']}"] if "replaced_by" in event else []
    more += [f"importance {event['importance']}"] if "importance" in event else []
    codes = event.get("codes")
    more += [", ".join(str(code) for code in codes)] if isinstance(codes, list) else []
    return "  ".join(visible(part) for part in [str(event.get("memory_id", "")), *more, told] if part)


def _follow(chat: Session, limit: int, tell: Teller) -> None:
    """From the last acts on, for ever."""
    seq = max(0, _end(chat) - limit)
    while True:
        after, events = chat.traces_after(seq, limit=PAGE)
        if events:
            tell(events)
        if after == seq:
            time.sleep(POLL_SECONDS)
        seq = after


def _end(chat: Session) -> int:
    """The last position of the log, found by doubling and halving: a long log is not read to its end."""

    def has_more(seq: int) -> bool:
        return chat.traces_after(seq, limit=1)[0] > seq

    low, high = 0, 1
    while has_more(high):
        low, high = high, high * 2
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if has_more(middle) else (low, middle)
    return low


def mount(app: typer.Typer) -> None:
    """Give the app this command."""
    app.command(rich_help_panel=PANEL)(asks(Group.WHERE, Group.WHO)(trace))
