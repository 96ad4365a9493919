"""Promises of the drift report: four signals at their thresholds, per table, and what people may do about them."""

from __future__ import annotations

import pytest

from recollect.core.voice.drift import (
    Signal,
    SignalKind,
    SpokenTurn,
    density_micro,
    expansion,
    measure,
    read_decision,
    sentences,
    signature,
)
from recollect.core.voice.state import Language, Skeleton
from recollect.core.voice.turn import VoiceTurn
from recollect.engine.voice import Voice, load_contract
from recollect.errors import VoiceError


def spoken(*texts: str, skeleton: str = "B", language: str = "en") -> list[SpokenTurn]:
    return [SpokenTurn(skeleton=Skeleton(skeleton), language=Language(language), text=text) for text in texts]


def signal(kind: str, turns: list[SpokenTurn]) -> Signal:
    (found,) = [s for s in measure(turns) if s.kind == kind]
    return found


@pytest.mark.parametrize(("same", "other", "warns"), [(13, 7, False), (14, 6, True), (26, 14, False), (1, 0, True)])
def test_opener_concentration_warns_above_65_percent(same: int, other: int, warns: bool) -> None:
    """Exactly 65 percent is still fine."""
    turns = spoken(*["I hear you. Yes."] * same, *[f"Opener {n}. Yes." for n in range(other)])
    assert signal("opener_concentration", turns).warns is warns


def test_validation_diversity_warns_at_one_second_sentence() -> None:
    """One distinct second sentence warns, two do not."""
    assert signal("validation_diversity", spoken("A. Same. C.", "B. Same. C.")).warns
    assert not signal("validation_diversity", spoken("A. Same. C.", "B. Other. C.")).warns


def test_structure_repetition_warns_above_70_percent() -> None:
    """Seven of ten alike is still fine, eight are not."""
    long = "This sentence has quite a few more words."
    assert not signal("structure_repetition", spoken(*(["A. B."] * 7 + [f"{long} B."] * 3))).warns
    assert signal("structure_repetition", spoken(*(["A. B."] * 8 + [f"{long} B."] * 2))).warns


def test_flattening_needs_six_turns_and_a_drop_below_60_percent() -> None:
    """The mean of the last three against the mean of the first three."""
    dense, flat = "heavy tired here now ok.", "one two three four five."
    assert not signal("emotional_flattening", spoken(dense, dense, flat, flat, flat)).warns
    assert signal("emotional_flattening", spoken(dense, dense, dense, flat, flat, flat)).warns
    assert not signal("emotional_flattening", spoken(*[dense] * 6)).warns


@pytest.mark.parametrize(("last", "warns"), [("heavy heavy heavy a b.", False), ("heavy heavy a b c.", True)])
def test_flattening_at_its_threshold(last: str, warns: bool) -> None:
    """Exactly 60 percent of the first mean does not warn."""
    first = "heavy heavy heavy heavy heavy."
    assert signal("emotional_flattening", spoken(*[first] * 3, *[last] * 3)).warns is warns


def test_only_the_last_fifty_turns_of_each_table_count() -> None:
    """Older turns fall out, and tables do not mix."""
    old = spoken(*["Old. Same."] * 100)
    new = spoken(*[f"New {n}. Two {n}." for n in range(50)])
    hindi = spoken("अलग। बात।", language="hi", skeleton="A")
    found = {(s.kind, s.skeleton, s.language): s for s in measure([*old, *hindi, *new])}
    concentration = found[SignalKind.OPENER_CONCENTRATION, Skeleton.B, Language.EN]
    assert (concentration.turns, concentration.warns) == (50, False)
    assert found[SignalKind.OPENER_CONCENTRATION, Skeleton.A, Language.HI].turns == 1


def test_tables_are_reported_in_a_fixed_order() -> None:
    """By skeleton, then language, then signal, whatever order they were spoken in."""
    turns = [*spoken("A.", skeleton="D"), *spoken("A.", skeleton="A", language="hi"), *spoken("A.", skeleton="A")]
    places = [f"{s.skeleton}/{s.language}" for s in measure(turns)]
    assert places == ["A/en"] * 4 + ["A/hi"] * 4 + ["D/en"] * 4


