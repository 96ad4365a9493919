"""How long a text is for a model."""

from __future__ import annotations

from typing import Protocol


class TokenCounter(Protocol):
    """Counts tokens; `is_exact` says whether it is the model's own count or a safe estimate."""

    name: str
    is_exact: bool

    def count(self, text: str) -> int:
        """Tokens of a text. Counting parts and adding never gives less than counting the whole."""
