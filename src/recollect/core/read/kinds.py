"""Which words name a kind of thing, and which words are things of that kind.

A question about pets is answered by "my dog": the words of a kind lead to the words of its things, never the other way.
The table is data (data/words/categories.tsv) and comes in as text.

Never: reads a file, or judges what a sentence means.
Spec: retrieval.md ("category word -> instance").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping


def read_kinds(table: str, terms: Callable[[str], list[str]]) -> Mapping[str, tuple[str, ...]]:
    """From the term of a kind to the terms of its things, each once and in order."""
    found: dict[str, dict[str, bool]] = {}
    for line in table.splitlines():
        if not line or line.startswith("#"):
            continue
        kinds, _, things = line.partition("\t")
        for kind in terms(kinds):
            found.setdefault(kind, {}).update((thing, True) for thing in terms(things))
    return {kind: tuple(thing for thing in things if thing != kind) for kind, things in found.items()}
