"""The quick paths give what the plain ones give: cues never hide a match, a paused collector comes back."""

from __future__ import annotations

import gc
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory
from recollect.core.canonical import ordered
from recollect.core.write.classify import RULES
from recollect.core.write.facts.projects import FRAMES
from recollect.core.write.importance import EMPHATIC, is_emphatic
from recollect.engine.collector import WORTH_A_PAUSE, paused


@pytest.mark.parametrize("at", range(len(RULES)))
@given(data=st.data())
def test_every_match_of_a_rule_holds_one_of_its_pieces(at: int, data: st.DataObject) -> None:
    """A turn is never of another type because a piece was looked for first."""
    _, pieces, pattern = RULES[at]
    text = data.draw(st.from_regex(pattern)).lower()
    if pattern.search(text):
        assert any(piece in text for piece in pieces)


@pytest.mark.parametrize("at", range(len(FRAMES)))
@given(data=st.data())
def test_every_match_of_a_frame_holds_one_of_its_cues(at: int, data: st.DataObject) -> None:
    """A sentence about a project is never missed because a cue was looked for first."""
    frame = FRAMES[at]
    text = data.draw(st.from_regex(frame.pattern))
    assert any(cue in text.lower() for cue in frame.cues)


@pytest.mark.parametrize("word", EMPHATIC)
def test_emphasis_is_a_word_not_a_piece(word: str) -> None:
    """ "Must" insists, "mustard" does not."""
    assert is_emphatic(f"You {word.upper()} see this.")
    assert not is_emphatic(f"You {word}ard see this.")


def test_collector_comes_back_after_a_batch_and_after_a_failure() -> None:
    """A batch holds the collector back and gives it back, whatever happens in between."""
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError), paused(WORTH_A_PAUSE):
        assert not gc.isenabled()
        raise ZeroDivisionError
    assert gc.isenabled()
    with paused(WORTH_A_PAUSE - 1):
        assert gc.isenabled()


def test_collector_that_was_off_stays_off() -> None:
    """A program that runs without the collector keeps running without it."""
    gc.disable()
    try:
        Memory.open(":memory:").session(user="ana").remember_many([{"text": f"turn {n}"} for n in range(100)])
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_receipts_told_late_equal_receipts_told_at_once() -> None:
    """A receipt says the same whenever it is asked, and a repeated command says it again."""
    session = Memory.open(":memory:").session(user="ana")
    turns = [{"text": "I live in Lisbon.", "at": 1}, {"text": "ok", "at": 2}]
    first = session.remember_many(turns, command_id="c1")
    told = [json.loads(ordered(receipt.to_dict()))["fates"] for receipt in first]
    session.remember("I live in Berlin now.", at=3)
    assert [receipt.to_dict()["fates"] for receipt in first] == told
    again = session.remember_many(turns, command_id="c1")
    assert [receipt.to_dict()["fates"] for receipt in again] == told
    assert all(receipt.is_repeat for receipt in again)
