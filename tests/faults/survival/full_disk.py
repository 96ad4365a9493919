"""A small disk of its own, filled to the last byte.

Never: fills a disk that anybody else uses: it mounts a file system in memory, which needs the rights to do so.
Spec: goal R4.
"""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class CannotMount(Exception):
    """This user may not mount a file system here."""


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A disk of that size, mounted below the folder."""
    place = folder / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "tmpfs", str(place)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CannotMount(str(error)) from error
    if done.returncode != 0:
        raise CannotMount(done.stderr.strip())
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(disk: Path) -> Path:
    """Write until nothing more goes in, byte by byte at the end."""
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as file:
        for size in (1_048_576, 4_096, 1):
            _write_until_full(file.fileno(), size)
    return filler


def _write_until_full(handle: int, size: int) -> None:
    piece = b"x" * size
    while True:
        try:
            if os.write(handle, piece) < size:
                return
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            return
