"""Whether a voice contract may be used.

RULES is the list of what is looked at, in order; each rule yields problems that name the place, the law and what
would be right. An error makes the contract unusable. A gap (a table or pool with nothing in it) is an error to
`voice check`, yet a contract with gaps still loads, because the fallback to English is made for that. A warning is
for people.

Never: changes a contract, or takes part in a conversation.
Spec: upstream facts 1.2, 1.4, 1.12 and 1.13; rulings 40 and 41.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from recollect.core.voice import wording
from recollect.core.voice.contract import TABLE_KEYS, Mark, Variant, VoiceContract, version_of
from recollect.core.voice.state import Language, PoolKey, Section, Skeleton


class Severity(StrEnum):
    """What a problem means for the contract."""

    ERROR = "error"
    GAP = "gap"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong, where, and what would be right."""

    code: str
    where: str
    sentence: str
    severity: Severity = Severity.ERROR

    def to_dict(self) -> dict[str, object]:
        """The problem as every surface shows it."""
        return {
            "code": self.code,
            "where": self.where,
            "severity": self.severity.value,
            "sentence": self.sentence,
        }


Problems = Iterator[Problem]

# Facts 1.4: openers at most 3, validations at most 4, one closure. Actions are fixed for good at the two of 1.3.
POOL_LIMITS: Mapping[Section, int] = {
    Section.OPENER: 3,
    Section.VALIDATION: 4,
    Section.ACTION: 2,
    Section.CLOSURE: 1,
}
# Facts 1.4: how many variants a section may gain between two versions.
GROWTH_LIMITS: Mapping[Skeleton, int] = {Skeleton.A: 1, Skeleton.B: 2, Skeleton.C: 0, Skeleton.D: 0}

_SCRIPTS: Mapping[Language, str] = {Language.EN: "LATIN", Language.HINGLISH: "LATIN", Language.HI: "DEVANAGARI"}
_ENDINGS = (".", "!", "।")
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")
_ALL_SKELETONS = tuple(Skeleton)
_NO_ACTION = (Skeleton.A, Skeleton.B, Skeleton.C)
# code, the skeletons it binds, the words, and what the law says.
FORBIDDEN: tuple[tuple[str, tuple[Skeleton, ...], wording.Phrases, str], ...] = (
    ("advice_word", _NO_ACTION, wording.ADVICE, "only D may advise"),
    ("action_in_c", (Skeleton.C,), wording.ACTIONS, "C never suggests an action"),
    ("optimism_in_c", (Skeleton.C,), wording.OPTIMISM, "C is never brightened"),
    ("promise", _ALL_SKELETONS, wording.PROMISES, "nothing is promised"),
    ("question", _ALL_SKELETONS, wording.QUESTIONS, "nobody is asked why"),
)


def check_contract(contract: VoiceContract, previous: VoiceContract | None = None) -> tuple[Problem, ...]:
    """Everything that is wrong with a contract, by itself and as the successor of a previous one."""
    found = [problem for rule in RULES for problem in rule(contract)]
    if previous is not None:
        found.extend(problem for against in SUCCESSION for problem in against(contract, previous))
    return tuple(found)


def _pools_are_filled(contract: VoiceContract) -> Problems:
    for keys in TABLE_KEYS.values():
        for key in keys:
            if not contract.pool(key):
                yield Problem(
                    code="empty_pool",
                    where=_place(key),
                    sentence="There is nothing to say here; the voice would fall back to English.",
                    severity=Severity.GAP,
                )


def _pools_are_within_limits(contract: VoiceContract) -> Problems:
    for key, pool in contract.pools.items():
        limit = POOL_LIMITS[key.section]
        if len(pool) > limit:
            yield Problem(
                code="pool_too_large",
                where=_place(key),
                sentence=f"{len(pool)} variants; a {key.section} pool has at most {limit}.",
            )


def _sentences_are_clean(contract: VoiceContract) -> Problems:
    for where, key, variant in _variants(contract):
        text = variant.text
        if not text.strip():
            yield Problem(code="empty_text", where=where, sentence="A variant says something.")
            continue
        if text != " ".join(text.split()) or any(_is_invisible(c, key.language) for c in text):
            yield Problem(
                code="stray_characters",
                where=where,
                sentence="Single spaces only, none at the ends, and no control or invisible characters.",
            )
        if not text.endswith(_ENDINGS):
            yield Problem(
                code="unfinished",
                where=where,
                sentence=f"A variant ends with one of {' '.join(_ENDINGS)} and no other.",
            )
        if any(mark in text for mark in _QUESTION_MARKS):
            yield Problem(code="question", where=where, sentence="A question mark: the voice does not ask.")


