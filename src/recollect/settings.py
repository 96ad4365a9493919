"""File and environment, read once into one frozen Settings.

    RECOLLECT_DB            where the memory is (default: memory.db in the working folder)
    RECOLLECT_POLICY        preset name or path of a policy file (default: default)
    RECOLLECT_INDEX_MB      how much memory the search indexes may hold (default: 512)
    RECOLLECT_ALLOW_OWNER   1: open a PostgreSQL memory as its owner or as a superuser too (default: 0)

A file `recollect.toml` in the working folder may set `db`, `policy`, `index_mb` and `allow_owner`;
the environment wins.

Never: read again after the start.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from urllib.parse import urlsplit

from recollect.errors import InvalidInput

FILE = "recollect.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that is configured outside the code."""

    db: str = "memory.db"
    policy: str = "default"
    index_mb: int = 512
    allow_owner: bool = False


def read_settings(environment: Mapping[str, str] | None = None, folder: Path | None = None) -> Settings:
    """The settings of this process."""
    environment = os.environ if environment is None else environment
    path = (folder or Path.cwd()) / FILE
    values: dict[str, object] = {}
    if path.is_file():
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{FILE} is not valid TOML: {error}.", reason="bad_settings") from error
    names = [f.name for f in fields(Settings)]
    for name in values:
        if name not in names:
            raise InvalidInput(f"Unknown setting {name!r} in {FILE}.", hint=f"Allowed: {', '.join(names)}.")
    for name in names:
        if f"RECOLLECT_{name.upper()}" in environment:
            values[name] = environment[f"RECOLLECT_{name.upper()}"]
    return Settings(
        db=_text(values.get("db", "memory.db"), "db"),
        policy=_text(values.get("policy", "default"), "policy"),
        index_mb=_number(values.get("index_mb", 512), "index_mb"),
        allow_owner=_switch(values.get("allow_owner", False), "allow_owner"),
    )


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"The setting {name} should be a text.", reason="bad_settings")
    return value


def _number(value: object, name: str) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1_000_000:
        raise InvalidInput(f"The setting {name} should be a whole number of at least 1.", reason="bad_settings")
    return value


def _switch(value: object, name: str) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("0", "1"):
        return value == "1"
    raise InvalidInput(f"The setting {name} should be 0 or 1.", reason="bad_settings")


def shown_db(db: str) -> str:
    """Where the memory is, as it may be printed: an address without its password and its options."""
    if "://" not in db:
        return db
    try:
        parts = urlsplit(db)
        host, role = parts.netloc.rsplit("@", 1)[-1], parts.username
    except ValueError:
        return db.split("://", 1)[0] + "://…"
    return f"{parts.scheme}://{f'{role}@' if role else ''}{host}{parts.path}"
