"""Where callers' arguments become data the core can trust: types, sizes, encodings, time.

1. What is wrong gets a typed error that names the argument; what is merely odd is kept as it is.
2. Time is stamped here, once, and travels as data from then on.

Never: decides what is remembered; never quotes the text in an error.
Spec: ruling 1; "Hard input is normal input".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TypeVar

from recollect.core.canonical import canonical, digest
from recollect.core.spaces import NAME_CHARACTERS, escape_name
from recollect.core.text import has_words, storable
from recollect.core.values import Authority, Lens, Role, SourceClass, Turn
from recollect.core.write.secrets import has_token
from recollect.errors import InvalidInput, LimitExceeded
from recollect.ports.clock import Clock

TEXT_BYTES = 1_048_576
QUERY_CHARACTERS = 100_000
META_KEYS = 64
FILES = 100
META_CHARACTERS = 10_000
BATCH_TURNS = 10_000
LAST_MS = 253_402_300_799_999
Moment = datetime | str | int
W = TypeVar("W", Role, SourceClass, Authority)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnInput:
    """One turn as a caller hands it over; the fields of `session.remember`."""

    text: str
    role: str = "user"
    speaker: str = ""
    at: Moment | None = None
    ref: str = ""
    source: str = ""
    tool: str = ""
    files: Sequence[str] = ()
    meta: Mapping[str, object] | None = None
    private: bool = False


def read_turn(given: TurnInput, lens: Lens, clock: Clock) -> Turn:
    """The turn a caller means, or an error that says what is wrong with it."""
    text = _text(given.text)
    role = _word(Role, given.role, "role")
    source = label(given.source, "source") or ("tool" if role is Role.TOOL else "chat")
    _word(SourceClass, source.split(":", 1)[0], "source")
    if given.private and not lens.persona:
        raise InvalidInput("private=True needs a session with a persona.", reason="private_without_persona")
    return Turn(
        text=text,
        role=role,
        at_ms=clock.now_ms() if given.at is None else read_moment(given.at, "at"),
        speaker=label(given.speaker, "speaker"),
        ref=label(given.ref, "ref"),
        source=source,
        tool=label(given.tool, "tool"),
        files=_files(given.files),
        meta=_meta(given.meta or {}, _clock(given.at)),
        is_private=bool(given.private),
    )


def fingerprint(turns: Sequence[Turn], given: Sequence[TurnInput]) -> str:
    """What two calls with one command_id must share. Time counts where the caller gave it, not where it was stamped."""
    return digest(
        canonical(
            [
                [t.text, t.role, t.speaker, t.ref, t.source, t.tool, t.files, t.meta, t.is_private]
                + ([] if g.at is None else [t.at_ms])
                for t, g in zip(turns, given, strict=True)
            ]
        )
    )


def read_lens(*, user: str, session: str, persona: str, project: str, authority: str) -> Lens:
    """The address of a session."""
    names = {"user": user, "session": session, "persona": persona, "project": project}
    for what, value in names.items():
        if has_token(name_of(value, what)):
            raise InvalidInput(f"{what} looks like a secret.", hint="Choose another name.", reason="secret_in_name")
    escaped = {what: escape_name(value) for what, value in names.items()}
    cap = _word(Authority, authority, "authority") if authority else Authority.SYSTEM_IMPOSED
    return Lens(
        user=escaped["user"] or "anonymous",
        session=escaped["session"],
        persona=escaped["persona"],
        project=escaped["project"],
        authority_cap=cap,
    )


def name_of(value: str, what: str) -> str:
    """A name that identifies somebody: kept exactly, so it must be storable exactly."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} should be a string, not {type(value).__name__}.", reason="wrong_type")
    if len(value) > NAME_CHARACTERS:
        raise LimitExceeded(f"{what} has {len(value)} characters; at most {NAME_CHARACTERS} are allowed.")
    if storable(value) != value:
        raise InvalidInput(f"{what} holds characters that cannot be stored.", reason="unstorable_name")
    return value


def read_query(text: str) -> str:
    """A question: may be empty, may not be endless."""
    if not isinstance(text, str):
        raise InvalidInput(f"query should be a string, not {type(text).__name__}.", reason="wrong_type")
    if len(text) > QUERY_CHARACTERS:
        raise LimitExceeded(f"The query has {len(text)} characters; at most {QUERY_CHARACTERS} are allowed.")
    return storable(text)


def read_moment(value: Moment, what: str) -> int:
    """A moment as milliseconds since 1970."""
    if isinstance(value, bool) or not isinstance(value, (int, str, datetime)):
        raise InvalidInput(f"{what} should be a datetime, an ISO string or milliseconds.", reason="wrong_type")
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError as error:
            hint = "Like 2026-03-01T12:00:00+00:00."
            raise InvalidInput(f"{what} is not an ISO date and time.", hint=hint, reason="bad_time") from error
        value = value.replace(tzinfo=UTC) if value.tzinfo is None else value
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise InvalidInput(f"{what} has no time zone.", hint="Use datetime.now(UTC).", reason="naive_time")
        value = (value - datetime(1970, 1, 1, tzinfo=UTC)) // _MILLISECOND
    if not 0 <= value <= LAST_MS:
        raise InvalidInput(f"{what} lies outside the years 1970 to 9999.", reason="bad_time")
    return value