def _languages_are_pure(contract: VoiceContract) -> Problems:
    for where, key, variant in _variants(contract):
        wanted = _SCRIPTS[key.language]
        scripts = [script for script in map(wording.script_of, variant.text) if script]
        foreign = [script for script in scripts if script not in (wanted, "COMBINING")]
        if foreign:
            yield Problem(
                code="mixed_script",
                where=where,
                sentence=f"A {foreign[0].lower()} letter in a text that is {wanted.lower()} only.",
            )
        elif wanted not in scripts:
            yield Problem(code="mixed_script", where=where, sentence=f"No {wanted.lower()} letter at all.")
        marker = wording.phrase_in(wording.words(variant.text), wording.HINGLISH_MARKERS)
        if key.language is Language.EN and marker is not None:
            yield Problem(code="mixed_language", where=where, sentence=f"{marker!r} is Hinglish in an English table.")
        if key.language is Language.HINGLISH and marker is None:
            yield Problem(code="mixed_language", where=where, sentence="No word that marks this sentence as Hinglish.")


def _words_are_allowed(contract: VoiceContract) -> Problems:
    for where, key, variant in _variants(contract):
        said = wording.words(variant.text)
        for code, skeletons, phrases, law in FORBIDDEN:
            phrase = wording.phrase_in(said, phrases[key.language]) if key.skeleton in skeletons else None
            if phrase is not None:
                yield Problem(code=code, where=where, sentence=f"{phrase!r} is not allowed in {key.skeleton}: {law}.")


def _variants_are_distinct(contract: VoiceContract) -> Problems:
    for key, pool in contract.pools.items():
        seen: dict[tuple[str, ...], int] = {}
        for index, variant in enumerate(pool):
            first = seen.setdefault(wording.words(variant.text), index)
            if first != index:
                yield Problem(
                    code="duplicate", where=f"{_place(key)}[{index}]", sentence=f"Says the same as [{first}]."
                )


def _someone_is_always_left(contract: VoiceContract) -> Problems:
    for key, pool in contract.pools.items():
        if key.section is Section.CLOSURE or len(pool) < 2:
            continue
        if key.skeleton is Skeleton.C and all(Mark.EXPANSION in variant.marks for variant in pool):
            yield Problem(
                code="never_eligible", where=_place(key), sentence="In C, variants marked expansion are never used."
            )
        if all(Mark.LIGHTER in variant.marks for variant in pool):
            yield _left_alone(key, "while escalation is latched, every variant here is too light")
        if not any(Mark.FAMILY_OK in variant.marks for variant in pool):
            yield _left_alone(key, "under the family theme, no variant here is marked family_ok")


def _checksum_is_right(contract: VoiceContract) -> Problems:
    computed = contract.computed_checksum()
    if contract.checksum != computed:
        yield Problem(
            code="checksum",
            where="contract.checksum",
            sentence=f'The content does not match its checksum. If the change is meant: checksum = "{computed}"',
        )


RULES: tuple[Callable[[VoiceContract], Problems], ...] = (
    _pools_are_filled,
    _pools_are_within_limits,
    _sentences_are_clean,
    _languages_are_pure,
    _words_are_allowed,
    _variants_are_distinct,
    _someone_is_always_left,
    _checksum_is_right,
)


def _version_moves_on(contract: VoiceContract, previous: VoiceContract) -> Problems:
    new, old = version_of(contract.version), version_of(previous.version)
    if new < old:
        yield Problem(
            code="version_back",
            where="contract.version",
            sentence=f"{contract.version} is older than {previous.version}.",
        )
    elif new == old and contract.content() != previous.content():
        yield Problem(
            code="version_same",
            where="contract.version",
            sentence=f"The content differs from {previous.version}; the version has to be higher.",
        )


def _growth_is_allowed(contract: VoiceContract, previous: VoiceContract) -> Problems:
    for key, pool in contract.pools.items():
        grown, limit = len(pool) - len(previous.pool(key)), GROWTH_LIMITS[key.skeleton]
        # Filling a gap is not growth: the table had nothing before.
        if previous.pool(key) and grown > limit:
            yield Problem(
                code="growth",
                where=_place(key),
                sentence=f"Grew by {grown}; {key.skeleton} may grow by {limit} from one version to the next.",
            )


def _actions_are_fixed(contract: VoiceContract, previous: VoiceContract) -> Problems:
    for key, pool in contract.pools.items():
        held = previous.pool(key)
        if key.section is Section.ACTION and held and [v.text for v in held] != [v.text for v in pool]:
            yield Problem(code="action_changed", where=_place(key), sentence="The actions of D are fixed for good.")


SUCCESSION: tuple[Callable[[VoiceContract, VoiceContract], Problems], ...] = (
    _version_moves_on,
    _growth_is_allowed,
    _actions_are_fixed,
)


def _variants(contract: VoiceContract) -> Iterator[tuple[str, PoolKey, Variant]]:
    for key, pool in contract.pools.items():
        for index, variant in enumerate(pool):
            yield f"{_place(key)}[{index}]", key, variant


def _place(key: PoolKey) -> str:
    return f"{key.skeleton}.{key.language}.{key.section}"


def _is_invisible(character: str, language: Language) -> bool:
    # The joiners are part of ordinary Devanagari spelling; every other format character hides something.
    if language is Language.HI and character in wording.JOINERS:
        return False
    return unicodedata.category(character)[0] == "C"


def _left_alone(key: PoolKey, sentence: str) -> Problem:
    return Problem(
        code="no_candidate",
        where=_place(key),
        sentence=f"{sentence[0].upper()}{sentence[1:]}; the first of the table would be used, as a fallback.",
        severity=Severity.WARNING,
    )
