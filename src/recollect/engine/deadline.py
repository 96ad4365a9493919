"""The one clock of a request, passed down to everything it does, and the thread that can be left behind.

1. A deadline is set once at the door; every stage gets what is left of it, never more.
2. What may hang runs in a worker. When the time is over the caller goes on with what was laid down so far; the worker
   is left to end by itself and its result is thrown away.
3. Workers left behind are counted, for each part of the memory by itself. Beyond a bound nothing new is started that
   could hang on the same part too; workers that are merely many are none of it.

Never: decides what is in an answer. Reading the clock decides only whether a stage runs, and the answer says so.
Spec: reliability.md "Contract of a recall"; document 002 "Brakes".
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from recollect.engine.fallback import caught, code_of

LEFT_BEHIND = 16
# What is said of a part that did not answer.
UNANSWERED = {"late": "skipped: deadline", "crowded": "skipped: too many calls hang"}


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

    def before(self, rest_ms: int) -> Deadline:
        """So much earlier, to have time for what comes after; a short deadline gives a quarter of itself."""
        left = self.ends_ns - time.monotonic_ns()
        return Deadline(ends_ns=self.ends_ns - max(0, min(rest_ms * 1_000_000, left // 4)) if self.ends_ns else 0)

    def half(self) -> Deadline:
        """For what must leave time for the rest: half of what is left."""
        now = time.monotonic_ns()
        return Deadline(ends_ns=now + max(0, self.ends_ns - now) // 2 if self.ends_ns else 0)


class Workers:
    """Runs what may hang, and knows how many hang on what."""

    def __init__(self) -> None:
        self._left: dict[str, int] = {}
        self._lock = threading.Lock()

    def left_behind(self, part: str) -> int:
        return self._left.get(part, 0)

    def run(self, part: str, work: Callable[[], None], deadline: Deadline) -> tuple[str, Exception | None]:
        """`ended`, `late` or `crowded`, and what the work raised. Without a deadline nobody is left behind."""
        if not deadline.ends_ns:
            return "ended", caught(work)
        if self.left_behind(part) >= LEFT_BEHIND:
            return "crowded", None
        if deadline.is_over:
            return "late", None
        raised: list[Exception] = []
        ended = threading.Event()

        def body() -> None:
            error = caught(work)
            if error is not None:
                raised.append(error)
            with self._lock:
                # Either the caller has given up and counted us, or it sees that we have ended; never both.
                if left:
                    self._left[part] -= 1
                ended.set()

        left: list[bool] = []
        threading.Thread(target=body, name=f"recollect-{part}", daemon=True).start()
        if not ended.wait(deadline.left_ms / 1_000):
            with self._lock:
                if not ended.is_set():
                    left.append(True)
                    self._left[part] = self.left_behind(part) + 1
                    return "late", None
        return "ended", raised[0] if raised else None


def unanswered(how: str, error: Exception | None) -> str:
    """Why a part gave no answer, in a word for the tiers; '' where it did."""
    return f"failed: {code_of(error)}" if error is not None else UNANSWERED.get(how, "")
