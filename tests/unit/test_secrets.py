"""The secret finder finds spans, names them by stable codes, and keeps nothing of what it found."""

from __future__ import annotations

from itertools import pairwise

import pytest
from fake_secrets import DISGUISES, samples
from fake_secrets.families import Sample

from recollect.core.write.secret_rules import RULES, Gate
from recollect.core.write.secret_rules.plain import original_spans, plain_text
from recollect.core.write.secrets import ROOTS, SecretFinding, find_in_name, find_secrets, mask


def found(text: str) -> list[tuple[str, str]]:
    return [(finding.code, text[finding.start : finding.end]) for finding in find_secrets(text)]


@pytest.mark.parametrize(
    ("text", "code", "value"),
    [
        ("my password is hunter2", "password", "hunter2"),
        ("my password is hunter2.", "password", "hunter2"),
        ("my password is hunter2!", "password", "hunter2!"),
        ('the password for the router is "open sesame"', "password", "open sesame"),
        ("pin is 1234", "pin", "1234"),
        ("my ssn is 123-45-6788", "us_ssn", "123-45-6788"),
        ("card: 4111 1111 1111 1111, exp 12/29", "payment_card", "4111 1111 1111 1111"),
        ("passphrase is correct horse battery staple", "passphrase", "correct horse battery staple"),
    ],
)
def test_the_span_is_the_value_alone(text: str, code: str, value: str) -> None:
    """Where a rule has an introduction, only the value behind it is the span."""
    assert found(text) == [(code, value)]


@pytest.mark.parametrize(
    "text",
    [
        "the password is wrong",
        "password is required",
        "token is expired",
        "I forgot my password",
        "classname is not an ssn",
        "password = get_password()",
        "",
        " ",
        "\x00",
        "\ud800",
    ],
)
def test_talk_about_secrets_is_no_secret(text: str) -> None:
    """Mentioning a password, a token or a number is not giving it away."""
    assert find_secrets(text) == ()


def test_a_url_loses_its_password_and_keeps_the_rest() -> None:
    """Only the password of a connection string is masked, so the turn stays readable."""
    text = "postgres://app:" + "s3cr3tpw" + "@db.acme.io/main"
    assert mask(text, find_secrets(text)) == "postgres://app:[masked:postgres_uri]@db.acme.io/main"


def test_the_more_specific_rule_names_the_finding() -> None:
    """A vendor's key behind "api key:" carries the vendor's code, not the general one."""
    sample = next(sample for sample in samples(1) if sample.family == "stripe_key")
    text = f"api key: {sample.value}"
    assert found(text) == [("stripe_key", sample.value)]


def test_overlapping_claims_become_one_span_over_all_their_characters() -> None:
    """Nothing that any rule claimed survives next to the mask."""
    text = "password: " + "hunter2" + "@" + "x9"
    findings = find_secrets(text)
    assert len(findings) == 1
    assert "hunter2" not in mask(text, findings)


def test_secrets_glued_to_each_other_are_all_found() -> None:
    """A token right behind another one does not hide in its shadow."""
    tokens = [
        sample.value
        for sample in samples(1)
        if sample.family in ("buildkite_token", "digitalocean_token", "sonar_token")
    ]
    text = "".join(tokens * 2)
    masked = mask(text, find_secrets(text))
    assert not any(token in masked for token in tokens)
    assert find_secrets(masked) == ()


def test_findings_are_sorted_and_do_not_overlap() -> None:
    """Several secrets in one text come back in the order of the text."""
    text = "\n".join(sample.text for sample in samples(1))
    findings = find_secrets(text)
    assert len(findings) > 100
    assert all(left.end <= right.start for left, right in pairwise(findings))


def test_a_finding_holds_no_value() -> None:
    """Neither the finding nor its repr carries anything of the text."""
    (finding,) = find_secrets("my password is hunter2")
    assert repr(finding) == "SecretFinding(code='password', start=15, end=22)"
    assert not any("hunter2" in str(getattr(finding, name)) for name in ("code", "start", "end"))


def test_the_working_objects_do_not_print_the_text() -> None:
    """A traceback that shows local objects shows no secret."""
    assert "hunter2" not in repr(plain_text("my password is hunter2"))


@pytest.mark.parametrize("disguise", list(DISGUISES))
def test_a_disguised_secret_is_found_and_masked_whole(disguise: str) -> None:
    """Full-width letters, invisible characters and odd spaces hide nothing, and the spans fit the original text."""
    change = DISGUISES[disguise]
    missed: list[str] = []
    for sample in _disguisable():
        text = change(sample.text)
        masked = mask(text, find_secrets(text))
        if plain_text(sample.value).text in plain_text(masked).text:
            missed.append(sample.family)
    assert missed == []


