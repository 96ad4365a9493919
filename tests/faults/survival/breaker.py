"""Makes one call of SQLite to the operating system fail, the way an operating system fails.

SQLite's unix layer lets its system calls be replaced. `Breaker` puts counting stand-ins in their place, which call the
real ones until it is their turn: then they return -1 with the right errno, exactly as a broken disk would, and
SQLite's own translation of that is part of what is tested. Only `fsync` cannot be replaced there; it fails one floor
higher, in a thin file layer.

1. The calls of each name are numbered in the order they come, so that a story can be run once for each of them.
2. A fault happens once, or from its call on until the disk is repaired.
3. A short write puts half of the bytes down and then finds the disk full.

Never: left in place: it is a context manager.
Spec: goal R3.
"""

from __future__ import annotations

import ctypes
import errno
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import apsw

LAYER = "breaker"
_INT, _SIZE, _OFF, _PTR, _TEXT = ctypes.c_int, ctypes.c_size_t, ctypes.c_int64, ctypes.c_void_p, ctypes.c_char_p
_SIGNATURES: dict[str, tuple[object, ...]] = {
    "open": (_INT, _TEXT, _INT, _INT),
    "pread64": (ctypes.c_ssize_t, _INT, _PTR, _SIZE, _OFF),
    "pwrite64": (ctypes.c_ssize_t, _INT, _PTR, _SIZE, _OFF),
    "ftruncate": (_INT, _INT, _OFF),
    "unlink": (_INT, _TEXT),
    "fstat": (_INT, _INT, _PTR),
    "mmap": (ctypes.c_ssize_t, _PTR, _SIZE, _INT, _INT, _INT, _OFF),
}
# Which faults a call can have; `sync` is the one that is not a system call here.
FAULTS: dict[str, tuple[str, ...]] = {
    "open": ("EIO", "ENOSPC", "EMFILE"),
    "pread64": ("EIO",),
    "pwrite64": ("EIO", "ENOSPC", "SHORT"),
    "ftruncate": ("EIO", "ENOSPC"),
    "unlink": ("EIO",),
    "fstat": ("EIO",),
    "mmap": ("ENOMEM",),
    "sync": ("EIO",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The how-manyeth call of which name fails, and how. `at` counts from 1."""

    at: int
    call: str
    error: str
    is_lasting: bool = False

    @property
    def layer(self) -> str | None:
        """Only a failing sync needs the extra floor; without it SQLite sees what it would see on a broken disk."""
        return LAYER if self.call == "sync" else None

    def __str__(self) -> str:
        return f"{self.call} #{self.at} {self.error}{' lasting' if self.is_lasting else ''}"


class Breaker:
    """Counts the calls of each name, and fails the one whose turn it is."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.has_fired = False
        self._fault: Fault | None = None
        self._is_armed = False
        self._is_half_written = False

    def arm(self, fault: Fault | None = None) -> None:
        """Begin to count; fail where the fault says so."""
        self.counts, self.has_fired, self._is_half_written = Counter(), False, False
        self._fault, self._is_armed = fault, True

    def repair(self) -> None:
        """From now on everything works again."""
        self._is_armed = False

    def error_for(self, call: str) -> str:
        """The error of this call, if it is to fail."""
        if not self._is_armed:
            return ""
        self.counts[call] += 1
        fault, number = self._fault, self.counts[call]
        if fault is None or call != fault.call or number < fault.at:
            return ""
        if self._is_half_written:
            self._is_half_written = fault.is_lasting
            return "ENOSPC"
        if number > fault.at and not fault.is_lasting:
            return ""
        self.has_fired, self._is_half_written = True, fault.error == "SHORT"
        return fault.error

    @contextmanager
    def in_place(self) -> Iterator[Breaker]:
        """Put the stand-ins under SQLite, and take them away again."""
        layer = _SyncLayer(self)
        stand_ins = {name: _stand_in(layer, name, self) for name in _SIGNATURES}
        try:
            for name, stand_in in stand_ins.items():
                layer.xSetSystemCall(name, ctypes.cast(stand_in, ctypes.c_void_p).value or 0)
            yield self
        finally:
            for name in stand_ins:
                layer.xSetSystemCall(name, 0)
            layer.unregister()


def _stand_in(layer: apsw.VFS, name: str, breaker: Breaker) -> Callable[..., int]:
    kind = ctypes.CFUNCTYPE(*_SIGNATURES[name], use_errno=True)
    real = kind(layer.xGetSystemCall(name))

    def call(*arguments: int) -> int:
        error = breaker.error_for(name)
        if error == "SHORT":
            fd, data, size, offset = arguments
            return int(real(fd, data, size // 2, offset))
        if error:
            ctypes.set_errno(getattr(errno, error))
            return -1
        return int(real(*arguments))

    return kind(call)


class _SyncLayer(apsw.VFS):
    def __init__(self, breaker: Breaker) -> None:
        self.breaker = breaker
        super().__init__(LAYER, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return _SyncFile(self, name, flags)


class _SyncFile(apsw.VFSFile):
    def __init__(self, layer: _SyncLayer, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._breaker = layer.breaker

    def xSync(self, flags: int) -> None:
        if self._breaker.error_for("sync"):
            raise apsw.exception_for(apsw.SQLITE_IOERR_FSYNC)
