"""Reads named SQL statements and says which of the house rules they break.

An ORDER BY is total when the columns it sorts by, together with the columns the WHERE clause fixes to one value,
cover a unique key of the table (or the statement's own GROUP BY), and the last sorted column is part of that key.

Never: runs a statement.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

BANNED = re.compile(
    r"\bnow\s*\(|\brandom\s*\(|\brandomblob\s*\(|\bcurrent_(?:timestamp|time|date)\b|\bdatetime\s*\(|\bdate\s*\("
    r"|\btime\s*\(|\bstrftime\s*\(|\bjulianday\s*\(|\bunixepoch\s*\(|\bgen_random_uuid\b",
    re.IGNORECASE,
)
_ORDER = re.compile(r"\border\s+by\s+(.+?)(?:\blimit\b|\bfor\s+update\b|$)", re.IGNORECASE | re.DOTALL)
_GROUP = re.compile(r"\bgroup\s+by\s+(.+?)(?:\border\b|\blimit\b|$)", re.IGNORECASE | re.DOTALL)
_TABLE = re.compile(r"\bfrom\s+(\w+)", re.IGNORECASE)
# What is asked for row by row comes from a list named `wanted`, and is one value in each of its rows.
_FIXED = re.compile(r"\b(\w+)\s*=\s*(?:\?|\$\d+|'[^']*'|\d+|wanted\.)", re.IGNORECASE)
# What a UNION gives holds every row once, so all its columns together are a key.
_UNION = re.compile(
    r"\bfrom\s*\(\s*select\s+(.+?)\s+from\b(?:(?!\bunion\s+all\b).)*\bunion\b(?!\s+all)", re.IGNORECASE | re.DOTALL
)
_LITERAL = re.compile(r"'([^']*)'")

# Words that are part of a query, not a value of a caller.
LITERALS_ALLOWED = frozenset({"", "ACTIVE", "ARCHIVED", "QUARANTINED"})

Keys = Mapping[str, tuple[frozenset[str], ...]]


def reads_clock_or_chance(sql: str) -> bool:
    """Whether a statement asks the machine for the time or for luck."""
    return BANNED.search(sql) is not None


def unordered(sql: str, keys: Keys) -> str:
    """Why an ORDER BY of a statement can tie, or ''."""
    for match in _ORDER.finditer(sql):
        columns = [part.split()[0].lower() for part in match.group(1).replace("\n", " ").split(",")]
        table = next((name for name in _TABLE.findall(sql) if name.lower() in keys), "")
        fixed = {name.lower() for name in _FIXED.findall(sql)}
        unique = list(keys.get(table.lower(), ()))
        group = _GROUP.search(sql)
        if group is not None:
            unique = [frozenset(part.strip().lower() for part in group.group(1).split(","))]
        union = _UNION.search(sql)
        if union is not None:
            unique.append(frozenset(part.strip().lower() for part in union.group(1).split(",")))
        if not any(key <= fixed | set(columns) and columns[-1] in key for key in unique):
            return f"ORDER BY {', '.join(columns)} with {sorted(fixed)} fixed ends in no unique key"
    return ""


def limited_without_order(sql: str) -> bool:
    """Whether a statement takes the first rows of an order it does not name."""
    return re.search(r"\blimit\b", sql, re.IGNORECASE) is not None and _ORDER.search(sql) is None


def foreign_literals(sql: str) -> list[str]:
    """Values that stand in a statement instead of coming in as parameters."""
    return [value for value in _LITERAL.findall(sql) if value not in LITERALS_ALLOWED]


_TOUCHED = re.compile(r"\b(?:from|join|update|into)\s+(\w+)", re.IGNORECASE)
_BY_TENANT = re.compile(r"\btenant\s*=\s*\$1(?!\d)", re.IGNORECASE)
_JOINED = re.compile(r"\bjoin\s+\w+\s+using\s*\(\s*tenant\b", re.IGNORECASE)
_GIVEN_TENANT = re.compile(
    r"\binsert\s+into\s+\w+\s*\(\s*tenant\b.*?\b(?:values\s*\(|select)\s*\$1(?!\d)", re.IGNORECASE | re.DOTALL
)


def without_tenant(sql: str, tables: frozenset[str]) -> str:
    """Which touch of a tenant's table does not name the tenant, or ''. `$1` is the tenant, everywhere."""
    touched = [name.lower() for name in _TOUCHED.findall(sql) if name.lower() in tables]
    named = len(_BY_TENANT.findall(sql)) + len(_GIVEN_TENANT.findall(sql)) + len(_JOINED.findall(sql))
    if named < len(touched):
        return f"touches {touched}, names the tenant {named} times"
    return ""
