"""Time is bounded: every rule on hostile texts of 64 kB, the whole scan on them, and a clean turn in microseconds."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from fake_secrets import Sample, samples
from fake_secrets.hostile import hostile

from recollect.core.write.secret_rules import RULES, Rule
from recollect.core.write.secret_rules.plain import plain_text
from recollect.core.write.secrets import _spans, find_secrets

SOAK = bool(os.environ.get("RECOLLECT_SOAK"))
PROBE_SIZE = 4_000 if SOAK else 1_000
WORST = 4 if SOAK else 1
STEP = 1 if SOAK else 3
KB = 1_024
# Generous, because the machine may be busy: measured worst is a third of it.
GUARD_SECONDS = 3.0

BROKEN: dict[str, list[Sample]] = {}
for _sample in samples(2):
    BROKEN.setdefault(_sample.family, []).append(_sample)


def seconds(rule: Rule, text: str) -> float:
    """Processor time, which a busy neighbour does not add to."""
    plain = plain_text(text)
    start = time.process_time()
    for _ in _spans(rule, plain):
        pass
    return time.process_time() - start


@pytest.mark.parametrize("rule", RULES, ids=[f"{at}-{rule.code}" for at, rule in enumerate(RULES)])
def test_a_rule_costs_its_length_on_hostile_texts(rule: Rule) -> None:
    """Twice the text costs at most about three times the time, and 64 kB never take seconds."""
    candidates = hostile(rule, BROKEN.get(rule.code, []))[::STEP]
    hardest = sorted(candidates, key=lambda made: seconds(rule, made.text(PROBE_SIZE)), reverse=True)
    for made in hardest[:WORST]:
        short = min(seconds(rule, made.text(32 * KB)) for _ in range(2))
        long = min(seconds(rule, made.text(64 * KB)) for _ in range(2))
        assert long <= GUARD_SECONDS, rule.code
        assert long <= 3 * short + 0.02, (rule.code, short, long)


@pytest.mark.parametrize(
    "seed",
    [
        "pwd:",
        "password is ",
        "authorization:",
        "token for ",
        "-----BEGIN PRIVATE KEY-----",
        "a",
        "0",
        "4111 ",
        "eyJ",
        "aws secret ",
        " ",
        "://a:",
        "\u200b",
        "ｐ",
    ],
)
def test_the_whole_scan_of_a_hostile_text_is_bounded(seed: str) -> None:
    """All rules together stay within seconds on 64 kB made for any of them."""
    start = time.perf_counter()
    find_secrets((seed * (64 * KB))[: 64 * KB])
    assert time.perf_counter() - start <= 2 * GUARD_SECONDS


def test_a_clean_turn_costs_microseconds() -> None:
    """An ordinary turn of a hundred characters is read in microseconds; the test leaves room for a busy machine."""
    turn = "I went hiking with Sarah yesterday near the lake, and we saw two herons; next week we want to go again."
    find_secrets(turn)
    costs = []
    for _ in range(300):
        start = time.perf_counter_ns()
        find_secrets(turn)
        costs.append(time.perf_counter_ns() - start)
    assert sorted(costs)[len(costs) // 10] <= 40_000


def test_importing_compiles_no_rule() -> None:
    """Importing the finder compiles none of the rules' expressions."""
    code = (
        "import recollect.core.write.secrets as s\n"
        "from recollect.core.write.secret_rules import compiled\n"
        "assert compiled.cache_info().currsize == 0, compiled.cache_info()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
