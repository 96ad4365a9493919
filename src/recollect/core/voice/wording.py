"""The words a voice contract may not contain, and how a sentence is cut into words.

Lists are data with a source: `UPSTREAM` entries are quoted from the contract verifier of the specification; the
others are our own rendering of its prose rules (no action and no optimism in C, no questions, no promises) in the
three languages. Words are matched whole, so "country" is not "try".

Never: runs while a conversation is going on. Only the check of a contract, a person's tool, uses it.
Spec: upstream facts 1.2, 1.4 and 1.13; ruling 40.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from recollect.core.voice.state import Language

Phrases = Mapping[Language, tuple[str, ...]]

# Facts 1.13, as quoted there.
ADVICE_UPSTREAM = (
    "should",
    "try",
    "try to",
    "best way",
    "you need",
    "you should",
    "you've got to",
    "having a healthy",
    "best thing",
)

ADVICE: Phrases = {
    Language.EN: (*ADVICE_UPSTREAM, "you must", "you have to try", "you ought", "ought to", "make sure", "advice"),
    Language.HINGLISH: ("should", "try", "best tarika", "sabse achha tarika", "chahiye", "koshish", "zaroori hai"),
    Language.HI: ("चाहिए", "चाहिये", "कोशिश", "सबसे अच्छा तरीका", "ज़रूरी है", "सलाह"),
}

# C sits still with somebody: nothing to do, in any wording.
ACTIONS: Phrases = {
    Language.EN: (
        "breathe",
        "breath",
        "timer",
        "minutes",
        "write",
        "walk",
        "call someone",
        "talk to",
        "drink",
        "step",
        "steps",
        "start",
        "begin",
        "let us",
        "let's",
    ),
    Language.HINGLISH: (
        "saans",
        "timer",
        "minute",
        "likho",
        "likhiye",
        "kadam",
        "shuru",
        "kijiye",
        "karo",
        "baat karo",
    ),
    Language.HI: ("साँस", "सांस", "मिनट", "लिखिए", "लिखो", "क़दम", "कदम", "शुरू", "कीजिए", "करो"),
}

OPTIMISM: Phrases = {
    Language.EN: (
        "better",
        "hope",
        "hopeful",
        "hopefully",
        "soon",
        "bright",
        "brighter",
        "improve",
        "fine",
        "okay",
        "cheer",
        "positive",
        "will pass",
        "things change",
    ),
    Language.HINGLISH: (
        "umeed",
        "jaldi hi",
        "behtar",
        "theek ho",
        "theek hoga",
        "sab theek",
        "accha hoga",
        "achha hoga",
    ),
    Language.HI: ("उम्मीद", "जल्द", "बेहतर", "ठीक हो", "ठीक होगा", "सब ठीक", "अच्छा होगा"),
}

PROMISES: Phrases = {
    Language.EN: ("promise", "guarantee", "will be", "i will", "i'll", "you will", "you'll", "always be", "forever"),
    Language.HINGLISH: ("vaada", "wada", "hamesha", "zaroor hoga", "ho jayega", "ho jaega", "rahunga", "rahungi"),
    Language.HI: ("वादा", "हमेशा", "ज़रूर होगा", "हो जाएगा", "हो जायेगा", "रहूँगा", "रहूँगी"),
}

QUESTIONS: Phrases = {
    Language.EN: ("why", "how come"),
    Language.HINGLISH: ("kyun", "kyon", "kyu"),
    Language.HI: ("क्यों", "क्यूँ"),
}

# Common romanised Hindi words that are no English words: their presence makes a sentence Hinglish.
HINGLISH_MARKERS = (
    "aap",
    "aapka",
    "aapke",
    "aapki",
    "aapko",
    "aapne",
    "aisa",
    "abhi",
    "aur",
    "bahut",
    "baat",
    "bilkul",
    "dheere",
    "gaya",
    "hai",
    "hain",
    "hoon",
    "hota",
    "ise",
    "itna",
    "itne",
    "jaldi",
    "kaafi",
    "koi",
    "kuch",
    "lagta",
    "liye",
    "mein",
    "mujhe",
    "nahi",
    "nahin",
    "raha",
    "rahi",
    "rakhte",
    "saans",
    "saath",
    "samajh",
    "sab",
    "toh",
    "waisa",
    "yahin",
    "yeh",
)

_APOSTROPHES = "'\u2019\u02bc"
JOINERS = "\u200c\u200d"


def words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case; letters with their marks stay together in every script."""
    found: list[str] = []
    current: list[str] = []
    for character in unicodedata.normalize("NFC", text).casefold():
        if character in _APOSTROPHES and current:
            current.append("'")
        elif unicodedata.category(character)[0] in "LMN" or (character in JOINERS and current):
            current.append(character)
        elif current:
            found.append("".join(current).strip("'"))
            current = []
    if current:
        found.append("".join(current).strip("'"))
    return tuple(word for word in found if word)


def phrase_in(said: tuple[str, ...], phrases: tuple[str, ...]) -> str | None:
    """The first of the phrases that occurs, word for word, in what is said."""
    for phrase in phrases:
        wanted = words(phrase)
        length = len(wanted)
        if any(said[start : start + length] == wanted for start in range(len(said) - length + 1)):
            return phrase
    return None


def script_of(character: str) -> str:
    """The script a letter or mark belongs to, as Unicode names it; empty for what belongs to none."""
    if unicodedata.category(character)[0] not in "LM":
        return ""
    return unicodedata.name(character, "UNKNOWN").split(" ")[0]
