"""The only source of time: asked once at the door, recorded as data, never asked again."""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    """What time it is."""

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
