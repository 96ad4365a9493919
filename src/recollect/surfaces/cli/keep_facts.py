"""`facts`: what is held true of whom, how sure it is, and the turns it was read from.

Never: shows a fact without its origin; where a turn is gone, it says so.
Spec: rulings 13 ("a fact always points at the turns it came from"), 20.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.surfaces.cli.address import Call
from recollect.surfaces.cli.safe import visible, visible_line

if TYPE_CHECKING:
    from rich.text import Text

    from recollect.core.item import MemoryItem
    from recollect.engine.session import Session

MICRO_PER_PERCENT = 10_000
Entry = dict[str, object]


def facts(
    call: Call,
    about: Annotated[str, typer.Option("--about", metavar="WORDS", help="Only facts with these letters.")] = "",
    status: Annotated[str, typer.Option("--status", help="active, archived, quarantined or all.")] = "active",
    limit: Annotated[int, typer.Option("--limit", help="The most on one page.")] = 50,
    cursor: Annotated[str, typer.Option("--cursor", help="Where the next page begins.")] = "",
) -> None:
    """List the facts, with what each was read from.

    \b
    recollect facts --user ana
    recollect facts --about Lisbon --status all --json
    """
    with call.chat() as chat:
        page = chat.list(kind="profile", status=status, contains=about, limit=limit, cursor=cursor)
        found = [(item, _turns(chat, item)) for item in page]
    if call.as_json:
        told = [_wire(item, turns) for item, turns in found]
        call.printer.json({"facts": told, "cursor": page.cursor})
        return
    for item, turns in found:
        call.printer.show(_view(item, turns))
    if not found:
        call.printer.note("No facts here.")
    if page.cursor:
        call.printer.note(f"More: --cursor {page.cursor}")


def _turns(chat: Session, item: MemoryItem) -> list[tuple[str, MemoryItem | None]]:
    """Every turn that stated a fact, and the names of those that are gone."""
    there = {turn.id: turn for turn in chat.sources(item.id)}
    return [(item_id, there.get(item_id)) for item_id in dict.fromkeys([*(r.id for r in item.made_from), *there])]


def _wire(item: MemoryItem, turns: list[tuple[str, MemoryItem | None]]) -> Entry:
    fact = item.fact
    return {
        "id": item.id,
        "text": item.text,
        "memory_key": item.dedup_key,
        "predicate": fact.key if fact else "",
        "value": fact.value if fact else item.text,
        "type": fact.type if fact else "",
        "entity": fact.entity_label if fact else "",
        "confidence": fact.confidence if fact else 0,
        "authority": str(item.authority),
        "event_type": str(item.event_type),
        "status": str(item.status),
        "pinned": item.standing.is_pinned,
        "mention_count": item.standing.mentions,
        "replaced_by": item.standing.replaced_by.id if item.standing.replaced_by else "",
        "ref": item.origin.ref,
        "turns": [_turn_wire(item_id, turn) for item_id, turn in turns],
    }


def _turn_wire(item_id: str, turn: MemoryItem | None) -> Entry:
    if turn is None:
        return {"id": item_id, "gone": True}
    origin = turn.origin
    told = {"id": item_id, "gone": False, "ref": origin.ref, "at": origin.at_ms, "speaker": origin.speaker}
    return {**told, "session": origin.session, "text": turn.text}


def _view(item: MemoryItem, turns: list[tuple[str, MemoryItem | None]]) -> Text:
    from rich.text import Text

    from recollect.core.read.envelope import stamp

    fact = item.fact
    standing = "" if str(item.status) == "ACTIVE" else f"{item.status.lower()} "
    told = Text.assemble((standing, "yellow"), (visible_line(item.text), "bold"))
    sure = f"{fact.confidence // MICRO_PER_PERCENT} %" if fact else "?"
    times = f"said {item.standing.mentions} times" if item.standing.mentions > 1 else "said once"
    told.append(f"\n  {visible(item.dedup_key)}  ", style="cyan")
    told.append(f"sure {sure} · {times} · {item.authority} · {visible(item.id)}", style="dim")
    for item_id, turn in turns:
        if turn is None:
            told.append(f"\n  from {visible(item_id)}, which is gone", style="dim")
            continue
        name = visible(turn.origin.ref) or visible(item_id)
        told.append(f"\n  from {name} ({stamp(turn.origin.at_ms)}): ", style="dim")
        told.append(visible_line(turn.text, 100))
    if not turns:
        told.append(f"\n  stated outright ({stamp(item.origin.at_ms)})", style="dim")
    return told
