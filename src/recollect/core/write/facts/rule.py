"""What one row of the grammar is.

A rule says: after this verb phrase, with this between, an object read by this reader makes this claim.
Never: holds rows itself; each family of facts has its own file of them.
"""

from dataclasses import dataclass

from recollect.core.write.facts.finding import Polarity
from recollect.core.write.facts.readers import Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A second claim that may hang on the first: "a nurse *at Acme*"."""

    lead: str
    read: Reader
    predicate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One row.

    `on` names the verb phrases, separated by blanks: "present:live since:live". A "*" for the word ("be:*") means
    that the object begins with the content word itself; otherwise `lead` is a regular expression for what stands
    between the verb and the object. `adverbs`, `after` and `before` are what must have been said between subject and
    verb, after the object, and earlier in the sentence. `says` is the claim of the plain verb, `denied` that of its
    denial: None where that says nothing worth keeping ("I don't live in London" is no home).
    """

    on: str
    predicate: str
    read: Reader
    lead: str = r"\s+"
    adverbs: tuple[str, ...] = ()
    after: str = ""
    before: str = ""
    says: Polarity | None = Polarity.YES
    denied: Polarity | None = None
    corrects: bool = False
    others_only: bool = False
    then: tuple[Step, ...] = ()
