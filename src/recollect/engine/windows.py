"""The windows of the sessions at work, so that a busy session does not read its own last turns again and again.

A window is valid for exactly one position of its place's log: every change of the place moves that position.

Never: durable, and never served for another position.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from recollect.core.item import MemoryItem
from recollect.core.state import Head
from recollect.core.values import Place
from recollect.ports.store import Reader

KEPT = 512


class Windows:
    """The last windows read or written."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Place, tuple[int, int, tuple[MemoryItem, ...]]] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, reader: Reader, head: Head) -> tuple[MemoryItem, ...]:
        """The window of a place as this snapshot has it."""
        if head.seq == 0:
            return ()
        with self._lock:
            known = self._kept.get(head.place)
        if known is not None and known[:2] == (head.number, head.seq):
            return known[2]
        window = tuple(reader.window(head.place))
        self.keep(head, window)
        return window

    def keep(self, head: Head, window: tuple[MemoryItem, ...]) -> None:
        """Hold a window that was just read or written."""
        with self._lock:
            self._kept[head.place] = (head.number, head.seq, window)
            self._kept.move_to_end(head.place)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def last(self, place: Place) -> tuple[MemoryItem, ...] | None:
        """The window as it was last seen, for when the store gives none; what is forgotten is not in it."""
        with self._lock:
            known = self._kept.get(place)
        return None if known is None else known[2]

    def forget(self, place: Place) -> None:
        """Let go of a window, so that nothing of it stays in memory."""
        with self._lock:
            self._kept.pop(place, None)
