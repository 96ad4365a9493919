"""How a run of words is taken from a position in a text, and where an object may end.

Decides: what one word is (a final full stop belongs to it only in "Dr." and the like), which word counts as written
with a capital in any script, and which words may follow an object without changing what it says.
Never: knows what the words mean.
"""

import re
from dataclasses import dataclass
from functools import cache

from recollect.core.write.facts.lexicon.entry import entries

# "d'Ivoire", "al-Khwarizmi": the capital stands after the article.
_PREFIXED = re.compile(r"(?:d'|l'|al-|el-|ibn-|'t-)[^\W\d_a-z]")


@dataclass(frozen=True, slots=True)
class Word:
    """One word and where it stands."""

    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        """The word as lists hold it."""
        return self.text.casefold()

    @property
    def is_capital(self) -> bool:
        """Written with a capital, or in a script that has none."""
        first = self.text[0]
        is_capital = first.isalpha() and (first.isupper() or first.istitle() or first.lower() == first.upper())
        return is_capital or _PREFIXED.match(self.text) is not None


_WORD = re.compile(r"[^\W_](?:[\w'+#&/.\-]{0,40})|&(?=\s)")
_GAP = re.compile(r"[ \t]{1,3}")
_TRAILING = ".'-/&"
# Words to which their final mark belongs: titles, initials ("U.S."), a lone "&".
_WHOLE = re.compile(r"(?:dr|mr|mrs|ms|prof|st|mx|jr|sr)\.|(?:[a-z]\.){2,4}|&", re.IGNORECASE)


def words_at(text: str, at: int, limit: int) -> list[Word]:
    """Return up to `limit` words from a position, separated by blanks only."""
    found: list[Word] = []
    while len(found) < limit:
        match = _WORD.match(text, at)
        if match is None:
            break
        raw = match.group()
        kept = raw if _WHOLE.fullmatch(raw) else raw.rstrip(_TRAILING)
        found.append(Word(kept, match.start(), match.start() + len(kept)))
        gap = _GAP.match(text, match.start() + len(kept))
        if gap is None:
            break
        at = gap.end()
    return found


def longest_in(words: list[Word], known: frozenset[str] | dict[str, str], limit: int = 3) -> int:
    """Return how many of the first words together are a known entry; 0 for none."""
    for count in range(min(limit, len(words)), 0, -1):
        if " ".join(word.low for word in words[:count]) in known:
            return count
    return 0


# A mark, an emoji, a bracket; not what joins words or belongs to a number, and not what was voided.
_ENDS = re.compile(r"\s*(?:$|[^\w\s'/@&+#%=\x00-]|-\s)")
_NEXT = re.compile(r"\s+([^\W\d_]+(?:'[^\W\d_]+)?)")

# Words that may follow an object and leave it as it is. Anything else makes the reading uncertain, and it is dropped.
_FOLLOWERS = """
and, but, so, because, since, though, although, while, with, for, as, at, on, by, from, where, which, who, when, now
currently, these, right, too, also, again, btw, fyi, anyway, today, nowadays, or, near, in, after, before, until, till
if, then, here, originally, these days, plus, except, during, most, mostly, usually, last, this, every, each, any
anymore, alongside, thanks, please, still, already, ever, all, very, a lot, over, about, just, instead, not, yet
actually, full-time, full, part-time, part, remotely, once, twice, ago, back, mainly, especially, even, i, i'm, we
my, he, she, they, hence, is, has, was, lives, works, together, downtown, online, daily, therefore, without, due, both
lately, recently
"""


@cache
def followers() -> frozenset[str]:
    """The words after which an object still stands."""
    return entries(_FOLLOWERS)


def ends_cleanly(text: str, at: int) -> bool:
    """Tell whether an object that ends here is whole: the sentence ends, or a harmless word follows."""
    if _ENDS.match(text, at):
        return True
    follower = _NEXT.match(text, at)
    return follower is not None and follower.group(1).casefold() in followers()


def proper_or_number(words: list[Word]) -> int:
    """Return how many of the first words are capitalised or begin with a digit: the rest of a model's name."""
    count = 0
    while count < len(words) and (words[count].is_capital or words[count].text[0].isdigit()):
        count += 1
    return count
