"""Promises of selection: what is a candidate, what is removed and why, how a tie is broken."""

from __future__ import annotations

import pytest

from recollect.core.voice import select
from recollect.core.voice.contract import Mark, Variant
from recollect.core.voice.select import Choice, DecidedBy, Situation, Why, choose, score
from recollect.core.voice.state import Escalation, Language, PoolKey, Section, Skeleton, Theme, VariantUsage
from recollect.errors import VoiceError

FAMILY, LIGHTER, EXPANSION = Mark.FAMILY_OK, Mark.LIGHTER, Mark.EXPANSION


def situation(
    skeleton: str = "B",
    section: str = "validation",
    variants: int | list[tuple[Mark, ...]] = 3,
    said: list[tuple[int, int]] | None = None,
    turn: int = 0,
    escalation: Escalation = Escalation.NONE,
    theme: Theme | None = None,
) -> Situation:
    """A pool of variants, given by number or by marks, that has said (variant, turn) pairs before."""
    marks: list[tuple[Mark, ...]] = [() for _ in range(variants)] if isinstance(variants, int) else variants
    window = tuple(VariantUsage(variant_id=v, turn_index=t) for v, t in said or [])
    return Situation(
        key=PoolKey(skeleton=Skeleton(skeleton), language=Language.EN, section=Section(section)),
        variants=tuple(Variant(text=f"{i}.", marks=m) for i, m in enumerate(marks)),
        window=window,
        turn_index=turn or (window[-1].turn_index + 1 if window else 1),
        escalation=escalation,
        theme=theme,
    )


def run(skeleton: str, section: str, variants: int, turns: int) -> list[int]:
    said: list[tuple[int, int]] = []
    size = {"A": 6, "B": 8, "C": 3, "D": 4}[skeleton]
    for turn in range(1, turns + 1):
        said.append((choose(situation(skeleton, section, variants, said[-size:], turn)).variant_id, turn))
    return [variant for variant, _ in said]


@pytest.mark.parametrize(
    ("skeleton", "section", "variants", "expected"),
    [
        ("A", "opener", 1, [0, 0, 0, 0, 0, 0, 0]),
        ("A", "opener", 2, [0, 1, 0, 1, 0, 1, 0]),
        ("B", "opener", 3, [0, 1, 2, 0, 1, 2, 0]),
        ("B", "validation", 4, [0, 1, 2, 3, 0, 1, 2]),
        ("C", "validation", 1, [0, 0, 0, 0, 0, 0, 0]),
        ("C", "validation", 2, [0, 0, 0, 1, 1, 1, 0]),
        ("C", "validation", 3, [0, 0, 0, 1, 1, 1, 0]),
        ("D", "opener", 2, [0, 0, 0, 0, 0, 0, 0]),
        ("D", "action", 2, [0, 1, 0, 1, 0, 1, 0]),
        ("D", "closure", 1, [0, 0, 0, 0, 0, 0, 0]),
    ],
)
def test_sequences_of_a_fresh_pool(skeleton: str, section: str, variants: int, expected: list[int]) -> None:
    """Each skeleton has its own way of going through a pool."""
    assert run(skeleton, section, variants, 7) == expected


@pytest.mark.parametrize("skeleton", list("ABCD"))
def test_a_closure_is_returned_at_once_and_not_recorded(skeleton: str) -> None:
    """Closures never rotate, whatever was said and whatever is marked."""
    at = situation(skeleton, "closure", [(LIGHTER,), ()], [(0, 1)], escalation=Escalation.LATCHED, theme=Theme.FAMILY)
    assert choose(at) == Choice(
        section=Section.CLOSURE, variant_id=0, decided_by=DecidedBy.CLOSURE, eligible=(0,), recorded=False
    )


def test_the_opener_of_d_is_fixed_and_the_others_are_told_why() -> None:
    """D opens with index 0; the rest are removed by name."""
    choice = choose(situation("D", "opener", 3, [(0, 1)]))
    assert (choice.variant_id, choice.eligible, choice.decided_by) == (0, (0,), DecidedBy.ONLY_CANDIDATE)
    assert choice.removed == ((1, Why.FIXED_OPENER), (2, Why.FIXED_OPENER))


