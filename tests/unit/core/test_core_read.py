"""The read river, stage by stage: seeing, scoring, leaving out copies, cutting, fitting, writing down."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import ANA, CHAT, CONTRACT, DEFAULT, LENS, item
from hypothesis import given
from hypothesis import strategies as st

from recollect.core.item import MemoryItem, Phase
from recollect.core.policy import Policy
from recollect.core.read.envelope import enveloped, shortened, stamp
from recollect.core.read.pipeline import Selected, select
from recollect.core.read.question import Gathered, Proposal, Question
from recollect.core.values import EventType, Kind, Place, Space, Status


def count(text: str) -> int:
    return len(text.split())


def ask(
    query: str,
    *episodes: MemoryItem,
    policy: Policy = CONTRACT,
    window: tuple[MemoryItem, ...] = (),
    facts: tuple[MemoryItem, ...] = (),
    budget: int = 10_000,
    tick: int = 100,
    phase: int = 1,
) -> Selected:
    """One recall over what is given."""
    places = [CHAT, ANA, Place(Space.PROJECT, "apollo"), Place(Space.SYSTEM, "system")]
    gathered = Gathered(
        ticks=dict.fromkeys(places, tick),
        phases=dict.fromkeys(places, Phase(index=phase, started_at=1)),
        window=list(window),
        facts=[Proposal(item=fact) for fact in facts],
        episodes=[Proposal(item=episode) for episode in episodes],
        tiers={"window": "ran"},
    )
    question = Question(text=query, policy=policy, lens=LENS, at_ms=0, budget_tokens=budget, limit=20)
    return select(question, gathered, count)


def verdicts(selected: Selected) -> dict[str, str]:
    return {choice.item.id: choice.reason.code for choice in selected.choices}


def scores(selected: Selected) -> list[tuple[int, int]]:
    return [(choice.item.ref.n, choice.score) for choice in selected.choices]


# the contract's hybrid score


def old(text: str, n: int, created_at: int, importance: int = 0) -> MemoryItem:
    return item(text, n=n, created_at=created_at, importance=importance)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (old("blue sky", 1, 1), 2),
        (old("the blue one", 1, 1), 1),
        (old("nothing", 1, 1), 0),
        (old("nothing", 1, 95), 1),
        (old("nothing", 1, 98), 2),
        (old("nothing", 1, 1, importance=2), 1),
        (old("nothing", 1, 1, importance=4), 2),
        (old("blue sky", 1, 98, importance=4), 6),
    ],
)
def test_hybrid_score(given: MemoryItem, expected: int) -> None:
    """Similarity, recency and importance give nought to two each; recency is measured from the newest there."""
    policy = replace(CONTRACT, retention=DEFAULT.retention)
    newest = old("newest", 9, 100)
    found = dict(scores(ask("Blue sky!", given, newest, policy=policy)))
    assert found[1] == expected


def test_top_three_of_each_space() -> None:
    """Contract keeps three episodes a space, by score, then the newer, then the id."""
    policy = replace(CONTRACT, retention=DEFAULT.retention)
    many = [old(f"blue {n}", n, n) for n in range(1, 6)]
    project = [item(f"blue {n}", n=n, created_at=n, place=Place(Space.PROJECT, "apollo")) for n in range(1, 6)]
    found = verdicts(ask("blue", *many, *project, policy=policy))
    kept = [name for name, code in found.items() if code != "over_limit"]
    assert len([name for name in kept if name.startswith("user")]) == 3
    assert len([name for name in kept if name.startswith("project")]) == 3
    assert "user:ana:semantic:5" in kept
    assert "user:ana:semantic:1" not in kept


# what may be seen


def test_what_is_hidden_has_a_reason() -> None:
    """Quarantined, archived, expired and earlier-phase items are named as what they are."""
    found = verdicts(
        ask(
            "x",
            item(n=1, status=Status.QUARANTINED),
            item(n=2, status=Status.ARCHIVED),
            item(n=3, created_at=1),
            item(n=4, created_at=99, phase=1),
            item(n=5, created_at=99, phase=2),
            facts=(item(n=1, kind=Kind.PROFILE, phase=1),),
            phase=2,
        )
    )
    assert found["user:ana:semantic:1"] == "quarantined"
    assert found["user:ana:semantic:2"] == "archived"
    assert found["user:ana:semantic:3"] == "expired"
    assert found["user:ana:semantic:4"] == "other_phase"
    assert found["user:ana:semantic:5"] not in {"other_phase", "expired"}
    assert found["user:ana:profile:1"] == "lasting_fact"


def test_pinned_items_outlive_phases_and_retention() -> None:
    """A pinned episode is recalled whatever its phase and age."""
    found = verdicts(ask("x", item(n=1, created_at=1, phase=1, is_pinned=True), phase=2))
    assert found == {"user:ana:semantic:1": "pinned"}


# copies


def said(text: str, n: int, **fields: object) -> MemoryItem:
    return item(text, n=n, place=CHAT, kind=Kind.SHORT_TERM, **fields)  # type: ignore[arg-type]


def test_copies_give_way() -> None:
    """An episode that is in the window, and an older copy of the same words, step back; another speaker's do not."""
    found = verdicts(
        ask(
            "x",
            item("In the window!", n=1, created_at=90, at_ms=1),
            item("Said twice.", n=2, created_at=91, at_ms=2),
            item("said TWICE", n=3, created_at=92, at_ms=3),
            item("Said twice.", n=4, created_at=93, at_ms=4, speaker="Bo"),
            window=(said("in the window", 1, at_ms=1),),
        )
    )
    assert found["user:ana:semantic:1"] == "in_window"
    assert found["user:ana:semantic:2"] == "older_duplicate"
    assert found["user:ana:semantic:3"] not in {"in_window", "older_duplicate"}
    assert found["user:ana:semantic:4"] not in {"in_window", "older_duplicate"}


