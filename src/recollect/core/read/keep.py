"""Which episodes are worth their room: very new, very on-topic, or marked important; softly, not by a hard line.

    keep = the greatest of   new        by turn distance (and, where the policy says so, long breaks)
                             on topic   by the share of the question's words, or the similarity of meaning
                             important  by the mark, whatever the age

Each is a logistic of whole numbers, so a borderline item fades in and out. Only what none of the three speaks for
(below one low floor) is left out here; the rest is weighed (`score x keep`) and cut by the budget alone.

Never: touches the window, rules, facts or pinned items.
Spec: document 002, sections 3, 4, 6, 9; ruling 17.
"""

from __future__ import annotations

from recollect.core.integers import logistic_micro
from recollect.core.item import MemoryItem
from recollect.core.policy_context import ContextRules
from recollect.core.read.choice import Candidate, Selection
from recollect.core.read.question import Gathered, Question
from recollect.core.values import MICRO
from recollect.core.words import words

HOUR_MS = 3_600_000
# A break of many days is a break: beyond this many it grows no older.
GAPS_COUNTED = 30


def keep(question: Question, gathered: Gathered, selection: Selection) -> None:
    """Weigh every episode by the reasons there are to keep it, and leave out what has none."""
    rules = question.policy.context
    asked = len(dict.fromkeys(words(question.text)))
    staying: list[Candidate] = []
    for candidate in selection.alive:
        if candidate.block not in {"episodes", "project"} or candidate.item.standing.is_pinned or not rules.keep_floor:
            staying.append(candidate)
            continue
        candidate.topic = topicality(candidate, asked, gathered, rules)
        candidate.distance = turn_distance(candidate.item, question, gathered)
        reasons = _reasons(candidate, rules)
        kept = max(reasons.values())
        if kept < rules.keep_floor:
            selection.drop(candidate, "old_off_topic" if candidate.distance > rules.new_turns else "weak_match")
            continue
        candidate.kept_code = _told(reasons, kept, candidate)
        candidate.score = candidate.score * kept // MICRO
        staying.append(candidate)
    staying.sort(key=lambda c: (-c.score, -c.item.created_at, c.item.ref))
    selection.alive = staying


def topicality(candidate: Candidate, asked: int, gathered: Gathered, rules: ContextRules) -> int:
    """How far an item is about the question, in millionths: not beside others, but in itself.

    The share of the question's words, and of what is missing to that, how much the meaning is alike.
    """
    shared = min(len(candidate.terms), asked) * MICRO // asked if asked else 0
    alike = gathered.similar.get(candidate.item.ref, 0) - rules.alike_from
    return shared + (MICRO - shared) * max(0, alike) // (MICRO - rules.alike_from)


def turn_distance(item: MemoryItem, question: Question, gathered: Gathered) -> int:
    """How many turns ago something was said; a long break counts as turns where the policy wants it."""
    counted = gathered.counts.get(item.ref.place, {}).get(item.kind, item.ref.n)
    distance = max(0, counted - item.ref.n)
    rules = question.policy.context
    if not rules.time_gaps:
        return distance
    gaps = max(0, question.at_ms - item.origin.at_ms) // (rules.gap_hours * HOUR_MS)
    return distance + min(gaps, GAPS_COUNTED) * rules.gap_turns


def _reasons(candidate: Candidate, rules: ContextRules) -> dict[str, int]:
    """How much each of the three speaks for a candidate."""
    edge = rules.edge_percent
    far = MICRO - logistic_micro(candidate.distance, rules.new_turns, max(1, rules.new_turns * edge // 100))
    topic = logistic_micro(candidate.topic, rules.on_topic, max(1, rules.on_topic * edge // 100))
    is_marked = candidate.item.importance >= rules.important
    # Newness alone carries less than a topic does: it breaks ties, it does not fill the prompt with small talk.
    return {"strong_match": topic, "recency": far // 3, "importance": MICRO // 2 if is_marked else 0}


def _told(reasons: dict[str, int], kept: int, candidate: Candidate) -> str:
    code = next(name for name, value in reasons.items() if value == kept)
    if code == "strong_match" and candidate.topic and kept < MICRO * 7 // 10:
        return "match"
    return code
