"""The small rules behind todos, due moments, spellings and imports, each with the cases that define it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from talks import DAY_MS, HOUR_MS, START_MS, open_memory

from recollect.core.companion.due import due_ms, offset_ms
from recollect.core.companion.growth import sessions_in
from recollect.core.companion.loops import read_loops
from recollect.core.companion.matching import keywords, overlap
from recollect.core.companion.memories import Stated, read_memory, read_refs
from recollect.core.companion.outcomes import may_turn
from recollect.core.companion.spellings import distance, latin, may_be_one, propose, sound
from recollect.core.entities import slugify

LABELLED = Path(__file__).parents[2] / "bench" / "data" / "loops.jsonl"
NOON = START_MS + 12 * HOUR_MS


@pytest.mark.parametrize(
    ("text", "days", "hours"),
    [
        ("call tomorrow", 2, 0),
        ("walk tomorrow 7:30am", 1, 7.5),
        ("tonight", 1, 0),
        ("by Friday", 2, 0),
        ("on Thursday", 8, 0),
        ("the day after tomorrow", 3, 0),
        ("at 5pm", 0, 17),
        ("at 9 am", 1, 9),
        ("kal subah 6 baje", 1, 6),
        ("कल", 2, 0),
        ("this weekend", 4, 0),
    ],
)
def test_due_is_read_from_the_words_and_the_moment(text: str, days: int, hours: float) -> None:
    """A day ends at midnight UTC, an hour is that hour, and an hour that is past is the next one."""
    end_of_day = 0 if hours else -1
    assert due_ms(text, NOON) == START_MS + days * DAY_MS + int(hours * HOUR_MS) + end_of_day


@pytest.mark.parametrize(("text", "later"), [("in 2 hours", 2 * HOUR_MS), ("in a week", 7 * DAY_MS)])
def test_a_span_counts_from_the_moment(text: str, later: int) -> None:
    """`in two hours` is two hours after it was said."""
    assert due_ms(text, NOON) == NOON + later


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_no_text_breaks_the_rules(text: str) -> None:
    """Whatever is said, reading it gives drafts or nothing, never an error, and always the same."""
    drafts = read_loops(text)
    assert drafts == read_loops(text)
    assert all(draft.dedupe_key and len(draft.content) <= 200 for draft in drafts)
    may_turn(text)
    due_ms(text, START_MS)
    keywords(text)
    sound(slugify(text))


def test_the_labelled_sentences_are_read_as_well_as_measured() -> None:
    """Nothing that was reached on the labelled set is lost again unnoticed."""
    rows = [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]
    wrong = [row["id"] for row in rows if [str(d.kind) for d in read_loops(row["text"])] != row["expect"]]
    assert len(wrong) <= 5, wrong


def test_the_same_promise_in_other_words_has_one_key() -> None:
    """The key is made of the words that carry the meaning, in one order."""
    one = read_loops("I'll call the dentist tomorrow.")[0]
    other = read_loops("Tomorrow I will call the dentist!")[0]
    assert one.dedupe_key == other.dedupe_key == "call_dentist"


def test_matching_needs_a_word_of_its_own() -> None:
    """Stop words, time words and verbs of doing match nothing."""
    assert overlap("go for a walk tomorrow", "I already had lunch") == 0
    assert overlap("go for a walk tomorrow", "I went walking") == 1


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("person:makesh", "person:mukesh", "sound"),
        ("person:mukesh", "person:मुकेश", "script"),
        ("person:catherine", "person:katherine", "sound"),
        ("person:jon_smith", "person:john_smith", ""),
        ("person:stephen", "person:steven", ""),
        ("person:anna", "person:annna", "sound"),
        ("person:john", "person:john_doe", "part"),
        ("person:sita", "person:gita", ""),
        ("person:ravi", "person:rani", ""),
        ("person:john", "place:john", ""),
        ("place:delhi", "place:dehli", "sound"),
        ("project:apollo_11", "project:apollo_12", ""),
    ],
)
def test_spellings(one: str, other: str, reason: str) -> None:
    """Which names may be one: alike in sound, by a slip, across scripts; a different name is a different person."""
    assert may_be_one(one, other) in ({reason} if reason else {"", "sound", "spelling"})
    assert may_be_one(one, other) == may_be_one(other, one)
    if not reason and one.split(":")[1][:1] != other.split(":")[1][:1]:
        assert may_be_one(one, other) == ""


def test_answered_pairs_are_not_proposed_again() -> None:
    """What the user answered is settled, in either order."""
    refs = ["person:makesh", "person:mukesh"]
    assert propose(refs, []) != []
    assert propose(refs, [("person:mukesh", "person:makesh")]) == []


def test_devanagari_is_written_out() -> None:
    """The inherent vowel is an `a`, and a vowel sign takes its place."""
    assert [latin(name) for name in ("मुकेश", "राम", "प्रिया")] == ["mukesh", "ram", "priya"]


def test_edit_distance_counts_a_swap_as_one() -> None:
    """Neighbours swapped are one slip, and far words stop early."""
    assert (distance("makehs", "makesh", 2), distance("abc", "xyzabc", 2)) == (1, 3)


def test_sessions_are_counted_by_silences() -> None:
    """Ten turns in ten minutes are one session; two personas are two."""
    close = [("coach", "", START_MS + minute * 60_000) for minute in range(10)]
    assert sessions_in(close, 30 * 60_000) == 1
    assert sessions_in([*close, ("sophie", "", START_MS), ("coach", "", START_MS + DAY_MS)], 30 * 60_000) == 3


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Dr. Jane O'Brien", "dr_jane_o_brien"), ("v2.0.1", "v2_0_1"), ("...", ""), ("Austin, Texas", "austin_texas")],
)
def test_slug_rules(name: str, slug: str) -> None:
    """Lower case, punctuation and blanks become one underscore."""
    assert slugify(name) == slug


def test_imported_metadata_is_set_right() -> None:
    """Bad refs go, at most five stay, a known slip is mended, numbers outside their range are the standard one."""
    refs = ["person:Makesh", "person:mukesh", "alien:x", "person:...", *(f"person:p{n}" for n in range(9))]
    assert read_refs(refs) == ("person:mukesh", "person:p0", "person:p1", "person:p2", "person:p3")
    read = read_memory(
        {"type": "profile", "content": "x y", "importance": 7, "confidence": 2, "entityLabel": "z" * 101}
    )
    assert isinstance(read, Stated)
    assert (read.type, read.importance, read.confidence, read.label) == ("PROFILE", 1, 1_000_000, "")
    half = read_memory({"content": "x", "importance": 2.4, "confidence": 0.25})
    assert isinstance(half, Stated) and (half.importance, half.confidence) == (2, 250_000)
    assert [read_memory(raw) for raw in (5, {}, {"content": " "}, {"content": "x", "type": "NO"})] == [
        "not_a_memory",
        "no_content",
        "no_content",
        "unknown_type",
    ]


def test_tomorrow_is_the_user_s_tomorrow() -> None:
    """A moment that comes with its offset is read by that clock, as ISO text, as a datetime, or named beside it."""
    zone = timezone(timedelta(hours=5, minutes=30))
    # Half past midnight on 2 January in India is still 1 January in Greenwich.
    said = datetime(2026, 1, 2, 0, 30, tzinfo=zone)
    nine = int(datetime(2026, 1, 3, 9, 0, tzinfo=zone).timestamp() * 1000)
    moments = ({"at": said}, {"at": said.isoformat()})
    told = {"at": int(said.timestamp() * 1000), "meta": {"utc_offset": "+05:30"}}
    for said_at in (*moments, told):
        chat = open_memory().session(user="ana", persona="coach")
        chat.remember("I'll call Priya tomorrow at 9 am.", **said_at)  # type: ignore[arg-type]
        assert [todo.due_ms for todo in chat.companion.todos()] == [nine]
    chat = open_memory().session(user="ana", persona="coach")
    chat.remember("I'll call Priya tomorrow at 9 am.", at=int(said.timestamp() * 1000))
    in_greenwich = datetime(2026, 1, 2, 9, tzinfo=UTC)
    assert [todo.due_ms for todo in chat.companion.todos()] == [int(in_greenwich.timestamp() * 1000)]


@pytest.mark.parametrize("told", ["", "05:30", "+5:30", "+05:99", "Asia/Kolkata", "+05:30 "])
def test_what_is_no_offset_is_utc(told: str) -> None:
    """Anything may stand in a turn's meta; only an offset counts."""
    assert offset_ms(told) == 0
