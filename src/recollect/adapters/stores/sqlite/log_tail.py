"""Tells a write-ahead log that was damaged in its middle from one that only lost its last, unfinished commit.

SQLite reads the log up to the first frame that does not add up and takes the rest for the remains of a crash. After a
crash that is right: every commit is synced before the next one begins, so only the last one can be torn. But when two
whole commits follow the broken frame, it had been synced and was damaged later; SQLite would drop all that followed,
and the next write would overwrite it.

A frame adds up when its checksum follows from the frame before it. What earlier, failed commits left beyond the end
follows from nothing there, so it is not mistaken for a commit that was lost.

Never: changes a file. Spec: the SQLite file format, "The Write-Ahead Log"; "Survive", damaged files.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import apsw

HEAD_BYTES, FRAME_HEAD_BYTES = 32, 24
BIG_ENDIAN_MAGIC = 0x377F0683
# After a longer walk than this (400 MB) the question is left open: opening must not take minutes.
MOST_FRAMES = 100_000
WORD_MASK = 0xFFFFFFFF


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    number: int
    page: int
    is_commit: bool
    checksum: tuple[int, int]
    # Whether its checksum follows from that of the frame before it.
    is_joined: bool


def has_lost_commits(connection: apsw.Connection, path: str, vfs: str | None) -> bool:
    """Whether whole commits lie behind the last one that SQLite can read."""
    if next(_frames_beyond(path, _readable(connection)), None) is None:
        return False
    # Another process may just have written on. While somebody else holds the writer's lock, nobody does.
    guard = apsw.Connection(path, vfs=vfs)
    try:
        guard.execute("BEGIN IMMEDIATE")
        return _most_commits(_frames_beyond(path, _readable(connection))) > 1
    except apsw.BusyError:
        return False
    finally:
        guard.close()


def _readable(connection: apsw.Connection) -> int:
    """How many frames SQLite reads, -1 where there is no log; asking changes nothing."""
    connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    return int(str(connection.execute("PRAGMA wal_checkpoint(NOOP)").fetchall()[0][1]))


def _most_commits(frames: Iterator[_Frame]) -> int:
    """The most commits in one run of frames that follow from each other."""
    most, commits, before = 0, 0, None
    for frame in frames:
        if not frame.is_joined:
            commits, before = 0, None
        # A commit is padded to a whole sector by writing its last frame again; that is one commit.
        is_padding = before is not None and before.is_commit and before.page == frame.page
        commits += frame.is_commit and not is_padding
        most, before = max(most, commits), frame
    return most


def _frames_beyond(path: str, readable: int) -> Iterator[_Frame]:
    """The frames of this generation of the log that lie behind the readable ones. The log itself is never locked."""
    try:
        if readable < 0 or Path(f"{path}-wal").stat().st_size <= HEAD_BYTES:
            return
        with Path(f"{path}-wal").open("rb") as file:
            yield from _read_frames(file, readable)
    except OSError:
        # A disk that fails now is SQLite's to report.
        return


def _read_frames(file: BinaryIO, readable: int) -> Iterator[_Frame]:
    head = file.read(HEAD_BYTES)
    order = ">" if int.from_bytes(head[:4], "big") == BIG_ENDIAN_MAGIC else "<"
    page_size, first = int.from_bytes(head[8:12], "big"), file.read(FRAME_HEAD_BYTES)
    step = FRAME_HEAD_BYTES + page_size
    if not 512 <= page_size <= 65_536 or _is_starting_over(head, first, order):
        return
    salt = head[16:24] if _adds_up(head, order) else first[8:16]
    before: _Frame | None = None
    for number in range(readable, readable + MOST_FRAMES):
        file.seek(HEAD_BYTES + number * step)
        frame = file.read(step)
        if len(frame) < step:
            return
        if frame[8:16] == salt:
            before = _frame(number, frame, order, before)
            yield before


def _adds_up(head: bytes, order: str) -> bool:
    return _checksum((0, 0), head[:24], order) == struct.unpack(">II", head[24:32])


def _is_starting_over(head: bytes, first: bytes, order: str) -> bool:
    """Whether a crash came while the log was begun anew: all that was in it had been carried over to the file before.

    Either the first frame is of the next generation already, or the head is half of the next one.
    """
    round_number, salt = int.from_bytes(head[12:16], "big"), int.from_bytes(head[16:20], "big")
    if int.from_bytes(first[8:12], "big") == (salt + 1) & WORD_MASK:
        return True
    before = head[:12] + ((round_number - 1) & WORD_MASK).to_bytes(4, "big") + first[8:16] + head[24:]
    return not _adds_up(head, order) and _adds_up(before, order)


def _frame(number: int, raw: bytes, order: str, before: _Frame | None) -> _Frame:
    page, size, first, second = (int.from_bytes(raw[at : at + 4], "big") for at in (0, 4, 16, 20))
    is_next = before is not None and before.number == number - 1
    seed = before.checksum if before is not None else (0, 0)
    is_joined = is_next and _checksum(seed, raw[:8] + raw[FRAME_HEAD_BYTES:], order) == (first, second)
    return _Frame(number=number, page=page, is_commit=size > 0, checksum=(first, second), is_joined=is_joined)


def _checksum(seed: tuple[int, int], data: bytes, order: str) -> tuple[int, int]:
    """SQLite's running sum over pairs of words."""
    first, second = seed
    for one, two in struct.iter_unpack(f"{order}II", data):
        first = (first + one + second) & WORD_MASK
        second = (second + two + first) & WORD_MASK
    return first, second
