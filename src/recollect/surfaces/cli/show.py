"""Receipts, memories, contexts and traces as people read them.

Never: looks anything up, and never prints a caller's text but through `safe`.
Spec: "Explained": every thing kept, dropped or refused carries its sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from recollect.core.read.envelope import stamp
from recollect.surfaces.cli.safe import visible, visible_line

if TYPE_CHECKING:
    from recollect.core.item import MemoryItem
    from recollect.core.read.choice import Choice
    from recollect.engine.context import Context, SearchHit
    from recollect.engine.receipt import Receipt

Wire = Mapping[str, object]
STATUS: Mapping[str, tuple[str, str]] = {
    "committed": ("✓", "green"),
    "merged": ("=", "cyan"),
    "quarantined": ("!", "yellow"),
    "denied": ("✗", "red"),
}
OUTCOME: Mapping[str, str] = {
    "written": "green",
    "merged": "cyan",
    "quarantined": "yellow",
    "denied": "red",
    "lost": "red",
    "masked": "magenta",
    "conflict": "magenta",
}
STANDING: Mapping[str, str] = {"ACTIVE": "", "ARCHIVED": "dim", "QUARANTINED": "yellow"}
HEADLINE: Mapping[str, str] = {"merged": "nothing new", "quarantined": "kept apart", "denied": "denied"}


def grid(*columns: str, header: bool = True) -> Table:
    """A table without lines. A cell that does not fit goes on below, so that an id can always be copied whole."""
    table = Table(box=None, show_header=header, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(name, overflow="fold")
    return table


def receipt_view(receipt: Receipt, done: str) -> Iterable[Text | Table]:
    """What became of a write: a headline, then a row for each thing."""
    mark, style = STATUS[receipt.status]
    told = done if receipt.status == "committed" else HEADLINE[receipt.status]
    repeat = " (a repeat; nothing changed)" if receipt.is_repeat else ""
    yield Text(f"{mark} {told}{repeat}", style=f"bold {style}")
    texts = {item.id: item.text for item in receipt.items}
    rows = grid("", "", "", header=False)
    # "✓ pinned" has said it already.
    is_alone = len(receipt.fates) == 1
    for fate in receipt.fates:
        shown = fate.into or fate.id
        words = [Text(visible_line(texts[name])) for name in (fate.id, shown) if name in texts][:1]
        if fate.outcome != "written":
            words.append(Text(fate.reason.sentence.removeprefix(f"{fate.outcome}: "), style="dim"))
        label = "" if is_alone and fate.outcome == "written" else f"  {fate.outcome}"
        rows.add_row(Text(label, style=OUTCOME[fate.outcome]), visible(shown), Text("\n").join(words))
    for event in receipt.trace:
        _add_side_effect(rows, event)
    yield rows


def _add_side_effect(rows: Table, event: Wire) -> None:
    """What a write did beside storing: secrets cut out, claims settled."""
    match event["type"]:
        case "memory_masked":
            codes = ", ".join(str(code) for code in _list(event["codes"]))
            rows.add_row(Text("  masked", style="magenta"), str(event["memory_id"]), Text(codes))
        case "memory_conflict":
            told = Text.assemble(("over ", "dim"), str(event["loser_id"]), (f": {event['sentence']}", "dim"))
            rows.add_row(Text("  conflict", style="magenta"), str(event["winner_id"]), told)


def items_view(items: Sequence[MemoryItem]) -> Table:
    """Memories as rows."""
    table = grid("id", "type", "imp", "text")
    table.columns[2].justify = "right"
    for item in items:
        text = Text(visible_line(item.text), style=STANDING[item.status.value])
        if item.standing.is_pinned:
            text = Text.assemble(("pinned ", "bold cyan"), text)
        if item.status.value != "ACTIVE":
            text = Text.assemble((f"{item.status.value.lower()} ", "yellow"), text)
        table.add_row(visible(item.id), str(item.event_type), str(item.importance), text)
    return table


def item_view(item: MemoryItem) -> Iterable[Text | Table]:
    """One memory whole: its text, then every field it has."""
    yield Text(visible(item.text))
    yield Text()
    wire = item.to_wire()
    meta = wire.pop("meta")
    wire.pop("text")
    table = grid("", "", header=False)
    assert isinstance(meta, Mapping)
    for fields, style in ((wire, "bold cyan"), (meta, "cyan")):
        for key, value in _fields(fields):
            told = f"{value}  ({stamp(int(value))} UTC)" if key == "at" else value
            table.add_row(Text(visible(key), style=style), Text(visible(told)))
    yield table


def _fields(fields: Wire, path: str = "") -> Iterator[tuple[str, str]]:
    """Nested plain data as names and values, lists on one line."""
    for key, value in fields.items():
        if isinstance(value, Mapping):
            yield from _fields(value, f"{path}{key}.")
        elif isinstance(value, list):
            yield f"{path}{key}", ", ".join(str(entry) for entry in value)
        else:
            yield f"{path}{key}", json.dumps(value) if isinstance(value, bool) or value is None else str(value)


def hits_view(hits: Sequence[SearchHit]) -> Table:
    """Search hits as rows, best first."""
    table = grid("score", "id", "text")
    for hit in hits:
        told = Text.assemble(visible_line(hit.item.text), "\n", (visible_line(hit.sentence), "dim"))
        table.add_row(score(hit.score), visible(hit.item.id), told)
    return table


def context_footer(context: Context) -> Text:
    """One line about a recall: how much of the budget it took, and whether anything was missing."""
    told = f"{context.status} · {context.tokens:,} of {context.budget_tokens:,} tokens"
    told += f" · {len(context.kept)} kept, {len(context.dropped)} left out · {context.hash[:12]}"
    missing = [f"{tier} {state}" for tier, state in context.tiers.items() if state not in {"ran", "empty"}]
    style = "dim" if context.status == "ok" else "yellow"
    return Text(" · ".join([told, *missing]), style=style)


def why_view(context: Context) -> Iterable[Text | Table]:
    """Every candidate of a recall, kept or left out, with its reason; the files, the conflicts, the few numbers."""
    if context.is_locked:
        yield Text("Exact File Lock: retrieval skipped", style="bold magenta")
    if context.files:
        yield Text("❖ FILES", style="bold magenta")
        opened = grid("tokens", "")
        for shown in context.files:
            told = f"{shown.form}  {shown.reason.sentence}".strip()
            opened.add_row(str(shown.tokens), Text.assemble(visible_line(shown.path), "  ", (told, "dim")))
        yield opened
        yield Text()
    for conflict in context.conflicts:
        yield Text(visible_line(f"conflict: {conflict.sentence}"), style="magenta")
    for title, style, choices in (("Kept", "green", context.kept), ("Left out", "yellow", context.dropped)):
        yield Text(f"{title} ({len(choices)})", style=f"bold {style}")
        table = grid("score", "tokens", "")
        table.columns[1].justify = "right"
        for choice in choices:
            table.add_row(score(choice.score), str(choice.tokens), _choice(choice))
        if choices:
            yield table
        yield Text()
    yield Text(" · ".join(f"{name} {value}" for name, value in context.metrics.items()), style="dim")


def _choice(choice: Choice) -> Text:
    parts = ", ".join(f"{name} {score(value)}" for name, value in choice.parts)
    terms = f"; words: {', '.join(choice.terms)}" if choice.terms else ""
    return Text.assemble(
        visible_line(choice.item.text),
        "\n",
        (visible(f"{choice.reason.sentence}  "), "cyan" if choice.verdict == "kept" else "yellow"),
        (visible(choice.item.id), "dim"),
        (visible(f"\n{parts}{terms}" if parts else ""), "dim"),
    )


def score(micro: int) -> str:
    """Millionths as a decimal, without a float."""
    return f"{micro // 1_000_000}.{micro % 1_000_000 // 1_000:03d}"


def pairs_view(rows: Iterable[tuple[str, str]]) -> Table:
    """Names and values."""
    table = grid("", "", header=False)
    for name, value in rows:
        table.add_row(Text(name, style="cyan"), Text(visible(value)))
    return table


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()
