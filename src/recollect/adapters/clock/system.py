"""The machine's clock, and one that stands still for tests."""

from __future__ import annotations

import time
from dataclasses import dataclass


class SystemClock:
    """Wall time of this machine."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000


@dataclass(slots=True)
class FixedClock:
    """Time that moves only when told, a step per question."""

    at_ms: int = 1_767_225_600_000
    step_ms: int = 0

    def now_ms(self) -> int:
        now = self.at_ms
        self.at_ms += self.step_ms
        return now
