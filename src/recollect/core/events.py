"""Everything that can happen to a memory: one closed union.

1. An event holds addresses, codes and numbers, never words: so the log can keep it for ever and erasing an item
   leaves nothing behind in it.
2. An event's wire name derives from its class name (`MemoryWrite` <-> `memory_write`), except that the contract
   gathers all `Written` of a call into one `memory_write`.
3. What changes state is listed in `state.evolve`; the other events only explain.

Never: carries text, a key, a name or a clock.
Spec: contract v1 "Trace events"; rulings 9, 10a, 12.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from recollect.core.canonical import coded, ordered
from recollect.core.values import Authority, BorderAction, EventType, ItemRef, Kind, Place, Source, Space, Status


class Written(NamedTuple):
    """An item was stored. `seal` is the salted commitment to its content, filled in by the store.

    `parents` is what it was made from: erasing follows it even when the item itself is gone. Older logs have None.
    """

    ref: ItemRef
    status: Status
    importance: int
    is_pinned: bool
    mentions: int = 1
    seal: str = ""
    parents: tuple[ItemRef, ...] | None = None


class Denied(NamedTuple):
    """An offered item was refused; its tick and number are spent."""

    ref: ItemRef
    event_type: str
    source: str
    authority: str
    reason: str


class Quarantined(NamedTuple):
    """An item is stored but not recalled until a person confirms it."""

    ref: ItemRef
    reason: str


class Masked(NamedTuple):
    """Secrets were cut out of an item before it was stored."""

    ref: ItemRef
    codes: tuple[str, ...]


class Conflict(NamedTuple):
    """Two claims about one key met; the rule says which stands."""

    winner: ItemRef
    loser: ItemRef
    rule: str
    kept_importance: int


class Merged(NamedTuple):
    """The same claim again: counted on the item that holds it."""

    ref: ItemRef
    into: ItemRef
    mentions: int
    turn: ItemRef | None = None
    more_turns: tuple[ItemRef, ...] = ()


class Forgot(NamedTuple):
    """Retention or the window let go of an item."""

    ref: ItemRef
    reason: str


class Deleted(NamedTuple):
    """An item and its text are gone."""

    ref: ItemRef
    reason: str
    replaced_by: ItemRef | None = None


class Erased(NamedTuple):
    """An item was taken out for good, with everything that could be read of it."""

    ref: ItemRef
    reason: str


class Archived(NamedTuple):
    """An item is kept for audit and as-of questions, never recalled."""

    ref: ItemRef
    reason: str
    replaced_by: ItemRef | None = None


class Restored(NamedTuple):
    """A forgotten item is back, with the status it had."""

    ref: ItemRef
    status: Status


class Pinned(NamedTuple):
    """An item was pinned or unpinned."""

    ref: ItemRef
    is_pinned: bool
    importance: int


class Marked(NamedTuple):
    """An item's importance was set by hand, or grew by use."""

    ref: ItemRef
    importance: int
    reason: str


class Counted(NamedTuple):
    """A record that counts moved on: a session by one message, the curator by one run."""

    ref: ItemRef
    total: int


class Used(NamedTuple):
    """A recalled item was reported as useful."""

    ref: ItemRef


class Reused(NamedTuple):
    """A recalled item helped in a session where it had not helped before: counted like a mention."""

    ref: ItemRef
    mentions: int


class BorderCheck(NamedTuple):
    """Somebody asked at the border of a space."""

    action: BorderAction
    from_space: Space
    to_space: Space | None
    is_allowed: bool
    reason: str
    subject: ItemRef | None = None


class Promoted(NamedTuple):
    """An item was copied to a wider space."""

    from_ref: ItemRef
    to_ref: ItemRef
    authority: str
    reason: str


class PromotionDenied(NamedTuple):
    """An item may not go to a wider space."""

    ref: ItemRef
    to_space: Space
    reason: str


class PhaseStarted(NamedTuple):
    """A new phase began in a place. Its name and reason are content and sealed like an item's text."""

    place: Place
    number: int
    tick: int
    seal: str = ""


Event: TypeAlias = (
    Written
    | Denied
    | Quarantined
    | Masked
    | Conflict
    | Merged
    | Forgot
    | Deleted
    | Erased
    | Archived
    | Restored
    | Pinned
    | Marked
    | Counted
    | Used
    | Reused
    | BorderCheck
    | Promoted
    | PromotionDenied
    | PhaseStarted
)

# The log's one-letter names. Letters are never reused: old logs must read for ever.
CODES: Mapping[type, str] = {
    Written: "w",
    Denied: "d",
    Quarantined: "q",
    Masked: "m",
    Conflict: "c",
    Merged: "g",
    Forgot: "f",
    Deleted: "x",
    Archived: "a",
    Erased: "e",
    Restored: "r",
    Pinned: "p",
    Marked: "k",
    Counted: "n",
    Used: "u",
    Reused: "U",
    BorderCheck: "b",
    Promoted: "P",
    PromotionDenied: "D",
    PhaseStarted: "s",
}
_CLASSES: Mapping[str, type] = {code: cls for cls, code in CODES.items()}
_KIND_CODE: Mapping[Kind, int] = {Kind.SHORT_TERM: 0, Kind.SEMANTIC: 1, Kind.PROFILE: 2}
KINDS: tuple[Kind, ...] = (Kind.SHORT_TERM, Kind.SEMANTIC, Kind.PROFILE)


def kind_code(kind: Kind) -> int:
    return _KIND_CODE[kind]


