"""How long the voice takes to choose: one section, and one whole turn.

Prints a table; nothing is asserted. Run with `python bench/voice.py`. The goal for a section is 50 µs at the median.
"""

from __future__ import annotations

import gc
import itertools
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from recollect.core.voice.contract import TABLE_KEYS, VoiceContract
from recollect.core.voice.legality import check_contract
from recollect.core.voice.select import Situation, choose
from recollect.core.voice.speak import speak
from recollect.core.voice.state import (
    WINDOW_SIZES,
    Escalation,
    Language,
    PoolKey,
    Section,
    SessionVoiceState,
    Skeleton,
    VariantUsage,
)
from recollect.core.voice.turn import VoiceTurn
from recollect.engine.voice import Voice, load_contract, read_contract

ROUNDS = 20_000
WARM_UP = 500


def main() -> None:
    """Measure and print."""
    contract = load_contract()
    table = Table("what", "p50 µs", "p99 µs", "calls", title="voice", title_justify="left")
    for key in (k for keys in TABLE_KEYS.values() for k in keys if k.language is Language.EN):
        table.add_row(f"section {key}", *timed(choose_at(contract, key), ROUNDS // 10))
    table.add_section()
    table.add_row("section, all of English", *timed(choose_all(contract), ROUNDS))
    table.add_row("turn, mixed skeletons", *timed(turns(contract, "AABBDBCCCC"), ROUNDS))
    table.add_row("turn, B after 1,000 in a row", *timed(long_session(contract, 1_000), ROUNDS // 10))
    table.add_row("turn, B after 10,000 in a row", *timed(long_session(contract, 10_000), ROUNDS // 10))
    table.add_row("read and check a contract, not cached", *timed(lambda: check_contract(read_contract()), 50))
    Console().print(table)


def timed(call: Callable[[], object], rounds: int) -> tuple[str, str, str]:
    """Median and 99th percentile of single calls, in microseconds."""
    for _ in range(min(WARM_UP, rounds)):
        call()
    gc.collect()
    gc.disable()
    spans = []
    for _ in range(rounds):
        start = time.perf_counter_ns()
        call()
        spans.append(time.perf_counter_ns() - start)
    gc.enable()
    spans.sort()
    return f"{spans[rounds // 2] / 1000:.1f}", f"{spans[rounds * 99 // 100] / 1000:.1f}", f"{rounds:,}"


def full_window(contract: VoiceContract, key: PoolKey) -> Situation:
    """A pool whose window is full: the most there is to look at."""
    variants = contract.pool(key)
    window = tuple(VariantUsage(variant_id=n % len(variants), turn_index=n + 1) for n in range(8))
    return Situation(
        key=key,
        variants=variants,
        window=() if key.section is Section.CLOSURE else window[-WINDOW_SIZES[key.skeleton] :],
        turn_index=9,
        escalation=Escalation.NONE,
        theme=None,
    )


def choose_at(contract: VoiceContract, key: PoolKey) -> Callable[[], object]:
    """One selection on a full window of one pool."""
    at = full_window(contract, key)
    return lambda: choose(at)


def choose_all(contract: VoiceContract) -> Callable[[], object]:
    """Selections on full windows of every English pool but the closures, one after the other."""
    keys = [k for s in Skeleton for k in TABLE_KEYS[s, Language.EN] if k.section is not Section.CLOSURE]
    situations = itertools.cycle([full_window(contract, key) for key in keys])
    return lambda: choose(next(situations))


def turns(contract: VoiceContract, skeletons: str) -> Callable[[], object]:
    """Whole turns of a session that goes round through the skeletons."""
    voice = Voice(contract)
    script = itertools.cycle([VoiceTurn(intent="emotional", skeleton=skeleton) for skeleton in skeletons])
    return lambda: voice.turn(next(script))


def long_session(contract: VoiceContract, before: int) -> Callable[[], object]:
    """The next turn of a session that has spoken B so many times without a break."""
    state, turn = SessionVoiceState(), VoiceTurn(intent="emotional", skeleton="B")
    for _ in range(before):
        state = speak(contract, state, turn).after
    return lambda: speak(contract, state, turn)


if __name__ == "__main__":
    main()
