"""What a turn offers to a persona's ledger: todos by rule, or a note that a model has yet to read the turn.

Never: offers anything from words that were masked, or to another persona's ledger.
Spec: rulings 22, 30a.
"""

from __future__ import annotations

from dataclasses import replace

from recollect.core.companion.ledger import Shelf, key_of
from recollect.core.companion.loops import Loop, draft, read_loops
from recollect.core.companion.todos import todo_candidate
from recollect.core.item import Fact
from recollect.core.places import ledger_of
from recollect.core.policy import Companion
from recollect.core.values import EventType, Lens
from recollect.core.write.candidate import Candidate


def loop_candidates(heard: Candidate, lens: Lens, companion: Companion) -> list[Candidate]:
    """The todos in a turn."""
    place = ledger_of(lens)
    if companion.extractor == "model":
        return [_pending(heard, lens)]
    drafts = read_loops(heard.text)
    return [todo_candidate(heard, place, each) for each in drafts if "[masked:" not in each.content]


def friction_candidates(heard: Candidate, lens: Lens, words: str) -> list[Candidate]:
    """A friction that the fact rules found and the loop rules did not, as a todo of this persona."""
    found = read_loops(heard.text)
    if any(each.kind is Loop.FRICTION for each in found):
        return []
    return [todo_candidate(heard, ledger_of(lens), draft(Loop.FRICTION, words))]


def _pending(heard: Candidate, lens: Lens) -> Candidate:
    """A turn that a model is still to read; the words stay with the episode it points at."""
    place = ledger_of(lens)
    scope = "private" if heard.is_private else "everyone"
    return replace(
        heard,
        place=place,
        text="a turn still to be read",
        key="",
        event_type=EventType.FACT,
        fact=Fact(
            key=Shelf.PENDING.lower(),
            value=key_of(Shelf.PENDING),
            type=Shelf.PENDING,
            fact_type=scope,
            source="pending",
        ),
        made_how="pending",
        promotion_target="",
        secret_codes=(),
    )