# the budget


def test_window_is_paid_first_and_the_rest_by_worth() -> None:
    """With little room the window stays, then rules, facts, and episodes as they fit; a small one may still fit."""
    window = (said("one two three", 1),)
    episodes = (item("a b c d e f g h i j", n=1, created_at=99), item("k", n=2, created_at=98))
    everything = ask("x", *episodes, window=window)
    assert everything.status == "ok"
    room = everything.tokens - next(choice.tokens for choice in everything.choices if choice.item is episodes[0])
    tight = verdicts(ask("x", *episodes, window=window, budget=room))
    assert tight["session:ana:short_term:1"] == "recent_window"
    assert tight["user:ana:semantic:1"] == "over_budget"
    assert tight["user:ana:semantic:2"] != "over_budget"


def test_window_that_does_not_fit_is_refused_with_its_price() -> None:
    """Where even the window is too much, nothing is shown and the price is named; with it, it works."""
    window = tuple(said("word " * 20, n) for n in range(1, 4))
    refused = ask("x", window=window, budget=10)
    assert (refused.status, refused.text, refused.tokens) == ("refused", "", 0)
    assert refused.tokens_needed > 10
    assert {choice.reason.code for choice in refused.choices} == {"over_budget"}
    assert ask("x", window=window, budget=refused.tokens_needed).status == "ok"


def test_blocks_come_in_the_order_of_authority() -> None:
    """Rules, project, facts, episodes, and the window last, each under its heading once."""
    rule = replace(item("Be kind.", n=1, kind=Kind.PROFILE), event_type=EventType.RULE)
    selected = ask(
        "x",
        item("An episode.", n=1, created_at=99),
        item("A project decision.", n=1, created_at=99, place=Place(Space.PROJECT, "apollo")),
        window=(said("A turn.", 1),),
        facts=(rule, item("A fact.", n=2, kind=Kind.PROFILE)),
    )
    assert [name for name, _ in selected.blocks] == ["rules", "project", "facts", "episodes", "window"]
    assert selected.text.count("## ") == 5


def test_degraded_is_said() -> None:
    """A tier that did not run makes the answer degraded; nothing found does not."""
    gathered = Gathered(ticks={CHAT: 1}, phases={CHAT: None}, tiers={"window": "ran", "terms": "failed: x"})
    question = Question(text="x", policy=CONTRACT, lens=LENS, at_ms=0, budget_tokens=100, limit=3)
    assert select(question, gathered, count).status == "degraded"
    gathered.tiers["terms"] = "ran"
    assert select(question, gathered, count).status == "ok"


# the envelope


@given(st.text())
def test_every_line_is_fenced(text: str) -> None:
    """Whatever line breaks a text holds, each of its lines is fenced, and the lines are the text's own."""
    lines = enveloped(text).split("\n")
    assert all(line.startswith("| ") for line in lines)
    assert [line[2:] for line in lines] == (text.splitlines() or [""])


@given(st.text(alphabet="ab \n", max_size=400), st.integers(20, 200))
def test_long_turn_is_shown_head_and_tail(text: str, limit: int) -> None:
    """What is too long keeps its beginning and its end and says what was left out; what fits is untouched."""
    shown = shortened(text, limit, len, "m-1")
    if len(text) <= limit:
        assert shown == text
    elif shown != text:
        assert "characters left out of m-1" in shown
        assert text.startswith(shown[:4])
        assert text.endswith(shown[-4:])


def test_moments_are_in_utc() -> None:
    """A mark shows the minute in UTC, wherever the machine stands."""
    assert stamp(1_767_225_600_000) == "2026-01-01 00:00"
    assert stamp(-1) == "-1 ms"
