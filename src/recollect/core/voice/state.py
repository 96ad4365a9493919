"""What one session remembers of how it spoke.

Everything that rotation remembers is in this file, and its fields are those of the specification: a test fails
when one is added. Every object is a value; recording or clearing makes a new one, so the state before a turn and
the state after it can be held side by side.

Never: holds text, scores, seeds, users, times or anything that outlives the session.
Spec: B6.2 sections 2 to 5, 8 and 9; B5.2 section 4; rulings 31 and 32.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import TypeGuard, TypeVar

from recollect.errors import VoiceError


class Skeleton(StrEnum):
    """The shape of a reply."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"


class Language(StrEnum):
    """The table a reply is taken from."""

    EN = "en"
    HINGLISH = "hinglish"
    HI = "hi"


class Section(StrEnum):
    """A part of a reply."""

    OPENER = "opener"
    VALIDATION = "validation"
    ACTION = "action"
    CLOSURE = "closure"


class Escalation(StrEnum):
    """How far a hard moment has built up."""

    NONE = "none"
    ESCALATING = "escalating"
    LATCHED = "latched"


class Theme(StrEnum):
    """A theme that, once latched, stays until a hard reset."""

    FAMILY = "family"
    RESIGNATION = "resignation"


# The largest whole number every JSON reader keeps exact.
LARGEST_COUNT = 2**53 - 1

_Word = TypeVar("_Word", Escalation, Theme, Skeleton)

