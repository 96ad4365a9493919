"""How Hindi is searched across scripts and spellings: one key for a word, however it is written.

    शादी, shaadi, shadi        -> sdi
    दुकान, dukaan, dukan        -> duk
    जयपुर, jaipur               -> jipur

A key keeps what people agree on when they type Hindi in Latin letters: consonants without their breath, and whether a
vowel is of the i or the u kind. What they do not agree on goes: length, the inherent a, doubled letters, the nasal end.

Keys are made for texts in Devanagari, and for texts in Latin letters that show two small words of Hindi; English texts
have none, so nothing changes for them.

Never: changes the stored text, or decides by anything but the text itself.
Spec: dependencies.md ("search across scripts by romanising at index time").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.core.recent import by_word

# Small words that only Hindi has. Those that are English words too (to, me, main, do, the, par, is) are left out.
SMALL_WORDS = frozenset(
    """
    hai hain hei tha thi thay hoon hun hu hoga hogi honge ho hua hui hue ka ki ke ko se mein mai ne pe aur bhi toh hee
    nahi nahin nhi mat kya kyun kyu kyon kab kahan kaha kaun kisne kiska kiski kiske kis kisko kaise kaisa kaisi kitna
    kitne kitni konsa kaunsa kaunsi wala wali wale mera meri mere tera teri tere uska uski uske unka unki unke hamara
    hamari apna apni apne maine mene humne usne unhone mujhe mujhko humein hume use unhe yeh ye woh wo voh koi kuch sab
    abhi phir fir lekin magar kyunki jab tab agar matlab raha rahi rahe gaya gayi gaye gai kar karo karna karta karti
    karte kiya kiye liya diya dena lena chahiye wahan yahan waha yaha bahut bohot thoda accha acha theek thik haan na
    """.split()
)
_SMALL_ENOUGH = 2
_DEVANAGARI = re.compile("[\u0900-\u097f]")

_CONSONANTS = dict(
    zip(
        "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहळ",
        "k k g g n C C j j n t t d d n t t d d n p f b b m y r l v s s s h l".split(),
        strict=True,
    )
)
_VOWELS = dict(zip("अआइईउऊऋएऐओऔऍऑ", ["a", "a", "i", "i", "u", "u", "ri", "i", "ai", "u", "au", "i", "u"], strict=True))
_SIGNS = dict(zip("ािीुूृेैोौॅॉ", ["a", "i", "i", "u", "u", "ri", "i", "ai", "u", "au", "i", "u"], strict=True))
_NASAL = "ंँ"
_SILENT = "्"
_DOT_BELOW = "़"
# In this order: a longer spelling before the shorter one it holds.
_SPELLINGS: tuple[tuple[str, str], ...] = (
    ("chh", "C"),
    ("ch", "C"),
    ("c", "k"),
    ("sh", "s"),
    ("ph", "f"),
    ("kh", "k"),
    ("gh", "g"),
    ("jh", "j"),
    ("th", "t"),
    ("dh", "d"),
    ("bh", "b"),
    ("ee", "i"),
    ("ii", "i"),
    ("oo", "u"),
    ("uu", "u"),
    ("aa", "a"),
    ("w", "v"),
    ("z", "j"),
    ("q", "k"),
    ("x", "ks"),
    ("y", "i"),
    ("e", "i"),
    ("o", "u"),
)
_REPEATED = re.compile(r"(.)\1+")
_NASAL_END = re.compile(r"(?<=[aiu])[nm]$")
_INNER_A = re.compile(r"(?<!^)a")


def is_hindi(text: str, words: Sequence[str]) -> bool:
    """Whether a text with these folded words is in Devanagari, or in Latin letters with small words of Hindi in it."""
    if not text.isascii() and _DEVANAGARI.search(text):
        return True
    return len(SMALL_WORDS.intersection(words)) >= _SMALL_ENOUGH


def _key(word: str) -> str:
    latin = _romanised(word) if _DEVANAGARI.match(word) else word
    if not latin.isascii() or not latin.isalpha():
        return ""
    for spelling, sound in _SPELLINGS:
        latin = latin.replace(spelling, sound)
    return _INNER_A.sub("", _NASAL_END.sub("", _REPEATED.sub(r"\1", latin)))


def _romanised(word: str) -> str:
    """Devanagari in Latin letters, without breath; '' where a letter is not known."""
    found: list[str] = []
    for letter, following in zip(word, f"{word[1:]} ", strict=True):
        if letter in _CONSONANTS:
            # The vowel that is not written, but at the end of a word, where it is not spoken either.
            has_a = following not in _SIGNS and following not in (_SILENT, _DOT_BELOW, " ")
            found.append(f"{_CONSONANTS[letter]}a" if has_a else _CONSONANTS[letter])
        elif letter in _SIGNS or letter in _VOWELS:
            found.append(_SIGNS.get(letter) or _VOWELS[letter])
        elif letter in _NASAL:
            # At the end it is only a breath through the nose, and Latin spellings write it or not.
            found.append("" if following == " " else "n")
        elif letter not in (_SILENT, _DOT_BELOW):
            return ""
    return "".join(found)


_SMALL_KEYS = frozenset(
    _key(word)
    for word in (
        "है हैं था थी थे हूँ हूं होगा होगी होंगे हो हुआ हुई हुए का की के को से में मैं ने पे पर और भी तो ही नहीं मत क्या क्यों "
        "कब कहाँ कहां कौन किसने किस कैसे वाला वाली वाले मेरा मेरी मेरे उसका उसकी उसके हमारा अपना अपनी मैंने हमने उसने मुझे यह ये वह वो "
        "कोई कुछ सब फिर लेकिन जब तब अगर रहा रही रहे गया गयी गई गए कर किया लिया दिया"
    ).split()
)


@by_word(65_536)
def key_of(word: str) -> str:
    """The key of a word, or '' for a small word and for what has no letters of either script."""
    key = "" if word in SMALL_WORDS else _key(word)
    return key if len(key) >= 2 and key not in _SMALL_KEYS else ""
