"""`remember --file`: a conversation as JSON Lines, checked whole before its first line is stored.

    {"text": "…", "role": "user", "speaker": "Ana", "at": "2026-01-05T09:00:00Z", "ref": "msg-17"}

Lines are stored in order, a few hundred in each commit; what stops in between says from which line to go on.

Never: skips a line it does not understand.
Spec: session.remember_many (all or none of a commit); "Hard input is normal input".
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from recollect.engine.door import TurnInput, read_lens, read_turn
from recollect.errors import InvalidInput, RecollectError
from recollect.surfaces.cli.address import Call, stop_if_denied
from recollect.surfaces.cli.printer import console_for
from recollect.surfaces.cli.show import STATUS, pairs_view

if TYPE_CHECKING:
    from rich.progress import Progress

    from recollect.core.values import Lens
    from recollect.engine.receipt import Receipt
    from recollect.engine.session import Session

COMMIT_TURNS = 500
# A megabyte of text, each character of it a JSON escape of six bytes, and the rest of the line.
LINE_BYTES = 8 * 1_048_576
SHOWN = 20
FIELDS = ", ".join(TurnInput.__dataclass_fields__)


@dataclass(slots=True, kw_only=True)
class Tally:
    """What became of the lines so far."""

    statuses: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATUS, 0))
    stored: int = 0
    notable: list[dict[str, object]] = field(default_factory=list)

    def add(self, line: int, receipt: Receipt) -> None:
        self.stored += 1
        self.statuses[receipt.status] += 1
        for fate in receipt.fates:
            if fate.outcome in {"denied", "lost", "quarantined"}:
                self.notable.append({"line": line, **fate.to_dict()})

    def to_dict(self) -> dict[str, object]:
        return {"turns": self.stored, "statuses": self.statuses, "not_kept": self.notable}


def remember_file(call: Call, file: str, *, skip: int, command_id: str, ok_if_denied: bool) -> None:
    """Check every line, then store them all."""
    lens = read_lens(user=call.user, session=call.session, persona=call.persona, project=call.project, authority="")
    tally = Tally()
    with _opened(file) as stream:
        total = sum(1 for _ in islice(_turns(stream, lens), skip, None))
        stream.seek(0)
        with call.chat(may_create=True) as chat, _progress(call, total) as advance:
            try:
                for number, batch in enumerate(_batches(islice(_turns(stream, lens), skip, None)), start=1):
                    _store(chat, batch, f"{command_id}/{number}" if command_id else "", tally)
                    advance.advance(advance.task_ids[0], len(batch))
            except (RecollectError, KeyboardInterrupt) as error:
                _stopped(
                    call, error, f"{tally.stored} of {total} turns were stored; --skip {skip + tally.stored} goes on."
                )
    _tell(call, tally)
    stop_if_denied(tally.statuses["denied"] > 0, ok_if_denied)


def _stopped(call: Call, error: BaseException, told: str) -> NoReturn:
    """Say how far it got, whatever stopped it."""
    if isinstance(error, RecollectError):
        raise type(error)(error.message, hint=f"{error.hint} {told}".strip(), reason=error.reason) from error
    call.printer.note(told)
    raise error


def _store(chat: Session, batch: list[tuple[int, TurnInput]], command_id: str, tally: Tally) -> None:
    receipts = chat.remember_many([turn for _, turn in batch], command_id=command_id)
    for (line, _), receipt in zip(batch, receipts, strict=True):
        tally.add(line, receipt)


def _tell(call: Call, tally: Tally) -> None:
    if call.as_json:
        call.printer.json(tally.to_dict())
        return
    rows = [("turns", f"{tally.stored:,}"), *((name, f"{n:,}") for name, n in tally.statuses.items() if n)]
    call.printer.show(pairs_view(rows))
    for entry in tally.notable[:SHOWN]:
        call.printer.text(f"line {entry['line']}  {entry['kind']}  {entry['sentence']}", style="yellow")
    if len(tally.notable) > SHOWN:
        call.printer.text(f"and {len(tally.notable) - SHOWN} more; --json names them all", style="dim")


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield io.BytesIO(sys.stdin.buffer.read())
        return
    try:
        stream = Path(file).open("rb")  # noqa: SIM115 - an error in the block is not an error of opening
    except OSError as error:
        name = Path(file).name
        raise InvalidInput(f"{name!r} cannot be read: {error.strerror}.", reason="unreadable_file") from error
    with stream:
        # A pipe cannot be read twice, and every line is: once to check, once to store.
        yield stream if stream.seekable() else io.BytesIO(stream.read())


def _turns(stream: BinaryIO, lens: Lens) -> Iterator[tuple[int, TurnInput]]:
    """Every turn of the file with the number of its line; blank lines do not count."""
    number = 0
    while line := stream.readline(LINE_BYTES + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line.strip():
            yield number, _turn(line, number, lens)


def _turn(line: bytes, number: int, lens: Lens) -> TurnInput:
    try:
        if len(line) > LINE_BYTES:
            raise InvalidInput(f"longer than {LINE_BYTES} bytes.", reason="line_too_long")
        turn = _parsed(line)
        read_turn(turn, lens, _Epoch())
    except RecollectError as error:
        told = f"Line {number}: {error.message}"
        raise type(error)(told, hint=error.hint or "Nothing was stored.", reason=error.reason) from error
    return turn


def _parsed(line: bytes) -> TurnInput:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("not JSON.", reason="not_json") from error
    if not isinstance(raw, dict) or "text" not in raw or not raw.keys() <= TurnInput.__dataclass_fields__.keys():
        hint = f"A line is an object with `text` and any of: {FIELDS}."
        raise InvalidInput("not a turn.", hint=hint, reason="not_a_turn")
    if not isinstance(raw.get("files", []), list) or not isinstance(raw.get("private", False), bool):
        raise InvalidInput("files should be a list, and private true or false.", reason="wrong_type")
    return TurnInput(**raw)


def _batches(turns: Iterator[tuple[int, TurnInput]]) -> Iterator[list[tuple[int, TurnInput]]]:
    while batch := list(islice(turns, COMMIT_TURNS)):
        yield batch


class _Epoch:
    """A clock for checking: whether a turn is well formed does not depend on the time."""

    def now_ms(self) -> int:
        return 0


@contextmanager
def _progress(call: Call, total: int) -> Iterator[Progress]:
    """A bar on stderr, where somebody is looking at it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = console_for(stderr=True)
    bar = Progress(
        TextColumn("remembering"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=call.as_json or not console.is_terminal,
    )
    with bar:
        bar.add_task("turns", total=total)
        yield bar
