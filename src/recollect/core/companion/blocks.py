"""How a companion's context is put together: which block each memory stands in, and how many of them.

    foundation  pinned facts, oldest first                       cards   what matters about those the question is about
    relevant    the best of what matches, capped by type         todos   by kind; then wins, seed, spine, summaries
    window      the messages of this session; of the last one only when the question goes on with it

A fact's score is 40 % how well it matches, 30 % how new it is (halved every 14 days), 30 % how often its people and
things occur among the candidates, in whole numbers.

Never: looks anything up, or lets a memory go without a reason.
Spec: state and memory model "Memory retrieval"; facts 3.8, 3.9; rulings 2, 23, 26, 29.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from recollect.core.companion.due import HOUR_MS
from recollect.core.companion.layout import Kept
from recollect.core.companion.loops import Loop
from recollect.core.companion.matching import overlap
from recollect.core.companion.one_name import overtaken
from recollect.core.companion.outcomes import kind_of
from recollect.core.companion.sessions import MINUTE_MS, is_over
from recollect.core.companion.todos import due_of
from recollect.core.integers import half_life_micro
from recollect.core.item import MemoryItem
from recollect.core.policy import Companion
from recollect.core.read.choice import Block, Candidate, Selection
from recollect.core.read.question import Question
from recollect.core.text import normalise
from recollect.core.values import MICRO, Role

MINUTES_PER_DAY = 1_440
HITS = 12
TODO_BLOCKS: dict[Loop, Block] = {
    Loop.COMMITMENT: "commitments",
    Loop.HABIT: "habits",
    Loop.THREAD: "threads",
    Loop.FRICTION: "frictions",
}
RECORD_BLOCKS: tuple[Block, ...] = ("seed", "spine", "rolling", "summary")
KEPT_CODES: dict[Block, str] = {
    "seed": "user_seed",
    "spine": "spine",
    "rolling": "rolling_summary",
    "summary": "session_summary",
}


def arrange(question: Question, kept: Kept, selection: Selection) -> None:
    """Put everything that is still alive, and the ledger's records, in their blocks."""
    companion = question.policy.companion
    assert companion is not None
    facts = [c for c in selection.alive if c.block == "facts"]
    window = [c for c in selection.alive if c.block == "window"]
    rest = [c for c in selection.alive if c.block not in {"facts", "window"}]
    facts = _under_one_name(facts, question, kept, selection)
    _score(facts, question, kept, companion)
    facts.sort(key=lambda c: (-c.score, -c.item.origin.at_ms, c.item.ref))
    staying = [*_window(window, question, kept, companion, selection)]
    staying += _facts(facts, kept, companion, selection)
    staying += _todos(question, kept, companion, selection)
    staying += [_record(block, item) for block in RECORD_BLOCKS for name, item in kept.records if name == block]
    selection.alive = [*staying, *rest]


def _under_one_name(facts: list[Candidate], question: Question, kept: Kept, selection: Selection) -> list[Candidate]:
    """Without the claims that another spelling of the same name has overtaken; what is pinned stays."""
    lost = overtaken([c.item for c in facts], kept.into, question.policy.ranks)
    gone = [c for c in facts if c.item.ref in lost and not c.item.standing.is_pinned]
    for c in gone:
        selection.drop(c, "other_spelling")
    return [c for c in facts if c not in gone] if gone else facts


