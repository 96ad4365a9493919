"""`recollect voice`: check a voice contract, look at drift, play a session.

Never: decides anything, or keeps anything.
Spec: upstream facts 1.4, 1.5 and 1.13; rulings 31 to 41.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from recollect.core.voice.contract import VoiceContract
from recollect.core.voice.drift import (
    CONSECUTIVE_RUNS,
    Expansion,
    Signal,
    SpokenTurn,
    expansion,
    measure,
    read_decision,
)
from recollect.core.voice.legality import Problem, Severity, check_contract
from recollect.core.voice.state import WINDOW_SIZES, PoolKey, SessionVoiceState
from recollect.core.voice.turn import VoiceDecision, VoiceTurn
from recollect.engine.voice import Voice, load_contract, read_contract
from recollect.errors import RecollectError, VoiceError

DECISION_BYTES = 16 * 1_048_576

app = typer.Typer(name="voice", help="Check a voice contract, look at drift, play a session.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]

# Also shown turn by turn in docs/voice.md.
DEMO: tuple[tuple[str, VoiceTurn], ...] = (
    ("first contact", VoiceTurn(intent="emotional", skeleton="A")),
    ("still light: both sections rotate", VoiceTurn(intent="emotional", skeleton="A")),
    ("pressure builds", VoiceTurn(intent="emotional", skeleton="B", escalation="escalating")),
    ("and goes on", VoiceTurn(intent="emotional", skeleton="B")),
    ("it is about family: unapproved variants go", VoiceTurn(intent="emotional", skeleton="B", theme="family")),
    ("a request for something small, tonight", VoiceTurn(intent="emotional", skeleton="D")),
    ("and again: the action changes, the opener does not", VoiceTurn(intent="emotional", skeleton="D")),
    ("back to presence", VoiceTurn(intent="emotional", skeleton="B")),
    ("resignation", VoiceTurn(intent="emotional", skeleton="C", escalation="latched")),
    ("C stays with its sentence", VoiceTurn(intent="emotional", skeleton="C")),
    ("and stays", VoiceTurn(intent="emotional", skeleton="C")),
    ("one variant fills the window: it moves on", VoiceTurn(intent="emotional", skeleton="C")),
    ("it has eased: everything is cleared", VoiceTurn(intent="emotional", skeleton="A")),
    ("the same in Hinglish", VoiceTurn(intent="emotional", skeleton="A", language="hinglish")),
    ("a question about the weather", VoiceTurn(intent="non_emotional")),
)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="The voice contract, a TOML file.")],
    previous: Annotated[Path | None, typer.Option(help="The contract it replaces.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a voice contract may be used, and what is wrong if not."""
    with _errors_shown(as_json):
        contract = read_contract(file)
        problems = check_contract(contract, read_contract(previous) if previous is not None else None)
    legal = all(problem.severity is Severity.WARNING for problem in problems)
    if as_json:
        _print_json(_check_dict(contract, problems, legal))
    else:
        _print_check(contract, problems, legal)
    if not legal:
        raise typer.Exit(VoiceError.exit_code)


@app.command()
def drift(
    logs: Annotated[
        list[Path], typer.Argument(metavar="LOG...", help="Kept decisions, one JSON per line; oldest run first.")
    ],
    as_json: AsJson = False,
) -> None:
    """Measure how alike the voice has sounded. Advice for people: the voice itself never sees it."""
    with _errors_shown(as_json):
        runs = tuple(measure(_read_log(log)) for log in logs)
    rows = expansion(runs)
    if as_json:
        _print_json(
            {
                "runs": [[signal.to_dict() for signal in run] for run in runs],
                "warnings": [signal.line for signal in runs[-1] if signal.warns],
                "expansion": [row.to_dict() for row in rows],
            }
        )
    else:
        _print_drift(runs, rows)


@app.command()
def demo(as_json: AsJson = False) -> None:
    """Play a session with the shipped contract, turn by turn, with its windows."""
    with _errors_shown(as_json):
        voice = Voice(load_contract(), strict=True)
        played = [(note, voice.turn(turn)) for note, turn in DEMO]
    if as_json:
        _print_json([{"note": note, **decision.to_dict()} for note, decision in played])
        return
    console = Console()
    for number, (note, decision) in enumerate(played, start=1):
        _print_turn(console, number, note, decision)


@contextmanager
def _errors_shown(as_json: bool) -> Iterator[None]:
    try:
        yield
    except RecollectError as error:
        if as_json:
            _print_json({"error": error.to_dict()})
        else:
            Console(stderr=True).print(f"[red]{escape(str(error))}[/red]", soft_wrap=True)
        raise typer.Exit(type(error).exit_code) from error


