"""Runs the command line in this process, or as a program, on a database of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from recollect.surfaces.cli.main import app

# Built once: Typer's own `invoke` builds every command anew for each call.
COMMAND = get_command(app)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one call printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Line:
    """A command line with a folder of its own."""

    folder: Path
    columns: int = 200

    @property
    def db(self) -> Path:
        return self.folder / "memory.db"

    def __call__(self, *words: str, stdin: str | bytes = "", code: int | None = 0) -> Said:
        """Run in this process; anything that is not one of our errors is raised here."""
        ended = 0
        with CliRunner().isolation(input=stdin, env=self._environment()) as streams:
            try:
                COMMAND.main(args=list(words), prog_name="recollect")
            except SystemExit as end:
                assert end.code is None or isinstance(end.code, int)
                ended = end.code or 0
            sys.stdout.flush()
            sys.stderr.flush()
            out, err = (stream.getvalue().decode() for stream in streams[:2])
        assert code is None or ended == code, (ended, out, err)
        return Said(code=ended, out=out, err=err)

    def program(self, *words: str, stdin: bytes = b"", **environment: str) -> Said:
        """Run as a program, as a shell would."""
        done = subprocess.run(
            self.command(*words),
            input=stdin,
            capture_output=True,
            cwd=self.folder,
            env=self.surroundings(**environment),
            timeout=60,
        )
        return Said(code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-W", "error", "-m", "recollect.surfaces.cli.main", *words]

    def surroundings(self, **more: str) -> dict[str, str]:
        own = {name: value for name, value in self._environment().items() if value is not None}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("RECOLLECT_")}
        return {**kept, **own, **more}

    def _environment(self) -> dict[str, str | None]:
        return {
            "RECOLLECT_DB": str(self.db),
            "RECOLLECT_POLICY": None,
            "RECOLLECT_EMBEDDER": None,
            "RECOLLECT_EMBEDDER_KEY": None,
            "RECOLLECT_INDEX_MB": None,
            "COLUMNS": str(self.columns),
            "NO_COLOR": "1",
        }
