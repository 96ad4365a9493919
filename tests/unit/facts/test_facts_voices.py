"""Who is speaking, what was said before, and what an elliptical turn may mean."""

import pytest

from recollect.core.write.facts import FactDraft, Heard, extract_facts


def user(text: str) -> Heard:
    """An earlier turn of the user."""
    return Heard(text=text, is_user=True)


def other(text: str) -> Heard:
    """An earlier turn of the assistant."""
    return Heard(text=text, is_user=False)


def claims(drafts: tuple[FactDraft, ...]) -> list[tuple[str, str]]:
    """Key and value of each draft."""
    return [(draft.memory_key, draft.value) for draft in drafts]


def test_another_speaker_speaks_of_themselves() -> None:
    """What Bob says of himself is a fact about Bob, under his slug, with his name in the claim."""
    (draft,) = extract_facts("I live in Marrakesh.", speaker="Bob", user="Ann")
    assert draft.memory_key == "people|person|bob|fact|lives_in"
    assert draft.text == "Bob: lives in Marrakesh"


def test_the_user_by_name_is_the_user() -> None:
    """A speaker who is the user makes profile facts, however the name is spelled."""
    (draft,) = extract_facts("I live in Marrakesh.", speaker="Ann Lee", user="ann_lee")
    assert draft.type == "PROFILE"


def test_a_speaker_without_a_letter_in_the_name_is_the_user() -> None:
    """A name that has no slug cannot be a key, so it names nobody."""
    (draft,) = extract_facts("I live in Marrakesh.", speaker="...")
    assert draft.type == "PROFILE"


def test_the_relatives_of_another_speaker_are_not_the_users() -> None:
    """Bob's sister is kept apart from the user's, named or not."""
    relation, _ = extract_facts("My sister Clara lives in Turin.", speaker="Bob")
    assert claims((relation,)) == [("people|person|clara|relationship|sister_of_bob", "sister")]
    assert relation.text == "Clara is Bob's sister"
    (home,) = extract_facts("My sister lives in Turin.", speaker="Bob")
    assert home.memory_key == "people|person|bob_sister|fact|lives_in"


@pytest.mark.parametrize(
    ("recent", "text", "key", "value"),
    [
        ((user("I live in Lisbon."), other("Noted.")), "Actually, it's Berlin now.", "lives_in", "Berlin"),
        ((user("I live in Porto."), other("Ok")), "No, I meant Lisbon.", "lives_in", "Lisbon"),
        ((user("I moved to Lisbon."), other("Ok")), "Not Lisbon but Berlin.", "lives_in", "Berlin"),
        ((user("My birthday is May 14."),), "It's May 4, not May 14.", "birthday", "May 4"),
        ((user("my name is Catarina"), other("Hi!")), "It's spelled Katharina.", "name", "Katharina"),
        ((user("Weather?"), other("You live in Linz, so: sunny.")), "Actually, it's Graz.", "lives_in", "Graz"),
    ],
)
def test_a_correction_may_name_only_what_is_new(recent: tuple[Heard, ...], text: str, key: str, value: str) -> None:
    """The claim that is meant is found in what was just said, and the new one is marked as a correction."""
    (draft,) = extract_facts(text, recent=recent)
    assert (draft.predicate, draft.value, draft.is_correction) == (key, value, True)


@pytest.mark.parametrize(
    ("recent", "text"),
    [
        ((), "Actually, it's Berlin now."),
        ((user("I live in Lisbon and I was born in Faro."),), "Actually, it's Porto."),
        ((user("What's the capital of Sweden?"), other("Stockholm.")), "Actually, it's Oslo."),
        (
            (user("I live in Lisbon."), other("Ok"), user("Where was the Tea Party?"), other("Ohio.")),
            "Actually it's Boston.",
        ),
        ((user("I live in Lisbon."),), "Actually, it's fine."),
        ((user("I live in Lisbon."),), "Actually, it's Lisbon."),
        ((user("I live in Lisbon."),), "No, is it Berlin?"),
        ((Heard(text="I live in Lisbon.", is_user=False, speaker="Bob"),), "Actually, it's Berlin now."),
    ],
)
def test_where_it_is_not_certain_what_is_corrected_nothing_is(recent: tuple[Heard, ...], text: str) -> None:
    """Two candidates, none, another topic or another speaker: no fact."""
    assert extract_facts(text, recent=recent) == ()


