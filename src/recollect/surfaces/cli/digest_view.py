"""How summaries and the spine read to people: what they say, as names and lines; the numbers are in the JSON.

Never: asks the memory, or cuts a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Rows = Iterator[tuple[str, str]]
Told = Mapping[str, object]
SUMMARY = ("what_mattered", "open_loops", "commitments", "people")


def summary_rows(told: Told) -> Rows:
    """A session that ended: when, how long, and the document's fields that hold something."""
    from recollect.core.read.envelope import stamp

    began, ended = (stamp(int(str(told[name]))) for name in ("started_at", "ended_at"))
    yield "session", f"{began} to {ended}, {_count(told['turn_count'], 'message')}"
    if told["one_liner"]:
        yield "in short", str(told["one_liner"])
    for name in SUMMARY:
        yield from _listed(name.replace("_", " "), _lines(told[name]))
    yield "tone", str(told["tone"])


def rolling_rows(told: Told) -> Rows:
    """One version of a rolling summary, and what it let go of."""
    lines = [str(line[1]) for line in _lines(told["lines"]) if isinstance(line, list)]
    gone = [f"{line[0]} ({line[1]})" for line in _lines(told["dropped"]) if isinstance(line, list)]
    yield "version", str(told["version"])
    yield from _listed("says", lines)
    yield from _listed("let go of", gone)


def spine_rows(told: Told) -> Rows:
    """One version of the spine by section, and what changed against the last."""
    from recollect.core.companion.digest import SECTIONS

    yield "version", f"{told['version']}, after {_count(told['message_count'], 'message')}"
    sections, diff = told["sections"], told["diff"]
    assert isinstance(sections, Mapping)
    assert isinstance(diff, Mapping)
    for name in SECTIONS:
        yield from _listed(name.replace("_", " ").lower(), _lines(sections.get(name)))
    if told["version"] != 1:
        yield from _listed("new", _lines(diff["added"]))
        yield from _listed("no longer", _lines(diff["removed"]))


def _lines(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def _listed(name: str, lines: Sequence[object]) -> Rows:
    """The name beside the first line only."""
    for number, line in enumerate(lines):
        yield name if not number else "", str(line)


def _count(number: object, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
