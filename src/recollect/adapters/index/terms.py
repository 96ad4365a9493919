"""The terms of a text: its searchable words, stemmed, and the keys of Hindi words across scripts and spellings.

Never: reads a store, or grows without bound.
Spec: retrieval.md (Snowball stems); dependencies.md ("search across scripts by romanising at index time").
"""

from __future__ import annotations

import threading

import Stemmer

from recollect.core.hindi import is_hindi, key_of
from recollect.core.recent import emptied_by
from recollect.core.words import words

# Marks the key of a Hindi word: no word of a text begins so.
HINDI = "~"

_STEMS: dict[str, str] = {}
_STEMS_KEPT = 200_000
emptied_by(_STEMS.clear)
_STEMMER_LOCK = threading.Lock()
_STEMMER = Stemmer.Stemmer("english", 0)


def terms(text: str) -> list[str]:
    """The stemmed words of a text; of Hindi also the keys that other spellings and the other script share."""
    found = words(text)
    stemmed = _stemmed(found)
    if is_hindi(text, found):
        stemmed += [f"{HINDI}{key}" for key in map(key_of, found) if key]
    return stemmed


def stems(text: str) -> list[str]:
    """The stemmed words alone."""
    return _stemmed(words(text))


def _stemmed(found: list[str]) -> list[str]:
    stems = _STEMS
    try:
        return [stems[word] for word in found]
    except KeyError:
        return [_stem(word) for word in found]


def _stem(word: str) -> str:
    stem = _STEMS.get(word)
    if stem is None:
        if len(_STEMS) >= _STEMS_KEPT:
            _STEMS.clear()
        with _STEMMER_LOCK:
            stem = _STEMMER.stemWord(word) if len(word) <= 64 else word[:64]
        _STEMS[word] = stem
    return stem
