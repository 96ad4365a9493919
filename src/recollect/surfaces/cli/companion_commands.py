"""`people`, `card`, `merge`, `todos`, `sessions`, `summary`, `spine`, `seed`, `curate`, `personas`, `upkeep`.

Each prints what `session.companion` answers, for people or as JSON.

Never: decides, and never shows what another persona was told.
Spec: rulings 20 to 30a.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from recollect.errors import InvalidInput
from recollect.surfaces.cli.address import At, Call, Group, asks
from recollect.surfaces.cli.digest_view import Rows, Told, rolling_rows, spine_rows, summary_rows

PANEL = "People and sessions"
seed_app = typer.Typer(name="seed", help="What a user is introduced with.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name, or a reference like person:john.")]
SeedPath = Annotated[Path, typer.Argument(help="A JSON file with seed and memories, or plain text.")]
# What upkeep did, in words after the number.
UPKEEP = {
    "users": "looked after",
    "sessions_closed": "sessions ended",
    "summaries": "summed up",
    "curated": "acts of the curator",
    "merged": "spellings merged",
    "expired": "expired",
    "extracted": "turns read by the model",
    "pending": "turns waiting for a model",
}
KindName = Annotated[str, typer.Option("--kind", help="Only this kind.")]


def mount(app: typer.Typer) -> None:
    """Put the commands into the program."""
    for command in (people, card, merge, todos, sessions, summary, spine, curate, personas, upkeep):
        app.command(rich_help_panel=PANEL)(command)
    app.add_typer(seed_app, rich_help_panel=PANEL)


@asks(Group.WHERE, Group.WHO)
def people(
    call: Call,
    kind: KindName = "",
    variants: Annotated[bool, typer.Option("--variants", help="Show spellings that may be one.")] = False,
) -> None:
    """List whom and what the memories are about, or the spellings that may be one person.

    \b
    recollect people --user ana --policy companion
    """
    with call.chat() as chat:
        pairs = chat.companion.spellings() if variants else []
        known = [] if variants else chat.companion.people(kind=kind)
    told: list[Mapping[str, object]] = [*(pair.to_dict() for pair in pairs), *(entity.to_dict() for entity in known)]
    name = "variants" if variants else "people"
    _table(call, name, told, ("one", "other", "sentence") if variants else ("ref", "label", "facts"))


@asks(Group.WHERE, Group.WHO)
def card(call: Call, name: Name) -> None:
    """Show what matters about somebody, each fact with its memory.

    \b
    recollect card Priya --user ana --policy companion
    """
    with call.chat() as chat:
        found = chat.companion.card(name).to_dict()
    if call.as_json:
        call.printer.json(found)
        return
    from recollect.surfaces.cli.safe import visible_line

    call.printer.text(visible_line(f"{found['ref']}  {found['label']}"), style="bold")
    facts = found["facts"]
    assert isinstance(facts, list)
    for fact in facts:
        call.printer.text(visible_line(f"  {fact['text']}  [{fact['id']}]"))


@asks(Group.WHERE, Group.WHO)
def merge(
    call: Call,
    name: Name,
    into: Annotated[str, typer.Argument(metavar="INTO", help="The name that stands.")] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Take the merge of NAME back.")] = False,
    apart: Annotated[bool, typer.Option("--apart", help="They are two; do not ask again.")] = False,
    at: At = "",
) -> None:
    """Say that two names are one. No memory changes, and --undo takes it back.

    \b
    recollect merge Makesh Mukesh --user ana --policy companion
    """
    from recollect.surfaces.cli.safe import visible_line

    with call.chat() as chat:
        companion = chat.companion
        if undo:
            receipt = companion.unmerge(name, at=at or None)
        elif not into:
            raise InvalidInput("Name the one it is merged into, or say --undo.", reason="missing_name")
        else:
            receipt = (companion.keep_apart if apart else companion.merge)(name, into, at=at or None)
    told = "two again" if undo else f"{name} and {into} are {'two' if apart else 'one'}"
    _done(call, {"status": receipt.status, "ids": list(receipt.ids)}, visible_line(told))


@asks(Group.WHERE, Group.WHO)
def todos(
    call: Call,
    kind: KindName = "",
    status: Annotated[str, typer.Option("--status", help="open, done or all.")] = "open",
    complete: Annotated[str, typer.Option("--complete", metavar="ID", help="A promise was kept.")] = "",
    dismiss: Annotated[str, typer.Option("--dismiss", metavar="ID", help="Let go of it.")] = "",
    habit: Annotated[str, typer.Option("--habit", metavar="ID", help="Make it a habit.")] = "",
    at: At = "",
) -> None:
    """List what is open with a persona, or end one of them.

    \b
    recollect todos --user ana --persona coach --policy companion
    """
    with call.chat() as chat:
        companion, moment = chat.companion, at or None
        ways = ((complete, companion.complete), (dismiss, companion.dismiss), (habit, companion.promote))
        for todo_id, act in ways:
            if todo_id:
                act(todo_id, at=moment)
        told = [todo.to_dict() for todo in companion.todos(kind=kind.upper(), status=status, at=moment)]
    _table(call, "todos", told, ("kind", "status", "text", "due_at", "overdue", "id"))


@asks(Group.WHERE, Group.WHO)
def sessions(call: Call) -> None:
    """List the sessions with a persona, and where things stand with it."""
    with call.chat() as chat:
        told = [session.to_dict() for session in chat.companion.sessions()]
        state = chat.companion.state()
    if call.as_json:
        call.printer.json({"sessions": told, "state": state})
        return
    _table(call, "sessions", told, ("id", "started_at", "last_activity_at", "ended_at", "turn_count"))
    call.printer.text(f"{state['message_count']} messages with this persona")


@asks(Group.WHERE, Group.WHO)
def summary(
    call: Call,
    every: Annotated[bool, typer.Option("--all", help="Of every session that ended.")] = False,
    rolling: Annotated[bool, typer.Option("--rolling", help="The versions of this session's rolling summary.")] = False,
) -> None:
    """Show how the last session ended, or how this one goes.

    \b
    recollect summary --rolling --user ana --persona coach --policy companion
    """
    with call.chat() as chat:
        companion = chat.companion
        told = companion.rolling() if rolling else companion.summaries()
    _read(call, "summaries", told if every or rolling else told[-1:], rolling_rows if rolling else summary_rows)


@asks(Group.WHERE, Group.WHO)
def spine(
    call: Call, version: Annotated[int, typer.Option("--version", help="An earlier version; else the newest.")] = 0
) -> None:
    """Show the long summary with a persona, and what its version changed."""
    with call.chat() as chat:
        found = chat.companion.spine(version=version)
    _read(call, "spine", [found] if found is not None else [], spine_rows)


@seed_app.command("import")
@asks(Group.WHERE, Group.WHO)
def import_seed(call: Call, path: SeedPath, at: At = "") -> None:
    """Introduce a user: a seed of text, and memories in the document's own shape.

    \b
    recollect seed import ana.json --user ana --policy companion
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InvalidInput("The seed cannot be read.", reason="bad_path") from error
    try:
        given: object = json.loads(text) if path.suffix == ".json" else text
    except ValueError as error:
        raise InvalidInput("The seed is not JSON.", reason="bad_seed") from error
    if not isinstance(given, (str, dict)):
        raise InvalidInput("The seed is not a text or an object.", reason="bad_seed")
    with call.chat(may_create=True) as chat:
        seeded = chat.companion.import_seed(given, at=at or None).to_dict()
    _done(call, seeded, f"{seeded['memories']} memories and {seeded['todos']} todos taken in")


