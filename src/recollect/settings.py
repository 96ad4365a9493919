"""File and environment, read once into one frozen Settings.

    RECOLLECT_DB            where the memory is (default: memory.db in the working folder)
    RECOLLECT_POLICY        preset name or path of a policy file (default: default)
    RECOLLECT_EMBEDDER      static, none, minilm, minilm:FOLDER, or https://host/v1#model@dimensions (default: static)
    RECOLLECT_EMBEDDER_KEY  the key of such a server; read from the environment alone, kept and shown nowhere
    RECOLLECT_INDEX_MB      how much memory the search indexes may hold (default: 512)
    RECOLLECT_ALLOW_OWNER   1: open a PostgreSQL memory as its owner or as a superuser too (default: 0)
    RECOLLECT_APPROXIMATE   1: let a server's approximate index propose what to search in huge owners (default: 0)
    RECOLLECT_ROOTS         folders whose files may be read, with the system's path separator between them
    RECOLLECT_MODEL_URL     an OpenAI-compatible endpoint, for example http://127.0.0.1:8080/v1
    RECOLLECT_MODEL         the model asked there, and RECOLLECT_SMALL_MODEL the one asked when it fails
    RECOLLECT_MODEL_KEY     its key; from the environment alone
    RECOLLECT_SUMMARISER    `rules` or `model`
    RECOLLECT_TOKENS        how tokens are counted: `safe`, or exactly as `cl100k_base` or `o200k_base` do

A file `recollect.toml` in the working folder may set all but the keys; the environment wins.

Never: read again after the start.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from urllib.parse import urlsplit

from recollect.errors import InvalidInput

FILE = "recollect.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that is configured outside the code."""

    db: str = "memory.db"
    policy: str = "default"
    embedder: str = "static"
    index_mb: int = 512
    allow_owner: bool = False
    approximate: bool = False
    roots: tuple[str, ...] = ()
    model_url: str = ""
    model: str = ""
    small_model: str = ""
    model_key: str = field(default="", repr=False)
    summariser: str = "rules"
    tokens: str = "safe"

    @property
    def aids(self) -> dict[str, object]:
        """What a memory is opened with beside its store and policy."""
        return {
            "embedder": self.embedder,
            "roots": self.roots,
            "model_url": self.model_url,
            "model": self.model,
            "small_model": self.small_model,
            "model_key": self.model_key,
            "summariser": "model" if self.summariser == "model" else None,
            "tokens": self.tokens,
        }


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
    if "model_key" in values:
        raise InvalidInput(
            f"A key does not belong into {FILE}.", hint="Set RECOLLECT_MODEL_KEY.", reason="bad_settings"
        )
    for name in values:
        if name not in names:
            raise InvalidInput(f"Unknown setting {name!r} in {FILE}.", hint=f"Allowed: {', '.join(names)}.")
    for name in names:
        if f"RECOLLECT_{name.upper()}" in environment:
            values[name] = environment[f"RECOLLECT_{name.upper()}"]
    return Settings(
        db=_text(values.get("db", "memory.db"), "db"),
        policy=_text(values.get("policy", "default"), "policy"),
        embedder=_text(values.get("embedder", "static"), "embedder"),
        index_mb=_number(values.get("index_mb", 512), "index_mb"),
        allow_owner=_switch(values.get("allow_owner", False), "allow_owner"),
        approximate=_switch(values.get("approximate", False), "approximate"),
        roots=_folders(values.get("roots", ()), folder or Path.cwd()),
        model_url=_text(values.get("model_url", ""), "model_url", may_be_empty=True),
        model=_text(values.get("model", ""), "model", may_be_empty=True),
        small_model=_text(values.get("small_model", ""), "small_model", may_be_empty=True),
        model_key=_text(values.get("model_key", ""), "model_key", may_be_empty=True),
        summariser=_text(values.get("summariser", "rules"), "summariser"),
        tokens=_text(values.get("tokens", "safe"), "tokens"),
    )


def _folders(value: object, folder: Path) -> tuple[str, ...]:
    """Folders, as a list or as the environment writes paths; relative ones from the working folder."""
    listed = value.split(os.pathsep) if isinstance(value, str) else value
    if not isinstance(listed, (list, tuple)) or not all(isinstance(each, str) for each in listed):
        raise InvalidInput("The setting roots should be a list of folders.", reason="bad_settings")
    return tuple(str(folder / each) for each in listed if each)


def _text(value: object, name: str, *, may_be_empty: bool = False) -> str:
    if not isinstance(value, str) or not (value or may_be_empty):
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