def _print_json(value: object) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def _check_dict(contract: VoiceContract, problems: tuple[Problem, ...], legal: bool) -> dict[str, object]:
    return {
        "legal": legal,
        "name": contract.name,
        "version": contract.version,
        "variants": sum(map(len, contract.pools.values())),
        "checksum": contract.computed_checksum(),
        "problems": [problem.to_dict() for problem in problems],
    }


def _print_check(contract: VoiceContract, problems: tuple[Problem, ...], legal: bool) -> None:
    console = Console()
    if problems:
        table = Table("where", "what", "problem", box=None, header_style="bold")
        for problem in problems:
            colour = "yellow" if problem.severity is Severity.WARNING else "red"
            table.add_row(escape(problem.where), f"[{colour}]{problem.code}[/{colour}]", escape(problem.sentence))
        console.print(table)
    verdict = "[green]legal[/green]" if legal else "[red]not legal[/red]"
    variants = sum(map(len, contract.pools.values()))
    console.print(f"{escape(contract.name)} {contract.version}: {verdict}, {variants} variants.")


def _read_log(path: Path) -> Iterator[SpokenTurn]:
    try:
        with path.open("rb") as stream:
            number = 0
            while line := stream.readline(DECISION_BYTES + 1):
                number += 1
                turn = _read_line(line, f"{path.name}, line {number}")
                if turn is not None:
                    yield turn
    except OSError as error:
        raise VoiceError(f"The decision log {path.name} cannot be read.", reason="log_unreadable") from error


def _read_line(line: bytes, where: str) -> SpokenTurn | None:
    if len(line) > DECISION_BYTES:
        raise VoiceError(f"{where}: longer than {DECISION_BYTES} bytes.", reason="decision_malformed")
    if not line.strip():
        return None
    try:
        return read_decision(json.loads(line))
    except (ValueError, RecursionError) as error:
        raise VoiceError(f"{where}: not JSON.", reason="decision_malformed") from error
    except VoiceError as error:
        raise VoiceError(f"{where}: {error.message}", reason=error.reason) from error


def _print_drift(runs: tuple[tuple[Signal, ...], ...], rows: tuple[Expansion, ...]) -> None:
    console = Console()
    latest = runs[-1]
    warnings = [signal for signal in latest if signal.warns]
    typer.echo("VOICE_DRIFT_WARNINGS" if warnings else "VOICE_DRIFT_OK")
    for signal in warnings:
        typer.echo(signal.line)
    if latest:
        table = Table("signal", "table", "turns", "measured", "warns when", box=None, header_style="bold")
        for signal in latest:
            place = f"{signal.skeleton}/{signal.language}"
            measured = f"[yellow]{escape(signal.measured)}[/yellow]" if signal.warns else escape(signal.measured)
            table.add_row(signal.kind, place, str(signal.turns), measured, signal.threshold)
        console.print(table)
    if len(runs) < CONSECUTIVE_RUNS:
        console.print(f"Expansion is considered after {CONSECUTIVE_RUNS} consecutive runs; this is {len(runs)}.")
    elif not rows:
        console.print("Expansion: no signal held in consecutive runs.")
    for row in rows:
        verdict = "[green]eligible[/green]" if row.eligible else "not eligible"
        console.print(f"Expansion {row.kind} {row.skeleton}/{row.language}: {verdict}, {escape(row.sentence)}.")


def _print_turn(console: Console, number: int, note: str, decision: VoiceDecision) -> None:
    spoken = f"{decision.skeleton}/{decision.language}" if decision.skeleton is not None else "not emotional"
    console.print(f"[bold]{number:>2}  {spoken}[/bold]  [dim]{escape(note)}[/dim]")
    if decision.resets:
        console.print(f"    reset: {', '.join(decision.resets)}")
    if decision.text:
        console.print(f"    “{escape(decision.text)}”", soft_wrap=True)
    for choice in decision.choices:
        if choice.recorded and decision.skeleton is not None and decision.language is not None:
            key = PoolKey(skeleton=decision.skeleton, language=decision.language, section=choice.section)
            console.print(
                f"    {choice.section:<10} {picture(decision.after, key)}  {choice.decided_by}", highlight=False
            )
    console.print()


def picture(state: SessionVoiceState, key: PoolKey) -> str:
    """A window as text: one cell per entry, oldest first, dots for what is still free."""
    said = [str(usage.variant_id) for usage in state.rotation_memory.window(key)]
    return (
        "".join(f"│{cell}" for cell in (said + ["·"] * WINDOW_SIZES[key.skeleton])[: WINDOW_SIZES[key.skeleton]]) + "│"
    )
