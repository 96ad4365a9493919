"""The words everything else is written in: closed vocabularies, addresses and the turn.

Never: decides anything. A word that is missing here does not exist anywhere in recollect.
Spec: contract v1 (kinds, sources, event types, authority, spaces); rulings "One system, not four", 3, 13.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, NewType

Tick = NewType("Tick", int)
Micro = NewType("Micro", int)
MICRO = 1_000_000


class Kind(StrEnum):
    """What a memory is: the window, an episode, a lasting fact."""

    SHORT_TERM = "short_term"
    SEMANTIC = "semantic"
    PROFILE = "profile"


class Space(StrEnum):
    """Where a memory lives."""

    SESSION = "session"
    USER = "user"
    PROJECT = "project"
    SYSTEM = "system"


class EventType(StrEnum):
    """What a turn does."""

    PREFERENCE = "preference"
    DECISION = "decision"
    FACT = "fact"
    CORRECTION = "correction"
    EXECUTION = "execution"
    CONTEXT = "context"
    RULE = "rule"


class Authority(StrEnum):
    """Where words came from, as trust."""

    SYSTEM_IMPOSED = "system_imposed"
    TOOL_VERIFIED = "tool_verified"
    USER_ASSERTED = "user_asserted"
    AI_INFERRED = "ai_inferred"


class Role(StrEnum):
    """Who spoke, as chat protocols name it."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Source(StrEnum):
    """Who spoke, as the contract names it."""

    USER = "user"
    AI = "ai"
    TOOL = "tool"
    SYSTEM = "system"


class SourceClass(StrEnum):
    """Through which opening words came in: the first part of a turn's `source`."""

    CHAT = "chat"
    TOOL = "tool"
    WEB = "web"
    IMPORT = "import"
    FILE = "file"
    EXTERNAL = "external"


class Status(StrEnum):
    """Whether an item may be recalled."""

    ACTIVE = "ACTIVE"
    ARCHIVED = "ARCHIVED"
    QUARANTINED = "QUARANTINED"


class WriteLevel(StrEnum):
    """How much is kept beyond the window."""

    NONE = "none"
    MINIMAL = "minimal"
    NORMAL = "normal"
    AGGRESSIVE = "aggressive"


class BorderAction(StrEnum):
    """What may be asked at the border of a space."""

    READ = "read"
    WRITE = "write"
    PROMOTE = "promote"
    PHASE_START = "phase_start"
    PHASE_DIFF = "phase_diff"


SOURCE_OF_ROLE: Mapping[Role, Source] = {
    Role.USER: Source.USER,
    Role.ASSISTANT: Source.AI,
    Role.TOOL: Source.TOOL,
    Role.SYSTEM: Source.SYSTEM,
}


class Place(NamedTuple):
    """One memory space of one owner: what has a clock, a chain and an index of its own."""

    space: Space
    owner: str


class ItemRef(NamedTuple):
    """The address of an item; its printed form is the item's id."""

    place: Place
    kind: Kind
    n: int

    @property
    def id(self) -> str:
        return f"{self.place.space}:{self.place.owner}:{self.kind}:{self.n}"


_NUMBER = re.compile(r"[1-9][0-9]{0,14}")


def parse_id(item_id: str) -> ItemRef | None:
    """Read an id back into its address, or None when it is not shaped like one."""
    parts = item_id.split(":")
    if len(parts) != 4 or not parts[1] or not _NUMBER.fullmatch(parts[3]):
        return None
    try:
        return ItemRef(Place(Space(parts[0]), parts[1]), Kind(parts[2]), int(parts[3]))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message as it came in through a door, with the time as data."""

    text: str
    role: Role
    at_ms: int
    speaker: str = ""
    ref: str = ""
    source: str = "chat"
    tool: str = ""
    files: tuple[str, ...] = ()
    meta: tuple[tuple[str, str], ...] = ()
    is_private: bool = False

    @property
    def source_class(self) -> SourceClass:
        return _SOURCE_CLASSES[self.source.partition(":")[0]]


_SOURCE_CLASSES: Mapping[str, SourceClass] = {word.value: word for word in SourceClass}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """Who is speaking, to which persona, about which project: everything a session is addressed by."""

    user: str
    session: str = ""
    persona: str = ""
    project: str = ""
    authority_cap: Authority = Authority.SYSTEM_IMPOSED
    session_place: Place = field(init=False)
    user_place: Place = field(init=False)
    private_place: Place | None = field(init=False)
    project_place: Place | None = field(init=False)

    def __post_init__(self) -> None:
        user = self.user or "anonymous"
        with_persona = f"{user}~{self.persona}" if self.persona else user
        owner = f"{with_persona}/{self.session}" if self.session else with_persona
        object.__setattr__(self, "session_place", Place(Space.SESSION, owner))
        object.__setattr__(self, "user_place", Place(Space.USER, user))
        private = Place(Space.USER, with_persona) if self.persona else None
        object.__setattr__(self, "private_place", private)
        project = Place(Space.PROJECT, self.project) if self.project else None
        object.__setattr__(self, "project_place", project)

    @property
    def ai_profile(self) -> str:
        return self.persona or "default"

    def place(self, space: Space, *, is_private: bool = False) -> Place | None:
        """The place this session means by a space; None where it has none."""
        match space:
            case Space.SESSION:
                return self.session_place
            case Space.USER:
                return self.private_place if is_private else self.user_place
            case Space.PROJECT:
                return self.project_place
            case Space.SYSTEM:
                return SYSTEM_PLACE

    def places(self, space: Space) -> tuple[Place, ...]:
        """All places this session reads for a space: for `user`, its own and what only this persona may see."""
        if space is Space.USER and self.private_place is not None:
            return (self.user_place, self.private_place)
        place = self.place(space)
        return (place,) if place is not None else ()


SYSTEM_PLACE = Place(Space.SYSTEM, "system")
