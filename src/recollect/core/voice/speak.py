"""One turn of the voice, from what the caller knows to what is said.

The steps, each once and in this order: read the turn, find the table, reset and increment, clear damaged pools,
choose each section, put the reply together, record. Whatever goes wrong on the way becomes a fallback with a level
and a reason. State is a value, so a turn that ends in the absolute fallback has simply not made a new one.

Never: reads a user's words, raises in the middle of a conversation, or says a sentence the contract does not hold.
Spec: B6.2 sections 6 and 7; rulings 31, 33, 37, 38 and 41; upstream facts 1.10 and 1.11.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from recollect.core.voice.contract import TABLE_KEYS, VoiceContract
from recollect.core.voice.fallback import Fallback, FallbackLevel, FallbackReason, absolute_text
from recollect.core.voice.resets import Move, advance
from recollect.core.voice.select import Choice, Situation, choose
from recollect.core.voice.state import (
    Escalation,
    Language,
    PoolKey,
    SessionVoiceState,
    Skeleton,
    Theme,
    VariantUsage,
)
from recollect.core.voice.turn import Intent, VoiceDecision, VoiceTurn, plain
from recollect.errors import VoiceError


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """A turn in closed words, None where a word is not one of ours, and a note for each of those."""

    intent: Intent | None
    skeleton: Skeleton | None
    language: Language | None
    theme: Theme | None
    escalation: Escalation | None
    topic_shift: bool
    notes: tuple[Fallback, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """The table a turn is spoken from, and the note where it is not the one asked for."""

    contract: VoiceContract
    skeleton: Skeleton
    language: Language
    notes: tuple[Fallback, ...] = ()

    @property
    def keys(self) -> tuple[PoolKey, ...]:
        return TABLE_KEYS[self.skeleton, self.language]


def speak(
    contract: VoiceContract | VoiceError, state: SessionVoiceState, turn: VoiceTurn, damage: tuple[str, ...] = ()
) -> VoiceDecision:
    """Decide one turn. `damage` names what had to be left out when the state was read."""
    reading = _read(turn, damage)
    if reading.intent is Intent.NON_EMOTIONAL:
        return _silent(contract, state, turn, reading)
    table = _find_table(contract, turn, reading)
    if isinstance(table, Fallback):
        return _absolute(contract, state, turn, reading, table)
    move = Move(
        emotional=True,
        skeleton=table.skeleton,
        language=table.language,
        theme=reading.theme,
        escalation=reading.escalation,
        topic_shift=reading.topic_shift,
    )
    moved, fired = advance(state, move)
    ready, mended = _without_damaged_pools(moved, table)
    choices = tuple(choose(_situation(ready, table, key)) for key in table.keys)
    try:
        text = assemble(table.contract, table.keys, choices)
    except VoiceError as error:
        note = _note(FallbackReason.ASSEMBLY_FAILURE, error.message, FallbackLevel.ABSOLUTE)
        return _absolute(contract, state, turn, reading, note)
    return VoiceDecision(
        turn=turn,
        text=text,
        contract=_title(contract),
        skeleton=table.skeleton,
        language=table.language,
        resets=fired,
        choices=choices,
        fallbacks=(*reading.notes, *table.notes, *mended, *_exhaustions(choices)),
        before=state,
        after=ready.recording(_usages(ready, table, choices)),
    )


def assemble(contract: VoiceContract, keys: tuple[PoolKey, ...], choices: tuple[Choice, ...]) -> str:
    """The chosen texts in their fixed order, joined by single spaces and otherwise untouched."""
    said: list[str] = []
    for key, choice in zip(keys, choices, strict=True):
        text = contract.pool(key)[choice.variant_id].text
        if not isinstance(text, str) or not text.strip():
            raise VoiceError(f"Variant {choice.variant_id} of {key} has no text.", reason="assembly_failure")
        said.append(text)
    return " ".join(said)


def _silent(
    contract: VoiceContract | VoiceError, state: SessionVoiceState, turn: VoiceTurn, reading: _Reading
) -> VoiceDecision:
    after, fired = advance(state, Move(emotional=False, topic_shift=reading.topic_shift))
    return VoiceDecision(
        turn=turn,
        text="",
        contract=_title(contract),
        skeleton=None,
        language=None,
        resets=fired,
        choices=(),
        fallbacks=reading.notes,
        before=state,
        after=after,
    )


def _absolute(
    contract: VoiceContract | VoiceError,
    state: SessionVoiceState,
    turn: VoiceTurn,
    reading: _Reading,
    note: Fallback,
) -> VoiceDecision:
    return VoiceDecision(
        turn=turn,
        text=absolute_text(reading.skeleton, state.last_skeleton),
        contract=_title(contract),
        skeleton=reading.skeleton,
        language=Language.EN,
        resets=(),
        choices=(),
        fallbacks=(*reading.notes, note),
        before=state,
        after=state,
    )


def _read(turn: VoiceTurn, damage: tuple[str, ...]) -> _Reading:
    theme, escalation = _word(Theme, turn.theme), _word(Escalation, turn.escalation)
    notes: list[Fallback] = []
    if damage:
        sentence = f"The state was damaged and partly cleared: {damage[0]}."
        notes.append(_note(FallbackReason.ROTATION_MEMORY_RESET, sentence))
    if turn.theme is not None and theme is None:
        notes.append(_note(FallbackReason.UNKNOWN_THEME, f"{_shown(turn.theme)} is no theme; the latch stands."))
    if turn.escalation is not None and escalation is None:
        sentence = f"{_shown(turn.escalation)} is no escalation; it stays as it was."
        notes.append(_note(FallbackReason.UNKNOWN_ESCALATION, sentence))
    if not isinstance(turn.topic_shift, bool):
        sentence = f"{_shown(turn.topic_shift)} is neither true nor false; read as no shift."
        notes.append(_note(FallbackReason.UNKNOWN_TOPIC_SHIFT, sentence))
    return _Reading(
        intent=_word(Intent, turn.intent),
        skeleton=_word(Skeleton, turn.skeleton),
        language=_word(Language, turn.language),
        theme=theme,
        escalation=escalation,
        topic_shift=turn.topic_shift is True,
        notes=tuple(notes),
    )


def _find_table(contract: VoiceContract | VoiceError, turn: VoiceTurn, reading: _Reading) -> _Table | Fallback:
    absolute, english = FallbackLevel.ABSOLUTE, FallbackLevel.ENGLISH
    skeleton, language = reading.skeleton, reading.language
    if reading.intent is None:
        return _note(FallbackReason.UNKNOWN_INTENT, f"{_shown(turn.intent)} is no intent.", absolute)
    if isinstance(contract, VoiceError):
        return _note(FallbackReason.CONTRACT_LOAD_FAILURE, contract.message, absolute)
    if skeleton is None:
        return _note(FallbackReason.UNKNOWN_SKELETON, f"{_shown(turn.skeleton)} is no skeleton.", absolute)
    if language is not None and contract.speaks(skeleton, language):
        return _Table(contract=contract, skeleton=skeleton, language=language)
    if not contract.speaks(skeleton, Language.EN):
        sentence = f"The contract has an empty pool in {skeleton}, in English as well."
        return _note(FallbackReason.SELECTION_EXHAUSTED, sentence, absolute)
    if language is None:
        note = _note(FallbackReason.UNKNOWN_LANGUAGE, f"{_shown(turn.language)} is no language of ours.", english)
    else:
        sentence = f"The contract has an empty pool in {skeleton}/{language}."
        note = _note(FallbackReason.SELECTION_EXHAUSTED, sentence, english)
    return _Table(contract=contract, skeleton=skeleton, language=Language.EN, notes=(note,))


def _without_damaged_pools(state: SessionVoiceState, table: _Table) -> tuple[SessionVoiceState, tuple[Fallback, ...]]:
    memory = state.rotation_memory
    damaged = tuple(
        key
        for key in table.keys
        if any(not 0 <= usage.variant_id < len(table.contract.pool(key)) for usage in memory.window(key))
    )
    if not damaged:
        return state, ()
    sentence = f"{damaged[0]} remembered a variant the contract does not have; the pool was cleared."
    return state.clearing(damaged), (_note(FallbackReason.ROTATION_MEMORY_RESET, sentence),)


def _situation(state: SessionVoiceState, table: _Table, key: PoolKey) -> Situation:
    return Situation(
        key=key,
        variants=table.contract.pool(key),
        window=state.rotation_memory.window(key),
        turn_index=state.emotional_turn_index,
        escalation=state.escalation_state,
        theme=state.latched_theme,
    )


def _usages(state: SessionVoiceState, table: _Table, choices: tuple[Choice, ...]) -> list[tuple[PoolKey, VariantUsage]]:
    return [
        (key, VariantUsage(variant_id=choice.variant_id, turn_index=state.emotional_turn_index))
        for key, choice in zip(table.keys, choices, strict=True)
        if choice.recorded
    ]


def _exhaustions(choices: tuple[Choice, ...]) -> tuple[Fallback, ...]:
    return tuple(
        _note(FallbackReason.SELECTION_EXHAUSTED, f"No {choice.section} was left; {choice.decided_by} was used.")
        for choice in choices
        if choice.exhausted
    )


def _note(reason: FallbackReason, sentence: str, level: FallbackLevel = FallbackLevel.SKELETON_LOCAL) -> Fallback:
    return Fallback(level=level, reason=reason, sentence=sentence)


_Closed = TypeVar("_Closed", bound=StrEnum)


def _word(words: type[_Closed], value: object) -> _Closed | None:
    try:
        return words(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _shown(value: object) -> str:
    return repr(plain(value))


def _title(contract: VoiceContract | VoiceError) -> str:
    return "" if isinstance(contract, VoiceError) else f"{contract.name} {contract.version}"
