"""What every operation of one tenant shares: the repository, the indexes, the policy, the clock, the ring of traces.

Never: decides, and never outlives the Memory it belongs to.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from recollect.core.policy import Policy
from recollect.core.wire import Wire
from recollect.engine.shelves import Shelves
from recollect.engine.windows import Windows
from recollect.ports.clock import Clock
from recollect.ports.store import Repository
from recollect.ports.tokens import TokenCounter


@dataclass(slots=True)
class Ring:
    """The last recalls, in memory only."""

    size: int
    _kept: deque[tuple[str, Callable[[], list[Wire]]]] = field(init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._kept = deque(maxlen=self.size)

    def add(self, session: str, tell: Callable[[], list[Wire]]) -> None:
        """Keep what can be told; nothing is told before somebody listens."""
        with self._lock:
            self._kept.append((session, tell))

    def of(self, session: str) -> list[Wire]:
        with self._lock:
            kept = [tell for owner, tell in self._kept if owner == session]
        return [event for tell in kept for event in tell()]

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
    windows: Windows
    is_tracing: bool = True