def test_expansions_are_out_in_c_and_in_elsewhere() -> None:
    """A variant added from drift evidence is not eligible in C."""
    pool: list[tuple[Mark, ...]] = [(), (EXPANSION,), ()]
    assert choose(situation("C", "validation", pool)).eligible == (0, 2)
    assert choose(situation("B", "validation", pool)).eligible == (0, 1, 2)


def test_lighter_variants_go_while_escalation_is_latched() -> None:
    """Latched, and only latched, escalation removes what is marked lighter."""
    pool: list[tuple[Mark, ...]] = [(LIGHTER,), (), ()]
    for escalation, expected in [("none", 0), ("escalating", 0), ("latched", 1)]:
        choice = choose(situation("B", "opener", pool, escalation=Escalation(escalation)))
        assert choice.variant_id == expected
    assert choice.removed == ((0, Why.LIGHTER),)


def test_variants_not_approved_for_family_go_while_the_family_theme_is_latched() -> None:
    """Only the family theme asks for approval."""
    pool: list[tuple[Mark, ...]] = [(), (FAMILY,), ()]
    assert choose(situation("B", "opener", pool, theme=Theme.RESIGNATION)).variant_id == 0
    choice = choose(situation("B", "opener", pool, theme=Theme.FAMILY))
    assert choice.variant_id == 1
    assert choice.removed == ((0, Why.NOT_FAMILY_OK), (2, Why.NOT_FAMILY_OK))


def test_a_safe_variant_is_repeated_rather_than_an_unsafe_one_used() -> None:
    """The one approved variant may follow itself: safety is judged before repetition."""
    pool: list[tuple[Mark, ...]] = [(FAMILY,), ()]
    choice = choose(situation("B", "opener", pool, [(0, 1)], theme=Theme.FAMILY))
    assert (choice.variant_id, choice.exhausted) == (0, False)


@pytest.mark.parametrize(
    ("skeleton", "said", "expected", "decided_by"),
    [
        ("B", [(1, 1)], 0, DecidedBy.FIRST_OF_TABLE),
        ("A", [], 0, DecidedBy.FIRST_OF_TABLE),
        ("C", [(1, 1)], 1, DecidedBy.LAST_USED),
        ("C", [], 0, DecidedBy.FIRST_OF_TABLE),
    ],
)
def test_when_nothing_safe_is_left(
    skeleton: str, said: list[tuple[int, int]], expected: int, decided_by: DecidedBy
) -> None:
    """C returns to the variant said last, the others to the first of the table, and both say so."""
    choice = choose(situation(skeleton, "validation", 2, said, theme=Theme.FAMILY))
    assert (choice.variant_id, choice.decided_by, choice.exhausted) == (expected, decided_by, True)
    assert choice.recorded


def test_a_pool_of_one_is_said_whatever_is_latched() -> None:
    """One candidate left after eligibility is the choice, without a fallback."""
    choice = choose(situation("B", "opener", 1, theme=Theme.FAMILY, escalation=Escalation.LATCHED))
    assert (choice.variant_id, choice.exhausted, choice.removed) == (0, False, ())


def test_the_variant_said_last_is_removed_by_name() -> None:
    """The last entry of the pool counts, however many turns ago it was."""
    choice = choose(situation("A", "opener", 2, [(0, 1)], turn=40))
    assert (choice.variant_id, choice.removed) == (1, ((0, Why.JUST_USED),))


def test_half_of_the_window_is_a_constraint() -> None:
    """A variant that this use would bring above half is removed while another is left."""
    said = [(0, 1), (0, 2), (0, 3), (1, 4)]
    choice = choose(situation("A", "opener", 3, said))
    assert choice.removed == ((1, Why.JUST_USED), (0, Why.OVER_HALF))
    assert choice.variant_id == 2


