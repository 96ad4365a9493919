"""What was lately worked out from words is kept, until an erasure."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from recollect import Memory
from recollect.core.recent import LONGEST, by_text, by_word, forget_texts


def counting(wrap: Callable[..., Callable[[str], int]]) -> tuple[Callable[[str], int], list[str]]:
    asked: list[str] = []

    def size(text: str) -> int:
        asked.append(text)
        return len(text)

    return wrap(8)(size), asked


@pytest.mark.parametrize("wrap", [by_text, by_word])
def test_the_same_words_are_read_once_until_they_are_forgotten(wrap: Callable[..., Callable[[str], int]]) -> None:
    """A cache gives the function's answers, asks it once, and asks again after it was emptied."""
    size, asked = counting(wrap)
    assert [size("a"), size("bb"), size("a")] == [1, 2, 1] and asked == ["a", "bb"]
    forget_texts()
    assert size("a") == 1 and asked == ["a", "bb", "a"]


def test_long_texts_are_not_kept() -> None:
    """A pasted book is read each time and never held."""
    size, asked = counting(by_text)
    book = "x" * LONGEST
    assert size(book) == size(book) == LONGEST and len(asked) == 2


def test_an_erasure_empties_what_was_read_of_words() -> None:
    """Erasing one item leaves nothing that was worked out from any text in the process."""
    size, asked = counting(by_text)
    memory = Memory.open(":memory:")
    chat = memory.session(user="ana", session="s")
    chat.remember("The gate opens at nine.")
    size("The gate opens at nine.")
    chat.erase(next(iter(chat.list())).id)
    size("The gate opens at nine.")
    assert len(asked) == 2
    memory.close()
