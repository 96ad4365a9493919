"""What a companion does at the end of each turn, in the same commit: the last stage of the write river before the
window lets go.

    session counted -> todos done, dropped, made habits -> importance grown -> rolling summary -> spine

Never: runs where the policy has no companion; never calls a model; never reads beyond the desk.
Spec: state and memory model "State evolution timeline"; rulings 23 to 25, 29, 30, 30a.
"""

from __future__ import annotations

from recollect.core.companion.curate import take_out
from recollect.core.companion.digest import weigh
from recollect.core.companion.growth import grown, sessions_in
from recollect.core.companion.layout import Ledger, Said
from recollect.core.companion.ledger import leave
from recollect.core.companion.loops import Loop, draft
from recollect.core.companion.outcomes import Turned, kind_of, may_turn, turned
from recollect.core.companion.sessions import MINUTE_MS, attend, grow_spine, open_todos, roll_on
from recollect.core.companion.todos import todo_candidate
from recollect.core.events import Marked
from recollect.core.item import MemoryItem
from recollect.core.policy import Companion
from recollect.core.values import ItemRef, Kind, Role, SourceClass, Status
from recollect.core.write.candidate import Candidate, Outcome
from recollect.core.write.desk import Act, Desk
from recollect.core.write.settle import store


def tend(desk: Desk, candidates: list[Candidate], act: Act) -> None:
    """Look after a persona's ledger once a turn has been decided."""
    companion, ledger = desk.policy.companion, desk.ledger
    if companion is None or ledger is None or not candidates or not is_own_words(candidates[0]):
        return
    heard = candidates[0]
    for outcome in [*act.outcomes]:
        _note(desk, ledger, outcome)
    _unfold(desk, ledger, act)
    messages = attend(desk, ledger, companion, act.at_ms)
    episode = next((o.item for o in act.outcomes if o.fate == "written" and o.ref.kind is Kind.SEMANTIC), None)
    ledger.said.append(Said(text=heard.text, item=episode, weight=weigh(heard.text)))
    if may_turn(heard.text):
        made = {outcome.ref: True for outcome in act.outcomes}
        todos = [todo for todo in open_todos(desk, ledger) if todo.ref not in made]
        for change in turned(heard.text, todos, act.at_ms):
            _turn(desk, ledger, act, heard, change)
    _grow(desk, ledger, companion, act)
    if messages % companion.rolling_every == 0:
        roll_on(desk, ledger, companion, act.at_ms)
    if messages % companion.spine_every == 0:
        grow_spine(desk, ledger, companion, act.at_ms, messages)


def is_own_words(heard: Candidate) -> bool:
    """Whether the user said it here, in their own words; nobody else's open or close anything."""
    is_chat = heard.origin.source.split(":", 1)[0] == SourceClass.CHAT
    return heard.origin.role is Role.USER and is_chat and not heard.quarantine and not heard.denial


def _note(desk: Desk, ledger: Ledger, outcome: Outcome) -> None:
    """Hold what this turn added, so that the rest of the batch knows it."""
    item = outcome.item
    if item is None or outcome.fate not in {"written", "merged"} or item.fact is None:
        return
    if kind_of(item) is not None:
        ledger.todos[item.ref] = item
    elif item.kind is Kind.PROFILE:
        ledger.facts[item.ref] = item


def _unfold(desk: Desk, ledger: Ledger, act: Act) -> None:
    """A newer claim about something in a fold takes that part out, so that the fold never contradicts it."""
    written = [outcome.item for outcome in act.outcomes if outcome.fate == "written" and outcome.item is not None]
    for ref, (fold, parts) in [*ledger.folds.items()]:
        keys = {part.dedup_key for part in parts}
        claims = {i.dedup_key: i for i in written if i.ref.place == fold.ref.place and i.dedup_key in keys}
        if not claims:
            continue
        del ledger.folds[ref]
        heir = take_out(desk, fold, parts, claims)
        if heir is not None:
            ledger.folds[heir] = (desk.created[heir], [part for part in parts if part.dedup_key not in claims])


def _turn(desk: Desk, ledger: Ledger, act: Act, heard: Candidate, change: Turned) -> None:
    item = change.item
    if change.reason != "became_habit":
        leave(desk, item, change.reason)
        return
    habit = _habit(desk, ledger, heard, item, act)
    leave(desk, item, "became_habit", habit)


def _habit(desk: Desk, ledger: Ledger, heard: Candidate, item: MemoryItem, act: Act) -> ItemRef:
    """The habit that stands instead: the one that is there, or a new one that cites the promise."""
    new = draft(Loop.HABIT, item.text)
    candidate = todo_candidate(heard, ledger.place, new)
    candidate.made_from = (item.ref,)
    outcome = store(desk, desk.build(candidate, ("allowed_by:privacy",)))
    act.outcomes.append(outcome)
    _note(desk, ledger, outcome)
    return outcome.into or outcome.ref


def _grow(desk: Desk, ledger: Ledger, companion: Companion, act: Act) -> None:
    """A fact said again: its importance may rise with the sessions it was said in."""
    gap_ms = companion.session_minutes * MINUTE_MS
    for outcome in act.outcomes:
        item = desk.current(outcome.item) if outcome.fate == "merged" and outcome.item is not None else None
        if item is None or item.fact is None or item.status is not Status.ACTIVE or item.ref.place == ledger.place:
            continue
        spoken = ledger.spoken.setdefault(item.ref, [])
        spoken.append((desk.lens.persona, desk.lens.session, act.at_ms))
        importance = grown(item, sessions_in(spoken, gap_ms), desk.policy)
        if importance > item.importance:
            desk.change(item, Marked(item.ref, importance, "growth"))
