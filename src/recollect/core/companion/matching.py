"""Whether two sentences speak of the same thing: the words that carry meaning, cut back to their stems.

Never: matches on a word everybody uses. Without a shared word of its own, nothing matches.
Spec: facts 3.11 (keywords); "completion needs a match".
"""

from __future__ import annotations

import re

from recollect.core.recent import by_word

_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?")
# Words that say nothing about what is meant: function words, time words, and the verbs of doing and finishing.
STOP = frozenset(
    """i me my mine we our us you your he she it its they them the a an to for of and or but so in on at by with from
    into up out off this that these those is am are was were be been being do did does done have has had having will
    would shall should can could may might must gonna going go went gone just already finally now then also too very
    really finish finished completed complete done today tonight tomorrow yesterday morning evening afternoon night day
    week month every each daily weekly later soon before after end some any all get got getting take took taken make
    made not no never yes ok okay need needs want wanted wants plan planning promise promised try trying like about
    again still there here what when where who how if maybe hope wish think thinking thought im ive ill id dont didnt
    main mujhe mera meri mere hai hoon hu hun ho ka ki ke ko se mein kal aaj roz har din subah shaam raat karna karunga
    karungi kar liya diya gaya gayi ek aur bhi toh hi wo yeh""".split()
)
_IRREGULAR = {
    "ran": "run",
    "wrote": "write",
    "written": "write",
    "sent": "send",
    "bought": "buy",
    "paid": "pay",
    "spoke": "speak",
    "spoken": "speak",
    "read": "read",
    "ate": "eat",
    "eaten": "eat",
    "slept": "sleep",
    "swam": "swim",
    "met": "meet",
    "told": "tell",
    "taught": "teach",
    "began": "begin",
    "drew": "draw",
    "drove": "drive",
    "rang": "ring",
    "sold": "sell",
    "built": "build",
    "cut": "cut",
    "gave": "give",
    "kept": "keep",
    "left": "leave",
    "walked": "walk",
}
_SUFFIXES = ("ings", "ing", "edly", "ied", "ies", "ed", "es", "s")


@by_word(16_384)
def stem(word: str) -> str:
    """A word without its endings; enough to hold `walk`, `walks`, `walked` and `walking` together."""
    known = _IRREGULAR.get(word)
    if known is not None:
        return known
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            cut = word[: -len(suffix)]
            if suffix in {"ied", "ies"}:
                return f"{cut}y"
            if suffix in {"ing", "ings", "ed"} and len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "ls":
                return cut[:-1]
            return cut[:-1] if cut.endswith("e") and suffix != "s" and len(cut) > 3 else cut
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def keywords(text: str) -> tuple[str, ...]:
    """The stems of the words that carry meaning, each once, in the order they come."""
    words = (word.replace("’", "'").split("'")[0] for word in _WORD.findall(text.casefold()))
    kept = (stem(word) for word in words if len(word) > 2 and word not in STOP and not word.isdigit())
    return tuple(dict.fromkeys(kept))


def overlap(one: str, other: str) -> int:
    """How many words of their own two sentences share."""
    there = frozenset(keywords(other))
    return sum(word in there for word in keywords(one))
