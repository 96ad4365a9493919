"""How the words after a subject make a verb phrase: form, plain verb, and whether it is denied or over.

Decides: "don't live", "no longer lives", "'ve been living" and "used to live" are one verb in four forms; a modal
("would", "will", "might") makes no statement and ends the reading.
Never: looks at the object, or at what stands before the subject.
"""

import re
from dataclasses import dataclass

from recollect.core.write.facts.lexicon.verbforms import surfaces


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbPhrase:
    """A verb phrase up to and including its first content word.

    `head` is "form:word", the key under which the rules are found; the content word stands from `word_at` to `at`.
    """

    head: str
    word_at: int
    at: int
    denied: bool = False
    ended: bool = False
    adverbs: tuple[str, ...] = ()


_AUXILIARY = re.compile(
    r"""(?P<be>'m|'re|'s|m\b|\ +(?:am|is|are))(?:n't|nt)?\b
      | (?P<was>\ +(?:was|were))\b
      | (?P<have>'ve|\ +(?:have|has)|ve\b)(?:n't|nt)?\b(?:\ +got\b)?
      | (?P<do>\ +(?:do|does))(?:n't|nt)?\b
      | (?P<used>\ +used\ to)\b
      | (?P<can>\ +(?:can|cannot))(?:'t|t)?\b
      | (?P<stop>'d|'ll|\ +(?:will|would|could|should|might|may|must|shall|had|did|won|wouldn|didn|couldn)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_DENIAL_IN_AUXILIARY = re.compile(r"(?:n't|nt|cannot|can't|cant)$", re.IGNORECASE)
_MIDDLE = re.compile(
    r"""\ +(?:(?P<over>no\ longer)|(?P<not>not|never)|(?P<adverb>currently|now|still|actually|also|really|originally
      |mostly|usually|just|always|often|generally|primarily|mainly|both|absolutely|definitely|recently|since|already
      |finally|personally|truly|very\ much|normally|typically|regularly|only|simply|genuinely|honestly|all|then
      |presently|officially|predominantly|largely|quite|been|so|too))(?=\ )""",
    re.IGNORECASE | re.VERBOSE,
)
_CONTENT = re.compile(r"\ +([^\W\d_][\w'-]{0,24}|\d{1,3}\b)")

# (auxiliary, form letter) to the name of the form. "'s" may be "has": a participle after it makes a perfect.
_FORMS: dict[tuple[str, str], str] = {
    ("", "b"): "present",
    ("", "s"): "present",
    ("", "p"): "past",
    ("do", "b"): "present",
    ("can", "b"): "can",
    ("used", "b"): "used",
    ("be", "g"): "progress",
    ("been", "g"): "since",
    ("have", "n"): "perfect",
}


def verb_phrase(text: str, at: int, implied: str = "") -> VerbPhrase | None:
    """Read the verb phrase that starts at a position; None where there is none or it makes no statement.

    `implied` is the auxiliary that carries over from before: "I'm a nurse and [am] based in Cork".
    """
    auxiliary = _AUXILIARY.match(text, at)
    name, position, denied = implied, at, False
    if auxiliary:
        name, position = auxiliary.lastgroup or "", auxiliary.end()
        denied = bool(_DENIAL_IN_AUXILIARY.search(auxiliary.group()))
    if name == "stop":
        return None
    over, adverbs = False, []
    while middle := _MIDDLE.match(text, position):
        position = middle.end()
        over = over or middle.lastgroup == "over"
        denied = denied or middle.lastgroup == "not"
        adverbs.append(middle.group().strip().lower())
    content = _CONTENT.match(text, position)
    if content is None:
        return None
    if name == "do" and auxiliary and not denied and "b" not in surfaces().get(content.group(1).lower(), ("", ""))[1]:
        return VerbPhrase(head="present:do", word_at=at + 1, at=auxiliary.end(), adverbs=tuple(adverbs))
    head = _head(name, "been" in adverbs, content.group(1).lower())
    end = position if head == "present:have" else content.end()
    return VerbPhrase(head=head, word_at=content.start(1), at=end, denied=denied, ended=over, adverbs=tuple(adverbs))


def _head(auxiliary: str, been: bool, word: str) -> str:
    """The key of the rules: the form and the plain verb, or the auxiliary and the word after it."""
    plain, letters = surfaces().get(word, (word, ""))
    name = "been" if auxiliary == "have" and been else auxiliary
    for letter in letters:
        form = _FORMS.get((name, letter))
        if form:
            return f"{form}:{plain}"
    if auxiliary == "be" and "n" in letters and "p" in letters and plain in _HAS_MOVED:
        return f"perfect:{plain}"
    if auxiliary == "have" and not been:
        return "present:have"
    return f"{name or 'present'}:{word}"


# After "'s" these are a perfect ("she's moved"), never an adjective.
_HAS_MOVED = ("move", "relocate", "join", "quit", "stop", "retire", "switch")
