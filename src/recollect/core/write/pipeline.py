"""The write river: what happens to one turn, stage by stage.

    turn -> secrets -> classify -> identity -> (offer)          state-free: offer.py
         -> number -> admit -> border -> conflict -> promote    per offered item: STAGES
         -> fold -> retain -> events                            once per turn: CLOSING

A stage takes the item that is still alive and returns it, or ends it by naming a reason (`_end`). A stage that
returned nothing without ending the item would leave it without a fate, and `remember` asserts that none is.

Never: reads or writes a store. The engine gathers before and commits after.
Spec: facts 4.9; rulings 9, 13; law 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recollect.core.events import Denied, Masked, Quarantined
from recollect.core.item import MemoryItem
from recollect.core.spaces import may_write
from recollect.core.values import BorderAction, ItemRef, Kind, Space, Status
from recollect.core.write.admit import refusal, tags
from recollect.core.write.candidate import Candidate, Fate, Outcome
from recollect.core.write.desk import Act, Desk
from recollect.core.write.promote import hinted_target, promote, refuse
from recollect.core.write.retain import retain
from recollect.core.write.settle import store
from recollect.core.write.window import fold_window


@dataclass(slots=True, kw_only=True)
class Flow:
    """One offered item on its way down the river."""

    desk: Desk
    candidate: Candidate
    item: MemoryItem
    outcome: Outcome | None = None


Stage = Callable[[Flow], None]


def _end(flow: Flow, fate: Fate, code: str) -> None:
    flow.outcome = Outcome(ref=flow.item.ref, fate=fate, code=code)


def admit(flow: Flow) -> None:
    """The policy's own rules, privacy first."""
    code = refusal(flow.candidate, flow.desk.policy)
    if code:
        _deny(flow, code)


def cross_border(flow: Flow) -> None:
    """Direct writes go only where the policy lets them."""
    space = flow.item.ref.place.space
    code = may_write(flow.desk.policy, space)
    if not flow.desk.check_border(BorderAction.WRITE, flow.item, space, code):
        _deny(flow, code)


def quarantine(flow: Flow) -> None:
    """Words from outside are kept apart; the window alone carries them, in their own envelope."""
    code = flow.candidate.quarantine
    if not code or flow.item.kind is Kind.SHORT_TERM:
        return
    flow.desk.keep(flow.item)
    flow.desk.say(flow.item.ref.place, Quarantined(flow.item.ref, code))
    _end(flow, "quarantined", code)


def settle_key(flow: Flow) -> None:
    """One live item per key: new, one more mention, or a conflict."""
    flow.outcome = store(flow.desk, flow.item)


def report_masked(flow: Flow) -> None:
    """Say that secrets were cut out of what was kept."""
    outcome = flow.outcome
    if outcome is not None and outcome.fate in {"written", "quarantined"} and flow.candidate.secret_codes:
        flow.desk.say(flow.item.ref.place, Masked(flow.item.ref, flow.candidate.secret_codes))


STAGES: tuple[Stage, ...] = (admit, cross_border, quarantine, settle_key)
CLOSING: tuple[Callable[[Desk], None], ...] = (fold_window, retain)


def remember(desk: Desk, candidates: list[Candidate], at_ms: int) -> Act:
    """Decide one turn: every offer gets exactly one fate, then the window and retention let go of what is old."""
    act = Act(at_ms=at_ms)
    desk.acts.append(act)
    episode: Outcome | None = None
    for candidate in candidates:
        if candidate.kind is Kind.PROFILE and not candidate.made_from:
            candidate.made_from = _turns_behind(act, episode)
        outcome = decide(desk, candidate)
        act.outcomes.append(outcome)
        if candidate.kind is Kind.SEMANTIC and outcome.fate == "written":
            episode = outcome
    _promote_hinted(desk, act, is_private=any(candidate.is_private for candidate in candidates))
    if desk.ledger is not None:
        # Most policies keep no ledger, and their process never loads what looks after one.
        from recollect.core.companion.tending import tend

        tend(desk, candidates, act)
    for stage in CLOSING:
        stage(desk)
    return act


def decide(desk: Desk, candidate: Candidate) -> Outcome:
    """One offer through the stages, until one of them ends it."""
    is_apart = bool(candidate.quarantine) and candidate.kind is not Kind.SHORT_TERM
    status = Status.QUARANTINED if is_apart else Status.ACTIVE
    flow = Flow(desk=desk, candidate=candidate, item=desk.build(candidate, tags(candidate, desk.policy), status))
    for stage in STAGES:
        stage(flow)
        if flow.outcome is not None:
            break
    assert flow.outcome is not None, "an offered item was left without a fate"
    report_masked(flow)
    return flow.outcome


def _deny(flow: Flow, code: str) -> None:
    item = flow.item
    flow.desk.say(item.ref.place, Denied(item.ref, item.event_type, item.source, item.authority, code))
    _end(flow, "denied", code)


def _turns_behind(act: Act, episode: Outcome | None) -> tuple[ItemRef, ...]:
    """What a fact points at: the episode of its turn, or the window's line where no episode was kept."""
    if episode is not None:
        return (episode.ref,)
    return tuple(outcome.ref for outcome in act.outcomes if outcome.fate == "written")[:1]


def _promote_hinted(desk: Desk, act: Act, *, is_private: bool) -> None:
    """Move what was written this turn where the user's words ask for it; what is private stays with its persona."""
    written = [outcome.item for outcome in act.outcomes if outcome.fate == "written" and outcome.item is not None]
    for item in written:
        if item.kind is Kind.SHORT_TERM or not item.promotion_target:
            continue
        target = Space(item.promotion_target)
        if target is item.ref.place.space:
            continue
        # A fact's own text is short; the phrase stands in the turn it came from.
        reason = hinted_target(item.text)[1] or _hint_of(written) or "asked"
        if is_private and target is not Space.USER:
            desk.check_border(BorderAction.PROMOTE, item, target, "promotion_private")
            refuse(desk, item, target, "promotion_private")
        else:
            promote(desk, item, target, desk.lens.place(target, is_private=is_private), reason)


def _hint_of(written: list[MemoryItem]) -> str:
    return next((code for code in (hinted_target(item.text)[1] for item in written) if code), "")
