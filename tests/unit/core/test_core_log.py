"""Events and the log: what is written reads back, and nothing of anybody's words is in it."""

from __future__ import annotations

import json
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.core import events
from recollect.core.canonical import link
from recollect.core.events import CODES, Event, PhaseStarted, Written, decode, encode
from recollect.core.item import Standing
from recollect.core.log import GENESIS, Chains, read_record, write_act
from recollect.core.phases import diff_phases
from recollect.core.state import Head, evolve_head, evolve_standing
from recollect.core.values import BorderAction, ItemRef, Kind, Place, Space, Status
from recollect.core.wire import EVENTS, wire_name
from recollect.core.write.desk import Act

PLACES = [Place(space, owner) for space in Space for owner in ("ana", "bob")]
NUMBERS = {place: number for number, place in enumerate(PLACES, start=1)}
NAMES = {number: place for place, number in NUMBERS.items()}
CLASSES = list(CODES)

words = st.text(alphabet="abcdefghij_:", min_size=1, max_size=12)
refs = st.builds(ItemRef, st.sampled_from(PLACES), st.sampled_from(Kind), st.integers(1, 9_999))
BY_HINT: dict[object, st.SearchStrategy[object]] = {
    ItemRef: refs,
    Place: st.sampled_from(PLACES),
    Status: st.sampled_from(Status),
    Space: st.sampled_from(Space),
    BorderAction: st.sampled_from(BorderAction),
    int: st.integers(0, 10**9),
    bool: st.booleans(),
    str: words,
}


def strategy(hint: object) -> st.SearchStrategy[object]:
    """Values for a field of an event, by its type."""
    if hint in BY_HINT:
        return BY_HINT[hint]
    inner = typing.get_args(hint)
    if type(None) in inner:
        return st.none() | strategy(next(arg for arg in inner if arg is not type(None)))
    if typing.get_origin(hint) is tuple:
        return st.lists(strategy(inner[0]), max_size=4).map(tuple)
    raise AssertionError(f"no strategy for {hint!r}")


def of_class(cls: type) -> st.SearchStrategy[Event]:
    hints = typing.get_type_hints(cls)
    return st.builds(cls, *(strategy(hints[name]) for name in cls._fields))  # type: ignore[attr-defined]


any_event = st.sampled_from(CLASSES).flatmap(of_class)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@given(data=st.data())
def test_event_reads_back(cls: type, data: st.DataObject) -> None:
    """An event written to the log reads back as itself, types included."""
    event = data.draw(of_class(cls))
    raw = encode(event, NUMBERS.__getitem__)
    back = decode(json.loads(f"[{raw}]"), NAMES.__getitem__)
    assert back == event
    assert [type(value) for value in back] == [type(value) for value in event]


def test_every_event_has_a_letter_and_a_name() -> None:
    """The closed union, the letters of the log and the names on the wire are the same set."""
    union = typing.get_args(events.Event)
    assert set(union) == set(CODES)
    assert len(set(CODES.values())) == len(CODES)
    for cls in union:
        if cls is not Written:
            assert wire_name(cls) in EVENTS


@given(st.lists(st.tuples(st.sampled_from(PLACES), any_event), max_size=12), st.integers(0, 10**12))
def test_act_reads_back_from_its_records(said: list[tuple[Place, Event]], at_ms: int) -> None:
    """The records of an act, put together again by position, are the act; its home names the others."""
    home = PLACES[0]
    act = Act(at_ms=at_ms, events=said)
    chains = Chains(heads=dict.fromkeys(PLACES, (0, GENESIS)), number_of=NUMBERS.__getitem__)
    records = write_act(act, home, "policy", chains, lambda key: "seal")
    entries = [read_record(record.place, record.seq, record.body, NAMES.__getitem__) for record in records]
    parts = sorted((at, entry.place, event) for entry in entries for at, event in entry.events)
    sealed = [(place, _with_seal(event)) for place, event in said]
    assert [(place, event) for _, place, event in parts] == sealed
    assert entries[0].is_home
    assert [entry.is_home for entry in entries[1:]] == [False] * (len(entries) - 1)
    assert {place for place, _ in entries[0].siblings} == {entry.place for entry in entries[1:]}
    for record in records:
        assert record.hash == link(GENESIS, record.body.encode())


def _with_seal(event: Event) -> Event:
    return event._replace(seal="seal") if isinstance(event, (Written, PhaseStarted)) else event


