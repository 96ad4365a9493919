"""Whatever is asked, search and recall answer or raise an error of ours: a memory held, one scanned, and none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from recollect import Memory
from recollect.core.read import query
from recollect.errors import InvalidInput, LimitExceeded, RecollectError

TOLD = (
    "I keep the spare key under the blue pot.",
    "We decided to use Postgres for billing in March 2026.",
    "मेरी बहन दिल्ली में रहती है।",
    "Anna said: (a+)+$ is a bad pattern, and so is [z-a]?",
    "🙂🙂🙂",
)
HARD = {
    "stop words": "the a of and to is it that what who where",
    "emoji": "🙂🎉👩‍👩‍👧‍👦🏳️‍🌈",
    "regex": r"(a+)+$ [z-a] (?P<x>\w{1000,}) \1 .* ^$ (?<=x)",
    "regex repeated": "(a|a)*" * 2_000 + "b",
    "sql": "'; DROP TABLE items; -- %s {} ? \" \\",
    "georgian": "სად არის გასაღები?",
    "chinese": "备用钥匙在哪里？",
    "hindi": "मेरी बहन कहाँ रहती है?",
    "right to left": "\u202eאיפה המפתח",
    "one letter": "x",
    "digits": "2026 03 1234567890123456789012345678901234567890",
    "punctuation": "?!.,;:—…«»",
    "one long word": "k" * 100_000,
    "100 kB of words": "where is the spare key under the blue pot " * 2_400,
    "100 kB of new words": " ".join(f"word{number}" for number in range(11_000)),
    "many names": "Anna " * 5_000,
    "lone marks": "\u0301\u0300\u200d\ufe0f",
    "question words": "who when where how many which what",
    "months": "may " * 20_000,
    "dates": "on the 31st of February 2026, in month 13, 99/99/9999, year 0000",
}


@pytest.fixture(scope="module", params=["held", "scanned"])
def memory(request: pytest.FixtureRequest) -> Iterator[Memory]:
    with Memory.open(":memory:") as opened:
        if request.param == "scanned":
            opened._parts = replace(opened._parts, index_bound_bytes=1)
        session = opened.session(user="ana", session="s")
        session.remember_many([{"text": text, "speaker": "Anna"} for text in TOLD])
        yield opened


@pytest.mark.parametrize("name", HARD)
def test_any_question_is_answered(memory: Memory, name: str) -> None:
    """A question of any kind and size gets hits, nothing, or an error of ours."""
    for user in ("ana", "nobody"):
        session = memory.session(user=user, session="asking")
        for ask in (session.search, session.recall):
            try:
                answer = ask(HARD[name])
            except RecollectError as error:
                assert isinstance(error, (InvalidInput, LimitExceeded)), error
            else:
                assert user != "nobody" or ask is not session.search or answer == []


@pytest.mark.parametrize("asked", ["", "   ", "\n\t"])
def test_empty_question_finds_nothing(memory: Memory, asked: str) -> None:
    """Nothing asked is like nothing: search finds none, recall answers with window and facts."""
    session = memory.session(user="ana", session="s")
    assert session.search(asked) == []
    context = session.recall(asked)
    assert context.status == "ok" and context.tiers["window"] == "ran" and "Postgres" in context.text


def test_long_question_finds_what_a_short_one_finds(memory: Memory) -> None:
    """The head of a very long question is read like any question."""
    session = memory.session(user="ana", session="asking")
    long = "where is the spare key under the blue pot? " + "x " * 2_000
    assert session.search(long)[0].item.text == TOLD[0]


def test_hindi_is_found_by_hindi(memory: Memory) -> None:
    """A script the embedder does not know is found by its words."""
    found = memory.session(user="ana", session="asking").search("बहन दिल्ली")
    assert found[0].item.text == TOLD[2]


def test_a_question_of_nothing_but_months_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether "may" is a month is looked up once, not once for each "may": five hundred took a fifth of a second."""
    looked: list[str] = []

    class Counting:
        def search(self, text: str) -> None:
            looked.append(text)

    monkeypatch.setattr(query, "_UNSURE", Counting())
    assert query.understand("may " * 500, ()).month == 0
    assert len(looked) == 1
