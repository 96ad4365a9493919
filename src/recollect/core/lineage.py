"""What was made from what, as a log tells it.

1. An item's parents are named when it is written, and one more with every mention.
2. A deleted item still stands between its parents and its children; an erased one is taken out.
3. Logs from before parents were named leave them open: of such an item only its own body knows, while it lives.

Never: reads a body.
Spec: ruling 8 (erasing follows lineage).
"""

from __future__ import annotations

from collections.abc import Iterator

from recollect.core.events import Erased, Event, Merged, Written
from recollect.core.values import ItemRef

Edge = tuple[ItemRef, ItemRef]


class Lineage:
    """The parents of every item of a place, record by record."""

    def __init__(self) -> None:
        self._parents: dict[ItemRef, dict[ItemRef, bool]] = {}
        # Items whose parents the log does not name.
        self.open: dict[ItemRef, bool] = {}

    def take(self, event: Event) -> None:
        """The next event."""
        match event:
            case Written(ref=ref, parents=None):
                self.open[ref] = True
            case Written(ref=ref, parents=parents) if parents:
                self._parents[ref] = dict.fromkeys(parents, True)
            case Merged(into=into, turn=turn, more_turns=more) if turn is not None:
                self._parents.setdefault(into, {}).update(dict.fromkeys((turn, *more), True))
            case Erased(ref=ref):
                self._parents.pop(ref, None)
                self.open.pop(ref, None)
            case _:
                pass

    def edges(self) -> Iterator[Edge]:
        """Every child with each of its parents."""
        for child, parents in self._parents.items():
            for parent in parents:
                yield child, parent
