"""What a turn offers to remember: a line of the window, an episode, and the facts in it.

The rows of `OFFERS` are asked in order; each adds what it wants remembered, nothing is dropped here.

Never: decides whether an offer is taken. Facts are read from the user's own words only, never from words in
quarantine, and never from a span that was masked.
Spec: facts 4.9; rulings "Where things are written", 7, 13, 30a.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from recollect.core.item import Fact, Origin
from recollect.core.policy import Policy
from recollect.core.spaces import escape_name
from recollect.core.text import is_low_signal, normalise
from recollect.core.values import SOURCE_OF_ROLE, EventType, Kind, Lens, Place, Role, SourceClass, Space, Turn
from recollect.core.write.authority import Trust, trust
from recollect.core.write.candidate import Candidate
from recollect.core.write.classify import classify
from recollect.core.write.contract_facts import contract_fact
from recollect.core.write.facts.draft import Heard
from recollect.core.write.facts.extract import extract_facts
from recollect.core.write.privacy import Cleared, clear
from recollect.core.write.promote import hinted_target


class Heading(NamedTuple):
    """What all offers of a turn share."""

    cleared: Cleared
    policy: Policy
    lens: Lens
    trusted: Trust
    event_type: EventType
    origin: Origin
    target: str
    recent: tuple[Heard, ...]


def offers(turn: Turn, policy: Policy, lens: Lens, recent: tuple[Heard, ...]) -> list[Candidate]:
    """Everything one turn would like to have remembered, in the order it is decided."""
    cleared = clear(turn, policy.privacy)
    turn = cleared.turn
    trusted = trust(turn, policy, lens)
    heading = Heading(
        cleared=cleared,
        policy=policy,
        lens=lens,
        trusted=trusted,
        event_type=EventType.CONTEXT
        if trusted.quarantine and turn.role is not Role.TOOL
        else classify(turn.text, turn.role),
        origin=Origin(
            role=turn.role,
            at_ms=turn.at_ms,
            speaker=turn.speaker,
            ref=turn.ref,
            session=lens.session,
            persona=lens.persona,
            source=turn.source,
            tool=turn.tool,
            files=turn.files,
            extra=turn.meta,
        ),
        target=hinted_target(turn.text)[0] if turn.role is Role.USER else "",
        recent=recent,
    )
    offered: list[Candidate] = []
    for offer in OFFERS:
        offered.extend(offer(heading))
    return offered


def _candidate(heading: Heading, kind: Kind, place: Place) -> Candidate:
    turn = heading.cleared.turn
    return Candidate(
        kind=kind,
        place=place,
        text=turn.text,
        source=SOURCE_OF_ROLE[turn.role],
        event_type=heading.event_type,
        authority=heading.trusted.authority,
        authority_reason=heading.trusted.reason,
        origin=heading.origin,
        quarantine=heading.trusted.quarantine,
        secret_codes=heading.cleared.codes,
        denial=heading.cleared.denial,
        promotion_target=heading.target,
        is_private=turn.is_private,
    )


def _window(heading: Heading) -> list[Candidate]:
    """The window carries every turn of the conversation, words from outside included, in their own envelope.

    A file that was read in and a history that was imported were not said in this conversation.
    """
    if heading.cleared.turn.source_class in {SourceClass.FILE, SourceClass.IMPORT}:
        return []
    return [_candidate(heading, Kind.SHORT_TERM, heading.lens.session_place)]


def _episode(heading: Heading) -> list[Candidate]:
    policy, turn = heading.policy, heading.cleared.turn
    if turn.role not in policy.episodes.roles:
        return []
    place = _place(heading, policy.episodes.space)
    if policy.companion is not None and policy.companion.own_episodes and heading.lens.private_place is not None:
        # What was said to one persona is found by that persona alone; the facts in it are everybody's.
        place = heading.lens.private_place
    candidate = _candidate(heading, Kind.SEMANTIC, place)
    # A line of a file is no small talk, however short.
    candidate.is_low_signal = turn.source_class is not SourceClass.FILE and is_low_signal(turn.text)
    if policy.episodes.dedupe:
        candidate.key = f"{candidate.event_type}:{normalise(turn.text)}"
    return [candidate]


def _facts(heading: Heading) -> list[Candidate]:
    turn = heading.cleared.turn
    is_own_words = turn.role is Role.USER and turn.source_class is SourceClass.CHAT
    if not is_own_words or heading.trusted.quarantine:
        return []
    return EXTRACTORS[heading.policy.facts.extractor](heading)


def _no_facts(heading: Heading) -> list[Candidate]:
    return []


def _contract_facts(heading: Heading) -> list[Candidate]:
    found = contract_fact(heading.cleared.turn.text)
    if found is None:
        return []
    key, value = found
    candidate = _candidate(heading, Kind.PROFILE, _place(heading, heading.policy.facts.space))
    candidate.text = value
    candidate.key = f"fact:{key}"
    candidate.fact = Fact(key=key, value=value)
    candidate.made_how = "fact"
    return [candidate]


def _rule_facts(heading: Heading) -> list[Candidate]:
    turn, lens = heading.cleared.turn, heading.lens
    drafts = extract_facts(turn.text, speaker=turn.speaker, user=lens.user, recent=heading.recent)
    offered = []
    for draft in drafts:
        if "[masked:" in draft.value or "[masked:" in draft.text:
            continue
        if draft.fact_type == "friction" and heading.policy.companion is not None:
            # What keeps going wrong is told to one persona, and stays with it as a todo.
            from recollect.core.companion.reading import friction_candidates

            heard = _candidate(heading, Kind.PROFILE, lens.user_place)
            offered.extend(friction_candidates(heard, lens, turn.text[draft.start : draft.end]))
            continue
        candidate = _candidate(heading, Kind.PROFILE, _place(heading, heading.policy.facts.space))
        is_correction = draft.is_correction or heading.event_type is EventType.CORRECTION
        candidate.event_type = EventType.CORRECTION if is_correction else EventType.FACT
        candidate.text = draft.text
        candidate.key = draft.memory_key
        candidate.importance_hint = draft.importance
        candidate.made_how = "fact"
        candidate.secret_codes = ()
        candidate.fact = Fact(
            key=draft.predicate or draft.fact_type,
            value=draft.value,
            type=draft.type,
            entity_type=draft.entity_type,
            fact_type=draft.fact_type,
            entity_refs=draft.entity_refs,
            entity_label=draft.entity_label,
            confidence=draft.confidence,
        )
        offered.append(candidate)
    return offered


def _place(heading: Heading, space: Space) -> Place:
    """Where an offer would live: with this persona only when the turn is private."""
    place = heading.lens.place(space, is_private=heading.cleared.turn.is_private)
    return place if place is not None else Place(space, escape_name("anonymous"))


def _todos(heading: Heading) -> list[Candidate]:
    """What the user promised or left open with this persona, and, for a model, that the turn is still to be read."""
    turn = heading.cleared.turn
    is_own_words = turn.role is Role.USER and turn.source_class is SourceClass.CHAT
    if heading.policy.companion is None or not is_own_words or heading.trusted.quarantine:
        return []
    from recollect.core.companion.reading import loop_candidates

    heard = _candidate(heading, Kind.PROFILE, heading.lens.user_place)
    return loop_candidates(heard, heading.lens, heading.policy.companion)


OFFERS: tuple[Callable[[Heading], list[Candidate]], ...] = (_window, _episode, _facts, _todos)
EXTRACTORS: dict[str, Callable[[Heading], list[Candidate]]] = {
    "none": _no_facts,
    "contract": _contract_facts,
    "rules": _rule_facts,
}
