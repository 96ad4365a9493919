"""Files of this machine, below roots the caller configured and nowhere else.

1. A path is resolved with all its links; where it ends must lie below a root, else it is refused.
2. The file is opened without following a last link and without waiting, then looked at through its descriptor: only a
   regular file is read, and only if it is still the one that was resolved.
3. At most the limit is read, whatever the size said before.

Never: writes, lists anything above a root, or reads a device, a pipe or a socket.
Spec: ports/files.py; ruling 19.
"""

from __future__ import annotations

import errno
import fnmatch
import hashlib
import os
import stat
from collections.abc import Sequence
from pathlib import Path

from recollect.core.read.files import FileText
from recollect.errors import InvalidInput

WALKED = 50_000
_SKIPPED = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".terraform"})
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


class RootedFiles:
    """Reads below its roots; paths are told relative to the first root that holds them."""

    def __init__(self, roots: Sequence[str | Path] = ()) -> None:
        self._roots = tuple(_root(root) for root in roots)

    @property
    def has_roots(self) -> bool:
        return bool(self._roots)

    def read(self, path: str, limit_bytes: int) -> FileText:
        """The file a path means, or why it is not read."""
        if not self._roots:
            return FileText(path=path, refusal="file_no_roots")
        real, refusal = self._resolve(path)
        if real is None:
            return FileText(path=path, refusal=refusal)
        name = self._name(real)
        try:
            raw, mtime_ms, refusal = _bytes_of(real, limit_bytes)
        except FileNotFoundError:
            return FileText(path=name, refusal="file_vanished")
        except OSError as error:
            code = "file_symlink" if error.errno == errno.ELOOP else "file_unreadable"
            return FileText(path=name, refusal=code)
        if refusal:
            return FileText(path=name, refusal=refusal, mtime_ms=mtime_ms)
        text, note = _decoded(raw)
        if text is None:
            return FileText(path=name, refusal="file_binary", mtime_ms=mtime_ms)
        return FileText(path=name, text=text, sha256=hashlib.sha256(raw).hexdigest(), mtime_ms=mtime_ms, note=note)

    def mtime_ms(self, path: str) -> int:
        """When a file was last changed, without reading it."""
        real, _ = self._resolve(path)
        try:
            return real.stat().st_mtime_ns // 1_000_000 if real is not None else -1
        except OSError:
            return -1

    def find(self, pattern: str, limit: int) -> Sequence[str]:
        """Every file below the roots whose relative path the pattern names."""
        found: dict[str, bool] = {}
        # `**/` means in any folder, this one too.
        patterns = dict.fromkeys((pattern, pattern.replace("**/", "")))
        walked = 0
        for root in self._roots:
            for folder, folders, names in os.walk(root):
                folders[:] = sorted(name for name in folders if name not in _SKIPPED)
                for name in sorted(names):
                    walked += 1
                    path = (Path(folder) / name).relative_to(root).as_posix()
                    if any(fnmatch.fnmatchcase(text, each) for text in (path, name) for each in patterns):
                        found[path] = True
                if walked > WALKED or len(found) > limit:
                    break
        return sorted(found)[:limit]

    def _resolve(self, path: str) -> tuple[Path | None, str]:
        """Where a path ends, if that is below a root. A relative one is looked for in each root in turn."""
        if not path or "\0" in path or len(path) > 4_096:
            return None, "file_bad_path"
        refusal = "file_outside_roots"
        for root in self._roots:
            given = root / path
            try:
                real = given.resolve(strict=True)
            except FileNotFoundError:
                is_inside = Path(os.path.normpath(given)).is_relative_to(root)
                refusal = "file_missing" if is_inside else refusal
                continue
            except (OSError, RuntimeError):
                refusal = "file_unreadable"
                continue
            if any(real.is_relative_to(one) for one in self._roots):
                return real, ""
            is_link = Path(os.path.normpath(given)).is_relative_to(root)
            refusal = "file_symlink_out" if is_link else "file_outside_roots"
        return None, refusal

    def _name(self, real: Path) -> str:
        root = next(one for one in self._roots if real.is_relative_to(one))
        return real.relative_to(root).as_posix()


def _root(root: str | Path) -> Path:
    if not isinstance(root, (str, Path)) or not str(root) or "\0" in str(root):
        raise InvalidInput("A root should be a path.", reason="bad_root")
    try:
        real = Path(root).resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise InvalidInput("A root does not exist.", hint="Name a folder that is there.", reason="bad_root") from error
    if not real.is_dir():
        raise InvalidInput("A root should be a folder.", reason="bad_root")
    return real


def _bytes_of(real: Path, limit: int) -> tuple[bytes, int, str]:
    """The content and its time, or the code of what speaks against reading it."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    before = real.stat()
    if not stat.S_ISREG(before.st_mode):
        return b"", 0, "file_not_regular"
    handle = os.open(real, flags)
    try:
        now = os.fstat(handle)
        if not stat.S_ISREG(now.st_mode) or (now.st_dev, now.st_ino) != (before.st_dev, before.st_ino):
            return b"", 0, "file_not_regular"
        mtime_ms = now.st_mtime_ns // 1_000_000
        if now.st_size > limit:
            return b"", mtime_ms, "file_too_large"
        parts: list[bytes] = []
        left = limit + 1
        while left > 0 and (part := os.read(handle, min(left, 1_048_576))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts), mtime_ms, "file_too_large" if left <= 0 else ""
    finally:
        os.close(handle)


def _decoded(raw: bytes) -> tuple[str | None, str]:
    """The text of a file, and a note where some of it could not be read as text."""
    encoding = next((name for mark, name in _BOMS if raw.startswith(mark)), "")
    if encoding:
        body = raw[3:] if encoding == "utf-8" else raw[2:]
        return _plain(body.decode(encoding, "replace")), "" if encoding == "utf-8" else encoding
    if b"\0" in raw:
        return None, ""
    try:
        return _plain(raw.decode("utf-8")), ""
    except UnicodeDecodeError:
        text = raw.decode("utf-8", "replace")
        if text.count("\ufffd") * 10 > len(text):
            return None, ""
        return _plain(text), "not UTF-8; unreadable bytes shown as \ufffd"


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
