"""The plain rows of an export, and the order of their tables. The same for every store.

Never: decides what is exported; a store dumps all it holds of a tenant.
"""

from __future__ import annotations

TABLES: dict[str, tuple[str, ...]] = {
    "place": (
        "number",
        "space",
        "owner",
        "tick",
        "n_short",
        "n_semantic",
        "n_profile",
        "phase",
        "seq",
        "head",
        "salt",
    ),
    "phase": ("scope", "number", "started_at", "name", "reason", "salt"),
    "item": (
        "scope",
        "kind",
        "n",
        "status",
        "created_at",
        "importance",
        "pinned",
        "mentions",
        "reason",
        "replaced_by",
        "changed_ms",
        "key",
        "ref",
        "salt",
        "body",
    ),
    "edge": ("scope", "kind", "n", "from_scope", "from_kind", "from_n"),
    "record": ("scope", "seq", "record", "hash"),
    "command": ("scope", "id", "fingerprint", "receipt"),
    "policy": ("hash", "body"),
}
TEXTS = frozenset("space owner name reason status replaced_by ref body record id fingerprint receipt hash".split())
RANGES = {"kind": (0, 2), "from_kind": (0, 2), "pinned": (0, 1)}
BINARY = frozenset({"place.head", "place.salt", "phase.salt", "item.salt", "item.key", "record.hash"})


def to_plain(table: str, values: tuple[object, ...]) -> dict[str, object]:
    """A row as it is written into an export: bytes in hex."""
    names = TABLES[table]
    return {n: v.hex() if isinstance(v, bytes) else v for n, v in zip(names, values, strict=True)}


def from_plain(table: str, row: dict[str, object]) -> tuple[object, ...]:
    """The values of an exported row, in the order of its columns."""
    return tuple(_value(f"{table}.{name}", row[name]) for name in TABLES[table])


def _value(name: str, value: object) -> object:
    """One value of an exported row, which must be of its column's kind and range."""
    column = name.split(".", 1)[1]
    if name in BINARY:
        if value is None and name == "item.key":
            return None
        if not isinstance(value, str):
            raise ValueError(f"{name} should be hex")
        return bytes.fromhex(value)
    if column in TEXTS:
        if not isinstance(value, str) and not (value is None and name == "item.ref"):
            raise ValueError(f"{name} should be a text")
        return value
    lowest, highest = RANGES.get(column, (0, 2**62))
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise ValueError(f"{name} should be a number from {lowest} to {highest}")
    return value