NumberOf: TypeAlias = Callable[[Place], int]


def encode(event: Event, number_of: NumberOf) -> str:
    """The opaque form, as the inside of a JSON list: addresses become numbers, so no owner's name enters the log."""
    quick = _QUICK.get(type(event))
    if quick is not None:
        return quick(event, number_of)
    fields = [_QUOTED_CODES[type(event)]]
    for value in event:
        fields.append(_WRITERS[type(value)](value, number_of))
    return ",".join(fields)


def _write_ref(ref: ItemRef, number_of: NumberOf) -> str:
    return f"[{number_of(ref.place)},{_KIND_CODE[ref.kind]},{ref.n}]"


def _write_tuple(values: tuple[Any, ...], number_of: NumberOf) -> str:
    if values and type(values[0]) is ItemRef:
        return f"[{','.join(_write_ref(ref, number_of) for ref in values)}]"
    return ordered(values)


def _write_word(value: StrEnum, number_of: NumberOf) -> str:
    return f'"{value._value_}"'


# How each type of value is written; one step each, because this runs for every field of every event.
_WRITERS: Mapping[type, Callable[[Any, NumberOf], str]] = {
    ItemRef: _write_ref,
    Place: lambda place, number_of: f"[{number_of(place)}]",
    int: lambda value, number_of: str(value),
    bool: lambda value, number_of: "true" if value else "false",
    type(None): lambda value, number_of: "null",
    str: lambda value, number_of: ordered(value),
    tuple: _write_tuple,
    **dict.fromkeys((Status, BorderAction, Space, EventType, Source, Authority), _write_word),
}


def encode_written(event: Written, number_of: NumberOf, seal: str) -> str:
    """The opaque form of a written item under this seal."""
    ref, status, importance, is_pinned, mentions, _, parents = event
    pinned = "true" if is_pinned else "false"
    made_from = "[]" if parents == () else "null" if parents is None else _write_tuple(parents, number_of)
    return (
        f'"w",[{number_of(ref.place)},{_KIND_CODE[ref.kind]},{ref.n}],"{status._value_}",'
        f'{importance},{pinned},{mentions},"{seal}",{made_from}'
    )


def _quick_border(event: BorderCheck, number_of: NumberOf) -> str:
    action, from_space, to_space, is_allowed, reason, subject = event
    to = f'"{to_space._value_}"' if to_space is not None else "null"
    about = _write_ref(subject, number_of) if subject is not None else "null"
    allowed = "true" if is_allowed else "false"
    return f'"b","{action._value_}","{from_space._value_}",{to},{allowed},{coded(reason)},{about}'


# A turn of a long talk is two of each of these, so they are written without a step for every field.
_QUICK: Mapping[type, Callable[[Any, NumberOf], str]] = {
    Written: lambda event, number_of: encode_written(event, number_of, event.seal),
    BorderCheck: _quick_border,
}
_QUOTED_CODES: Mapping[type, str] = {cls: f'"{code}"' for cls, code in CODES.items()}


def decode(raw: Sequence[object], place_of: Callable[[int], Place]) -> Event:
    """Read an opaque event back; `place_of` names places again, or calls them erased."""
    cls, count, readers = _READERS[str(raw[0])]
    values = list(raw[1:])
    if len(values) != count:
        if cls not in _GROWN or len(values) != count - 1:
            raise ValueError("an event of another shape")
        readers = readers[:-1]
    for at, read in readers:
        values[at] = read(values[at], place_of)
    event: Event = cls(*values)
    return event


def _read_ref(value: Any, place_of: Callable[[int], Place]) -> ItemRef | None:
    return None if value is None else ItemRef(place_of(value[0]), KINDS[value[1]], value[2])


def _read_place(value: Any, place_of: Callable[[int], Place]) -> Place:
    return place_of(value[0])


def _read_tuple(value: Any, place_of: Callable[[int], Place]) -> tuple[str, ...]:
    return tuple(value)


def _read_refs(value: Any, place_of: Callable[[int], Place]) -> tuple[ItemRef, ...] | None:
    return None if value is None else tuple(ItemRef(place_of(each[0]), KINDS[each[1]], each[2]) for each in value)


def _word_reader(words: type[StrEnum]) -> Callable[[Any, Callable[[int], Place]], object]:
    known = {word.value: word for word in words}
    return lambda value, place_of: None if value is None else known[value]


def _read_by(cls: Any) -> tuple[int, list[tuple[int, Callable[[Any, Callable[[int], Place]], object]]]]:
    names: tuple[str, ...] = cls._fields
    return len(names), [(at, _FIELD_READERS[name]) for at, name in enumerate(names) if name in _FIELD_READERS]


_FIELD_READERS: Mapping[str, Callable[[Any, Callable[[int], Place]], object]] = {
    **dict.fromkeys(
        ("ref", "winner", "loser", "into", "turn", "replaced_by", "subject", "from_ref", "to_ref"), _read_ref
    ),
    "place": _read_place,
    "codes": _read_tuple,
    "parents": _read_refs,
    "more_turns": _read_refs,
    "status": _word_reader(Status),
    "action": _word_reader(BorderAction),
    "from_space": _word_reader(Space),
    "to_space": _word_reader(Space),
}
# Events whose last field came later: a log from before it has one value less, and its default is meant.
_GROWN = frozenset({Written, Merged})
# How many fields each event has, and how those are read that are not read as they stand; worked out once.
_READERS = {code: (cls, *_read_by(cls)) for code, cls in _CLASSES.items()}
