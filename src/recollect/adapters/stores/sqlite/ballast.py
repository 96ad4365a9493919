"""Disk space held back beside the database, so that erasing works on a full disk.

Deleting needs room too: the changed pages go through the write-ahead log first. The ballast is given up when a
write that erases fails for lack of space, and taken back as soon as there is room.

Never: holds data, and never fails a write that would have worked without it.
Spec: reliability.md "full disk".
"""

from __future__ import annotations

import os
from pathlib import Path

BALLAST_BYTES = 2 * 1_048_576


class Ballast:
    """One file of zeros."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self) -> None:
        """Make sure the space is held; quietly go without where there is none."""
        try:
            if self._path.exists() and self._path.stat().st_size >= BALLAST_BYTES:
                return
            with self._path.open("wb") as file:
                file.write(bytes(BALLAST_BYTES))
                if hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(file.fileno(), 0, BALLAST_BYTES)
        except OSError:
            self.drop()

    def drop(self) -> bool:
        """Give the space up."""
        try:
            self._path.unlink()
        except OSError:
            return False
        return True
