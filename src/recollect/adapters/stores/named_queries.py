"""Reads a `.sql` file into named statements.

Never: builds SQL from values.
"""

from __future__ import annotations

import re
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def load_queries(package: str, file_name: str = "queries.sql") -> dict[str, str]:
    """All statements of a file by name, comments stripped."""
    text = files(package).joinpath(file_name).read_text(encoding="utf-8")
    parts = _NAME.split(text)
    return {name: _statement(body) for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def _statement(body: str) -> str:
    lines = [line for line in body.splitlines() if not line.startswith("--")]
    return "\n".join(lines).strip().rstrip(";")
