"""What every operation of one tenant shares: the repository, the indexes, the policy, the clock, the ring of traces.

Never: decides, and never outlives the Memory it belongs to.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from recollect.core.policy import Policy
from recollect.core.values import ItemRef
from recollect.core.wire import Wire
from recollect.engine.brakes import Brakes
from recollect.engine.deadline import Workers
from recollect.engine.filing import Filing
from recollect.engine.shelves import Shelves
from recollect.engine.windows import Windows
from recollect.ports.clock import Clock
from recollect.ports.files import Files
from recollect.ports.likeness import Entailment, Likeness
from recollect.ports.model import Model
from recollect.ports.store import Repository
from recollect.ports.summariser import Summariser
from recollect.ports.tokens import TokenCounter

Tell = Callable[[], list[Wire]]
Quotes = Callable[[], Iterable[ItemRef]]
SESSIONS_KEPT = 4_096


class Ring:
    """The last recalls of each session, in memory only: a bound per session, so that nobody pushes another's out.

    The sessions themselves are bounded too, far above what one process serves at a time; a policy that must never
    lose one keeps recalls durably instead.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[str, deque[tuple[Tell, Quotes]]] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, session: str, tell: Tell, quotes: Quotes = tuple) -> None:
        """Keep what can be told, and which items it would quote; nothing is told before somebody listens."""
        with self._lock:
            self._kept.setdefault(session, deque(maxlen=self._size)).append((tell, quotes))
            self._kept.move_to_end(session)
            if len(self._kept) > SESSIONS_KEPT:
                self._kept.popitem(last=False)

    def of(self, session: str) -> list[Wire]:
        with self._lock:
            kept = list(self._kept.get(session, ()))
        return [event for tell, _ in kept for event in tell()]

    def drop(self, is_doomed: Callable[[str, Iterable[ItemRef]], bool]) -> None:
        """Let go of what must not be told any more."""
        with self._lock:
            for session, kept in self._kept.items():
                staying = [entry for entry in kept if not is_doomed(session, entry[1]())]
                kept.clear()
                kept.extend(staying)


@dataclass(frozen=True, slots=True, kw_only=True)
class Aids:
    """What a memory can do without: files, likeness, models. Shared by all tenants."""

    files: Files | None = None
    likeness: Likeness | None = None
    entailment: Entailment | None = None
    summariser: Summariser | None = None
    model: Model | None = None
    small_model: Model | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """One tenant at work."""

    repository: Repository
    shelves: Shelves
    filing: Filing
    policy: Policy
    clock: Clock
    tokens: TokenCounter
    ring: Ring
    windows: Windows
    is_tracing: bool = True
    aids: Aids = field(default_factory=Aids)
    workers: Workers = field(default_factory=Workers)
    brakes: Brakes = field(default_factory=Brakes)