@pytest.mark.parametrize(
    ("question", "answer", "predicate", "value"),
    [
        ("Where do you live?", "Lisbon", "lives_in", "Lisbon"),
        ("Nice! What's your name?", "It's Olivia.", "name", "Olivia"),
        ("Where do you work?", "At Ericsson.", "works_at", "Ericsson"),
        ("How old are you?", "33", "age", "33"),
        ("What is your favorite food?", "Sushi, definitely.", "favorite_food", "Sushi"),
        ("When is your birthday?", "26 March", "birthday", "26 March"),
    ],
)
def test_a_short_answer_takes_its_meaning_from_the_question(
    question: str, answer: str, predicate: str, value: str
) -> None:
    """A question about the speaker and a bare answer make a fact."""
    (draft,) = extract_facts(answer, recent=(other(question),))
    assert (draft.predicate, draft.value) == (predicate, value)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where do you live?", "Why do you ask?"),
        ("Where do you live?", "Nowhere"),
        ("Where do you live? And where do you work?", "Lisbon"),
        ("What is the capital of Portugal?", "Lisbon"),
        ("Which city should we use as the example?", "Lisbon"),
        ("If you could choose, where do you live?", "Lisbon"),
        ("What's your name?", "lol Batman"),
    ],
)
def test_an_answer_to_anything_else_is_no_fact(question: str, answer: str) -> None:
    """Two questions at once, a question about the world or an answer that is none: nothing."""
    assert extract_facts(answer, recent=(other(question),)) == ()


def test_an_answer_to_ones_own_question_is_no_fact() -> None:
    """Only a question of somebody else is answered."""
    assert extract_facts("Lisbon", recent=(user("Where do you live?"),)) == ()


def test_a_name_whose_relation_was_stated_before_is_known() -> None:
    """Facts about a bare name need an earlier turn of the same speaker that says who that is."""
    text = "John works at Acme."
    assert extract_facts(text) == ()
    assert extract_facts(text, recent=(other("John is my cofounder."),)) == ()
    drafts = extract_facts(text, recent=(user("John is my cofounder."),))
    assert claims(drafts) == [("people|person|john|fact|works_at", "Acme")]


def test_a_pronoun_is_whoever_the_sentence_before_was_about() -> None:
    """ "She" after one person is that person; after two it is nobody; it must fit the relation."""
    assert len(extract_facts("Sarah is my sister. She works at Spotify.")) == 2
    assert len(extract_facts("Sarah is my sister. He works at Spotify.")) == 1
    assert len(extract_facts("Sarah is my sister and my brother Tom is here. She works at Spotify.")) == 2


def test_only_the_last_eight_turns_count() -> None:
    """What was said longer ago than that adds nothing."""
    filler = tuple(user("ok") for _ in range(8))
    assert extract_facts("John works at Acme.", recent=(user("John is my cofounder."), *filler)) == ()


def test_a_correction_in_the_same_turn_wins() -> None:
    """Somebody who corrects themselves at once is taken at the second word."""
    drafts = extract_facts("I live in Lisbon. Sorry, I live in Berlin.")
    assert [(draft.value, draft.is_correction) for draft in drafts] == [("Berlin", True)]


def test_what_is_beats_what_is_over() -> None:
    """Leaving one job for another in one breath leaves one claim."""
    drafts = extract_facts("I no longer work at Acme, I work at Globex.")
    assert [draft.value for draft in drafts] == ["Globex"]
