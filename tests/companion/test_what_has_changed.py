"""What makes a turn outdated: another claim, and nothing that is merely newer."""

from __future__ import annotations

from talks import DAY_MS, HOUR_MS, START_MS, holds, open_memory, tell

from recollect.core.values import Status

CHANGED = "has changed since"


def test_a_newer_summary_says_nothing_against_what_was_said() -> None:
    """Rolling summaries, the summaries of sessions and the spine have versions; no turn is outdated by them."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    at = START_MS
    for day in range(4):
        lines = [f"We talked about the garden and the {thing} on day {day}." for thing in ("roof", "deck", "cake")]
        at = tell(chat, *lines, *lines, "The garden needs water.", at=at) + DAY_MS
    context = chat.recall("what about the garden?", at=at)
    assert "garden" in context.text and CHANGED not in context.text


def test_a_newer_claim_does() -> None:
    """A fact that lost a conflict makes the turn it was read from outdated, through any number of changes."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    at = START_MS
    for town in ("Austin", "Boston", "Chicago"):
        at = tell(chat, f"I live in {town}.", at=at, step=HOUR_MS)
    at = tell(chat, "Nice day.", "Warm too.", "So it is.", "Yes.", at=at, step=HOUR_MS)
    text = chat.recall("where do I live?", at=at).text
    assert text.count(f"{CHANGED}: Lives in Chicago") == 2


def test_what_the_curator_folded_is_still_so() -> None:
    """A fold keeps every fact of its parts, so the turns behind them have not changed."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    at = tell(chat, "My friend Rahul likes chess.", "Rahul likes tea.", "Rahul likes jazz.")
    tell(chat, "Nice day.", "Warm too.", "So it is.", at=at)
    later = START_MS + 90 * DAY_MS
    steps = chat.companion.curate(at=later).steps
    folded = [i for i in chat.list(kind="profile", status="archived").items if i.standing.reason == "folded"]
    assert steps and folded and all(item.status is Status.ARCHIVED for item in folded)
    assert CHANGED not in chat.recall("what does Rahul like?", at=later).text
    holds(memory)
