"""Names, places and ids: different people stay different, and an id reads back to its address."""

from __future__ import annotations

import pytest
from builders import CONTRACT, DEFAULT, item
from hypothesis import given
from hypothesis import strategies as st

from recollect.core.spaces import escape_name, may_promote, may_read, may_write
from recollect.core.values import (
    SYSTEM_PLACE,
    Authority,
    EventType,
    ItemRef,
    Kind,
    Lens,
    Place,
    Space,
    Status,
    parse_id,
)

names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=20)
refs = st.builds(
    ItemRef,
    st.builds(Place, st.sampled_from(Space), names.map(escape_name)),
    st.sampled_from(Kind),
    st.integers(1, 10**14),
)


@given(refs)
def test_id_reads_back(ref: ItemRef) -> None:
    """Every id that is printed reads back to the address it came from."""
    assert parse_id(ref.id) == ref


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader_of_ids(text: str) -> None:
    """Anything at all is either no id or prints back as itself."""
    ref = parse_id(text)
    assert ref is None or ref.id == text


@given(names, names)
def test_different_names_have_different_owners(one: str, other: str) -> None:
    """Escaping never folds two names into one, and leaves nothing that means something in an id."""
    assert (escape_name(one) == escape_name(other)) is (one == other)
    assert not set(escape_name(one)) & set(":/~ \t\n")


@given(names, names, names)
def test_joined_names_cannot_be_faked(user: str, persona: str, session: str) -> None:
    """No user's name is another user's persona or session in disguise."""
    lens = Lens(user=escape_name(user), persona=escape_name(persona), session=escape_name(session))
    faked = Lens(user=escape_name(f"{user}~{persona}/{session}"))
    assert lens.session_place != faked.session_place
    assert lens.private_place != faked.user_place


def test_places_of_a_session() -> None:
    """A session reads its own place, its user's shared and private place, its project's and the system's."""
    lens = Lens(user="ana", session="s", persona="coach", project="apollo")
    assert lens.session_place == Place(Space.SESSION, "ana~coach/s")
    assert lens.places(Space.USER) == (Place(Space.USER, "ana"), Place(Space.USER, "ana~coach"))
    assert lens.place(Space.USER, is_private=True) == Place(Space.USER, "ana~coach")
    assert lens.place(Space.PROJECT) == Place(Space.PROJECT, "apollo")
    assert lens.place(Space.SYSTEM) == SYSTEM_PLACE
    assert lens.ai_profile == "coach"
    bare = Lens(user="ana")
    assert bare.place(Space.PROJECT) is None
    assert bare.places(Space.PROJECT) == ()
    assert bare.places(Space.USER) == (Place(Space.USER, "ana"),)
    assert (bare.ai_profile, Lens(user="").user_place.owner) == ("default", "anonymous")


def test_borders_for_reading_and_writing() -> None:
    """Contract reads everywhere and writes only to the session; default writes to session and user."""
    assert [may_read(CONTRACT, space) for space in Space] == ["allowed"] * 4
    refused = "write_space_disallowed"
    assert [may_write(CONTRACT, space) for space in Space] == ["allowed", refused, refused, refused]
    assert [may_write(DEFAULT, space) for space in Space] == ["allowed", "allowed", refused, refused]


SESSION = Place(Space.SESSION, "ana")
PREFERENCE, DECISION = EventType.PREFERENCE, EventType.DECISION


@pytest.mark.parametrize(
    ("event_type", "authority", "to_space", "code"),
    [
        (PREFERENCE, Authority.USER_ASSERTED, Space.USER, "allowed"),
        (PREFERENCE, Authority.AI_INFERRED, Space.USER, "promotion_authority"),
        (EventType.CONTEXT, Authority.USER_ASSERTED, Space.USER, "promotion_event_type"),
        (PREFERENCE, Authority.USER_ASSERTED, Space.PROJECT, "promotion_authority"),
        (PREFERENCE, Authority.TOOL_VERIFIED, Space.PROJECT, "allowed"),
        (DECISION, Authority.USER_ASSERTED, Space.PROJECT, "allowed"),
        (DECISION, Authority.AI_INFERRED, Space.PROJECT, "promotion_authority"),
        (DECISION, Authority.SYSTEM_IMPOSED, Space.SYSTEM, "promotion_disallowed"),
    ],
)
def test_contract_promotions(event_type: EventType, authority: Authority, to_space: Space, code: str) -> None:
    """From the session to the user and the project by the contract's rules; to the system by none."""
    offered = item(place=SESSION, event_type=event_type, authority=authority)
    assert may_promote(CONTRACT, offered, to_space) == code


def test_quarantined_items_are_not_promoted() -> None:
    """Whatever its authority, what is in quarantine stays where it is."""
    apart = item(place=SESSION, event_type=DECISION, authority=Authority.SYSTEM_IMPOSED, status=Status.QUARANTINED)
    assert may_promote(CONTRACT, apart, Space.USER) == "promotion_quarantined"
