"""Exports to try things on: a memory with something of everything, its lines, and files made from altered lines.

`sealed` gives altered lines the manifest they would need to pass the checksum, so that a test can ask whether what
lies behind the checksum is checked too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recollect import Memory
from recollect.core.canonical import canonical

START_MS = 1_767_225_600_000
Line = dict[str, Any]


def lived(memory: Memory) -> None:
    """A short life that leaves rows in every table: facts, corrections, phases, commands, quarantine, an erasure."""
    clock = iter(range(START_MS, START_MS + 10**9, 1_000))
    ana = memory.session(user="ana", session="s1", persona="coach", project="apollo")
    bob = memory.session(user="bob", session="s1")
    for number in range(3):
        ana.remember(f"We decided to use Postgres number {number}.", ref=f"a{number}", at=next(clock))
        bob.remember(f"Bob says hello {number}.", ref=f"b{number}", at=next(clock), command_id=f"c{number}")
    ana.remember("I live in Lisbon.", ref="a3", at=next(clock), private=True)
    ana.remember("I live in Lisbon.", ref="a4", at=next(clock))
    ana.remember("Actually, I live in Berlin now.", ref="a5", at=next(clock))
    ana.start_phase("planning", at=next(clock))
    page = ana.remember("Postgres 17 is out.", source="web:https://pg.example", ref="a6", at=next(clock))
    ana.confirm(page.ids[-1], at=next(clock))
    ana.promote(ana.list(kind="profile", space="user").items[0].id, "project", at=next(clock))
    ana.pin(ana.list(kind="semantic").items[0].id, at=next(clock))
    bob.remember("Bob will forget this.", ref="gone", at=next(clock))
    bob.erase_ref("gone")


def lines_of(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def write_lines(path: Path, lines: list[Line]) -> Path:
    path.write_bytes(b"".join(f"{canonical(line)}\n".encode() for line in lines))
    return path


def sealed(lines: list[Line]) -> list[Line]:
    """The same lines under a manifest whose checksum and counts are right."""
    body = [line for line in lines if line.get("t") != "manifest"]
    manifest = dict(next(line for line in lines if line.get("t") == "manifest"))
    counts: dict[str, int] = {}
    for line in body[1:]:
        counts[line["t"]] = counts.get(line["t"], 0) + 1
    digest = hashlib.sha256(b"".join(f"{canonical(line)}\n".encode() for line in body)).hexdigest()
    return [*body, manifest | {"lines": len(body), "counts": dict(sorted(counts.items())), "sha256": digest}]


def altered(lines: list[Line], pick: Callable[[Line], bool], change: Callable[[Line], Line | None]) -> list[Line]:
    """The lines with the first that fits changed, or taken out."""
    index = next(number for number, line in enumerate(lines) if pick(line))
    changed = change(dict(lines[index]))
    return [*lines[:index], *([changed] if changed is not None else []), *lines[index + 1 :]]
