"""A disk that can lose its power: it remembers what was written, what was synced, and which names were made durable.

SQLite runs on the real file system through `RecordingVfs`, which notes every write, truncate, sync, create and
delete in the order they came, those that recollect does past SQLite included. A power loss is then a point in that
recording: what was synced before it is there; of everything younger, each sector is dropped, kept or torn by chance.
The running program cannot tell a recording from a fuse that blows, so one run serves for many losses.

1. A sector that was written twice since its last sync may come back as either, or as neither.
2. Only bytes that were being written can be torn: disks promise that much, and SQLite relies on it.
3. A new file's name is durable once its folder was synced, which SQLite does with the first sync of a journal or a
   write-ahead log; a removed name may come back until then.
4. After a sync that failed, what it should have carried is on the disk or not, by chance, and stays so: the
   operating system takes those pages for clean.
5. Shared memory is memory: it is never there afterwards.

Never: changes what SQLite reads back while it runs.
Spec: goal R2; reliability.md "power loss".
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import NamedTuple

import apsw

LOGS = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_SUPER_JOURNAL
SECTORS = (512, 4096)
_names = count(1)


class Create(NamedTuple):
    """A name for a file; a second name for one that has data already is a link."""

    name: str
    file: int
    is_log: bool = False


class Delete(NamedTuple):
    name: str
    is_synced: bool


class Write(NamedTuple):
    file: int
    offset: int
    data: bytes


class Truncate(NamedTuple):
    file: int
    size: int


class Sync(NamedTuple):
    file: int
    has_failed: bool = False


class SyncNames(NamedTuple):
    """The folder itself was synced."""


class Acknowledged(NamedTuple):
    """So many steps were answered by now."""

    steps: int


Event = Create | Delete | Write | Truncate | Sync | SyncNames | Acknowledged


@dataclass(slots=True)
class Recording:
    """What happened to the files of one folder, and what was in them before."""

    before: dict[str, bytes] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def acknowledge(self, steps: int) -> None:
        self.events.append(Acknowledged(steps))


class RecordingVfs(apsw.VFS):
    """The ordinary file system, with somebody taking notes. Use as a context manager."""

    def __init__(self, folder: Path, failing_sync: int = 0) -> None:
        self.name = f"recording-{next(_names)}"
        self.recording = Recording(before={path.name: path.read_bytes() for path in _data_files(folder)})
        self.files = {name: number for number, name in enumerate(self.recording.before)}
        self.syncs_until_failure = failing_sync
        self._next = count(len(self.files))
        super().__init__(self.name, "")

    def __enter__(self) -> RecordingVfs:
        self._real = {name: getattr(os, name) for name in ("link", "rename", "unlink", "fsync")}
        os.link, os.rename, os.unlink, os.fsync = self._link, self._rename, self._unlink, self._fsync  # type: ignore
        return self

    def __exit__(self, *_: object) -> None:
        for name, call in self._real.items():
            setattr(os, name, call)
        self.unregister()

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return RecordingFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        name = Path(filename).name
        self.files.pop(name, None)
        self.recording.events.append(Delete(name, bool(syncdir)))

    # What recollect does to the files itself, past SQLite.

    def _link(self, source: str | Path, target: str | Path, **options: object) -> None:
        self._real["link"](source, target, **options)
        self._name(Path(target).name, Path(source).name)

    def _rename(self, source: str | Path, target: str | Path) -> None:
        self._real["rename"](source, target)
        self._name(Path(target).name, Path(source).name)
        self._forget(Path(source).name)

    def _unlink(self, path: str | Path, **options: object) -> None:
        self._real["unlink"](path, **options)
        self._forget(Path(path).name)

    def _fsync(self, handle: int) -> None:
        path = Path(f"/proc/self/fd/{handle}").readlink()
        if path.is_dir():
            self.recording.events.append(SyncNames())
        elif path.name in self.files:
            self.recording.events.append(Sync(self.files[path.name]))

    def _name(self, name: str, known_as: str) -> None:
        if known_as in self.files:
            self.files[name] = self.files[known_as]
            self.recording.events.append(Create(name, self.files[name]))

    def _forget(self, name: str) -> None:
        if self.files.pop(name, None) is not None:
            self.recording.events.append(Delete(name, False))

    def file_of(self, name: str, is_log: bool, is_there: bool) -> int:
        """The number of a file; a name that is not there gets a new one."""
        if not is_there or name not in self.files:
            self.files[name] = next(self._next)
            self.recording.events.append(Create(name, self.files[name], is_log))
        return self.files[name]

    def must_fail(self) -> bool:
        self.syncs_until_failure -= 1
        return self.syncs_until_failure == 0


class RecordingFile(apsw.VFSFile):
    """One open file."""

    def __init__(self, vfs: RecordingVfs, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        is_there = path is not None and Path(path).exists()
        super().__init__("", name, flags)
        self._vfs = vfs
        self._file = vfs.file_of(Path(path).name, bool(flags[0] & LOGS), is_there) if path else -1

    def xWrite(self, data: bytes, offset: int) -> None:
        super().xWrite(data, offset)
        self._vfs.recording.events.append(Write(self._file, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        super().xTruncate(newsize)
        self._vfs.recording.events.append(Truncate(self._file, newsize))

    def xSync(self, flags: int) -> None:
        has_failed = self._vfs.must_fail()
        self._vfs.recording.events.append(Sync(self._file, has_failed))
        if has_failed:
            raise apsw.exception_for(apsw.SQLITE_IOERR_FSYNC)


def _data_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if not path.name.endswith(("-shm", "-ballast")))


@dataclass(slots=True)
class _File:
    """A file as the platters have it, and what is still on its way to them."""

    durable: bytearray = field(default_factory=bytearray)
    waiting: list[Write | Truncate] = field(default_factory=list)
    is_log: bool = False


@dataclass(slots=True)
class Survivors:
    """What is found when the power is back."""

    files: dict[str, bytes]
    acknowledged: int
    point: int

    def lay_out(self, folder: Path) -> None:
        """Put the files into an empty folder."""
        for name, data in self.files.items():
            (folder / name).write_bytes(data)


def losses(recording: Recording, points: Sequence[int], chance: random.Random) -> Iterator[Survivors]:
    """The survivors of a power loss at each of these points, which come in ascending order."""
    disk = _Disk(recording.before, chance)
    done = 0
    for point in points:
        for event in recording.events[done:point]:
            disk.apply(event)
        done = point
        yield Survivors(disk.survivors(chance), disk.acknowledged, point)


class _Disk:
    """The durable state while a recording is played."""

    def __init__(self, before: dict[str, bytes], chance: random.Random) -> None:
        self._chance = chance
        self._files = {number: _File(durable=bytearray(data)) for number, data in enumerate(before.values())}
        self._names = {name: number for number, name in enumerate(before)}
        self._name_changes: list[Create | Delete] = []
        self.acknowledged = 0

    def apply(self, event: Event) -> None:
        match event:
            case Create(file=file, is_log=is_log):
                self._files.setdefault(file, _File(is_log=is_log))
                self._name_changes.append(event)
            case Delete(is_synced=is_synced):
                self._name_changes.append(event)
                if is_synced:
                    self._sync_names()
            case Write(file=file) | Truncate(file=file):
                self._files[file].waiting.append(event)
            case Sync():
                self._sync(event)
            case SyncNames():
                self._sync_names()
            case Acknowledged(steps=steps):
                self.acknowledged = steps

    def _sync(self, event: Sync) -> None:
        file = self._files[event.file]
        if event.has_failed:
            _settle(file.durable, file.waiting, self._chance)
        else:
            for change in file.waiting:
                _carry_out(file.durable, change)
            if file.is_log:
                self._sync_names()
                file.is_log = False
        file.waiting = []

    def _sync_names(self) -> None:
        for change in self._name_changes:
            _rename(self._names, change)
        self._name_changes = []

    def survivors(self, chance: random.Random) -> dict[str, bytes]:
        names = dict(self._names)
        for change in self._name_changes:
            if chance.random() < 0.5:
                _rename(names, change)
        found: dict[str, bytes] = {}
        for name, number in names.items():
            file = self._files[number]
            content = bytearray(file.durable)
            _settle(content, file.waiting, chance)
            found[name] = bytes(content)
        return found


def _rename(names: dict[str, int], change: Create | Delete) -> None:
    if isinstance(change, Create):
        names[change.name] = change.file
    else:
        names.pop(change.name, None)


def _carry_out(content: bytearray, change: Write | Truncate) -> None:
    if isinstance(change, Write):
        _put(content, change.offset, change.data)
    else:
        del content[change.size :]


def _put(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


def _settle(content: bytearray, waiting: Sequence[Write | Truncate], chance: random.Random) -> None:
    """Let each unsynced sector be kept, torn or dropped."""
    sector = chance.choice(SECTORS)
    kept_of_10 = chance.choice((0, 1, 5, 9, 10))
    torn_of_10 = chance.choice((0, 1, 5))
    size = len(content)
    for change in waiting:
        if isinstance(change, Truncate):
            size = change.size
            if chance.randrange(10) < kept_of_10:
                _carry_out(content, change)
            continue
        size = max(size, change.offset + len(change.data))
        for offset, piece in _pieces(change, sector):
            if chance.randrange(10) < kept_of_10:
                _put(content, offset, piece)
            elif chance.randrange(10) < torn_of_10 and len(piece) > 1:
                cut = chance.randrange(1, len(piece))
                is_head = chance.random() < 0.5
                _put(content, offset if is_head else offset + cut, piece[:cut] if is_head else piece[cut:])
    if len(content) < size and chance.random() < 0.3:
        # The length of a file may outlive its content.
        content.extend(bytes(size - len(content)))


def _pieces(change: Write, sector: int) -> Iterator[tuple[int, bytes]]:
    offset, end = change.offset, change.offset + len(change.data)
    while offset < end:
        stop = min(end, (offset // sector + 1) * sector)
        yield offset, change.data[offset - change.offset : stop - change.offset]
        offset = stop
