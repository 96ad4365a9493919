"""The one clock of a request, passed down to everything it does, and the thread that can be left behind.

1. A deadline is set once at the door; every stage gets what is left of it, never more.
2. What may hang runs in a worker. When the time is over the caller goes on with what was laid down so far; the worker
   is left to end by itself and its result is thrown away.
3. Workers left behind are counted. Beyond a bound nothing new is started that could hang too.

Never: decides what is in an answer. Reading the clock decides only whether a stage runs, and the answer says so.
Spec: reliability.md "Contract of a recall"; document 002 "Brakes".
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from recollect.engine.fallback import caught

LEFT_BEHIND = 16


@dataclass(slots=True, kw_only=True)
class Deadline:
    """The outer stop; 0 means there is none."""

    ends_ns: int

    @classmethod
    def after(cls, deadline_ms: int | None) -> Deadline:
        return cls(ends_ns=0 if deadline_ms is None else time.monotonic_ns() + deadline_ms * 1_000_000)

    @property
    def is_over(self) -> bool:
        return bool(self.ends_ns) and time.monotonic_ns() >= self.ends_ns

    @property
    def left_ms(self) -> int:
        """What is left, at least 0; an hour where there is no deadline."""
        return max(0, (self.ends_ns - time.monotonic_ns()) // 1_000_000) if self.ends_ns else 3_600_000

    def within(self, stage_ms: int) -> Deadline:
        """The deadline of a stage: its own time or what is left, whichever ends first."""
        own = time.monotonic_ns() + stage_ms * 1_000_000
        return Deadline(ends_ns=min(own, self.ends_ns) if self.ends_ns else own)


class Workers:
    """Runs what may hang, and knows how many are hanging."""

    def __init__(self) -> None:
        self._running = 0
        self._lock = threading.Lock()

    @property
    def running(self) -> int:
        return self._running

    def run(self, work: Callable[[], None], deadline: Deadline) -> tuple[str, Exception | None]:
        """`ended`, `late` or `crowded`, and what the work raised."""
        with self._lock:
            if self._running >= LEFT_BEHIND:
                return "crowded", None
            self._running += 1
        raised: list[Exception] = []
        ended = threading.Event()

        def body() -> None:
            error = caught(work)
            if error is not None:
                raised.append(error)
            with self._lock:
                self._running -= 1
            ended.set()

        threading.Thread(target=body, name="recollect-worker", daemon=True).start()
        if not ended.wait(deadline.left_ms / 1_000 if deadline.ends_ns else None):
            return "late", None
        return "ended", raised[0] if raised else None
