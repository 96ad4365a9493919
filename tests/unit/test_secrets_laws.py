"""Laws of the secret finder on any text."""

from __future__ import annotations

import os

from fake_secrets import samples
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.core.write.secret_rules.plain import plain_text
from recollect.core.write.secrets import find_in_name, find_secrets, mask

EXAMPLES = 3000 if os.environ.get("RECOLLECT_SOAK") else 300

PIECES = (
    [sample.text for sample in samples(1)]
    + [sample.value for sample in samples(1)]
    + """
my password is|password:|password=|token|secret|api key|the|pin|is|for|=|:|"|'|`|\n| |,|.|;|&|hunter2|Tr0ub4dor&3|1234
|4111 1111 1111 1111|-----BEGIN RSA PRIVATE KEY-----|-----END RSA PRIVATE KEY-----|Bearer|Basic|://|a:b@c|***|${X}|<x>
|[masked:password]|123-45-6789|DE|é|\u200b|…|ｐ|ß|İ|\u202e|👍🏽|(|)|[|]|{|}|is my password|as my password
""".strip().split("|")
)

texts = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=8).map("".join),
)


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts)
def test_spans_are_sorted_apart_and_inside(text: str) -> None:
    """Whatever the text, spans are non-empty, in order, apart from each other and inside the text."""
    at = 0
    for finding in find_secrets(text):
        assert at <= finding.start < finding.end <= len(text)
        at = finding.end


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts)
def test_the_same_text_gives_the_same_findings(text: str) -> None:
    """The finder has no memory."""
    assert find_secrets(text) == find_secrets(text)


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts)
def test_masking_ends(text: str) -> None:
    """Masking again and again comes to rest after a few rounds, with nothing left to find."""
    for _ in range(4):
        text = mask(text, find_secrets(text))
    assert find_secrets(text) == ()


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts)
def test_lower_case_keeps_every_position(text: str) -> None:
    """The lower-cased view is as long as the plain one, so spans of one are spans of the other."""
    plain = plain_text(text)
    assert len(plain.text) == len(plain.folded)


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts, texts)
def test_any_name_and_value_have_an_answer(key: str, value: str) -> None:
    """Names and values of any kind give spans inside the value."""
    for finding in find_in_name(key, value):
        assert 0 <= finding.start < finding.end <= len(value)
