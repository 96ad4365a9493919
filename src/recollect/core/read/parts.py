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


def tell(terms: Sequence[str], parts: Parts) -> tuple[tuple[str, ...], str]:
    """Why something was found: the codes of what speaks for it (its words as `term:…`, then its parts), and a sentence.

    Where it holds words of the question, they are told, and the part they make is not told again.
    """
    helped = [name for name, value in parts if value > 0 and PARTS[name].helped]
    if terms and "words" in helped:
        helped.remove("words")
    codes = (*(f"term:{term}" for term in terms), *helped) or ("nearest",)
    told = [matched(terms)] if terms else []
    return codes, "; ".join(told + [PARTS[name].helped for name in helped]) or "the nearest there is"


def matched(terms: Sequence[str]) -> str:
    """Which words of the question something holds."""
    # A term that begins with "~" is how a Hindi word sounds, whatever its script and spelling.
    return f"matches {', '.join(term if term[0] != '~' else f'the sound {term[1:]}' for term in terms)}"


def lack(parts: Parts, last: Parts) -> str:
    """What a near miss had less of than the last one that was taken, the largest gaps first."""
    has = dict(parts)
    gaps = [(value - has.get(name, 0), name) for name, value in last]
    gaps += [(-value, name) for name, value in parts if name not in dict(last)]
    telling = sorted((gap for gap in gaps if gap[0] > 0 and gap[1] in PARTS), key=lambda gap: (-gap[0], gap[1]))
    return "; ".join(PARTS[name].lacked for _, name in telling[:TOLD_LACKS]) or "as good a match, and older"
