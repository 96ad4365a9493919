"""The laws of voice rotation, over random sessions and over every short one.

`Plain` below is a second, deliberately simple telling of the rulings: lists and ifs, and the last language kept in
a variable instead of derived. The voice has to agree with it on every turn.
"""

from __future__ import annotations

import copy
import itertools
import os
import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.core.voice.contract import TABLE_KEYS, Mark, Variant, VoiceContract
from recollect.core.voice.speak import speak
from recollect.core.voice.state import SessionVoiceState, Skeleton
from recollect.core.voice.turn import VoiceTurn
from recollect.engine.voice import Voice, load_contract

TURNS = 1_000_000 if os.environ.get("RECOLLECT_SOAK") == "1" else 100_000
SESSION_TURNS = 250
WINDOWS = {"A": 6, "B": 8, "C": 3, "D": 4}
ROTATING = [("A", "opener"), ("A", "validation"), ("B", "opener"), ("B", "validation"), ("D", "action")]

Marks = dict[tuple[str, str, str], list[set[str]]]


@dataclass
class Plain:
    """The rulings, told again: what each section says and what is remembered."""

    marks: Marks
    pools: dict[tuple[str, str, str], list[tuple[int, int]]] = field(default_factory=dict)
    index: int = 0
    last: str | None = None
    theme: str | None = None
    escalation: str = "none"
    language: str | None = None

    def forget(self) -> None:
        self.pools, self.index, self.last, self.theme = {}, 0, None, None
        self.escalation, self.language = "none", None

    def drop(self, place: int, name: str) -> None:
        self.pools = {key: said for key, said in self.pools.items() if key[place] != name}

    def turn(self, turn: VoiceTurn) -> dict[str, int]:
        if turn.intent == "non_emotional":
            self.forget()
            return {}
        skeleton, language = str(turn.skeleton), str(turn.language)
        if turn.topic_shift or (self.last == "C" and skeleton == "A"):
            self.forget()
        else:
            if (self.last, skeleton) in {("A", "B"), ("B", "C"), ("A", "C")}:
                self.drop(0, skeleton)
            if turn.theme is not None and turn.theme != self.theme:
                self.drop(0, skeleton)
            if self.language is not None and self.language != language:
                self.drop(1, language)
        self.index += 1
        self.last, self.language = skeleton, language
        self.theme = turn.theme if turn.theme is not None else self.theme
        self.escalation = turn.escalation if turn.escalation is not None else self.escalation
        middle = "action" if skeleton == "D" else "validation"
        said = {}
        for section in ("opener", middle):
            said[section] = self.pick(skeleton, language, section)
            self.pools.setdefault((skeleton, language, section), []).append((said[section], self.index))
        return {**said, "closure": 0}

    def legal(self, skeleton: str, language: str, section: str) -> list[int]:
        marks = self.marks[skeleton, language, section]
        ids = [i for i in range(len(marks)) if not (skeleton == "C" and "expansion" in marks[i])]
        if skeleton == "D" and section == "opener":
            ids = [0]
        if len(ids) == 1:
            return ids
        if self.escalation == "latched":
            ids = [i for i in ids if "lighter" not in marks[i]]
        if self.theme == "family":
            ids = [i for i in ids if "family_ok" in marks[i]]
        return ids

    def pick(self, skeleton: str, language: str, section: str) -> int:
        size = WINDOWS[skeleton]
        window = self.pools.get((skeleton, language, section), [])[-size:]
        ids = self.legal(skeleton, language, section)
        last = window[-1][0] if window else None
        if not ids:
            return last if skeleton == "C" and last is not None else 0
        if skeleton == "C":
            if last in ids and not (len(window) == 3 and {v for v, _ in window} == {last} and len(ids) > 1):
                return last
            ids = [i for i in ids if i != last] or ids
        else:
            ids = [i for i in ids if i != last] or ids
            staying = [v for v, _ in window][-(size - 1) :]
            ids = [i for i in ids if staying.count(i) + 1 <= size // 2] or ids

        def rank(i: int) -> tuple[int, int, int, int]:
            turns = [t for v, t in window if v == i]
            return sum(max(0, size - (self.index - t)) for t in turns), max(turns, default=0), len(turns), i

        return min(ids, key=rank)


def contract_of(marks: Marks) -> VoiceContract:
    pools = {}
    for keys in TABLE_KEYS.values():
        for key in keys:
            entries = marks.get((key.skeleton.value, key.language.value, key.section.value), [set()])
            pools[key] = tuple(
                Variant(text=f"{key} {i}.", marks=tuple(m for m in Mark if m.value in entry))
                for i, entry in enumerate(entries)
            )
    return VoiceContract(name="made", version="1.0.0", checksum="", pools=pools)


def random_marks(chance: random.Random, *, marked: bool) -> Marks:
    """Pools of all sizes; unmarked ones are legal in every situation, so nothing but rotation moves them."""
    sizes = {"opener": 3, "validation": 4, "action": 3}
    names = ["family_ok", "family_ok", "lighter", "expansion"]
    return {
        (skeleton, language, section): [
            {name for name in names if chance.random() < 0.35} if marked else {"family_ok"}
            for _ in range(chance.randint(1, sizes[section]))
        ]
        for skeleton in "ABCD"
        for language in ("en", "hinglish", "hi")
        for section in sizes
    }


def random_turn(chance: random.Random, previous: VoiceTurn | None) -> VoiceTurn:
    if chance.random() < 0.04:
        return VoiceTurn(intent="non_emotional", topic_shift=chance.random() < 0.3)
    stays = previous is not None and previous.skeleton is not None
    return VoiceTurn(
        intent="emotional",
        skeleton=previous.skeleton if stays and chance.random() < 0.6 else chance.choice("ABCD"),
        language=previous.language if stays and chance.random() < 0.9 else chance.choice(["en", "hinglish", "hi"]),
        escalation=chance.choice(["none", "escalating", "latched"]) if chance.random() < 0.1 else None,
        theme=chance.choice(["family", "resignation"]) if chance.random() < 0.05 else None,
        topic_shift=chance.random() < 0.01,
    )


def histories(state: SessionVoiceState) -> dict[tuple[str, str, str], list[int]]:
    return {
        (key.skeleton.value, key.language.value, key.section.value): [use.variant_id for use in pool.history]
        for key, pool in state.rotation_memory.pools.items()
    }


def windows_of(said: list[int], size: int) -> list[list[int]]:
    return [said[start : start + size] for start in range(len(said) - size + 1)]


def assert_turn_is_lawful(plain: Plain, turn: VoiceTurn, said: dict[str, int]) -> None:
    skeleton, language = str(turn.skeleton), str(turn.language)
    assert said["closure"] == 0
    assert skeleton != "D" or said["opener"] == 0
    for section, variant in said.items():
        if (skeleton, section) not in ROTATING:
            continue
        history = [v for v, _ in plain.pools[skeleton, language, section]]
        others = [v for v in plain.legal(skeleton, language, section) if v != variant]
        if len(history) > 1 and others and variant == history[-2]:
            pytest.fail(f"{skeleton} {section} repeated {variant} though {others} were legal")
        if history[-WINDOWS[skeleton] :].count(variant) * 2 > WINDOWS[skeleton]:
            assert others in ([], [history[-2]]), "above half of the window with a free alternative"


def assert_unmarked_pools_are_lawful(state: SessionVoiceState, marks: Marks) -> None:
    for (skeleton, language, section), said in histories(state).items():
        size = len(marks[skeleton, language, section])
        if (skeleton, section) in ROTATING and size > 1:
            assert all(a != b for a, b in itertools.pairwise(said))
            assert all(2 * w.count(v) <= len(w) for w in windows_of(said, WINDOWS[skeleton])[-3:] for v in w)
        if (skeleton, section) in ROTATING and size == 2:
            assert said == [i % 2 for i in range(len(said))]
        if skeleton == "C" and size > 1:
            assert said == [(i // 3) % 2 for i in range(len(said))]


def test_a_hundred_thousand_random_turns_keep_every_law() -> None:
    """Same state, same choice; rotation, halves, stillness, closures and resets hold in random sessions."""
    chance = random.Random(20)
    for session in range(TURNS // SESSION_TURNS):
        marked = session % 2 == 0
        marks = random_marks(chance, marked=marked)
        contract, plain, state = contract_of(marks), Plain(marks), SessionVoiceState()
        turn = None
        for _ in range(SESSION_TURNS):
            turn = random_turn(chance, turn)
            decision = speak(contract, state, turn)
            said = plain.turn(turn)
            assert {section.value: v for section, v in decision.variants.items()} == said
            assert decision.before is state
            state = decision.after
            if said:
                assert_turn_is_lawful(plain, turn, said)
            else:
                assert state == SessionVoiceState()
        assert state.emotional_turn_index == plain.index
        assert histories(state) == {key: [v for v, _ in said] for key, said in plain.pools.items()}
        if not marked:
            assert_unmarked_pools_are_lawful(state, marks)


@settings(deadline=None)
@given(st.lists(st.sampled_from("ABCD"), max_size=40), st.sampled_from(["en", "hinglish", "hi"]))
def test_the_same_state_gives_the_same_choice_after_a_round_trip_through_plain_data(
    skeletons: list[str], language: str
) -> None:
    """A state written out as a dict and read back speaks on exactly as the original does."""
    contract, state = load_contract(), SessionVoiceState()
    for skeleton in skeletons:
        turn = VoiceTurn(intent="emotional", skeleton=skeleton, language=language)
        kept = copy.deepcopy(state.to_dict())
        decision = speak(contract, state, turn)
        again = speak(contract, SessionVoiceState.from_dict(kept), turn)
        assert again.to_dict() == decision.to_dict()
        assert state.to_dict() == kept, "a turn changed the state it started from"
        state = decision.after


# Every reset of the matrix can happen in these: rises, C -> A, D in between, a theme, a language, a break.
ALPHABET = (
    VoiceTurn(intent="emotional", skeleton="A"),
    VoiceTurn(intent="emotional", skeleton="B"),
    VoiceTurn(intent="emotional", skeleton="C"),
    VoiceTurn(intent="emotional", skeleton="D"),
    VoiceTurn(intent="emotional", skeleton="B", language="hinglish", theme="family", escalation="latched"),
    VoiceTurn(intent="non_emotional"),
)


def test_every_sequence_of_up_to_six_turns_agrees_with_the_plain_telling() -> None:
    """All 55,986 sequences over a reduced alphabet: what is said, what is remembered, and the two latches."""
    contract = load_contract()
    marks: Marks = {
        (k.skeleton.value, k.language.value, k.section.value): [{m.value for m in v.marks} for v in pool]
        for k, pool in contract.pools.items()
    }
    visited = 0

    def walk(state: SessionVoiceState, plain: Plain, depth: int) -> None:
        nonlocal visited
        for turn in ALPHABET:
            visited += 1
            mine = Plain(
                marks,
                {key: list(said) for key, said in plain.pools.items()},
                plain.index,
                plain.last,
                plain.theme,
                plain.escalation,
                plain.language,
            )
            decision, said = speak(contract, state, turn), mine.turn(turn)
            after = decision.after
            assert {section.value: v for section, v in decision.variants.items()} == said
            assert (after.emotional_turn_index, after.last_skeleton) == (mine.index, mine.last)
            assert (after.latched_theme, after.escalation_state) == (mine.theme, mine.escalation)
            assert histories(after) == {key: [v for v, _ in uses] for key, uses in mine.pools.items()}
            if said:
                assert_turn_is_lawful(mine, turn, said)
            if depth > 1:
                walk(after, mine, depth - 1)

    walk(SessionVoiceState(), Plain(marks), 6)
    assert visited == sum(len(ALPHABET) ** n for n in range(1, 7))


@pytest.mark.parametrize("variants", [2, 3, 4])
@pytest.mark.parametrize("skeleton", ["A", "B", "D"])
def test_half_of_every_full_window_is_kept_when_skeletons_interleave(skeleton: str, variants: int) -> None:
    """No variant holds more than half of a full window however the skeleton's turns are spread out."""
    section = "action" if skeleton == "D" else "validation"
    marks = random_marks(random.Random(0), marked=False)
    marks[skeleton, "en", section] = [{"family_ok"} for _ in range(variants)]
    contract, chance = contract_of(marks), random.Random(variants)
    for others in ("D", "BD", "AD", "ABD"):
        state = SessionVoiceState()
        for _ in range(300):
            spoken = skeleton if chance.random() < 0.4 else chance.choice(others)
            state = speak(contract, state, VoiceTurn(intent="emotional", skeleton=spoken)).after
            said = histories(state).get((skeleton, "en", section), [])
            for window in windows_of(said, WINDOWS[skeleton])[-1:]:
                assert max(window.count(v) for v in window) * 2 <= len(window)
        assert len(said) > 4 or skeleton == "B", "the run never filled a window"


def test_half_is_restored_as_soon_as_an_alternative_comes_back() -> None:
    """After a stretch with one legal variant, that one is not used again until the window has room for it."""
    marks = random_marks(random.Random(1), marked=False)
    marks["B", "en", "validation"] = [set(), {"lighter"}, {"lighter"}]
    voice = Voice(contract_of(marks))
    said = []
    for number in range(20):
        escalation = "latched" if number < 8 else "none"
        decision = voice.turn(VoiceTurn(intent="emotional", skeleton="B", escalation=escalation))
        said.append(list(decision.variants.values())[1])
    assert said[:8] == [0] * 8
    assert 0 not in said[8:12], "with this use, variant 0 would still hold more than half"
    assert said[12] == 0


def test_stillness_moves_on_once_and_stays() -> None:
    """C says 0,0,0,1,1,1,0; a step to another variant and straight back cannot happen."""
    voice = Voice(load_contract())
    turns = [voice.turn(VoiceTurn(intent="emotional", skeleton="C")) for _ in range(13)]
    said = [list(decision.variants.values())[1] for decision in turns]
    assert said == [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0]


def test_two_sessions_never_see_each_other() -> None:
    """Interleaving two voices on one contract gives each exactly what it says alone."""
    contract = load_contract()
    script = [VoiceTurn(intent="emotional", skeleton=skeleton) for skeleton in "AABBBCCCCADD"]
    alone = Voice(contract)
    expected = [alone.turn(turn).to_dict() for turn in script]
    first, second = Voice(contract), Voice(contract)
    together = [(first.turn(turn).to_dict(), second.turn(turn).to_dict()) for turn in script]
    assert [a for a, _ in together] == expected
    assert [b for _, b in together] == expected


def test_an_absolute_fallback_leaves_the_state_untouched_anywhere_in_a_session() -> None:
    """Turns that end in the absolute fallback, strewn over a random session, change nothing that follows."""
    chance, marks = random.Random(3), random_marks(random.Random(3), marked=True)
    contract = contract_of(marks)
    hostile: list[Any] = ["", "Z", None, 7, "ａ", "A\x00", ["A"]]
    calm, shaken, turn = SessionVoiceState(), SessionVoiceState(), None
    for _ in range(2_000):
        turn = random_turn(chance, turn)
        calm = speak(contract, calm, turn).after
        broken = speak(contract, shaken, VoiceTurn(intent="emotional", skeleton=chance.choice(hostile)))
        assert broken.fallback is not None and broken.fallback.level == "absolute"
        assert broken.after is shaken and broken.text
        shaken = speak(contract, broken.after, turn).after
        assert shaken == calm


def test_skeletons_are_the_four_this_file_speaks_of() -> None:
    """The plain telling covers every skeleton there is."""
    assert set(WINDOWS) == set(Skeleton)