def test_half_holds_where_the_score_alone_would_not_keep_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a stale window every score is 0 and the least recently used wins, be it over half or not."""
    at = situation("B", "validation", 3, [(0, 1), (0, 2), (0, 3), (0, 4), (1, 5), (2, 6)], turn=30)
    assert choose(at).variant_id == 1
    only_repetition = {skeleton: rules[:1] for skeleton, rules in select.ROTATION.items()}
    monkeypatch.setattr(select, "ROTATION", only_repetition)
    assert choose(at).variant_id == 0, "without the constraint, 0 would hold five of eight"


def test_alternation_comes_before_half() -> None:
    """With two variants they alternate, even where an earlier stretch has filled the window with one."""
    said = [(1, 1), (1, 2), (1, 3), (1, 4), (0, 5)]
    choice = choose(situation("A", "opener", 2, said))
    assert (choice.variant_id, choice.exhausted) == (1, False)


def test_the_entry_about_to_leave_a_full_window_does_not_count_for_half() -> None:
    """Half is judged on the window as it will be."""
    said = [(0, 1), (1, 2), (0, 3), (2, 4), (0, 5), (1, 6)]
    assert (0, Why.OVER_HALF) not in choose(situation("A", "opener", 3, said)).removed


def test_c_stays_until_one_variant_fills_the_window() -> None:
    """Two of three entries are not enough to move; three are, and then it stays again."""
    stays = choose(situation("C", "validation", 2, [(0, 1), (0, 2)]))
    moves = choose(situation("C", "validation", 2, [(0, 1), (0, 2), (0, 3)]))
    stays_again = choose(situation("C", "validation", 2, [(0, 2), (0, 3), (1, 4)]))
    assert [stays.variant_id, moves.variant_id, stays_again.variant_id] == [0, 1, 1]
    assert stays.removed == ((1, Why.STAYS_WITH_LAST),)
    assert moves.removed == ((0, Why.WINDOW_FILLED),)


def test_c_leaves_a_variant_that_is_no_longer_legal_and_does_not_come_back() -> None:
    """When escalation latches, a lighter one is left; when it unlatches, C stays where it went."""
    pool: list[tuple[Mark, ...]] = [(LIGHTER,), ()]
    left = choose(situation("C", "validation", pool, [(0, 1)], escalation=Escalation.LATCHED))
    back = choose(situation("C", "validation", pool, [(0, 1), (1, 2)]))
    assert [left.variant_id, back.variant_id] == [1, 1]


def test_the_recency_penalty_never_becomes_a_bonus() -> None:
    """An entry further away than the window is long costs nothing, and gains nothing."""
    at = situation("A", "opener", 2, [(0, 1), (1, 2)], turn=22)
    assert [score(0, at), score(1, at)] == [0, 0]


def test_the_score_counts_each_use_by_its_distance() -> None:
    """window_size - distance, summed over the uses in the window."""
    at = situation("B", "validation", 3, [(0, 1), (1, 2), (0, 3), (1, 4)], turn=5)
    assert [score(v, at) for v in (0, 1, 2)] == [-((8 - 4) + (8 - 2)), -((8 - 3) + (8 - 1)), 0]
    assert choose(at).scores == ((0, -10), (2, 0))


@pytest.mark.parametrize(
    ("said", "turn", "expected", "decided_by"),
    [
        ([], 1, 0, DecidedBy.LOWEST_INDEX),
        ([(0, 1)], 2, 1, DecidedBy.LOWEST_INDEX),
        ([(0, 1), (1, 2)], 3, 2, DecidedBy.SCORE),
        ([(1, 1), (0, 2), (2, 3)], 30, 1, DecidedBy.LEAST_RECENTLY_USED),
    ],
)
def test_ties_are_broken_in_the_order_of_the_table(
    said: list[tuple[int, int]], turn: int, expected: int, decided_by: DecidedBy
) -> None:
    """Least recently used, then lowest use, then lowest index."""
    choice = choose(situation("B", "opener", 3, said, turn))
    assert (choice.variant_id, choice.decided_by) == (expected, decided_by)


def test_an_empty_pool_is_a_typed_error() -> None:
    """Selection on nothing raises with the reason a fallback is made of."""
    with pytest.raises(VoiceError) as caught:
        choose(situation("B", "opener", 0))
    assert caught.value.reason == "selection_exhausted"


def test_every_variant_is_accounted_for() -> None:
    """Each variant is either scored or removed, and removed ones have one reason."""
    choice = choose(
        situation(
            "B",
            "validation",
            [(FAMILY,), (FAMILY, LIGHTER), (), (FAMILY,)],
            [(0, 1)],
            escalation=Escalation.LATCHED,
            theme=Theme.FAMILY,
        )
    )
    assert sorted([v for v, _ in choice.removed] + [v for v, _ in choice.scores]) == [0, 1, 2, 3]
    assert dict(choice.removed) == {1: Why.LIGHTER, 2: Why.NOT_FAMILY_OK, 0: Why.JUST_USED}
