"""The Plain view: any trace as lines of `key: value`, without a bracket.

Never: reorders lists, hides a key, or prints a value over two lines.
Spec: contract v1, "Studio (Plain view)"; facts 4.15.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_ESCAPES = str.maketrans(
    {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def plain(value: Mapping[str, object]) -> str:
    """The Plain view of a trace event."""
    return "\n".join(_lines("", value))


def _lines(path: str, value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key in sorted(value, key=str):
            yield from _lines(f"{path}.{key}" if path else str(key), value[key])
    elif isinstance(value, (list, tuple)):
        yield f"{path}.count: {len(value)}"
        for index, entry in enumerate(value, start=1):
            yield from _lines(f"{path}.{index}", entry)
    else:
        yield f"{path}: {_scalar(value)}"


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).translate(_ESCAPES)