def test_names_of_owners_are_not_in_the_log() -> None:
    """A record holds numbers where an owner's name would stand."""
    place = Place(Space.USER, "canary")
    act = Act(at_ms=1, events=[(place, Written(ItemRef(place, Kind.SEMANTIC, 1), Status.ACTIVE, 1, False))])
    chains = Chains(heads={place: (0, GENESIS)}, number_of=lambda _: 7)
    (record,) = write_act(act, place, "policy", chains, lambda key: "")
    assert "canary" not in record.body


# the fold

REF = ItemRef(PLACES[0], Kind.SEMANTIC, 1)


def test_ticks_are_spent_by_items_and_phases_alone() -> None:
    """A tick goes to each offered item, kept, denied, merged or lost, and to each phase; to nothing else."""
    spending = {"Written", "Denied", "Merged"}
    for cls in CLASSES:
        head = Head(place=PLACES[0])
        values = [_plain(hint) for hint in typing.get_type_hints(cls).values()]
        event = cls(*values)
        if isinstance(event, PhaseStarted):
            continue
        evolve_head(head, event)
        is_lost = cls is events.Conflict  # its loser was never counted, so its number is spent here
        assert head.tick == (1 if cls.__name__ in spending or is_lost else 0), cls


def _plain(hint: object) -> object:
    plain: dict[object, object] = {ItemRef: REF, Place: PLACES[0], Status: Status.ACTIVE, Space: Space.USER}
    plain |= {BorderAction: BorderAction.READ, int: 1, bool: True, str: "x"}
    if hint in plain:
        return plain[hint]
    inner = typing.get_args(hint)
    return None if type(None) in inner else ()


def test_standing_follows_its_events() -> None:
    """Archived, restored, pinned, marked, merged, deleted: each changes exactly its own part."""
    standing = Standing(importance=1)
    archived = evolve_standing(standing, events.Archived(REF, "forgotten", None), 5)
    assert archived is not None
    assert (archived.status, archived.reason, archived.changed_ms) == ("ARCHIVED", "forgotten", 5)
    restored = evolve_standing(archived, events.Restored(REF, Status.QUARANTINED), 6)
    assert restored is not None
    assert (restored.status, restored.reason, restored.changed_ms) == ("QUARANTINED", "", 6)
    pinned = evolve_standing(standing, events.Pinned(REF, True, 3), 7)
    assert pinned is not None
    assert (pinned.is_pinned, pinned.importance, pinned.changed_ms) == (True, 3, 0)
    merged = evolve_standing(standing, events.Merged(REF, REF, 4), 7)
    assert merged is not None
    assert merged.mentions == 4
    assert evolve_standing(standing, events.Deleted(REF, "expired"), 8) is None
    assert evolve_standing(standing, events.Used(REF), 8) == standing


# phases


def written(n: int) -> Written:
    return Written(ItemRef(PLACES[0], Kind.PROFILE, n), Status.ACTIVE, 1, False)


def ref(n: int) -> ItemRef:
    return ItemRef(PLACES[0], Kind.PROFILE, n)


def test_phase_diff_follows_replacements() -> None:
    """An item replaced twice between two phases counts as one replacement by the last."""
    place = PLACES[0]
    told = [
        PhaseStarted(place, 1, 1),
        written(1),
        written(2),
        PhaseStarted(place, 2, 4),
        written(3),
        events.Archived(ref(1), "superseded", ref(3)),
        written(4),
        events.Deleted(ref(3), "superseded", ref(4)),
        events.Deleted(ref(2), "expired"),
        written(5),
    ]
    diff = diff_phases(told, 1, 2)
    assert diff.replaced == ((ref(1), ref(4)),)
    assert diff.added == (ref(5),)
    assert diff.deleted == (ref(2),)
    assert diff.summary_lines == ("Added 1 items", "Deleted 1 items", "Replaced 1 items")
    assert [change.change for change in diff.changes] == ["replaced", "added", "deleted"]
    same = diff_phases(told, 2, 2)
    assert (same.added, same.deleted, same.replaced) == ((), (), ())


def test_unknown_phase_has_no_difference() -> None:
    """Comparing with a phase that never was gives zeros."""
    diff = diff_phases([PhaseStarted(PLACES[0], 1, 1), written(1)], 1, 9)
    assert (diff.added, diff.deleted, diff.replaced) == ((), (), ())
