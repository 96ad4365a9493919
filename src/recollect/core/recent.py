"""What was lately worked out from people's words, so that it need not be worked out again.

Every function that is cached by a text is cached here, so that an erasure can empty all of them at once: what is
erased must not live on in a process that still runs.

Never: changes an answer.
Spec: ruling 10a; reliability sheet S12.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

Value = TypeVar("Value")
Of = Callable[[str], Value]
LONGEST = 4_096
_EMPTY: list[Callable[[], None]] = []


def by_text(size: int) -> Callable[[Of[Value]], Of[Value]]:
    """Cache a function of a text for this many texts, long ones left out."""

    def wrap(function: Of[Value]) -> Of[Value]:
        cached = by_word(size)(function)
        return lambda text: cached(text) if len(text) < LONGEST else function(text)

    return wrap


def by_word(size: int) -> Callable[[Of[Value]], Of[Value]]:
    """Cache a function of a word or a name for this many of them."""

    def wrap(function: Of[Value]) -> Of[Value]:
        cached = lru_cache(maxsize=size)(function)
        emptied_by(cached.cache_clear)
        return cached

    return wrap


def emptied_by(empty: Callable[[], None]) -> None:
    """Have something else emptied with the caches."""
    _EMPTY.append(empty)


def forget_texts() -> None:
    """Empty every such cache."""
    for empty in _EMPTY:
        empty()
