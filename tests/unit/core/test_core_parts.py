"""What the parts of a match say in words."""

from __future__ import annotations

from recollect.core.read.parts import PARTS, lack, tell


def test_a_hit_tells_its_words_and_what_helped() -> None:
    """Words come first; a part that speaks against is no reason."""
    parts = (("words", 900), ("vector", 700), ("asks", -700), ("user", -2_000), ("date", 500))
    codes, sentence = tell(("live",), parts)
    assert codes == ("term:live", "vector", "date")
    assert sentence == "matches live; similar in meaning; said near the date the question names"


def test_a_match_through_its_neighbours_says_so() -> None:
    """Without a word of its own, the words part comes from the turns around."""
    assert tell((), (("words", 900),)) == (("words",), "near a turn that matches")
    assert tell((), ()) == (("nearest",), "the nearest there is")
    assert tell(("~sdi",), ())[1] == "matches the sound sdi"


def test_a_near_miss_tells_its_largest_gaps() -> None:
    """Two at most, largest first, and what only it has against it counts too."""
    last = (("words", 900), ("vector", 700), ("speaker", 3_500))
    assert lack((("words", 800), ("vector", 100)), last) == "; ".join((PARTS["speaker"].lacked, PARTS["vector"].lacked))
    assert lack((*last, ("user", -2_000)), last) == PARTS["user"].lacked
    assert lack(last, last) == "as good a match, and older"


def test_every_part_can_say_what_was_lacking() -> None:
    """No part is without its sentence."""
    assert all(said.lacked for said in PARTS.values())
