"""The terms of a text: its searchable words, stemmed.

Never: reads a store, guesses a language, or grows without bound.
Spec: retrieval.md (Snowball stems).
"""

from __future__ import annotations

import threading

import Stemmer

from recollect.core.words import words

_STEMS: dict[str, str] = {}
_STEMS_KEPT = 200_000
_STEMMER_LOCK = threading.Lock()
_STEMMER = Stemmer.Stemmer("english", 0)


def terms(text: str) -> list[str]:
    """The stemmed words of a text."""
    found = words(text)
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
