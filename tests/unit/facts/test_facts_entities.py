"""Names become keys: the slug, the reference, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.core.entities import ENTITY_KINDS, SLUG_LIMIT_CHARACTERS, make_ref, slugify, valid_ref


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Dr. Jane O'Brien", "dr_jane_o_brien"),
        ("v2.0.1", "v2_0_1"),
        ("Austin, Texas", "austin_texas"),
        ("dashboard-redesign", "dashboard_redesign"),
        ("  Acme   Corp. ", "acme_corp"),
        ("...", ""),
        ("", ""),
        ("ＡＣＭＥ", "acme"),
        ("Straße", "strasse"),
        ("São Paulo", "são_paulo"),
        ("田中", "田中"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_a_name_has_the_slug_the_source_document_gives_it(name: str, slug: str) -> None:
    """Case, punctuation and blanks do not count; letters of every script do."""
    assert slugify(name) == slug


def test_names_in_other_scripts_do_not_fall_together() -> None:
    """Two people whose names share no Latin letter keep two keys."""
    assert len({slugify(name) for name in ("田中", "佐藤", "Ольга", "Олег", "محمد")}) == 5


@given(st.text(max_size=200))
def test_a_slug_is_its_own_slug(name: str) -> None:
    """Making a slug of a slug changes nothing, so that a key can be made from a key."""
    assert slugify(slugify(name)) == slugify(name)


@given(st.text(max_size=600))
def test_a_slug_is_bounded_and_has_no_separator_of_keys(name: str) -> None:
    """No name, however hostile, can break the parts of a key apart or make it long."""
    slug = slugify(name)
    assert len(slug) <= SLUG_LIMIT_CHARACTERS
    assert not set("|:. \n") & set(slug)


@given(st.sampled_from(ENTITY_KINDS), st.text(max_size=80))
def test_every_reference_that_is_made_is_valid(kind: str, name: str) -> None:
    """`make_ref` and `valid_ref` agree, and an empty slug gives no reference."""
    ref = make_ref(kind, name)
    assert valid_ref(ref) if ref else not slugify(name)


@pytest.mark.parametrize(
    "ref", ["", "person", "person:", "animal:rex", "person:John Doe", "person:john_", ":x", "a:b:c"]
)
def test_what_is_no_reference_is_refused(ref: str) -> None:
    """A reference with an unknown kind, an empty or an unclean slug is not valid."""
    assert not valid_ref(ref)


def test_an_unknown_kind_makes_no_reference() -> None:
    """The kinds are a closed list."""
    assert make_ref("animal", "Rex") == ""
