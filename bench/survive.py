"""The numbers of survival: how often each accident was played, what was lost, what did not add up, how long it took.

Every row runs the same harness as the tests in tests/faults; a row that is not clean ends the run with an error.
Run: python bench/survive.py           a tenth of the goals, or less
     python bench/survive.py --full    the goals' first number
     python bench/survive.py R1 R5     some rows only
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "faults"))

from survival import crowd, kill, logs, power, recalls
from survival.breaker import Breaker
from survival.broken_io import faults_of, grown, newborn, run, sample
from survival.damage import BAD, GOOD, change_cells, harm
from survival.erasing import erasure_losses
from survival.sizes import arena
from survival.verdict import Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table."""

    count: int
    lost: int
    inconsistent: int
    note: str = ""
    details: list[str] = field(default_factory=list)


def _from(tally: Tally, note: str = "") -> Row:
    return Row(count=tally.count, lost=tally.lost, inconsistent=tally.inconsistent, note=note, details=tally.examples)


def kills(place: Path, is_full: bool) -> Row:
    return _from(kill.in_server(1_000 if is_full else 100, place))


def power_losses(place: Path, is_full: bool) -> Row:
    return _from(power.power_losses(power.Setting(folder=place), 5_000 if is_full else 500))


def lazy_losses(place: Path, is_full: bool) -> Row:
    """The proof that the harness would notice: this row must lose something."""
    setting = power.Setting(folder=place, pragmas=power.NORMAL)
    tally = power.power_losses(setting, 200 if is_full else 60)
    return Row(
        count=tally.count,
        lost=0 if tally.lost else 1,
        inconsistent=0,
        note=f"planted: synchronous=NORMAL loses in {tally.lost} of {tally.count}, and is caught",
    )


def erasures(place: Path, is_full: bool) -> Row:
    return _from(erasure_losses(place, 20 if is_full else 2, 50 if is_full else 25))


def broken_calls(place: Path, is_full: bool) -> Row:
    breaker, count, details = Breaker(), 0, []
    with breaker.in_place():
        for begin in (grown, newborn):
            for is_lasting in (False, True):
                folder = place / f"{begin.__name__}-{is_lasting}"
                folder.mkdir()
                story = begin(folder, 2)
                faults = faults_of(story, breaker, is_lasting=is_lasting)
                for fault in faults if is_full else sample(faults, 25, seed=int(is_lasting)):
                    count += 1
                    details += [f"{fault}: {problem}" for problem in run(story, breaker, fault).problems]
    lost = sum("is gone" in detail for detail in details)
    return Row(count=count, lost=lost, inconsistent=len(details) - lost, details=details)


def crowds(place: Path, is_full: bool) -> Row:
    outcome = crowd.in_server(place, 8, 5_000 if is_full else 300)
    note = f"8 processes, longest wait {outcome.longest_wait_s:.2f} s, sent away {outcome.busy}"
    lost = sum("lost" in problem or "counted" in problem for problem in outcome.problems)
    others = len(outcome.problems) - lost
    return Row(count=outcome.operations, lost=lost, inconsistent=others, note=note, details=outcome.problems)


def damage(place: Path, is_full: bool) -> Row:
    count, bad, words, details = 0, 0, dict.fromkeys((*GOOD, *BAD), 0), []
    for seed in range(20 if is_full else 2):
        for harming, times in ((harm, 50 if is_full else 10), (change_cells, 1)):
            folder = place / f"{harming.__name__}-{seed}"
            folder.mkdir()
            findings = harming(folder, seed, times)
            count, bad = count + findings.total, bad + findings.bad
            details += findings.examples
            for counted in findings.counts.values():
                for word, number in counted.items():
                    words[word] += number
    note = ", ".join(f"{number} {word}" for word, number in words.items() if number)
    return Row(count=count, lost=words["empty"], inconsistent=bad - words["empty"], note=note, details=details)


def replays(place: Path, is_full: bool) -> Row:
    count = 10_000 if is_full else 200
    problems = logs.play_everywhere(count, place)
    note = f"in {len(logs.WORLDS)} worlds: stores, hash seeds, time zones, export and restore"
    return Row(count=count, lost=0, inconsistent=len(problems), note=note, details=problems)


def faulted_recalls(place: Path, is_full: bool) -> Row:
    outcome = recalls.in_processes(place, 10_000 if is_full else 1_000, 2)
    late = sum(late > recalls.GRACE_MS for late in outcome.timer_ms)
    note = (
        f"{outcome.statuses}; ms after the deadline, p50 / p99 / max: {recalls.shares(outcome.overruns_ms)},"
        f" over {recalls.GRACE_MS}: {outcome.late}; a bare timer: {recalls.shares(outcome.timer_ms)}, over: {late}"
    )
    return Row(
        count=outcome.count, lost=outcome.windowless, inconsistent=outcome.lies, note=note, details=outcome.examples
    )


ROWS: dict[str, tuple[str, Callable[[Path, bool], Row]]] = {
    "R1": ("kill -9", kills),
    "R2": ("power loss", power_losses),
    "R2p": ("power loss, planted", lazy_losses),
    "R2e": ("power loss, erasing", erasures),
    "R3": ("failing calls", broken_calls),
    "R5": ("many processes", crowds),
    "R7": ("random logs", replays),
    "R10": ("hung, slow, failing, lying parts", faulted_recalls),
    "D": ("damaged files", damage),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="the goals' first number; takes a quarter of an hour")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(ROWS)}; all of them if left out")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.rows if name not in ROWS]
    if unknown:
        parser.error(f"there is no row {unknown[0]!r}; choose from {', '.join(ROWS)}")
    print("| goal | accident | played | lost | inconsistent | seconds | |")
    print("|---|---|---:|---:|---:|---:|---|")
    is_clean = True
    for goal in chosen.rows or ROWS:
        name, play = ROWS[goal]
        begin = time.perf_counter()
        with arena() as place:
            row = play(place, chosen.full)
        seconds = time.perf_counter() - begin
        cells = (goal, name, f"{row.count:,}", str(row.lost), str(row.inconsistent), f"{seconds:.0f}", row.note)
        print(f"| {' | '.join(cells)} |", flush=True)
        for detail in row.details[:10]:
            print(f"  {detail[:300]}", file=sys.stderr)
        is_clean = is_clean and not row.lost and not row.inconsistent
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
