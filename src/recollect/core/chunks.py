"""How a file is cut along its own structure: functions, blocks, sections, headings.

    python     top-level functions and classes with what stands directly above them; a long class by its methods
    terraform  top-level blocks          yaml      top-level keys and documents
    toml       tables                    json      the members of the outermost object
    markdown   headings                  anything else, and whatever is still too long: by blank lines, then by count

The chunks of a file, one after the other, are the file, line for line.

Never: parses, runs or repairs what it cuts; a file with broken syntax is cut all the same.
Spec: issue "chunked by structure"; ruling 7 (static: snippets, never facts).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

CHUNK_LINES = 80
CHUNK_CHARACTERS = 6_000
SIGNATURE_CHARACTERS = 160

_SUFFIX = {
    "py": "python",
    "pyi": "python",
    "tf": "terraform",
    "tfvars": "terraform",
    "hcl": "terraform",
    "yaml": "yaml",
    "yml": "yaml",
    "toml": "toml",
    "json": "json",
    "md": "markdown",
    "markdown": "markdown",
}
_HEADS = {
    "python": re.compile(r"(?:async[ \t]+def|def|class)[ \t]+(\w+)"),
    "terraform": re.compile(r"([A-Za-z_]\w*(?:[ \t]+\"[^\"\n]*\")*)[ \t]*\{"),
    "yaml": re.compile(r"(?:- )?([\w.\"'/$-][^:#\n]{0,80}):(?:[ \t]|$)|(---)"),
    "toml": re.compile(r"\[\[?([^\]\n]+)\]"),
    "json": re.compile(r"[ \t]{1,8}\"([^\"\n]{1,120})\"[ \t]*:"),
    "markdown": re.compile(r"#{1,6}[ \t]+(.+)"),
}
_METHOD = re.compile(r"[ \t]+(?:async[ \t]+def|def)[ \t]+(\w+)")
_ABOVE = re.compile(r"[ \t]*(?:@|#)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A piece of a file: its name, its first line as it is written, where it stands (1-based, inclusive), its text."""

    name: str
    signature: str
    first_line: int
    last_line: int
    text: str


def language_of(path: str) -> str:
    """The language a path's suffix names; `text` for the others."""
    return _SUFFIX.get(path.rsplit(".", 1)[-1].lower(), "text") if "." in path else "text"


def chunks(path: str, text: str) -> list[Chunk]:
    """The pieces of a file, in order."""
    lines = text.split("\n")
    if not text.strip():
        return []
    language = language_of(path)
    starts = _starts(lines, language)
    found: list[Chunk] = []
    for (start, name), end in zip(starts, [*(s for s, _ in starts[1:]), len(lines)], strict=True):
        found.extend(_sized(lines, start, end, name, language))
    return found


def _starts(lines: Sequence[str], language: str) -> list[tuple[int, str]]:
    """Where the pieces begin. Comments and decorators belong to what follows them."""
    head = _HEADS.get(language)
    if head is None:
        return [(0, "")]
    inside = _INSIDE.get(language, _never)(lines)
    indent = _json_indent(lines) if language == "json" else ""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        if inside[number] or (language == "json" and not _is_member(line, indent)):
            continue
        match = head.match(line)
        if match is None:
            continue
        start = number
        floor = found[-1][0] if found else -1
        while language in {"python", "terraform"} and start - 1 > floor and _ABOVE.match(lines[start - 1]):
            start -= 1
        found.append((start, (match.group(1) or match.group(0)).strip()))
    if not found or found[0][0] > 0:
        found.insert(0, (0, ""))
    return found


def _json_indent(lines: Sequence[str]) -> str:
    for line in lines:
        match = re.match(r"([ \t]+)\"", line)
        if match:
            return match.group(1)
    return ""


def _is_member(line: str, indent: str) -> bool:
    return line.startswith(f'{indent}"') if indent else False


def _never(lines: Sequence[str]) -> list[bool]:
    return [False] * len(lines)


def _in_strings(lines: Sequence[str]) -> list[bool]:
    """Which lines of Python begin inside a triple-quoted string."""
    inside, quote = [], ""
    for line in lines:
        inside.append(bool(quote))
        at = 0
        while at < len(line):
            if quote:
                end = line.find(quote, at)
                if end < 0:
                    break
                quote, at = "", end + 3
                continue
            opened = [(p, q) for q in ('"""', "'''") if (p := line.find(q, at)) >= 0]
            if not opened or 0 <= line.find("#", at) < min(opened)[0]:
                break
            position, quote = min(opened)
            at = position + 3
    return inside


def _in_fences(lines: Sequence[str]) -> list[bool]:
    """Which lines of Markdown stand inside fenced code."""
    inside, is_open = [], False
    for line in lines:
        if line.lstrip().startswith(("```", "~~~")):
            inside.append(True)
            is_open = not is_open
        else:
            inside.append(is_open)
    return inside


_INSIDE: dict[str, Callable[[Sequence[str]], list[bool]]] = {"python": _in_strings, "markdown": _in_fences}


def _sized(lines: Sequence[str], start: int, end: int, name: str, language: str) -> list[Chunk]:
    """One piece, or several where it is too long for one."""
    if _is_small(lines[start:end]):
        return (
            [_chunk(lines, start, end, name)]
            if any(line.strip() for line in lines[start:end])
            else _blank(lines, start, end)
        )
    cuts = [start]
    methods = [n for n in range(start + 1, end) if language == "python" and _METHOD.match(lines[n])]
    inner = methods or [n + 1 for n in range(start, end - 1) if not lines[n].strip()]
    for cut in [*inner, end]:
        while not _is_small(lines[cuts[-1] : cut]) and cut - cuts[-1] > 1:
            before = [c for c in inner if cuts[-1] < c < cut and _is_small(lines[cuts[-1] : c])]
            cuts.append(before[-1] if before else cuts[-1] + _fitting(lines, cuts[-1], cut))
    pieces = zip(cuts, [*cuts[1:], end], strict=True)
    return [_chunk(lines, first, last, f"{name} ({index})".strip()) for index, (first, last) in enumerate(pieces, 1)]


def _fitting(lines: Sequence[str], start: int, end: int) -> int:
    """How many lines from here make one piece; at least one, however long it is."""
    size = 0
    for count, line in enumerate(lines[start:end]):
        size += len(line) + 1
        if count and (count >= CHUNK_LINES or size > CHUNK_CHARACTERS):
            return count
    return max(1, end - start)


def _is_small(lines: Sequence[str]) -> bool:
    return len(lines) <= CHUNK_LINES and sum(len(line) + 1 for line in lines) <= CHUNK_CHARACTERS


def _blank(lines: Sequence[str], start: int, end: int) -> list[Chunk]:
    return [_chunk(lines, start, end, "")]


def _chunk(lines: Sequence[str], start: int, end: int, name: str) -> Chunk:
    piece = lines[start:end]
    shown = [line for line in piece if line.strip() and not _ABOVE.match(line)] or [
        line for line in piece if line.strip()
    ]
    signature = shown[0].rstrip()[:SIGNATURE_CHARACTERS] if shown else ""
    return Chunk(name=name, signature=signature, first_line=start + 1, last_line=end, text="\n".join(piece))
