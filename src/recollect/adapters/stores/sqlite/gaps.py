"""Zeroes the bytes of a database file that belong to no cell.

SQLite zeroes a cell when it deletes it (`secure_delete`), but when it splits or joins pages it moves cells and leaves
the old bytes in the unallocated middle of the page. Deleting the moved cell later does not reach that copy. So after
an erasure every b-tree page's gap and free blocks are zeroed in place.

The caller holds the write lock, and the write-ahead log is empty: the file is complete and nobody changes it.
Nothing that SQLite ever reads is touched, so open readers notice nothing.

Never: writes inside a cell, a header or a pointer. Spec: the SQLite file format, "B-tree Pages"; S12.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import apsw

LEAF, INTERIOR = (10, 13), (2, 5)
HEADER_BYTES = dict.fromkeys(LEAF, 8) | dict.fromkeys(INTERIOR, 12)
# First free block, number of cells, where they begin; then of a free block: the next one, and its size.
HEADER, BLOCK = struct.Struct(">HHH"), struct.Struct(">HH")
CHUNK_PAGES = 256
# Above this, the first byte of an overflow page's pointer could look like a b-tree page's type.
MOST_PAGES = 1 << 25


def zero_gaps(path: str, vfs: str | None) -> int:
    """Zero every gap; how many pages held something there."""
    flags = [apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_MAIN_DB, 0]
    # Opened through SQLite's own layer: closing a plain file handle would drop the locks of this whole process.
    file = apsw.VFSFile(vfs or "", path, flags)
    try:
        size = file.xFileSize()
        page_size = int.from_bytes(file.xRead(2, 16), "big")
        page_size = 65_536 if page_size == 1 else page_size
        if size // page_size > MOST_PAGES:
            return -1
        dirty = 0
        for offset in range(0, size, CHUNK_PAGES * page_size):
            chunk = file.xRead(min(CHUNK_PAGES * page_size, size - offset), offset)
            for start in range(0, len(chunk), page_size):
                dirty += _zero_page(file, chunk[start : start + page_size], offset + start)
        if dirty:
            file.xSync(apsw.SQLITE_SYNC_NORMAL)
        return dirty
    finally:
        file.xClose()


def _zero_page(file: apsw.VFSFile, page: bytes, offset: int) -> bool:
    is_dirty = False
    for start, end in _gaps(page, 100 if offset == 0 else 0):
        hole = page[start:end]
        if hole.count(0) != len(hole):
            file.xWrite(bytes(len(hole)), offset + start)
            is_dirty = True
    return is_dirty


def _gaps(page: bytes, head: int) -> Iterator[tuple[int, int]]:
    """The byte ranges of a page that no cell uses; none where it is not a b-tree page."""
    header = HEADER_BYTES.get(page[head])
    if header is None:
        return
    block, cells, content = HEADER.unpack_from(page, head + 1)
    content = content or 65_536
    first = head + header + 2 * cells
    if not first <= content <= len(page):
        return
    yield first, content
    while content <= block <= len(page) - 4:
        following, size = BLOCK.unpack_from(page, block)
        yield block + 4, min(block + size, len(page))
        if following <= block:
            return
        block = following
