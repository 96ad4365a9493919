"""What a draft looks like: key, claim, references, importance, confidence, place in the text."""

import pytest

from recollect.core.entities import valid_ref
from recollect.core.write.facts import FactDraft, extract_facts


def only(text: str, *, speaker: str = "", user: str = "") -> FactDraft:
    """The one fact of a text."""
    (draft,) = extract_facts(text, speaker=speaker, user=user)
    return draft


def test_a_plain_fact_has_every_part() -> None:
    """One sentence gives the key, the value, a readable claim, the place it refers to and where it was said."""
    text = "Well, I live in Lisbon."
    draft = only(text)
    assert draft.memory_key == "profile|person|user|fact|lives_in"
    assert (draft.type, draft.value, draft.text) == ("PROFILE", "Lisbon", "Lives in Lisbon")
    assert (draft.entity_refs, draft.entity_label) == (("place:lisbon",), "Lisbon")
    assert (draft.importance, draft.is_correction) == (2, False)
    assert text[draft.start : draft.end] == "I live in Lisbon"
    assert 0 < draft.confidence <= 1_000_000


def test_a_fact_about_somebody_names_them_in_its_claim() -> None:
    """A claim about a person can be read without the turn it came from."""
    relation, home = extract_facts("My sister Anna lives in Seattle.")
    assert (relation.memory_key, relation.text) == (
        "people|person|anna|relationship|sister",
        "Anna is the user's sister",
    )
    assert (home.memory_key, home.text) == ("people|person|anna|fact|lives_in", "Anna (sister): lives in Seattle")
    assert home.entity_refs == ("person:anna", "place:seattle")
    assert home.entity_label == "Anna"
    assert only("My sister lives in Seattle.").text == "Sister: lives in Seattle"


def test_a_predicate_one_has_one_of_keeps_its_key_whatever_the_value() -> None:
    """The new home meets the old one under one key."""
    assert only("I live in Lisbon.").memory_key == only("Actually, I live in Berlin now.").memory_key


def test_a_predicate_one_has_many_of_carries_its_object() -> None:
    """Two tastes are two facts; the end of one has the key of the one it ends and says something else."""
    tea, coffee, over = only("I like tea."), only("I like coffee."), only("I don't like tea any more.")
    assert tea.memory_key != coffee.memory_key
    assert tea.memory_key == over.memory_key
    assert (over.text, over.is_correction) == ("No longer likes tea", True)


@pytest.mark.parametrize(
    ("said", "opposite"),
    [
        ("I love olives.", "I hate olives."),
        ("I use vim.", "I stopped using vim."),
        ("I speak Dutch.", "I don't speak Dutch."),
        ("I prefer tea over coffee.", "I prefer coffee to tea."),
        ("I work at Acme.", "I no longer work at Acme."),
        ("I run every morning.", "I run every evening."),
        ("I play the cello.", "I don't play cello anymore."),
        ("I love to cook.", "I don't like cooking."),
        ("My favorite color is red.", "My favourite colour is blue."),
        ("John is my cofounder.", "John is no longer my co-founder."),
        ("I'm vegan.", "I'm not vegan anymore."),
    ],
)
def test_opposite_claims_meet_under_one_key(said: str, opposite: str) -> None:
    """Contradictions share a key, so that the conflict table can decide, and differ in what they claim."""
    first, second = only(said), only(opposite)
    assert first.memory_key == second.memory_key
    assert first.text != second.text


def test_two_facts_about_one_person_have_two_keys() -> None:
    """The second, different fact about somebody is never lost to the first."""
    drafts = extract_facts("My brother Finn lives in Cork, and he works at Dell.")
    assert len({draft.memory_key for draft in drafts}) == 3


@pytest.mark.parametrize(
    ("text", "importance"),
    [("My name is Ada.", 3), ("I'm a nurse.", 3), ("I live in Bonn.", 2), ("John is my boss.", 2), ("I like tea.", 1)],
)
def test_importance_follows_the_scale_of_the_source_document(text: str, importance: int) -> None:
    """Three for core identity, two for relations and places, one by default."""
    assert only(text).importance == importance


def test_lower_case_is_read_with_less_confidence() -> None:
    """A place known from a list alone is less sure than one written as a name."""
    assert only("i live in lisbon").confidence < only("I live in Lisbon.").confidence


def test_words_of_the_first_person_are_turned_in_the_claim() -> None:
    """A claim is about the user, so "my family" in it is theirs."""
    assert only("I love spending time with my family.").text == "Likes spending time with their family"


def test_names_of_tools_that_are_mostly_marks_stay_apart() -> None:
    """C, C++ and C# are three languages, though punctuation makes no slug."""
    assert {draft.predicate for draft in extract_facts("I code in C++ and C#.")} == {"uses_cpp", "uses_csharp"}


def test_a_short_quotation_may_be_a_name() -> None:
    """Quotation marks around a name do not make it somebody else's words."""
    assert only('My name is "Bex".').value == "Bex"


@pytest.mark.parametrize(
    "text",
    [
        "I'm Fatima, a UX researcher living in Casablanca.",
        "My wife Zane works at Printful in Riga and speaks Latvian.",
        "I'm working on a project called Nightjar. The deadline for Nightjar is 14 November.",
    ],
)
def test_every_reference_is_a_valid_one(text: str) -> None:
    """References follow the one form and never repeat."""
    for draft in extract_facts(text):
        assert all(valid_ref(ref) for ref in draft.entity_refs)
        assert len(set(draft.entity_refs)) == len(draft.entity_refs)
