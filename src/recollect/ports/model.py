"""What recollect asks of a language model: messages in, one answer out, before a moment in time.

A model is never asked inside a transaction, never decides what is remembered, and is optional everywhere. Whatever goes
wrong is a `ModelError` with a reason; the transient ones are `ModelBusy` and may be tried again.

Never: says how a call is retried, what it may cost, or what becomes of a failure (engine/brakes.py, engine/ask.py).
Spec: document 002 "Brakes"; dependencies.md "other embedders, models".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a chat: `role` is system, user or assistant."""

    role: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a model said. Token counts are what the server reported, 0 where it said nothing."""

    text: str
    model: str = ""
    finish: str = ""
    prompt_tokens: int = 0
    answer_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One question to a model: what to say, how long the answer may get, and when to give up.

    `on_piece` gets the answer as it arrives; `is_cancelled` is asked between pieces, and a true answer ends the call.
    `schema` is the JSON schema the answer should have; a server that knows none may refuse it (`model_rejected`).
    """

    messages: Sequence[Message]
    max_tokens: int
    timeout_ms: int
    on_piece: Callable[[str], None] | None = None
    is_cancelled: Callable[[], bool] | None = None
    schema: Mapping[str, object] | None = None


@runtime_checkable
class Model(Protocol):
    """Anything that answers chat messages."""

    @property
    def name(self) -> str:
        """Which model this is, as the server calls it."""
        ...

    def answer(self, call: ModelCall) -> ModelAnswer:
        """The answer, or a `ModelError` within the call's time."""
        ...
