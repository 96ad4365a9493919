"""What recall and search answer.

Never: looks anything up after it was made. `used` is a write and goes through the session.
Spec: architecture "Context"; reliability.md "Contract of a recall".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from recollect.core.item import MemoryItem
from recollect.core.read.choice import Choice
from recollect.core.read.files import Shown
from recollect.core.read.parts import tell
from recollect.core.read.question import Conflict
from recollect.core.text import one_line
from recollect.core.wire import Wire
from recollect.engine.receipt import Receipt
from recollect.ports.model import Message

DUPLICATES = frozenset({"duplicate_of_files", "older_duplicate", "in_window", "turns_shown"})
OLD = frozenset({"old_off_topic", "older_claim", "newer_chat", "expired", "archived"})


def _nobody(ids: Sequence[str]) -> Receipt:
    raise AssertionError("a context made without a session has nobody to tell")


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What to put into a prompt, and why each thing is or is not in it."""

    text: str
    blocks: tuple[tuple[str, str], ...]
    choices: tuple[Choice, ...]
    tokens: int
    budget_tokens: int
    tokens_needed: int
    status: str
    tiers: dict[str, str]
    hash: str
    files: tuple[Shown, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    is_locked: bool = False
    is_exact: bool = True
    _trace: Callable[[], list[Wire]] = field(repr=False, compare=False, default=list)
    _use: Callable[[Sequence[str]], Receipt] = field(repr=False, compare=False, default=_nobody)

    @property
    def trace(self) -> list[Wire]:
        """The recall as the contract's events. Telling it is left until somebody asks."""
        return self._trace()

    @property
    def kept(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.choices if choice.verdict == "kept")

    @property
    def dropped(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.choices if choice.verdict == "dropped")

    @property
    def items(self) -> tuple[MemoryItem, ...]:
        """The items that were kept, in the order of the text."""
        return tuple(choice.item for choice in self.kept)

    @property
    def metrics(self) -> dict[str, int]:
        """The document's own few numbers: what was kept, what was dropped as a copy or as old, what was reused."""
        dropped = [choice.reason.code for choice in self.dropped]
        return {
            "kept_count": len(self.kept),
            "dropped_duplicates": sum(code in DUPLICATES for code in dropped),
            "dropped_old": sum(code in OLD for code in dropped),
            "reused_items": sum(choice.block != "window" for choice in self.kept),
            "token_cost": self.tokens,
        }

    @property
    def messages(self) -> tuple[Message, ...]:
        """The context as chat messages: all of it is data, so all of it is one system message."""
        return (Message(role="system", text=self.text),) if self.text else ()

    def used(self, ids: Sequence[str]) -> Receipt:
        """Tell the memory which of these items helped. The only way a recall leaves a mark."""
        return self._use(ids)

    def to_dict(self) -> dict[str, object]:
        return {
            "status": self.status,
            "text": self.text,
            "tokens": self.tokens,
            "budget_tokens": self.budget_tokens,
            "tokens_needed": self.tokens_needed,
            "tiers": self.tiers,
            "hash": self.hash,
            "metrics": self.metrics,
            "is_locked": self.is_locked,
            **({} if self.is_exact else {"exact": False}),
            "files": [shown.to_wire() for shown in self.files],
            "conflicts": [conflict.to_wire() for conflict in self.conflicts],
            "choices": [choice.to_dict() for choice in self.choices],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One found item: where it came from, how well it matches, and why.

    `terms` are the words of the question it holds, `parts` what its score is made of, in thousandths of a standard
    deviation. `lacked` is empty but for a near miss. `outdated_by` names the fact that has taken the place of one this
    turn stated, and `says_now` is its text.
    """

    item: MemoryItem
    score: int
    terms: tuple[str, ...] = ()
    parts: tuple[tuple[str, int], ...] = ()
    lacked: str = ""
    outdated_by: str = ""
    says_now: str = ""
    # Whether everything was looked at; not so where an approximate index proposed what to look at.
    is_exact: bool = True

    @property
    def reasons(self) -> tuple[str, ...]:
        """The codes of what speaks for it."""
        return tell(self.terms, self.parts)[0]

    @property
    def sentence(self) -> str:
        """Why it was found, in words. Nobody pays for it who does not ask."""
        why = tell(self.terms, self.parts)[1]
        return f"{why}; has changed since: {one_line(self.says_now)}" if self.outdated_by else why

    @property
    def refs(self) -> tuple[str, ...]:
        """The caller's own message ids behind this item, else the ids of the turns it was made from."""
        if self.item.origin.ref:
            return (self.item.origin.ref,)
        return tuple(ref.id for ref in self.item.made_from) or (self.item.id,)

    def to_dict(self) -> dict[str, object]:
        return {
            "id": self.item.id,
            "text": self.item.text,
            "refs": list(self.refs),
            "score": self.score,
            "reasons": list(self.reasons),
            "sentence": self.sentence,
            "parts": dict(self.parts),
            **({"lacked": self.lacked} if self.lacked else {}),
            **({"outdated_by": self.outdated_by} if self.outdated_by else {}),
            **({} if self.is_exact else {"exact": False}),
            "meta": dict(self.item.meta),
        }
