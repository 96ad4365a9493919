"""Carries a tenant from one store to another: everything, chains included, and proves that it arrived.

    what is there already must be the beginning of what comes -> load the rest in chunks -> compare the two

1. A move that was stopped goes on where it stopped: what was loaded is compared, never loaded twice.
2. Where the target can show it before it is whole, the names of places are loaded last, in one go: until then the
   tenant looks empty there.
3. At the end both have the same anchor, the same state hash and the same kept recalls, and the target's log verifies.

Never: changes the source, or adds to a tenant that holds something else. What is derived (cards and vectors, whose turn
it is to be looked after) is not carried: it is made again.
Spec: law 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from recollect.core.values import Place, Space
from recollect.engine.replay import state_hash
from recollect.engine.verify import anchor, verify
from recollect.errors import InvalidInput, StoreDamaged
from recollect.ports.store import Reader, Repository, Row

CHUNK_ROWS = 2_000
NAMES = "place"
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What was carried over, and by what it can be recognised."""

    rows: int
    resumed_at: int
    root: str
    state_hash: str

    def to_dict(self) -> dict[str, object]:
        return {"rows": self.rows, "resumed_at": self.resumed_at, "root": self.root, "state_hash": self.state_hash}


def move(source: Repository, target: Repository, *, names_last: bool, on_progress: Progress | None = None) -> Moved:
    """Carry everything of a tenant over; going on with a move that was stopped is the same call."""
    tell = on_progress or (lambda rows: None)
    there = _already_there(source, target)
    resumed_at = done = sum(there.values())
    with source.reading() as reader:
        for table, row_group in _chunks(_rest(reader, there, names_last=names_last)):
            with target.writing(()) as writer:
                for row in row_group:
                    writer.load(table, row)
            done += len(row_group)
            tell(done)
        for kept, held in _recalls(reader, target):
            resumed_at += held
            done += kept
            tell(done)
        if names_last and not there.get(NAMES):
            names = [row for table, row in _of_table(reader, NAMES)]
            with target.writing(()) as writer:
                for row in names:
                    writer.load(NAMES, row)
            done += len(names)
            tell(done)
    return _proven(source, target, done, resumed_at)


def _already_there(source: Repository, target: Repository) -> dict[str, int]:
    """How many rows of each table are there from an earlier try; they must be the first ones of the source."""
    found: dict[str, int] = {}
    with source.reading() as ours, target.reading() as theirs:
        held = groupby(theirs.dump(), key=lambda pair: pair[0])
        offered = groupby(ours.dump(), key=lambda pair: pair[0])
        table, rows = next(offered, ("", iter(())))
        for held_table, held_rows in held:
            while table and table != held_table:
                table, rows = next(offered, ("", iter(())))
            for _, row in held_rows:
                if next(rows, (None, None))[1] != row:
                    raise _not_empty()
                found[held_table] = found.get(held_table, 0) + 1
    return found


def _rest(reader: Reader, there: dict[str, int], *, names_last: bool) -> Iterator[tuple[str, Row]]:
    passed: dict[str, int] = {}
    for table, row in reader.dump():
        passed[table] = passed.get(table, 0) + 1
        if passed[table] > there.get(table, 0) and not (names_last and table == NAMES):
            yield table, row


def _recalls(reader: Reader, target: Repository) -> Iterator[tuple[int, int]]:
    """Carry the kept recalls, session by session; of each, how many there are and how many were there already."""
    for owner, kept in _kept(reader):
        place = Place(Space.SESSION, owner)
        with target.writing(()) as writer:
            held = writer.recalls(place, len(kept) + 1)
            if held != kept[: len(held)]:
                raise _not_empty()
            for body in kept[len(held) :]:
                writer.keep_recall(place, body, len(kept))
        yield len(kept), len(held)


def _kept(reader: Reader) -> Iterator[tuple[str, list[str]]]:
    for owner, kept in groupby(reader.kept_recalls(), key=lambda pair: pair[0]):
        yield owner, [body for _, body in kept]


def _not_empty() -> InvalidInput:
    return InvalidInput(
        "The target already holds something else of this tenant.",
        hint="Move into an empty store, or finish the move that was begun from this source.",
        reason="not_empty",
    )


def _of_table(reader: Reader, wanted: str) -> Iterator[tuple[str, Row]]:
    for table, row in reader.dump():
        if table == wanted:
            yield table, row
        elif wanted == NAMES:
            # Names are dumped first.
            return


def _chunks(rows: Iterator[tuple[str, Row]]) -> Iterator[tuple[str, list[Row]]]:
    for table, group in groupby(rows, key=lambda pair: pair[0]):
        chunk: list[Row] = []
        for _, row in group:
            chunk.append(row)
            if len(chunk) == CHUNK_ROWS:
                yield table, chunk
                chunk = []
        if chunk:
            yield table, chunk


def _proven(source: Repository, target: Repository, rows: int, resumed_at: int) -> Moved:
    with source.reading() as ours, target.reading() as theirs:
        before, after = anchor(ours), anchor(theirs)
        told, held = state_hash(ours), state_hash(theirs)
        is_kept = sorted(_kept(ours)) == sorted(_kept(theirs))
        if before.root != after.root or told != held or not is_kept:
            raise StoreDamaged(
                "What arrived is not what was sent.",
                hint="If the source was written to meanwhile, stop its writers and move into an empty store again.",
                reason="move_differs",
            )
        verification = verify(theirs)
        if not verification.is_ok:
            raise StoreDamaged(
                f"What arrived does not verify: {verification.findings[0].sentence}", reason="move_does_not_verify"
            )
    return Moved(rows=rows, resumed_at=resumed_at, root=after.root, state_hash=held)