@asks(Group.WHERE, Group.WHO)
def curate(
    call: Call,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    undo: Annotated[str, typer.Option("--undo", metavar="ID", help="Take back what was done to this memory.")] = "",
    at: At = "",
) -> None:
    """Let the curator archive copies and fold small facts; nothing is deleted, and each act can be undone.

    \b
    recollect curate --dry-run --user ana --policy companion
    """
    with call.chat() as chat:
        if undo:
            back = chat.companion.uncurate(undo, at=at or None)
            _done(call, {"restored": back}, f"{back} memories are back")
            return
        told = chat.companion.curate(dry_run=dry_run, at=at or None).to_dict()
    if call.as_json:
        call.printer.json(told)
        return
    from recollect.surfaces.cli.safe import visible_line

    steps = told["steps"]
    assert isinstance(steps, list)
    for step in steps:
        call.printer.text(visible_line(f"{step['act']}: {step['sentence']}"))
    call.printer.text("nothing to do" if not steps else f"{len(steps)} {'would be' if dry_run else 'were'} done")


@asks(Group.WHERE, Group.WHO)
def personas(call: Call) -> None:
    """List the personas a user has talked to."""
    with call.chat() as chat:
        told = [{"persona": name} for name in chat.companion.personas()]
    _table(call, "personas", told, ("persona",))


@asks(Group.WHERE)
def upkeep(
    call: Call,
    user: Annotated[str, typer.Option("--for", metavar="USER", help="Only this user; else everybody.")] = "",
    now: Annotated[str, typer.Option("--now", metavar="TIME", help="The moment to judge by (ISO); else now.")] = "",
) -> None:
    """Do what is due: end sessions, sum them up, curate, remove what retention ended.

    \b
    recollect upkeep --policy companion
    """
    with call.memory() as memory:
        done = memory.upkeep(now or None, user=user, tenant=call.tenant).to_dict()
    told = [f"{count} {UPKEEP.get(name, name)}" for name, count in done.items() if count]
    _done(call, done, ", ".join(told) or "nothing was due")


def _table(call: Call, name: str, rows: Sequence[Mapping[str, object]], columns: tuple[str, ...]) -> None:
    if call.as_json:
        call.printer.json({name: [*rows]})
        return
    from recollect.surfaces.cli.safe import visible_line
    from recollect.surfaces.cli.show import grid

    table = grid(*columns)
    for row in rows:
        table.add_row(*(visible_line(_shown(column, row.get(column))) for column in columns))
    call.printer.show(table)


def _shown(column: str, value: object) -> str:
    from recollect.core.read.envelope import stamp

    if value is None or value is False:
        return ""
    return stamp(value) if column.endswith("_at") and isinstance(value, int) else "yes" if value is True else str(value)


def _read(call: Call, name: str, told: list[dict[str, object]], rows: Callable[[Told], Rows]) -> None:
    if call.as_json:
        call.printer.json({name: told})
        return
    from recollect.surfaces.cli.show import pairs_view

    for entry in told:
        call.printer.show(pairs_view(rows(entry)))
    if not told:
        call.printer.text("there is none yet")


def _done(call: Call, told: dict[str, object], line: str) -> None:
    if call.as_json:
        call.printer.json(told)
    else:
        call.printer.text(f"✓ {line}", style="bold green")
