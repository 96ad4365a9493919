"""Which words of a text can be searched for.

Case and width are folded, very common English words are left out, the rest is stemmed by the function that comes in
(the stemmer itself is a library and lives in an adapter).

Never: guesses a language, and never changes the stored text.
Spec: retrieval.md (Snowball stems, longer stop list).
"""

from __future__ import annotations

import re
import unicodedata

from recollect.core.text import BLANKED

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# Python's \w leaves out the vowel signs of Indic and Thai writing, and would cut a word at each of them.
_LETTERS = r"(?:[^\W_]|[\u0300-\u036f\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u0eb1-\u0ecd])"
_WORD_ANY = re.compile(rf"{_LETTERS}+(?:['’]{_LETTERS}+)?")
READ_CHARACTERS = 200_000  # what is searched of one very long text

STOP_WORDS = frozenset(
    """
    a about above after again against all also am an and any anyone anything are as at be because been before
    being below between both but by can could did do does doing done down during each else ever every few for
    from further get gets getting give given go goes going gone got had has have having he her here hers herself
    him himself his how i if in into is it its itself just kind know let like lot made make makes many may maybe
    me might more most much must my myself no nor not now of off oh ok okay on once one only or other our ours
    ourselves out over own please put really said same say says see she should since so some someone something
    still such sure than that the their theirs them themselves then there these they thing things this those
    through to too under until up upon us very was we well were what when where which while who whom whose why
    will with would yeah yes yet you your yours yourself yourselves im ive id ill youre youve dont didnt doesnt
    isnt wasnt cant wont thats theres whats
    """.split()
)


def words(text: str) -> list[str]:
    """The searchable words of a text, in order, folded but not stemmed."""
    folded = text[:READ_CHARACTERS]
    is_ascii = folded.isascii()
    folded = folded.lower() if is_ascii else unicodedata.normalize("NFKC", folded).casefold()
    if is_ascii and "'" not in folded:
        # The same words as `_WORD` finds.
        return [word for word in folded.translate(BLANKED).split() if word not in STOP_WORDS]
    found = []
    for word in (_WORD if is_ascii else _WORD_ANY).findall(folded):
        bare = word
        if "'" in word or "’" in word:
            bare = word[:-2] if word.endswith(("'s", "’s")) else word.replace("'", "").replace("’", "")
        if bare not in STOP_WORDS:
            found.append(bare)
    return found