# B5.2 section 4. Section 8 forbids changing these while running.
WINDOW_SIZES: Mapping[Skeleton, int] = {Skeleton.A: 6, Skeleton.B: 8, Skeleton.C: 3, Skeleton.D: 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolKey:
    """The name of one rotation pool; pools never influence each other."""

    skeleton: Skeleton
    language: Language
    section: Section

    def __str__(self) -> str:
        return f"{self.skeleton}|{self.language}|{self.section}"


ALL_POOLS: tuple[PoolKey, ...] = tuple(
    PoolKey(skeleton=skeleton, language=language, section=section)
    for skeleton in Skeleton
    for language in Language
    for section in Section
)
POOLS_BY_NAME: Mapping[str, PoolKey] = {str(key): key for key in ALL_POOLS}


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantUsage:
    """One variant, said in one emotional turn."""

    variant_id: int
    turn_index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantUsageWindow:
    """All a pool has said since it was last cleared; readers see the end of it."""

    window_size: int
    history: tuple[VariantUsage, ...] = ()

    def recent(self) -> tuple[VariantUsage, ...]:
        """The window: the last `window_size` entries. Older ones are kept, and not looked at."""
        return self.history[-self.window_size :]


@dataclass(frozen=True, slots=True, kw_only=True)
class RotationMemory:
    """The pools that have spoken. A pool that has not, or was cleared, is absent."""

    pools: Mapping[PoolKey, VariantUsageWindow] = field(default_factory=dict)

    def window(self, key: PoolKey) -> tuple[VariantUsage, ...]:
        """What the pool said last, oldest first."""
        pool = self.pools.get(key)
        return pool.recent() if pool is not None else ()

    def recorded(self, usages: Iterable[tuple[PoolKey, VariantUsage]]) -> RotationMemory:
        """This memory with one more use per pool named. The only place where history grows."""
        pools = dict(self.pools)
        for key, usage in usages:
            held = pools.get(key)
            size = WINDOW_SIZES[key.skeleton]
            history = (*held.history, usage) if held is not None else (usage,)
            pools[key] = VariantUsageWindow(window_size=size, history=history)
        return RotationMemory(pools=pools)

    def without(self, keys: Iterable[PoolKey]) -> RotationMemory:
        """This memory with the pools named cleared."""
        gone = tuple(keys)
        return RotationMemory(pools={key: pool for key, pool in self.pools.items() if key not in gone})

    def latest_language(self) -> Language | None:
        """The language spoken last; every emotional turn records, so the newest entry tells it."""
        newest, language = 0, None
        for key, pool in self.pools.items():
            if pool.history and pool.history[-1].turn_index > newest:
                newest, language = pool.history[-1].turn_index, key.language
        return language

    def to_dict(self) -> dict[str, object]:
        """Plain data, pools in the order skeleton, language, section."""
        return {"pools": {str(key): _window_dict(self.pools[key]) for key in ALL_POOLS if key in self.pools}}


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionVoiceState:
    """The only long-lived state of the voice: it belongs to one session and ends with it."""

    rotation_memory: RotationMemory = field(default_factory=RotationMemory)
    escalation_state: Escalation = Escalation.NONE
    latched_theme: Theme | None = None
    emotional_turn_index: int = 0
    last_skeleton: Skeleton | None = None

    def recording(self, usages: Iterable[tuple[PoolKey, VariantUsage]]) -> SessionVoiceState:
        """This state after the turn's variants were said."""
        return replace(self, rotation_memory=self.rotation_memory.recorded(usages))

    def clearing(self, keys: Iterable[PoolKey]) -> SessionVoiceState:
        """This state without what the pools named have said."""
        return replace(self, rotation_memory=self.rotation_memory.without(keys))

    def to_dict(self) -> dict[str, object]:
        """The whole state as plain data: nothing is hidden."""
        return {
            "rotation_memory": self.rotation_memory.to_dict(),
            "escalation_state": self.escalation_state.value,
            "latched_theme": self.latched_theme.value if self.latched_theme is not None else None,
            "emotional_turn_index": self.emotional_turn_index,
            "last_skeleton": self.last_skeleton.value if self.last_skeleton is not None else None,
        }

    @classmethod
    def from_dict(cls, raw: object) -> SessionVoiceState:
        """The state plain data describes; VoiceError where the data is not a whole, legal state."""
        state, faults = read_state(raw)
        if faults:
            raise VoiceError(f"The voice state is damaged: {faults[0]}.", reason="state_corrupt")
        return state


def _window_dict(pool: VariantUsageWindow) -> dict[str, object]:
    history = [{"variant_id": usage.variant_id, "turn_index": usage.turn_index} for usage in pool.history]
    return {"window_size": pool.window_size, "history": history}


def read_state(raw: object) -> tuple[SessionVoiceState, tuple[str, ...]]:
    """What is whole in plain data that claims to be a state, and what was damaged and therefore left out.

    Damage is contained: a bad entry costs its pool, a bad index costs all pools (every entry refers to it), and
    a latch that can be read is kept, because losing it could make the next sentence less safe.
    """
    faults: list[str] = []
    data = _table(raw, STATE_FIELDS, "state", faults)
    index = data.get("emotional_turn_index")
    memory = _table(data.get("rotation_memory"), ("pools",), "rotation_memory", faults)
    if not is_count(index):
        faults.append("emotional_turn_index is not a whole number from 0 up")
    turn_index = index if is_count(index) else 0
    state = SessionVoiceState(
        rotation_memory=_read_pools(memory.get("pools"), turn_index, faults),
        escalation_state=_word(Escalation, data.get("escalation_state"), "escalation_state", faults) or Escalation.NONE,
        latched_theme=_optional(Theme, data.get("latched_theme"), "latched_theme", faults),
        emotional_turn_index=turn_index,
        last_skeleton=_optional(Skeleton, data.get("last_skeleton"), "last_skeleton", faults),
    )
    return state, tuple(faults)


def is_count(value: object) -> TypeGuard[int]:
    """Whether this is a whole number from 0 up; True and False are not numbers here."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_COUNT


STATE_FIELDS: tuple[str, ...] = tuple(f.name for f in fields(SessionVoiceState))
_WINDOW_FIELDS: tuple[str, ...] = tuple(f.name for f in fields(VariantUsageWindow))
_USAGE_FIELDS: tuple[str, ...] = tuple(f.name for f in fields(VariantUsage))


def _table(raw: object, names: tuple[str, ...], where: str, faults: list[str]) -> Mapping[str, object]:
    if not isinstance(raw, Mapping):
        faults.append(f"{where} is not a table")
        return {}
    if not _has_exactly(raw, names):
        faults.append(f"{where} does not have exactly the fields {', '.join(names)}")
    return raw


def _has_exactly(raw: Mapping[str, object], names: tuple[str, ...]) -> bool:
    return len(raw) == len(names) and all(name in raw for name in names)


def _word(words: type[_Word], value: object, where: str, faults: list[str]) -> _Word | None:
    for word in words:
        if value == word.value:
            return word
    faults.append(f"{where} is not one of {', '.join(words)}")
    return None


def _optional(words: type[_Word], value: object, where: str, faults: list[str]) -> _Word | None:
    return None if value is None else _word(words, value, where, faults)


def _read_pools(raw: object, turn_index: int, faults: list[str]) -> RotationMemory:
    if not isinstance(raw, Mapping):
        faults.append("rotation_memory.pools is not a table")
        return RotationMemory()
    pools: dict[PoolKey, VariantUsageWindow] = {}
    spoken: dict[int, tuple[Skeleton, Language]] = {}
    for name, key in POOLS_BY_NAME.items():
        if name not in raw:
            continue
        pool, fault = _read_window(raw[name], key, turn_index)
        if pool is not None and any(spoken.get(use.turn_index, _tongue(key)) != _tongue(key) for use in pool.history):
            pool, fault = None, "shares a turn with another skeleton or language"
        if pool is None:
            faults.append(f"pool {name} {fault}")
            continue
        spoken.update((use.turn_index, _tongue(key)) for use in pool.history)
        pools[key] = pool
    unknown = sum(1 for name in raw if name not in POOLS_BY_NAME)
    if unknown:
        faults.append(f"{unknown} pool(s) have a name that no skeleton, language and section make")
    return RotationMemory(pools=pools)


def _tongue(key: PoolKey) -> tuple[Skeleton, Language]:
    return key.skeleton, key.language


def _read_window(raw: object, key: PoolKey, turn_index: int) -> tuple[VariantUsageWindow | None, str]:
    faults: list[str] = []
    data = _table(raw, _WINDOW_FIELDS, "window", faults)
    history = data.get("history")
    size = WINDOW_SIZES[key.skeleton]
    if faults or not isinstance(history, list | tuple):
        return None, f"does not have exactly the fields {', '.join(_WINDOW_FIELDS)}"
    if not is_count(data["window_size"]) or data["window_size"] != size:
        return None, f"has a window_size other than {size}"
    usages: list[VariantUsage] = []
    newest = 0
    for entry in history:
        usage = _read_usage(entry)
        if usage is None or not newest < usage.turn_index <= turn_index:
            return None, "has an entry with a missing, negative or impossible index"
        newest = usage.turn_index
        usages.append(usage)
    return VariantUsageWindow(window_size=size, history=tuple(usages)), ""


def _read_usage(entry: object) -> VariantUsage | None:
    if not isinstance(entry, Mapping) or not _has_exactly(entry, _USAGE_FIELDS):
        return None
    variant_id, turn_index = entry["variant_id"], entry["turn_index"]
    if not is_count(variant_id) or not is_count(turn_index):
        return None
    return VariantUsage(variant_id=variant_id, turn_index=turn_index)
