"""The brakes of calling a model: tries, pauses between them, and a breaker for each model, all of it countable.

    closed      calls go through; so many failures in a row open it
    open        calls are refused at once until its time is over
    half-open   one call may try; success closes the breaker, failure opens it again

Only errors that name themselves transient (`retryable`) are tried again, with a doubling pause, within the deadline.
The jitter comes from a counter, so a test can repeat it and many clients still spread.

Never: retries what a model refused, waits past the deadline, or hides the state of a breaker.
Spec: document 002 "Brakes"; facts 2.6 (429/5xx, exponential back-off, at most three).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from recollect.core.policy_context import AskRules
from recollect.engine.deadline import Deadline
from recollect.errors import ModelBusy, ModelError
from recollect.ports.model import Model, ModelAnswer, ModelCall


@dataclass(slots=True, kw_only=True)
class Breaker:
    """The breaker of one model."""

    failures: int = 0
    opened_ns: int = 0
    last_reason: str = ""
    is_trying: bool = False

    def state(self, now_ns: int, rules: AskRules) -> str:
        if self.failures < rules.breaker_failures:
            return "closed"
        return "half-open" if now_ns - self.opened_ns >= rules.breaker_ms * 1_000_000 else "open"


@dataclass(slots=True)
class Brakes:
    """Every breaker of a memory, and what was spent so far."""

    _breakers: dict[str, Breaker] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _calls: int = 0

    def states(self, rules: AskRules) -> dict[str, dict[str, object]]:
        """The state of every breaker, for people."""
        now = time.monotonic_ns()
        with self._lock:
            return {
                name: {"state": b.state(now, rules), "failures": b.failures, "last_reason": b.last_reason}
                for name, b in sorted(self._breakers.items())
            }

    def call(self, model: Model, call: ModelCall, rules: AskRules, deadline: Deadline, tell: Tell) -> ModelAnswer:
        """One answer, after as many tries as the policy and the deadline allow."""
        for attempt in range(rules.retries + 1):
            self._enter(model.name, rules)
            try:
                answer = _checked(model.answer(_timed(call, rules, deadline)))
            except ModelError as error:
                self._left(model.name, rules, error.reason)
                pause = self._pause_ms(attempt, rules)
                is_last = attempt == rules.retries or deadline.left_ms <= pause
                if not type(error).retryable or is_last or _is_cancelled(call):
                    raise
                tell(f"try {attempt + 1} of {model.name} failed ({error.reason}); again in {pause} ms")
                _sleep(pause, call)
            except BaseException:
                self._left(model.name, rules, "crashed")
                raise
            else:
                self._left(model.name, rules, "")
                return answer
        raise AssertionError("a try either answers or raises")

    def _enter(self, name: str, rules: AskRules) -> None:
        with self._lock:
            breaker = self._breakers.setdefault(name, Breaker())
            state = breaker.state(time.monotonic_ns(), rules)
            if state == "open" or (state == "half-open" and breaker.is_trying):
                raise ModelError(
                    f"The model {name} is left alone after {breaker.failures} failures.", reason="breaker_open"
                )
            breaker.is_trying = state == "half-open"

    def _left(self, name: str, rules: AskRules, reason: str) -> None:
        with self._lock:
            breaker = self._breakers[name]
            breaker.is_trying = False
            if not reason:
                breaker.failures, breaker.last_reason = 0, ""
            elif reason not in {"model_cancelled", "breaker_open"}:
                breaker.failures += 1
                breaker.last_reason = reason
                breaker.opened_ns = time.monotonic_ns()

    def _pause_ms(self, attempt: int, rules: AskRules) -> int:
        """Doubled each time; up to half of it again by a counter that walks the whole range."""
        with self._lock:
            self._calls += 1
            jitter = self._calls * 2_654_435_761 % 1_000
        pause = rules.backoff_ms << attempt
        return pause + pause * jitter // 2_000


Tell = Callable[[str], None]


def _checked(answer: object) -> ModelAnswer:
    """What a model gave, if it is an answer at all: a model of one's own may give anything."""
    if not isinstance(answer, ModelAnswer) or not isinstance(answer.text, str):
        raise ModelError("The model gave no answer that can be read.", reason="model_garbage")
    if not answer.text.strip("\0 \t\r\n"):
        raise ModelError("The model gave an empty answer.", reason="model_empty")
    return answer


def _timed(call: ModelCall, rules: AskRules, deadline: Deadline) -> ModelCall:
    if _is_cancelled(call):
        raise ModelError("The question was taken back.", reason="model_cancelled")
    left = min(rules.model_ms, deadline.left_ms)
    if left <= 0:
        raise ModelBusy("There is no time left to ask the model.", reason="model_timeout")
    return ModelCall(
        messages=call.messages,
        max_tokens=call.max_tokens,
        timeout_ms=left,
        on_piece=call.on_piece,
        is_cancelled=call.is_cancelled,
    )


def _is_cancelled(call: ModelCall) -> bool:
    return call.is_cancelled is not None and call.is_cancelled()


def _sleep(pause_ms: int, call: ModelCall) -> None:
    """Wait, but not past a cancellation."""
    ends = time.monotonic_ns() + pause_ms * 1_000_000
    while (left := ends - time.monotonic_ns()) > 0:
        if _is_cancelled(call):
            return
        time.sleep(min(left / 1e9, 0.05))
