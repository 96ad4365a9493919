"""Takes in what another system remembered: as words from outside, in quarantine, until a person confirms them.

A file of JSON lines, one turn each (text, role, at, speaker, ref, session), or an export of ours, of which only the
words are taken. Whatever authority the file claims is not believed.

Never: follows a path, unpacks an archive, or writes anything but quarantined turns.
Spec: ruling 7; "a foreign import raises no authority, escapes no directory, expands no bomb".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from recollect.engine.door import TurnInput
from recollect.engine.receipt import Receipt
from recollect.errors import ExportInvalid, InvalidInput, LimitExceeded

LINE_BYTES = 4 * 1_048_576
MOST_LINES = 1_000_000
BATCH = 500
FIELDS = ("text", "role", "at", "speaker", "ref")


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """How many turns were taken in, and which lines were not, with the reason."""

    turns: int
    skipped: tuple[tuple[int, str], ...]

    def to_dict(self) -> dict[str, object]:
        return {"turns": self.turns, "skipped": [{"line": line, "reason": why} for line, why in self.skipped]}


def import_turns(
    path: Path,
    source: str,
    remember: Callable[[list[TurnInput]], list[Receipt]],
    on_progress: Callable[[int], None] | None = None,
) -> Imported:
    """Read turns and remember them in batches, all of them from outside."""
    taken, skipped, batch = 0, [], []
    for number, turn in _turns(path, source):
        if isinstance(turn, str):
            skipped.append((number, turn))
            continue
        batch.append((number, turn))
        if len(batch) == BATCH:
            taken += _remember(batch, remember, skipped)
            batch = []
            if on_progress is not None:
                on_progress(taken)
    taken += _remember(batch, remember, skipped)
    return Imported(turns=taken, skipped=tuple(sorted(skipped)))


def _remember(
    batch: list[tuple[int, TurnInput]],
    remember: Callable[[list[TurnInput]], list[Receipt]],
    skipped: list[tuple[int, str]],
) -> int:
    """A batch at once; where one turn is bad, turn by turn, so that it alone is left out."""
    try:
        return len(remember([turn for _, turn in batch])) if batch else 0
    except (InvalidInput, LimitExceeded):
        pass
    taken = 0
    for number, turn in batch:
        try:
            taken += len(remember([turn]))
        except (InvalidInput, LimitExceeded) as error:
            skipped.append((number, error.reason))
    return taken


def _turns(path: Path, source: str) -> Iterator[tuple[int, TurnInput | str]]:
    try:
        with path.open("rb") as file:
            number = 0
            while raw := file.readline(LINE_BYTES + 1):
                number += 1
                if number > MOST_LINES:
                    raise ExportInvalid(f"The file has more than {MOST_LINES} lines.", reason="import_too_long")
                if len(raw) > LINE_BYTES:
                    raise ExportInvalid(f"Line {number} is too long.", reason="import_too_long")
                if raw.strip():
                    yield from ((number, turn) for turn in _turn(raw, source))
    except OSError as error:
        raise ExportInvalid(f"The file cannot be read: {error.strerror}.", reason="import_unreadable") from error


def _turn(raw: bytes, source: str) -> Iterator[TurnInput | str]:
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        yield "not_json"
        return
    if not isinstance(line, dict):
        yield "not_a_turn"
    elif "t" in line or "recollect" in line:
        yield from _from_export(line, source)
    elif line.get("text") is not None:
        fields = {name: line[name] for name in FIELDS if line.get(name) is not None}
        yield TurnInput(**fields, source=source)
    else:
        yield "no_text"


def _from_export(line: dict[str, object], source: str) -> Iterator[TurnInput | str]:
    """Of an export of ours, the words of its episodes; nothing it says about trust is taken over."""
    if line.get("t") != "item" or line.get("kind") != 1:
        return
    try:
        body = json.loads(str(line.get("body")))
        yield TurnInput(
            text=body["text"],
            role=body["role"],
            at=body["at"],
            speaker=body.get("speaker", ""),
            ref=body.get("ref", ""),
            source=source,
        )
    except (ValueError, KeyError, TypeError):
        yield "bad_item"
