"""The static embedder: the same bytes for the same text, everywhere, whatever the text."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from fractions import Fraction
from math import isqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.adapters.embedders.static import SCALE, StaticEmbedder, quantise
from recollect.adapters.embedders.wordpiece import MAX_CHARS, MAX_PIECES, MAX_WORD_CHARS, WordPieces
from recollect.errors import RecollectError
from recollect.ports.embedder import Embedder

# sha256 of the vector, first 16 digits: a change here is a change of every stored vector, and so of the version.
KNOWN = {
    "We decided to use Postgres for billing.": "54a8016b8e015928",
    "My daughter Sara starts school in September": "150a9338288aec92",
    "Überraschung im Café, naïve façade": "18261857918aea8d",
    "kal subah doctor ke paas jana hai": "2e0955fd841f030e",
    "कल सुबह डॉक्टर के पास जाना है": "fe1cb09fb32e7112",
    "def getUserById(user_id: int) -> User: ...": "a384506fee894543",
    "great party 🎉🎉 see you at 7pm!!": "f88eb8132403e4e4",
    "日本語のテキスト": "8a640e0374cd1c24",
}
NOTHING_KNOWN = (
    "",
    "   \n\t",
    "!!! ??? ...",
    "🎉🎊😀",
    "\x00\x00",
    "\ud800\udfff",
    "\u200b\ufeff",
    "x" * (MAX_WORD_CHARS + 1),
)

SEEDED = "import sys, json; from recollect.adapters.embedders.static import StaticEmbedder; "
SEEDED += "print(json.dumps([v.hex() for v in StaticEmbedder().embed(json.load(sys.stdin))]))"


def vector(text: str) -> bytes:
    return StaticEmbedder().embed([text])[0]


def cosine(one: str, other: str) -> float:
    left, right = (np.frombuffer(vector(text), dtype=np.int8).astype(np.int64) for text in (one, other))
    return float(left @ right) / SCALE**2


def test_it_is_an_embedder_that_names_its_weights() -> None:
    """Name, version and digest are there to be recorded with every vector."""
    embedder = StaticEmbedder()
    assert isinstance(embedder, Embedder)
    assert embedder.name
    assert embedder.version
    assert len(bytes.fromhex(embedder.digest)) == 32
    assert embedder.dimensions == 256


@pytest.mark.parametrize(("text", "known"), KNOWN.items())
def test_vectors_are_the_recorded_ones(text: str, known: str) -> None:
    """No change of code, interpreter or library may move a vector without somebody noticing here."""
    assert hashlib.sha256(vector(text)).hexdigest()[:16] == known


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_another_process_gives_the_same_bytes(seed: str) -> None:
    """Neither the process, its hash seed, its locale nor its thread counts can change a vector."""
    settings_of_child = {"PYTHONHASHSEED": seed, "LC_ALL": "C", "OMP_NUM_THREADS": seed[:1], "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-c", SEEDED],
        input=json.dumps(list(KNOWN)),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **settings_of_child},
    )
    assert [bytes.fromhex(line) for line in json.loads(done.stdout)] == StaticEmbedder().embed(list(KNOWN))


@pytest.mark.parametrize("text", NOTHING_KNOWN)
def test_text_with_nothing_known_is_the_zero_vector(text: str) -> None:
    """Emptiness, noise and broken text are answered with zeros, never with an exception."""
    assert vector(text) == bytes(256)


def test_no_texts_give_no_vectors() -> None:
    """An empty batch is an empty answer."""
    assert StaticEmbedder().embed([]) == []


def test_damaged_characters_do_not_hide_the_words_beside_them() -> None:
    """A NUL, a lone surrogate or an emoji separates words and costs nothing else."""
    assert (
        vector("coffee\x00beans") == vector("coffee \ud800beans") == vector("coffee🎉beans") == vector("coffee beans")
    )


@given(st.lists(st.text(max_size=80), max_size=6))
@settings(max_examples=150, deadline=None)
def test_a_vector_does_not_depend_on_its_batch(texts: list[str]) -> None:
    """Texts embedded together get what each gets alone, whatever they are."""
    together = StaticEmbedder().embed(texts)
    assert together == [vector(text) for text in texts]
    assert {len(found) for found in together} <= {256}


def test_many_texts_at_once_equal_one_by_one() -> None:
    """Work is done in blocks, and no seam between blocks shows."""
    texts = [f"turn {number} about coffee" for number in range(600)]
    assert StaticEmbedder().embed(texts) == [vector(text) for text in texts]


def test_huge_text_is_read_to_its_bound_only() -> None:
    """A megabyte costs what its first characters cost."""
    head = "we talked about the harbour and the boat. " * (MAX_CHARS // 40 + 1)
    assert vector(head + "z" * 1_000_000) == vector(head)
    assert vector("q" * 1_000_000) == bytes(256)


def test_a_row_counts_once_and_order_does_not_matter() -> None:
    """A word said three times is not three times the topic."""
    assert vector("tea tea tea with milk") == vector("milk with tea")


def test_case_and_accents_do_not_matter() -> None:
    """The vocabulary is uncased, so the same words typed differently are the same vector."""
    assert vector("CAFÉ in Zürich") == vector("cafe in zurich") == vector("cafe\u0301 in zu\u0308rich")


def test_identifiers_are_cut_at_their_capitals_unless_known_whole() -> None:
    """Code is words too, but an iPhone is not a phone called i."""
    pieces = WordPieces(["get", "user", "by", "id", "iphone", "i", "phone", "g", "##et"])
    assert pieces.rows("getUserById") == pieces.rows("get user by id") == [0, 1, 2, 3]
    assert pieces.rows("iPhone") == [4]


def test_words_are_cut_longest_piece_first() -> None:
    """A rest that is no piece makes the whole word unknown, as in BERT."""
    pieces = WordPieces(["play", "##ing", "##in", "##g", "##s", "pl"])
    assert pieces.rows("playing") == [0, 1]
    assert pieces.rows("plays") == [0, 4]
    assert pieces.rows("playbook") == []


def test_pieces_and_memory_are_bounded() -> None:
    """However long the text, at most so many pieces are summed."""
    pieces = WordPieces([f"w{number}" for number in range(4_000)])
    assert len(pieces.rows(" ".join(f"w{number}" for number in range(3_000)))) == MAX_PIECES


def test_threads_share_one_table() -> None:
    """Eight threads at once get what one gets."""
    alone, found = StaticEmbedder().embed(list(KNOWN)), []
    threads = [threading.Thread(target=lambda: found.append(StaticEmbedder().embed(list(KNOWN)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 8


@given(st.lists(st.integers(-65_024, 65_024), min_size=1, max_size=8))
@settings(max_examples=300, deadline=None)
def test_quantisation_is_the_written_formula(summed: list[int]) -> None:
    """round(SCALE * 2^16 * s / isqrt(2^32 * sum s^2)), halves to even, clipped: in exact fractions."""
    root = isqrt(sum(part * part for part in summed) << 32) or 1
    expected = [max(-127, min(127, round(Fraction(SCALE * 2**16 * part, root)))) for part in summed]
    assert quantise(np.array([summed], dtype=np.int64))[0].tolist() == expected


def test_halves_round_to_even() -> None:
    """Sums whose quotient lies exactly between two integers go to the even one, on either side of zero."""
    # Length 896 = 2 * SCALE, so each component is halved exactly: 1 -> 0.5, 3 -> 1.5, 5 -> 2.5.
    parts = [1, -1, 3, -3, 5, -5]
    rest = 896**2 - sum(part * part for part in parts)
    squares = _four_squares(rest)
    found = quantise(np.array([parts + squares], dtype=np.int64))[0].tolist()[: len(parts)]
    assert found == [0, 0, 2, -2, 2, -2]


def _four_squares(rest: int) -> list[int]:
    for one in range(isqrt(rest), 0, -1):
        for two in range(isqrt(rest - one * one), -1, -1):
            left = rest - one * one - two * two
            three = isqrt(left)
            four = isqrt(left - three * three)
            if three * three + four * four == left:
                return [one, two, three, four]
    raise AssertionError("every number is a sum of four squares")


def test_meaning_is_nearer_than_noise() -> None:
    """Paraphrases lie closer than unrelated sentences, in English and from Hinglish to English."""
    question = "what medicine does my mother take?"
    assert cosine(question, "mum is on blood pressure tablets") > cosine(question, "the train leaves at nine")
    assert cosine(question, "maa ki dawai subah deni hai") > cosine(question, "kal subah gaadi wash karni hai")
    assert cosine("where do I live", "I moved to a flat in Leeds") > cosine(
        "where do I live", "my code does not compile"
    )


@pytest.mark.parametrize("missing", ["card.json", "table.i8", "vocabulary.txt"])
def test_a_damaged_table_is_a_clear_error(tmp_path: Path, missing: str) -> None:
    """A missing or altered file is named as such, never a wrong vector."""
    shipped = Path(sys.modules[StaticEmbedder.__module__].__file__ or "").parents[2] / "data" / "embedder"
    for name in ("card.json", "table.i8", "vocabulary.txt"):
        (tmp_path / name).write_bytes((shipped / name).read_bytes())
    damaged = tmp_path / missing
    damaged.write_bytes(damaged.read_bytes()[:-9] + b"ceterisxx")
    with pytest.raises(RecollectError) as caught:
        StaticEmbedder(tmp_path).embed(["hello"])
    assert caught.value.reason == "embedder_damaged"
    damaged.unlink()
    with pytest.raises(RecollectError):
        StaticEmbedder(tmp_path / "nowhere").embed(["hello"])