def _clock(at: Moment | None) -> dict[str, str]:
    """How far the caller's clock is from UTC, where the moment says so: "tomorrow at 9" is meant by that clock."""
    if isinstance(at, str):
        at = datetime.fromisoformat(at)
    ahead = at.utcoffset() if isinstance(at, datetime) else None
    if not ahead:
        return {}
    minutes = abs(ahead) // timedelta(minutes=1)
    return {"utc_offset": f"{'-' if ahead < timedelta() else '+'}{minutes // 60:02}:{minutes % 60:02}"}


_MILLISECOND = datetime(1970, 1, 1, 0, 0, 0, 1_000) - datetime(1970, 1, 1)


def read_turns(turns: object) -> list[TurnInput]:
    """The turns of a batch, each a TurnInput or a mapping with its fields."""
    if isinstance(turns, (str, bytes, Mapping)) or not isinstance(turns, Iterable):
        raise InvalidInput("turns should be a list of turns.", reason="wrong_type")
    listed = list(islice(turns, BATCH_TURNS + 1))
    if len(listed) > BATCH_TURNS:
        raise LimitExceeded(f"A batch holds at most {BATCH_TURNS} turns.", hint="Send several batches.")
    return [turn if isinstance(turn, TurnInput) else _turn_input(turn) for turn in listed]


def _turn_input(raw: object) -> TurnInput:
    allowed = ", ".join(TurnInput.__dataclass_fields__)
    if not isinstance(raw, Mapping):
        raise InvalidInput(
            "A turn should be a mapping or a TurnInput.", hint=f"Fields: {allowed}.", reason="wrong_type"
        )
    try:
        return TurnInput(**raw)
    except TypeError as error:
        raise InvalidInput(
            "A turn has an unknown field or no text.", hint=f"Allowed: {allowed}.", reason="bad_turn"
        ) from error


def _files(files: object) -> tuple[str, ...]:
    return read_names(files, "files")


def read_names(files: object, what: str) -> tuple[str, ...]:
    """Paths or patterns a caller names."""
    if isinstance(files, (str, bytes)) or not isinstance(files, Sequence):
        raise InvalidInput(f"{what} should be a list of paths.", reason="wrong_type")
    if len(files) > FILES:
        raise LimitExceeded(f"A turn names at most {FILES} files.")
    return tuple(label(path, what, 4_096) for path in files)


def positive(value: int, what: str, highest: int) -> int:
    """A whole number from 1 to a limit."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{what} should be a whole number.", reason="wrong_type")
    if value < 1:
        raise InvalidInput(f"{what} is {value}; it should be at least 1.", reason="not_positive")
    if value > highest:
        raise LimitExceeded(f"{what} is {value}; at most {highest} is allowed.")
    return value


def label(value: str, what: str, longest: int = 500) -> str:
    """A short text that goes with a turn."""
    if value == "":
        return ""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} should be a string, not {type(value).__name__}.", reason="wrong_type")
    if len(value) > longest:
        raise LimitExceeded(f"{what} has {len(value)} characters; at most {longest} are allowed.")
    return storable(value)


def read_path(value: object, what: str) -> Path:
    """A path that a file can have."""
    if not isinstance(value, (str, Path)) or not str(value) or "\0" in str(value) or storable(str(value)) != str(value):
        raise InvalidInput(f"{what} is not a path that can be used.", reason="bad_path")
    return Path(value)


def identifier(value: str, what: str, longest: int) -> str:
    """A name a caller chooses for a key, a command or a phase. It cannot be masked, so it may not be a secret."""
    name = label(value, what, longest)
    if has_token(name):
        raise InvalidInput(f"{what} looks like a secret.", hint="Choose another name.", reason="secret_in_name")
    return name


def _text(text: str) -> str:
    if not isinstance(text, str):
        raise InvalidInput(f"text should be a string, not {type(text).__name__}.", reason="wrong_type")
    if len(text) > TEXT_BYTES or len(text.encode("utf-8", "surrogatepass")) > TEXT_BYTES:
        raise LimitExceeded(
            f"The text is larger than {TEXT_BYTES} bytes.", hint="Split it, or remember a summary and a ref."
        )
    if not has_words(text):
        raise InvalidInput("The text is empty.", hint="Nothing was stored.", reason="empty_text")
    return storable(text)


def _meta(meta: Mapping[str, object], known: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    if not isinstance(meta, Mapping):
        raise InvalidInput("meta should be a mapping.", reason="wrong_type")
    if len(meta) > META_KEYS:
        raise LimitExceeded(f"meta has {len(meta)} keys; at most {META_KEYS} are allowed.")
    told = {**known, **meta}
    return tuple((label(key, "a meta key", 100), _meta_value(key, told[key])) for key in sorted(told, key=str))


def _meta_value(key: str, value: object) -> str:
    if isinstance(value, str):
        return label(value, f"meta[{key[:40]!r}]", META_CHARACTERS)
    if isinstance(value, int) and abs(value) > 2**63:
        raise LimitExceeded(f"meta[{key[:40]!r}] is too large a number.", hint="Give it as a text.")
    if value is None or isinstance(value, (bool, int, float)):
        return json.dumps(value)
    raise InvalidInput(f"meta[{key[:40]!r}] should be a string, a number, true, false or null.", reason="wrong_type")


def _word(words: type[W], value: object, what: str) -> W:
    found = _WORDS[words].get(str(value))
    if found is None:
        allowed = ", ".join(word.value for word in words)
        raise InvalidInput(f"{what} is {str(value)[:40]!r}.", hint=f"Allowed: {allowed}.", reason=f"unknown_{what}")
    return found  # type: ignore[return-value]


_WORDS: Mapping[type, Mapping[str, Role | SourceClass | Authority]] = {
    words: {word.value: word for word in words} for words in (Role, SourceClass, Authority)
}
