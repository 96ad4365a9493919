"""Summaries: only what was said, within their room, what weighs most first; a model's are checked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.adapters.summarisers.model import ModelSummariser
from recollect.adapters.summarisers.rules import RuleSummariser
from recollect.errors import ModelError
from recollect.ports.model import ModelAnswer, ModelCall
from recollect.ports.summariser import Line, Summariser

LINES = [
    Line(speaker="user", text="Hi there. How was the weekend?", ref="m1"),
    Line(speaker="user", text="We decided that the retry limit must be 5 because the bank's API breaks.", ref="m2"),
    Line(speaker="assistant", text="Fine. I will set the retry limit in src/bank/client.py then.", ref="m3"),
    Line(speaker="user", text="Lovely weather by the way.", ref="m4"),
]


def test_rules_keep_what_was_decided() -> None:
    """With little room, the decision stays and the weather goes."""
    digest = RuleSummariser().summarise(LINES, limit_characters=100)
    assert "retry limit must be 5" in digest.text
    assert "weather" not in digest.text
    assert "m2" in digest.refs
    assert "retry" in digest.title


@given(
    st.lists(st.builds(Line, speaker=st.sampled_from(["user", "ana"]), text=st.text(max_size=300)), max_size=8),
    st.integers(0, 400),
)
def test_rules_invent_nothing_and_keep_their_room(lines: list[Line], room: int) -> None:
    """Whatever is summarised, the digest fits its room and holds only words that were said."""
    digest = RuleSummariser().summarise(lines, limit_characters=room)
    assert len(digest.text) <= room
    said = " ".join(f"{line.speaker}: {line.text}" for line in lines)
    assert all(word.rstrip(".") in said or word in said for word in digest.text.replace("...", " ").split())


class Parrot:
    """A model that says what it is told to."""

    name = "parrot"

    def __init__(self, text: str) -> None:
        self.text = text

    def answer(self, call: ModelCall) -> ModelAnswer:
        return ModelAnswer(text=self.text)


def test_model_summary_has_a_title_and_a_maker() -> None:
    """A model's first line is the title, and the digest says who made it."""
    summariser: Summariser = ModelSummariser(Parrot("# Retry limit\nThe retry limit is 5."))
    digest = summariser.summarise(LINES, limit_characters=200)
    assert (digest.title, digest.text, digest.made_by) == ("Retry limit", "The retry limit is 5.", "parrot")


@pytest.mark.parametrize("garbage", ["", "  \n ", "x" * 10_000])
def test_model_garbage_is_an_error(garbage: str) -> None:
    """A summary that is nothing, or longer than what it stands for, does not count."""
    with pytest.raises(ModelError):
        ModelSummariser(Parrot(garbage)).summarise(LINES, limit_characters=200)
