"""What holds for any text at all: no exception, bounded time, spans inside, the same answer twice."""

import os
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.core.write.facts import Heard, extract_facts
from recollect.core.write.facts.extract import READ_LIMIT_CHARACTERS

EXAMPLES = 2_000 if os.environ.get("RECOLLECT_SOAK") == "1" else 200

WORDS = """
I I'm im my My sister Anna John is lives live in Lisbon berlin work at Acme the a nurse name's called not no longer
don't any more actually it's now love tea and , . ? ! " ' ` ``` : ; ( ) -- / 34 May 4 UTC+2 if said he she project
deadline for uses favorite color every morning our dog Rex have two cats 田中 é 😂 lol we've been
"""
PIECES = st.sampled_from([*WORDS.split(), "\n", "\x00"])
SPOKEN = st.lists(PIECES, max_size=40)
TEXTS = st.one_of(st.text(max_size=300), SPOKEN.map(" ".join), SPOKEN.map("".join))
HEARD = st.builds(Heard, text=TEXTS, is_user=st.booleans(), speaker=st.sampled_from(["", "Bob", "Ann"]))


@settings(max_examples=EXAMPLES, deadline=None)
@given(TEXTS, st.sampled_from(["", "Bob", "..."]), st.lists(HEARD, max_size=10))
def test_any_text_gives_drafts_that_hold_together(text: str, speaker: str, recent: list[Heard]) -> None:
    """Whatever is said, each draft lies inside the text, has a whole key and one claim per key."""
    drafts = extract_facts(text, speaker=speaker, user="Ann", recent=tuple(recent))
    assert drafts == extract_facts(text, speaker=speaker, user="Ann", recent=tuple(recent))
    assert len({draft.memory_key for draft in drafts}) == len(drafts)
    for draft in drafts:
        assert 0 <= draft.start < draft.end <= len(text)
        assert len(draft.memory_key.split("|")) == 5
        assert all(draft.memory_key.split("|"))
        assert draft.text and draft.value and "\x00" not in draft.text
        assert 0 <= draft.importance <= 3
        assert 0 < draft.confidence <= 1_000_000


HOSTILE = [
    "I live in " * 6_500,
    "my " * 21_000,
    '"' * 64_000,
    "'" + "a b " * 16_000,
    "I" + " really" * 9_000 + " live in Lisbon",
    "My sister " + "Anna " * 12_000,
    "the deadline for " + "A" * 64_000,
    "the deadline for " + "a b " * 16_000,
    "```" + "x" * 64_000,
    "I love " + "very " * 12_000 + "tea",
    "I love " + "tea, " * 12_000,
    "I'm a " + "senior " * 9_000 + "engineer",
    "(" * 32_000 + ")" * 32_000,
    "I run " + "5k " * 20_000 + "every morning",
    "my favorite " + "big " * 16_000 + "thing is tea",
    "My project is called " + "Aa " * 20_000,
    "actually, not " + "a" * 64_000,
    "write a " + "very-" * 12_000 + "story",
    "@" * 64_000,
    "x=" * 32_000,
    "\n" * 64_000,
    "I. " * 21_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:16]))
def test_a_hostile_text_of_64_kilobytes_takes_milliseconds(text: str) -> None:
    """No text makes the patterns run away: a quarter of a second is a hundred times what any of these needs."""
    extract_facts("I live in Lisbon.")
    recent = tuple(Heard(text=text, is_user=index % 2 == 0) for index in range(8))
    start = time.perf_counter()
    extract_facts(text)
    extract_facts("Actually, it's Berlin now.", recent=recent)
    assert time.perf_counter() - start < 1.0


def test_what_stands_after_the_limit_is_not_read() -> None:
    """Long texts are read from the start up to the limit."""
    filler = "Rain again. " * 400
    assert len(filler) > READ_LIMIT_CHARACTERS
    assert extract_facts(filler + "I live in Lisbon.") == ()
    assert len(extract_facts("I live in Lisbon. " + filler)) == 1


def test_nothing_is_said_about_nothing() -> None:
    """Empty texts and texts of blanks have no facts."""
    assert extract_facts("") == extract_facts(" \n\t ") == ()


def test_importing_the_door_does_not_load_the_grammar() -> None:
    """The rules are loaded by the first turn that needs them, not by the import."""
    code = (
        "import sys; from recollect.core.write.facts import extract_facts; "
        "extract_facts('Thanks, that worked!'); "
        "assert 'recollect.core.write.facts.statements' not in sys.modules; "
        "assert extract_facts('I live in Lisbon.'); "
        "assert 'recollect.core.write.facts.statements' in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_turn_without_a_trigger_costs_next_to_nothing() -> None:
    """The look at the words is cheap: its median stays far below that of a reading."""
    texts = ["Thanks, that worked!", "Could you explain the second step again?", "The build failed with exit code 2."]
    times = []
    for _ in range(200):
        for text in texts:
            start = time.perf_counter_ns()
            extract_facts(text)
            times.append(time.perf_counter_ns() - start)
    assert sorted(times)[len(times) // 2] < 50_000
