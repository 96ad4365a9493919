"""Whether the voice has begun to sound the same, seen from decisions kept by a caller.

Four signals over the last 50 emotional turns of each skeleton and language. A signal is advice to people: when it
holds in two consecutive runs, a person may consider a new variant where the growth limits leave room. Sums are
whole numbers and shares are compared by multiplying out, so a report is the same on every machine.

Never: is imported by anything that chooses; an import contract and a test hold that. Never changes a window, a
score or a contract.
Spec: B5.2 section 8; ruling 39; upstream facts 1.4 and 1.5.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from recollect.core.voice.state import Language, Skeleton
from recollect.core.voice.wording import words
from recollect.errors import VoiceError

RUN_TURNS = 50
CONSECUTIVE_RUNS = 2
# Facts 1.5: shares in percent, the number of turns at either end of the flattening trend, words of a short sentence.
OPENER_PERCENT = 65
STRUCTURE_PERCENT = 70
FLATTENING_PERCENT = 60
FLATTENING_EDGE = 3
DIVERSITY_MOST = 1
SHORT_WORDS = 6
MICRO = 1_000_000


class SignalKind(StrEnum):
    """What may have drifted."""

    OPENER_CONCENTRATION = "opener_concentration"
    VALIDATION_DIVERSITY = "validation_diversity"
    EMOTIONAL_FLATTENING = "emotional_flattening"
    STRUCTURE_REPETITION = "structure_repetition"


# English as quoted in facts 1.5; the other two are our rendering, so that the signal can hold there at all.
EMOTION_WORDS: Mapping[Language, tuple[str, ...]] = {
    Language.EN: (
        "heavy",
        "tired",
        "overwhelmed",
        "drained",
        "exhausting",
        "pressure",
        "burden",
        "anxious",
        "panic",
        "lonely",
    ),
    Language.HINGLISH: ("bhaari", "thak", "thakan", "dabaav", "bojh", "ghabrahat", "bechain", "akela", "akelapan"),
    Language.HI: ("भारी", "थक", "थकान", "दबाव", "बोझ", "घबराहट", "बेचैन", "अकेला", "अकेलापन"),
}
RELATIONAL: Mapping[Language, tuple[str, ...]] = {
    Language.EN: ("carry", "hold", "with you", "here", "stay", "together"),
    Language.HINGLISH: ("saath", "yahin", "yahan", "sambhalna"),
    Language.HI: ("साथ", "यहीं", "यहाँ", "सँभालना"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenTurn:
    """What drift looks at in a kept decision."""

    skeleton: Skeleton
    language: Language
    text: str


def read_decision(raw: object) -> SpokenTurn | None:
    """The part of a kept decision that drift looks at; None for a turn in which nothing emotional was said."""
    if not isinstance(raw, Mapping):
        raise VoiceError("A kept decision is a table.", reason="decision_malformed")
    skeleton, language, text = raw.get("skeleton"), raw.get("language"), raw.get("text")
    if skeleton is None:
        return None
    if skeleton not in tuple(Skeleton) or language not in tuple(Language) or not isinstance(text, str):
        raise VoiceError("A kept decision has a skeleton, a language and a text.", reason="decision_malformed")
    return SpokenTurn(skeleton=Skeleton(skeleton), language=Language(language), text=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One measurement: the figure, the threshold it is held against, and whether it warns."""

    kind: SignalKind
    skeleton: Skeleton
    language: Language
    turns: int
    warns: bool
    measured: str
    threshold: str

    @property
    def line(self) -> str:
        """The warning as one line of text, for logs and greps."""
        return f"VOICE_DRIFT_WARNING {self.kind} {self.skeleton}/{self.language} {self.measured}"

    def to_dict(self) -> dict[str, object]:
        """The signal as plain data."""
        return {
            "signal": self.kind.value,
            "skeleton": self.skeleton.value,
            "language": self.language.value,
            "turns": self.turns,
            "warns": self.warns,
            "measured": self.measured,
            "threshold": self.threshold,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """A signal that held in consecutive runs, and what people may do about it."""

    kind: SignalKind
    skeleton: Skeleton
    language: Language
    eligible: bool
    sentence: str

    def to_dict(self) -> dict[str, object]:
        """The row as plain data."""
        return {
            "signal": self.kind.value,
            "skeleton": self.skeleton.value,
            "language": self.language.value,
            "eligible": self.eligible,
            "sentence": self.sentence,
        }


# Facts 1.4, the expansion matrix in words.
EXPANSION: Mapping[Skeleton, tuple[bool, str]] = {
    Skeleton.A: (True, "people may add one variant per section, after review"),
    Skeleton.B: (True, "people may add two variants per section, after review"),
    Skeleton.C: (False, "C is not expanded by default; repetition is preferred there"),
    Skeleton.D: (False, "the actions of D are fixed for good"),
}


def measure(turns: Iterable[SpokenTurn]) -> tuple[Signal, ...]:
    """All signals of one run, for each skeleton and language that spoke, in that order."""
    kept: dict[tuple[Skeleton, Language], deque[str]] = {}
    for turn in turns:
        kept.setdefault((turn.skeleton, turn.language), deque(maxlen=RUN_TURNS)).append(turn.text)
    return tuple(
        measured(skeleton, language, tuple(kept[skeleton, language]))
        for skeleton in Skeleton
        for language in Language
        if (skeleton, language) in kept
        for measured in SIGNALS
    )


def expansion(runs: tuple[tuple[Signal, ...], ...]) -> tuple[Expansion, ...]:
    """What held in each of the last two runs; a report for people, read by no program."""
    if len(runs) < CONSECUTIVE_RUNS:
        return ()
    warned = [[(s.kind, s.skeleton, s.language) for s in run if s.warns] for run in runs[-CONSECUTIVE_RUNS:]]
    found: list[Expansion] = []
    for signal in runs[-1]:
        place = (signal.kind, signal.skeleton, signal.language)
        if all(place in run for run in warned):
            eligible, sentence = EXPANSION[signal.skeleton]
            found.append(
                Expansion(
                    kind=signal.kind,
                    skeleton=signal.skeleton,
                    language=signal.language,
                    eligible=eligible,
                    sentence=sentence,
                )
            )
    return tuple(found)


_SENTENCE_END = re.compile(r"(?<=[.!?।])\s+")


def sentences(text: str) -> tuple[str, ...]:
    """A text cut after each full stop, danda, exclamation or question mark that a space follows."""
    return tuple(part for part in _SENTENCE_END.split(text.strip()) if part)


def signature(text: str) -> str:
    """The shape of a text: short or long, per sentence."""
    return "|".join("short" if len(words(s)) <= SHORT_WORDS else "long" for s in sentences(text))


def density_micro(text: str, language: Language) -> int:
    """Emotion words and relational phrases per word, in millionths."""
    said = words(text)
    if not said:
        return 0
    emotional = sum(1 for word in said if word in EMOTION_WORDS[language])
    joined = f" {' '.join(said)} "
    relational = sum(1 for phrase in RELATIONAL[language] if f" {phrase} " in joined)
    return (emotional + relational) * MICRO // len(said)


def _opener_concentration(skeleton: Skeleton, language: Language, texts: tuple[str, ...]) -> Signal:
    openers = [found[0] if (found := sentences(text)) else "" for text in texts]
    top, count = Counter(openers).most_common(1)[0]
    return Signal(
        kind=SignalKind.OPENER_CONCENTRATION,
        skeleton=skeleton,
        language=language,
        turns=len(texts),
        warns=count * 100 > OPENER_PERCENT * len(texts),
        measured=f"{_share(count, len(texts))} top={top!r}",
        threshold=f"> 0.{OPENER_PERCENT}",
    )


def _validation_diversity(skeleton: Skeleton, language: Language, texts: tuple[str, ...]) -> Signal:
    seconds = Counter(found[1] if len(found := sentences(text)) > 1 else "" for text in texts)
    return Signal(
        kind=SignalKind.VALIDATION_DIVERSITY,
        skeleton=skeleton,
        language=language,
        turns=len(texts),
        warns=len(seconds) <= DIVERSITY_MOST,
        measured=f"unique={len(seconds)}",
        threshold=f"<= {DIVERSITY_MOST}",
    )


def _emotional_flattening(skeleton: Skeleton, language: Language, texts: tuple[str, ...]) -> Signal:
    densities = [density_micro(text, language) for text in texts]
    first, last = sum(densities[:FLATTENING_EDGE]), sum(densities[-FLATTENING_EDGE:])
    enough = len(texts) >= 2 * FLATTENING_EDGE
    shown = f"first={_thousandths(first)} last={_thousandths(last)}"
    return Signal(
        kind=SignalKind.EMOTIONAL_FLATTENING,
        skeleton=skeleton,
        language=language,
        turns=len(texts),
        warns=enough and last * 100 < FLATTENING_PERCENT * first,
        measured=shown if enough else f"needs {2 * FLATTENING_EDGE} turns",
        threshold=f"last < 0.{FLATTENING_PERCENT} x first",
    )


def _structure_repetition(skeleton: Skeleton, language: Language, texts: tuple[str, ...]) -> Signal:
    top, count = Counter(signature(text) for text in texts).most_common(1)[0]
    return Signal(
        kind=SignalKind.STRUCTURE_REPETITION,
        skeleton=skeleton,
        language=language,
        turns=len(texts),
        warns=count * 100 > STRUCTURE_PERCENT * len(texts),
        measured=f"{count}/{len(texts)} sig={top!r}",
        threshold=f"> 0.{STRUCTURE_PERCENT}",
    )


SIGNALS: tuple[Callable[[Skeleton, Language, tuple[str, ...]], Signal], ...] = (
    _opener_concentration,
    _validation_diversity,
    _emotional_flattening,
    _structure_repetition,
)


def _share(count: int, total: int) -> str:
    hundredths = count * 100 // total
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def _thousandths(sum_micro: int) -> str:
    mean = sum_micro // FLATTENING_EDGE // 1000
    return f"{mean // 1000}.{mean % 1000:03d}"