def _score(facts: Sequence[Candidate], question: Question, kept: Kept, companion: Companion) -> None:
    hits = [c for c in facts if c.match]
    named = Counter(ref for c in hits for ref in kept.refs(c.item))
    most = max(named.values(), default=1)
    for c in facts:
        refs = kept.refs(c.item)
        frequency = sum(named[ref] for ref in refs) * MICRO // (len(refs) * most) if refs else 0
        minutes = max(0, question.at_ms - c.item.origin.at_ms) // 60_000
        recency = half_life_micro(minutes, companion.half_life_days * MINUTES_PER_DAY)
        c.parts = (
            ("similarity", c.match * companion.similarity // 100),
            ("recency", recency * companion.recency // 100),
            ("frequency", frequency * companion.frequency // 100),
        )
        c.score = sum(value for _, value in c.parts)


def _facts(facts: list[Candidate], kept: Kept, companion: Companion, selection: Selection) -> list[Candidate]:
    foundation = _foundation(facts, companion, selection)
    known = {normalise(c.item.text) for c in foundation}
    hits: list[Candidate] = []
    others: list[Candidate] = []
    for c in facts:
        if c.item.standing.is_pinned:
            continue
        if normalise(c.item.text) in known:
            selection.drop(c, "on_foundation")
        elif c.match and len(hits) < HITS:
            hits.append(c)
        else:
            others.append(c)
    relevant = _relevant(hits, companion)
    cards = _cards([c for c in facts if c.match][:HITS], [*foundation, *hits, *others], relevant, kept, companion)
    placed = {c.item.ref: True for c in [*relevant, *cards]}
    for c in [*hits, *others]:
        if c.item.ref not in placed:
            selection.drop(c, "over_cap" if c.match else "weak_match")
    return [*foundation, *cards, *relevant]


def _foundation(facts: Sequence[Candidate], companion: Companion, selection: Selection) -> list[Candidate]:
    pinned = sorted((c for c in facts if c.item.standing.is_pinned), key=lambda c: (c.item.origin.at_ms, c.item.ref))
    for c in pinned[companion.foundation :]:
        selection.drop(c, "over_cap")
    for c in pinned[: companion.foundation]:
        c.block, c.kept_code = "foundation", "foundation"
    return pinned[: companion.foundation]


def _relevant(hits: Sequence[Candidate], companion: Companion) -> list[Candidate]:
    room = {"PROFILE": companion.profile_cap, "PEOPLE": companion.people_cap, "PROJECT": companion.project_cap}
    found = []
    for c in hits:
        name = c.item.fact.type if c.item.fact is not None else "PROFILE"
        if room.get(name, 0) > 0:
            room[name] -= 1
            c.block, c.kept_code = "relevant", "match"
            found.append(c)
    return found


def _cards(
    hits: Sequence[Candidate],
    pool: Sequence[Candidate],
    relevant: Sequence[Candidate],
    kept: Kept,
    companion: Companion,
) -> list[Candidate]:
    """What else matters about those the matches are about: pinned, then important, then new; three facts a card."""
    keys = [*dict.fromkeys(ref for c in hits for ref in kept.refs(c.item))]
    taken = {c.item.ref: True for c in relevant}
    wanted = [
        c
        for c in pool
        if c.item.ref not in taken and (c.item.standing.is_pinned or c.item.importance >= companion.card_importance)
    ]
    wanted.sort(key=lambda c: (not c.item.standing.is_pinned, -c.item.importance, -c.item.origin.at_ms, c.item.ref))
    cards: dict[str, list[Candidate]] = {key: [] for key in keys}
    for c in wanted:
        refs = kept.refs(c.item)
        key = next((key for key in keys if key in refs), "")
        if key and len(cards[key]) < companion.card_facts:
            cards[key].append(c)
    filled = [(key, facts) for key, facts in cards.items() if facts][: companion.cards]
    return [_on_card(c, key) for key, facts in filled for c in facts]


def _on_card(c: Candidate, key: str) -> Candidate:
    if c.block == "foundation":
        # What is pinned stands in the foundation and on its card.
        c = Candidate(item=c.item, block="cards", match=c.match, terms=c.terms, score=c.score, parts=c.parts)
    label = c.item.fact.entity_label if c.item.fact is not None else ""
    c.block, c.kept_code, c.note = "cards", "card", f"{key} {label}".strip()
    return c


def _todos(question: Question, kept: Kept, companion: Companion, selection: Selection) -> list[Candidate]:
    """What is open, by kind: what is due soonest first, then the newest; and what was done not long ago."""
    caps: dict[Block, int] = {
        "commitments": companion.commitments,
        "habits": companion.habits,
        "threads": companion.threads,
        "frictions": companion.frictions,
        "wins": companion.wins,
    }
    found: list[Candidate] = []
    for item in sorted(kept.todos, key=lambda item: (due_of(item) or 1 << 60, -item.origin.at_ms, item.ref)):
        kind = kind_of(item)
        if kind is not None:
            found.append(Candidate(item=item, block=TODO_BLOCKS[kind], kept_code="open_todo"))
    since = question.at_ms - companion.win_hours * HOUR_MS
    for item in sorted(kept.done, key=lambda item: (-item.standing.changed_ms, item.ref)):
        if item.standing.changed_ms >= since:
            found.append(Candidate(item=item, block="wins", kept_code="recent_win"))
    staying = []
    for c in found:
        caps[c.block] -= 1
        if caps[c.block] < 0:
            selection.drop(c, "over_cap")
        else:
            c.note = _note(c.item, question.at_ms)
            staying.append(c)
    return staying


def _note(item: MemoryItem, now_ms: int) -> str:
    due = due_of(item)
    return "" if not due else "overdue" if due < now_ms else "due"


def _record(block: Block, item: MemoryItem) -> Candidate:
    return Candidate(item=item, block=block, kept_code=KEPT_CODES[block], recall_reasons=("active_rule",))


def _window(
    window: list[Candidate], question: Question, kept: Kept, companion: Companion, selection: Selection
) -> list[Candidate]:
    """This session's messages; those of the last session only when the question goes on with it."""
    start = _session_start(question, kept, companion)
    earlier = [c for c in window if c.item.origin.at_ms < start]
    said = [c.item.text for c in earlier if c.item.origin.role is Role.USER]
    is_same_topic = _is_first(kept, question, companion) and any(overlap(question.text, text) for text in said)
    staying = []
    for c in window:
        if c.item.origin.at_ms >= start:
            staying.append(c)
        elif is_same_topic:
            c.kept_code = "old_topic"
            staying.append(c)
        else:
            selection.drop(c, "earlier_session")
    return staying


def _session_start(question: Question, kept: Kept, companion: Companion) -> int:
    """From when on messages belong to the session of this question.

    The question itself begins one where the last is over. A greeting shortly before the user's first message belongs to
    it too: what is earlier was said before a silence longer than a session lasts.
    """
    session = kept.session
    if session is None and not any(name == "summary" for name, _ in kept.records):
        return 0
    # Upkeep may have ended the last session already; it is as over as one that nobody has ended yet.
    goes_on = session is not None and not is_over(session, question.at_ms, companion)
    begun = session.origin.at_ms if session is not None and goes_on else question.at_ms
    return begun - companion.session_minutes * MINUTE_MS


def _is_first(kept: Kept, question: Question, companion: Companion) -> bool:
    """Whether this is the first question of a session."""
    session = kept.session
    return session is None or session.standing.mentions <= 1 or is_over(session, question.at_ms, companion)
