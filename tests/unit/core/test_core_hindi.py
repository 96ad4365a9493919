"""Hindi across scripts and spellings: one key for a word, and none where a text is not Hindi."""

from __future__ import annotations

import pytest

from recollect.adapters.index.terms import terms
from recollect.core.hindi import is_hindi, key_of
from recollect.core.words import words

SAME = (
    "शादी shaadi shadi",
    "दवाई dawai davaai",
    "मंगलवार mangalvaar mangalwar",
    "खाना khana khaana",
    "जयपुर jaipur",
    "छुट्टी chhutti chutti",
    "ज़मीन zameen jamin",
    "किराया kiraya",
    "पैसे paise",
)


@pytest.mark.parametrize("spellings", SAME)
def test_spellings_of_one_word_share_a_key(spellings: str) -> None:
    """Devanagari and every usual Latin spelling lead to each other."""
    assert len({key_of(word) for word in spellings.split()}) == 1 and key_of(spellings.split()[0])


@pytest.mark.parametrize(("one", "other"), [("shaadi", "saath"), ("kal", "kaam"), ("neela", "laal"), ("didi", "dada")])
def test_different_words_have_different_keys(one: str, other: str) -> None:
    """A key is not so coarse that everything matches."""
    assert key_of(one) != key_of(other)


def test_small_words_have_no_key() -> None:
    """What every sentence holds leads nowhere, in either script."""
    assert [key_of(word) for word in ("hai", "ka", "nahi", "है", "का", "नहीं", "में")] == [""] * 7


def test_english_is_left_alone() -> None:
    """A text without two small words of Hindi has its stems and nothing else."""
    for text in ("I live in Lisbon and work at Acme.", "main road, do it", "Mumbai ka"):
        assert not any(term.startswith("~") for term in terms(text))
        assert not is_hindi(text, words(text))


def test_a_word_of_devanagari_is_not_cut_at_its_vowel_signs() -> None:
    """Python's idea of a word leaves the signs out; ours does not."""
    assert words("शादी जयपुर में।") == ["शादी", "जयपुर", "में"]


def test_odd_input_has_no_key() -> None:
    """Digits, other scripts, emoji and the empty word are answered with nothing."""
    assert [key_of(word) for word in ("", "123", "東京", "🙂", "ab1", "ॐ")] == [""] * 6
