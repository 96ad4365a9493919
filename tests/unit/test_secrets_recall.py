"""How much the secret finder finds, and how little else it flags: the numbers of the reliability sheet, S4."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from fake_secrets import Sample, lookalikes, samples
from fake_secrets.spoken import ONLY_TALK, STRAYS, spoken

from recollect.core.write.secret_rules import RULES
from recollect.core.write.secrets import find_secrets, mask

PER_FAMILY = 200 if os.environ.get("RECOLLECT_SOAK") else 20
SAMPLES = samples(PER_FAMILY)
CODES = Path(__file__).resolve().parents[2] / "docs" / "reference" / "secret-codes.md"


def is_found(sample: Sample) -> bool:
    """All characters of the value lie in one finding."""
    return any(f.start <= sample.start and sample.end <= f.end for f in find_secrets(sample.text))


def missed_families(chosen: list[Sample]) -> Counter[str]:
    return Counter(sample.family for sample in chosen if not is_found(sample))


def test_there_are_enough_families_and_lookalikes() -> None:
    """The numbers below stand on at least 60 families and 300 look-alikes."""
    assert len({sample.family for sample in SAMPLES}) >= 60
    assert len({text for texts in lookalikes().values() for text in texts}) >= 300


def test_token_shaped_secrets_are_found() -> None:
    """At least 99 of 100 token-shaped secrets are found whole."""
    tokens = [sample for sample in SAMPLES if sample.token_shaped]
    missed = missed_families(tokens)
    assert missed.total() <= len(tokens) // 100, missed


def test_all_secrets_are_found() -> None:
    """At least 95 of 100 secrets of every kind, however they are phrased, are found whole."""
    missed = missed_families(SAMPLES)
    assert missed.total() <= len(SAMPLES) * 5 // 100, missed


def test_no_family_is_missed_as_a_whole() -> None:
    """No average hides a family: nine of ten samples of each are found."""
    total = Counter(sample.family for sample in SAMPLES)
    missed = missed_families(SAMPLES)
    assert [family for family, count in missed.items() if count * 10 > total[family]] == []


def test_lookalikes_are_left_alone() -> None:
    """At most one look-alike in a hundred is flagged."""
    texts = [text for kind in lookalikes().values() for text in kind]
    flagged = [text for text in texts if find_secrets(text)]
    assert len(flagged) * 100 <= len(texts), flagged


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_other_seeds_give_the_same_picture(seed: int) -> None:
    """The numbers do not hang on one seed."""
    fresh = samples(5, seed)
    assert missed_families(fresh).total() * 20 <= len(fresh)
    drawn = lookalikes(seed)["drawn"]
    assert sum(bool(find_secrets(text)) for text in drawn) * 100 <= len(drawn)


def test_little_else_is_masked_beside_a_secret() -> None:
    """Masking keeps the turn: the words of the frame around a token survive."""
    for sample in SAMPLES:
        if sample.token_shaped and sample.text.startswith("deploy fails with "):
            masked = mask(sample.text, find_secrets(sample.text))
            assert masked.startswith("deploy fails with [masked:"), sample.family
            assert masked.endswith("]" + ".\nWhat now?"), sample.family


def test_a_masked_text_is_clean() -> None:
    """Scanning what was masked finds nothing again, so masking twice changes nothing."""
    dirty = [sample.family for sample in SAMPLES if find_secrets(mask(sample.text, find_secrets(sample.text)))]
    assert dirty == []


def test_the_family_named_after_a_code_gets_that_code() -> None:
    """Codes mean what they say: samples of a family are reported under its code."""
    codes = {rule.code for rule in RULES}
    wrong: Counter[tuple[str, str]] = Counter()
    for sample in SAMPLES:
        if sample.family in codes:
            names = {f.code for f in find_secrets(sample.text) if f.start <= sample.start < f.end}
            wrong.update((sample.family, name) for name in names - {sample.family})
    assert wrong.total() <= len(SAMPLES) // 50, wrong


@pytest.mark.parametrize(
    "family",
    ["payment_card", "iban", "in_aadhaar", "br_cpf", "fr_nir", "ca_sin", "au_tfn", "uk_nhs_number", "us_routing_number",
     "es_dni", "it_codice_fiscale", "de_tax_id", "bitcoin_private_key"],
)  # fmt: skip
def test_a_wrong_checksum_is_no_finding(family: str) -> None:
    """Numbers with a checksum are told from any other number by it: one changed digit, and the code is gone."""
    for sample in (sample for sample in SAMPLES if sample.family == family):
        at = next(at for at in range(sample.end - 1, 0, -1) if sample.text[at].isdigit())
        wrong = sample.text[:at] + str((int(sample.text[at]) + 1) % 10) + sample.text[at + 1 :]
        assert family not in {finding.code for finding in find_secrets(wrong)}, family


def test_every_code_has_samples_and_is_reported_for_them() -> None:
    """No rule of the table is untried: each code has a family of its own name that it is reported for."""
    reported = {sample.family for sample in SAMPLES if sample.family in {f.code for f in find_secrets(sample.text)}}
    assert {rule.code for rule in RULES} - reported == set()


def test_every_code_is_documented() -> None:
    """The page of codes lists every code, and no code that does not exist."""
    documented = set(re.findall(r"^\| `([a-z0-9_]+)` \|", CODES.read_text(encoding="utf-8"), re.MULTILINE))
    assert documented == {rule.code for rule in RULES}


def test_secrets_said_in_passing_are_found() -> None:
    """Of secrets in sentences that no rule was made for, at least 85 of 100 are found whole."""
    drawn = spoken()
    held = [sample for sample, is_held in drawn if is_held]
    assert len(drawn) >= 120 and sum(map(is_found, held)) * 100 >= 85 * len(held)


def test_talk_about_secrets_is_left_alone() -> None:
    """Sentences that only talk about passwords, codes and keys are none."""
    assert len(ONLY_TALK) >= 120
    assert [text for text in (*ONLY_TALK, *STRAYS) if find_secrets(text)] == []
