"""What every operation of one tenant shares: the repository, the indexes, the policy, the clock, the ring of traces.

Never: decides, and never outlives the Memory it belongs to.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

from recollect.core.policy import Policy
from recollect.core.wire import Wire
from recollect.engine.shelves import Shelves
from recollect.ports.clock import Clock
from recollect.ports.store import Repository
from recollect.ports.tokens import TokenCounter


@dataclass(slots=True)
class Ring:
    """The last recalls, in memory only."""

    size: int
    _kept: deque[tuple[str, Wire]] = field(init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._kept = deque(maxlen=self.size)

    def add(self, session: str, events: list[Wire]) -> None:
        with self._lock:
            self._kept.extend((session, event) for event in events)

    def of(self, session: str) -> list[Wire]:
        with self._lock:
            return [event for owner, event in self._kept if owner == session]

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """One tenant at work."""

    repository: Repository
    shelves: Shelves
    policy: Policy
    clock: Clock
    tokens: TokenCounter
    ring: Ring
    is_tracing: bool = True
    version_of_index: int = 1