def test_sentences_end_with_a_danda_too() -> None:
    """Hindi is cut where Hindi sentences end."""
    assert sentences("मैं यहीं हूँ। चुपचाप।") == ("मैं यहीं हूँ।", "चुपचाप।")
    assert sentences("I am here, quietly. Yes! No") == ("I am here, quietly.", "Yes!", "No")
    assert signature("One two three four five six. One two three four five six seven.") == "short|long"


def test_density_counts_words_and_phrases() -> None:
    """Emotion words by token, relational phrases once each, over the number of words."""
    assert density_micro("Heavy, heavy: I am here with you.", Language.EN) == 4 * 1_000_000 // 7
    assert density_micro("यह बहुत भारी है।", Language.HI) == 250_000
    assert density_micro("", Language.EN) == 0


def test_warning_lines_have_one_form() -> None:
    """What greps look for."""
    lines = [s.line for s in measure(spoken(*["I hear you. Same. C."] * 10, skeleton="A")) if s.warns]
    assert lines == [
        "VOICE_DRIFT_WARNING opener_concentration A/en 1.00 top='I hear you.'",
        "VOICE_DRIFT_WARNING validation_diversity A/en unique=1",
        "VOICE_DRIFT_WARNING structure_repetition A/en 10/10 sig='short|short|short'",
    ]


def test_expansion_needs_two_consecutive_runs_ending_now() -> None:
    """One run is no evidence, a signal that has gone is none either, and C and D are never eligible."""
    same, varied = measure(spoken("A. B.", "A. B.")), measure(spoken("A. B.", "C d e f g h i j. K."))
    assert expansion((same,)) == ()
    assert expansion((same, varied)) == () and expansion((varied, same)) == ()
    rows = expansion((varied, same, same))
    assert {row.kind for row in rows} == {
        SignalKind.OPENER_CONCENTRATION,
        SignalKind.VALIDATION_DIVERSITY,
        SignalKind.STRUCTURE_REPETITION,
    }
    assert all(row.eligible for row in rows)
    for skeleton in ("C", "D"):
        still = measure(spoken("A. B.", "A. B.", skeleton=skeleton))
        assert expansion((still, still)) and not any(row.eligible for row in expansion((still, still)))


def test_no_turns_make_an_empty_report() -> None:
    """Nothing said, nothing measured."""
    assert measure([]) == () and expansion(((), ())) == ()


def test_kept_decisions_are_read_back() -> None:
    """What Voice hands out is what drift reads; non-emotional turns are passed over."""
    voice = Voice(load_contract())
    decision = voice.turn(VoiceTurn(intent="emotional", skeleton="B", language="hi"))
    assert read_decision(decision.to_dict()) == SpokenTurn(
        skeleton=Skeleton.B, language=Language.HI, text=decision.text
    )
    assert read_decision(voice.turn(VoiceTurn(intent="non_emotional")).to_dict()) is None


@pytest.mark.parametrize(
    "raw", [None, [], "x", {"skeleton": "Z"}, {"skeleton": "A", "language": "en"}, {"skeleton": ["A"], "text": ""}]
)
def test_what_is_no_decision_is_a_typed_error(raw: object) -> None:
    """A log line of something else is named, not skipped."""
    with pytest.raises(VoiceError) as caught:
        read_decision(raw)
    assert caught.value.reason == "decision_malformed"


def test_the_shipped_contract_in_b_english_does_not_trip_concentration_or_diversity() -> None:
    """Correct rotation keeps the signals rotation is responsible for quiet."""
    voice = Voice(load_contract())
    turns = [read_decision(voice.turn(VoiceTurn(intent="emotional", skeleton="B")).to_dict()) for _ in range(60)]
    warned = {s.kind for s in measure([turn for turn in turns if turn is not None]) if s.warns}
    assert not warned & {SignalKind.OPENER_CONCENTRATION, SignalKind.VALIDATION_DIVERSITY}
