"""What the parts of a match say in words: why something was found, and what a near miss lacked.

A part is a whole number in thousandths of a standard deviation, already weighed by the policy; the sum orders the hits.

Never: computes a part, or orders anything.
Spec: "Explained"; retrieval.md (the ingredients).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

Parts = Sequence[tuple[str, int]]


class Said(NamedTuple):
    """The two sentences of a part: where it speaks for a memory, and where another has more of it."""

    helped: str
    lacked: str


# In the order in which they are told.
PARTS: Mapping[str, Said] = {
    "words": Said("near a turn that matches", "fewer of the question's words in it and around it"),
    "vector": Said("similar in meaning", "less similar in meaning"),
    "next": Said("followed by something similar", "nothing similar follows it"),
    "speaker": Said("said by whom the question names", "not said by whom the question names"),
    "name": Said("speaks of whom the question names", "does not name them"),
    "user": Said("", "not said by the user"),
    "assistant": Said("said by the assistant, whom the question asks about", "not said by the assistant"),
    "date": Said("said near the date the question names", "said at another time than the question names"),
    "answer": Said("could answer this kind of question", "holds nothing that answers this kind of question"),
    "asks": Said("", "asks rather than tells"),
    "follows": Said("answers a question", "does not follow a question"),
    "kind": Said("names a thing of the kind the question asks about", "names no thing of the kind asked about"),
    "newer": Said("", "said longer ago"),
}
TOLD_LACKS = 2


def reasons(terms: Sequence[str], parts: Parts) -> tuple[str, ...]:
    """The codes of what speaks for a hit: its words as `term:…`, then its parts."""
    return (*(f"term:{term}" for term in terms), *_helped(terms, parts)) or ("nearest",)


def sentence(terms: Sequence[str], parts: Parts) -> str:
    """Why something was found, in one sentence."""
    # A term that begins with "~" is how a Hindi word sounds, whatever its script and spelling.
    told = [f"matches {', '.join(t if t[0] != '~' else f'the sound {t[1:]}' for t in terms)}"] if terms else []
    told += [PARTS[name].helped for name in _helped(terms, parts)]
    return "; ".join(told) or "the nearest there is"


def lack(parts: Parts, last: Parts) -> str:
    """What a near miss had less of than the last one that was taken, the largest gaps first."""
    has = dict(parts)
    gaps = [(value - has.get(name, 0), name) for name, value in last]
    gaps += [(-value, name) for name, value in parts if name not in dict(last)]
    telling = sorted((gap for gap in gaps if gap[0] > 0 and gap[1] in PARTS), key=lambda gap: (-gap[0], gap[1]))
    return "; ".join(PARTS[name].lacked for _, name in telling[:TOLD_LACKS]) or "as good a match, and older"


# Only what has something to say, by its place in the order: this runs for every hit.
_SPOKEN = {name: index for index, (name, said) in enumerate(PARTS.items()) if said.helped}


def _helped(terms: Sequence[str], parts: Parts) -> list[str]:
    spoke = [name for name, value in parts if value > 0 and name in _SPOKEN]
    spoke.sort(key=_SPOKEN.__getitem__)
    return [name for name in spoke if name != "words"] if terms else spoke
