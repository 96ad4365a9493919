"""Looks for secrets in what is already stored: from before a rule existed, or written under a looser policy.

Never: shows what it found; only where, and by which rule.
Spec: "a scan of what is already stored".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recollect.core.item import MemoryItem
from recollect.core.write.secrets import find_in_name, find_secrets
from recollect.engine.listing import all_items
from recollect.ports.store import Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """Which stored items hold a secret, by the code of the rule that found it."""

    items: int
    found: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def codes(self) -> dict[str, int]:
        counted: dict[str, int] = {}
        for _, codes in self.found:
            for code in codes:
                counted[code] = counted.get(code, 0) + 1
        return dict(sorted(counted.items()))

    def to_dict(self) -> dict[str, object]:
        return {
            "items": self.items,
            "codes": self.codes,
            "found": [{"id": item_id, "codes": list(codes)} for item_id, codes in self.found],
        }


def scan(reader: Reader, on_progress: Callable[[int], None] | None = None) -> Scan:
    """Scan every item of a tenant."""
    count = 0
    found: list[tuple[str, tuple[str, ...]]] = []
    for place in reader.places():
        for item in all_items(reader, place):
            count += 1
            codes = _codes(item)
            if codes:
                found.append((item.id, codes))
            if on_progress is not None and count % 500 == 0:
                on_progress(count)
    return Scan(items=count, found=tuple(found))


def _codes(item: MemoryItem) -> tuple[str, ...]:
    origin = item.origin
    texts = (item.text, origin.speaker, origin.ref, origin.source, origin.tool, *origin.files)
    codes = [finding.code for text in texts if text for finding in find_secrets(text)]
    codes += [finding.code for key, value in origin.extra for finding in find_in_name(key, value)]
    codes += [finding.code for key, _ in origin.extra for finding in find_secrets(key)]
    if item.fact is not None:
        codes += [finding.code for name in (item.fact.key, item.fact.value) for finding in find_secrets(name)]
    return tuple(sorted(set(codes)))
