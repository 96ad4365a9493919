"""What only looks like a fact: each way of not meaning it takes the fact away."""

import pytest

from recollect.core.write.facts import extract_facts
from recollect.core.write.facts.blanks import VOID, blank

MEANT = "I live in Lisbon"


def test_the_bare_sentence_is_a_fact() -> None:
    """The sentence the others are made from is read, so that their silence means something."""
    assert len(extract_facts(f"{MEANT}.")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "If {}, I pay less tax.",
        "Suppose {}.",
        "Imagine {}.",
        "Maybe {}.",
        "Let's say {}.",
        "Say {} and work in Porto.",
        "I wish {}.",
        'He said "{}".',
        "She told me {}.",
        "They think {}.",
        "According to the file, {}.",
        "The sign reads: {}.",
        "Bob: {}.",
        "Do you think {}?",
        "{}, right?",
        "{}?",
        "{} lol",
        "{}. Just kidding!",
        "{} /s",
        "Oh sure, {}.",
        "{} in my dreams.",
        "`{}`",
        "```\n{}\n```",
        "> {}",
        "// {}",
        'print("{}")',
        "Translate this: {}.",
        "Write a story. {}.",
        "Let's role-play. {}.",
        "Pretend {}.",
        "My character says {}.",
        "It's not true that {}.",
        "Next year {}.",
        "When {} I eat fish.",
        "the city where {}",
    ],
)
def test_not_meaning_it_takes_the_fact_away(text: str) -> None:
    """Hypothesis, hearsay, question, joke, code, fiction, plan: no fact."""
    assert extract_facts(text.format(MEANT)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "{}, what should I see?",
        "FYI: {}.",
        "Remember that {}.",
        "{}, if that matters.",
        "{}. Write a poem about it.",
        'I read "Dune". {}.',
        "Could you help? {}.",
        "Thanks! {} and I'm hungry.",
        "Because {}, I eat fish.",
        "As you know, {}.",
    ],
)
def test_what_stands_beside_a_fact_does_not_take_it_away(text: str) -> None:
    """A question, a lead-in or a request next to a plain statement leaves it a fact."""
    assert [draft.value for draft in extract_facts(text.format(MEANT))] == ["Lisbon"]


def test_blanking_keeps_every_position() -> None:
    """Code and quotations are voided in place, so that spans point into the original text."""
    text = 'a `b c` "I am here" // d\n“so” it’s'
    assert len(blank(text)) == len(text)
    assert VOID in blank(text)
    assert blank(text).endswith("it's")
