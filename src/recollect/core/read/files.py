"""The ❖ FILES block: which named files are shown, and whether whole or as a structured pack.

    order     named outright, then found by a pattern; ties to the newer file, then the path from A to Z
    FULL      the whole text, where it is within the policy's size and the room
    PACK      outline with signatures and line numbers, and the parts the question names; marked as such

The block always starts with its header. Every file says its path, form, hash and time. A file that is switched off, too
many, refused or without room is left out by naming the reason.

Never: reads a file (the text comes in as data), or shows half of one without saying so.
Spec: document 002, sections 5 and 11; facts 2.2, 2.3; rulings 14, 16, 18, 19.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from recollect.core.chunks import Chunk, chunks
from recollect.core.read.envelope import enveloped, stamp
from recollect.core.reasons import Reason, reason
from recollect.core.words import words

HEADER = "❖ FILES"
Count = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileText:
    """A file as it was read, or the code of why it could not be. `how` is `named` or `pattern`."""

    path: str
    text: str = ""
    sha256: str = ""
    mtime_ms: int = 0
    how: str = "named"
    refusal: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The verdict on one file. `text` is what it holds, `body` what is rendered of it."""

    path: str
    form: str
    reason: Reason
    text: str = ""
    body: str = ""
    tokens: int = 0
    sha256: str = ""
    mtime_ms: int = 0

    @property
    def is_kept(self) -> bool:
        return bool(self.form)

    def to_wire(self) -> dict[str, object]:
        return {
            "path": self.path,
            "verdict": "kept" if self.is_kept else "dropped",
            "form": self.form,
            "reason": self.reason.code,
            "sentence": self.reason.sentence,
            "tokens": self.tokens,
            "sha256": self.sha256,
            "mtime": self.mtime_ms,
        }


def plan_files(
    files: Sequence[FileText], asked: str, off: Sequence[str], limits: tuple[int, int, int], count: Count
) -> list[Shown]:
    """A verdict on every file; `limits` are how many, how many tokens of one file, and the tokens there is room for."""
    most, file_tokens, room = limits
    room -= count(f"{HEADER}\n\n")
    shown: list[Shown] = []
    for file in sorted(files, key=_order):
        if file.refusal or file.path in off:
            shown.append(_left_out(file, file.refusal or "file_off"))
        elif sum(one.is_kept for one in shown) >= most:
            shown.append(_left_out(file, "too_many_files"))
        else:
            one = _rendered(file, asked, min(file_tokens, room), room, count)
            room -= one.tokens
            shown.append(one)
    return shown


def _order(file: FileText) -> tuple[bool, int, str]:
    return file.how != "named", -file.mtime_ms, file.path


def _left_out(file: FileText, code: str, tokens: int = 0) -> Shown:
    return Shown(
        path=file.path,
        form="",
        reason=reason("files", code),
        tokens=tokens,
        sha256=file.sha256,
        mtime_ms=file.mtime_ms,
    )


def _rendered(file: FileText, asked: str, limit: int, room: int, count: Count) -> Shown:
    body = _body(file, "FULL", enveloped(file.text))
    code = "file_named" if file.how == "named" else "file_pattern"
    full = Shown(
        path=file.path,
        form="FULL",
        reason=reason("files", code),
        text=file.text,
        body=body,
        tokens=_safe(body, limit, count),
        sha256=file.sha256,
        mtime_ms=file.mtime_ms,
    )
    if full.tokens <= limit:
        return full
    packed = _pack(file, asked, limit, count)
    if packed:
        return replace(full, form="PACK", body=packed, tokens=count(packed), reason=reason("files", "file_packed"))
    return _left_out(file, "file_over_budget", tokens=0)


def _safe(body: str, limit: int, count: Count) -> int:
    """The tokens of a body; one that is far over its limit is not counted to the end."""
    return limit + 1 if len(body) > limit * 64 else count(body)


def _body(file: FileText, form: str, inner: str) -> str:
    parts = [f"[file:{_line(file.path)}]", form]
    if file.sha256:
        parts.append(f"sha256 {file.sha256[:12]}")
    if file.mtime_ms:
        parts.append(stamp(file.mtime_ms))
    if file.note:
        parts.append(file.note)
    return f"{' · '.join(parts)}\n{inner}\n"


def _line(path: str) -> str:
    return " ".join(path.split())[:400]


def _pack(file: FileText, asked: str, limit: int, count: Count) -> str:
    """As much structure as fits: the outline, and the parts the question names, best first.

    The best of these parts has its room kept, up to half of the limit: an outline must not crowd out the answer.
    """
    pieces = chunks(file.path, file.text)
    named = [(f"--- lines {c.first_line} to {c.last_line}\n{c.text}") for c in _named(pieces, asked)]
    kept_free = min(limit // 2, count(f"{enveloped(named[0])}\n")) if named else 0
    outline = [f"{c.first_line:>5}-{c.last_line:<5} {c.signature}" for c in pieces if c.signature]
    head = f"outline of {len(file.text.splitlines())} lines; parts left out are not shown"
    while outline:
        packed = _body(file, "PACK", enveloped("\n".join([head, *outline])))
        if count(packed) <= limit - kept_free:
            break
        outline = outline[: len(outline) * 3 // 4]
        if outline:
            outline[-1] = "  ..."
    if not outline or (len(outline) == 1 and outline[0] == "  ..."):
        return ""
    spent, inner = count(packed), [head, *outline]
    for told in named:
        cost = count(f"{enveloped(told)}\n")
        if spent + cost <= limit:
            inner.append(told)
            spent += cost
    packed = _body(file, "PACK", enveloped("\n".join(inner)))
    return packed if count(packed) <= limit else _body(file, "PACK", enveloped("\n".join([head, *outline])))


def _named(pieces: Sequence[Chunk], asked: str) -> list[Chunk]:
    """The parts whose names or words the question uses, most of them first."""
    wanted = frozenset(words(asked.replace("_", " ")))
    rated = []
    for piece in pieces:
        name = frozenset(words(piece.name.replace("_", " ")))
        rating = 10 * len(wanted & name) + len(wanted & frozenset(words(piece.text.replace("_", " "))))
        if rating:
            rated.append((-rating, piece.first_line, piece))
    return [piece for _, _, piece in sorted(rated, key=lambda row: row[:2])]


def files_block(shown: Sequence[Shown]) -> str:
    """The block, or '' where no file is shown."""
    bodies = [one.body for one in shown if one.is_kept]
    return f"{HEADER}\n{''.join(bodies)}" if bodies else ""