def _disguisable() -> list[Sample]:
    return [sample for sample in samples(1) if not sample.family.startswith("phrased_")]


def test_digits_of_other_scripts_are_digits() -> None:
    """A card number in Arabic-Indic digits is a card number."""
    digits = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
    text = "my card is 4111 1111 1111 1111".translate(digits)
    assert [(finding.code, finding.start) for finding in find_secrets(text)] == [("payment_card", 11)]


def test_spans_lead_back_through_expansions_and_deletions() -> None:
    """Characters that become several or none shift the way back correctly."""
    text = "ﬃ…\u200b my password is hun\u00adter2 ﬃ"
    (finding,) = find_secrets(text)
    assert text[finding.start : finding.end] == "hun\u00adter2"


def test_every_plain_position_leads_to_a_character_of_the_original() -> None:
    """The way back never points outside the text."""
    text = "a…b\u200bcﬃd\u00ad\u200b…"
    plain = plain_text(text)
    for at in range(len(plain.text)):
        ((start, end),) = original_spans(text, plain, [(at, at + 1)])
        assert 0 <= start < end <= len(text)
        assert plain.text[at] in plain_text(text[start:end]).text


def test_masking_nothing_changes_nothing() -> None:
    """A text without findings comes back as it is."""
    assert mask("hello", ()) == "hello"


def test_masking_takes_findings_in_any_order_and_overlapping() -> None:
    """Findings merged from several scans never duplicate or leak text."""
    findings = [SecretFinding(code="b", start=3, end=6), SecretFinding(code="a", start=0, end=4)]
    assert mask("abcdefgh", findings) == "[masked:a][masked:b]gh"


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("api_key", "k", "api_key"),
        ("password", "secret", "password"),
        ("apiKey", "abc", "api_key"),
        ("X-API-Key", "abc", "api_key"),
        ("password", "swordfish", "password"),
        ("dbPassword", "swordfish", "password"),
        ("DB_PASSWORD", "1", "password"),
        ("authorization", "anything", "authorization_header"),
        ("client_secret", "abc", "secret"),
        ("access_token", "abc", "token"),
        ("ｐａｓｓｗｏｒｄ", "abc", "password"),
        ("pass\u200bword", "abc", "password"),
        ("aws.secret.key", "abc", "api_key"),
        ("SSN", "123456788", "us_ssn"),
    ],
)
def test_a_telling_name_makes_the_whole_value_a_secret(key: str, value: str, code: str) -> None:
    """Under a name such as api_key or password any value that is no placeholder is one finding over all of it."""
    assert find_in_name(key, value) == (SecretFinding(code=code, start=0, end=len(value)),)


@pytest.mark.parametrize(
    "value", ["", "  ", "***", "${VAR}", "$VAR", "<your key>", "{{ vault }}", "null", "true", "[masked:x]", "xxxx"]
)
def test_a_placeholder_under_a_telling_name_is_none(value: str) -> None:
    """What stands for a value is not the value."""
    assert find_in_name("api_key", value) == ()


@pytest.mark.parametrize(
    "key",
    [
        "max_tokens",
        "next_page_token",
        "tokenizer",
        "password_hint",
        "classname",
        "keyboard",
        "public_key",
        "author",
        "pinned",
        "",
        "   ",
        "passengers",
    ],
)
def test_other_names_leave_the_value_to_the_rules(key: str) -> None:
    """Names that only contain a telling word, or end in another one, decide nothing."""
    assert find_in_name(key, "some harmless text") == ()
    assert [finding.code for finding in find_in_name(key, "my password is hunter2")] == ["password"]


def test_codes_are_words_and_every_rule_has_a_description() -> None:
    """Codes are stable identifiers: small letters, digits and underscores."""
    for rule in RULES:
        assert rule.code.replace("_", "").isalnum()
        assert rule.code == rule.code.lower()
        assert rule.about
        assert all(word == word.lower() for word in rule.keywords)


@pytest.mark.parametrize("gate", ROOTS)
def test_every_keyword_behind_a_gate_with_roots_has_one(gate: Gate) -> None:
    """The first sieve lets every text through that holds a keyword of the second."""
    words = [word for rule in RULES if rule.gate is gate for word in rule.keywords or ("",)]
    assert words
    assert [word for word in words if not any(root in word for root in ROOTS[gate])] == []


def test_rules_behind_the_word_gate_have_keywords() -> None:
    """A rule without a keyword would run on every text; only gates with a feature of their own may have such rules."""
    assert [rule.code for rule in RULES if rule.gate in (Gate.WORD, Gate.URL) and not rule.keywords] == []
