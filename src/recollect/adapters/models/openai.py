"""Any OpenAI-compatible endpoint, over plain HTTP from the standard library.

Every read waits no longer than what is left of the call's time, so a server that hangs, drips or never ends cannot hold
a caller; the answer is streamed where somebody listens. What a server says is checked: a body that is not the protocol,
an answer without text, a piece that is no text are errors with a reason.

    model_unreachable  model_timeout  model_overloaded (429, 5xx)      ModelBusy: may be tried again
    model_rejected (other 4xx)  model_garbage  model_empty  model_cancelled  model_too_long      ModelError

Never: retries, follows a redirect, logs a prompt, a key or an answer.
Spec: ports/model.py; document 002 "Brakes"; reliability.md "Doors".
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from recollect.errors import InvalidInput, ModelBusy, ModelError
from recollect.ports.model import ModelAnswer, ModelCall

ANSWER_BYTES = 4_194_304
LINE_BYTES = 1_048_576
_OVERLOADED = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a model is served."""

    is_tls: bool
    host: str
    port: int
    path: str


def read_endpoint(url: str) -> Endpoint:
    """The endpoint a base URL names, for example `http://127.0.0.1:8080/v1`."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InvalidInput("model_url is not a URL.", reason="bad_model_url") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.query:
        hint = "For example http://127.0.0.1:8080/v1."
        raise InvalidInput("model_url should be an http or https address.", hint=hint, reason="bad_model_url")
    is_tls = parts.scheme == "https"
    path = f"{parts.path.rstrip('/')}/chat/completions"
    return Endpoint(is_tls=is_tls, host=parts.hostname, port=port or (443 if is_tls else 80), path=path)


class OpenAiModel:
    """One model behind one endpoint. The key travels in the header of each call and is shown nowhere."""

    def __init__(self, url: str, name: str, key: str = "") -> None:
        self._endpoint = read_endpoint(url)
        self._name = name
        self._key = key

    def __repr__(self) -> str:
        return f"OpenAiModel({self._name!r}, {self._endpoint.host!r})"

    @property
    def name(self) -> str:
        return self._name

    def answer(self, call: ModelCall) -> ModelAnswer:
        """One chat completion."""
        wire = _Wire(self._endpoint, call)
        try:
            wire.send(self._body(call), self._key)
            return _streamed(wire, call) if call.on_piece is not None else _whole(wire)
        except TimeoutError as error:
            raise ModelBusy("The model did not answer in time.", reason="model_timeout") from error
        except (OSError, http.client.HTTPException) as error:
            raise wire.broken(error) from error
        finally:
            wire.close()

    def _body(self, call: ModelCall) -> bytes:
        body: dict[str, object] = {
            "model": self._name,
            "messages": [{"role": message.role, "content": message.text} for message in call.messages],
            "max_tokens": call.max_tokens,
            "temperature": 0,
            "stream": call.on_piece is not None,
        }
        if call.schema is not None:
            shape = {"name": "answer", "strict": True, "schema": call.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        return json.dumps(body).encode()


class _Wire:
    """One connection that never waits longer than the call has left."""

    def __init__(self, endpoint: Endpoint, call: ModelCall) -> None:
        self._endpoint = endpoint
        self._call = call
        self._ends_ns = time.monotonic_ns() + call.timeout_ms * 1_000_000
        self._connection: http.client.HTTPConnection | None = None
        self._response: http.client.HTTPResponse | None = None
        self._is_answered = False
        self._read = 0

    def send(self, body: bytes, key: str) -> None:
        end, left = self._endpoint, self._left()
        if end.is_tls:
            context = ssl.create_default_context()
            self._connection = http.client.HTTPSConnection(end.host, end.port, timeout=left, context=context)
        else:
            self._connection = http.client.HTTPConnection(end.host, end.port, timeout=left)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        self._connection.request("POST", end.path, body, headers)
        self._arm()
        self._response = self._connection.getresponse()
        self._is_answered = True
        _check_status(self._response.status)

    def lines(self) -> Iterator[bytes]:
        """The lines of the answer, each read within what is left."""
        assert self._response is not None
        while True:
            self._arm()
            line = self._response.readline(LINE_BYTES)
            if not line:
                if self._response.length:
                    raise http.client.IncompleteRead(b"", self._response.length)
                return
            self._read += len(line)
            if self._read > ANSWER_BYTES:
                raise ModelError("The model's answer never ends.", reason="model_too_long")
            yield line

    def whole(self) -> bytes:
        return b"".join(self.lines())

    def broken(self, error: Exception) -> ModelError:
        what = "broke off its answer" if self._is_answered else "cannot be reached"
        return ModelBusy(
            f"The model's server {what}.", reason="model_broke_off" if self._is_answered else "model_unreachable"
        )

    def close(self) -> None:
        if self._response is not None:
            self._response.close()
        if self._connection is not None:
            self._connection.close()

    def _left(self) -> float:
        if self._call.is_cancelled is not None and self._call.is_cancelled():
            raise ModelError("The call was cancelled.", reason="model_cancelled")
        left = (self._ends_ns - time.monotonic_ns()) / 1e9
        if left <= 0:
            raise TimeoutError
        return left

    def _arm(self) -> None:
        left = self._left()
        sock: socket.socket | None = getattr(self._connection, "sock", None)
        if sock is not None:
            sock.settimeout(left)


def _check_status(status: int) -> None:
    if status == 200:
        return
    if status in _OVERLOADED or status >= 500:
        raise ModelBusy(f"The model's server answered {status}.", reason="model_overloaded")
    raise ModelError(f"The model's server refused the call ({status}).", reason="model_rejected")


def _whole(wire: _Wire) -> ModelAnswer:
    raw = _json(wire.whole())
    choice = _first_choice(raw)
    message = choice.get("message")
    text = message.get("content") if isinstance(message, dict) else None
    return _answer(raw, choice, _text(text))


def _streamed(wire: _Wire, call: ModelCall) -> ModelAnswer:
    assert call.on_piece is not None
    pieces: list[str] = []
    last: dict[str, object] = {}
    finish: dict[str, object] = {}
    for line in wire.lines():
        if not line.startswith(b"data:"):
            if line.strip() and not line.startswith((b":", b"event:", b"id:", b"retry:")):
                raise _garbage()
            continue
        data = line[5:].strip()
        if data == b"[DONE]":
            break
        said = _json(data)
        last = {**last, **said}
        if not said.get("choices"):
            continue
        choice = _first_choice(said)
        delta = choice.get("delta")
        piece = delta.get("content") if isinstance(delta, dict) else None
        if piece:
            pieces.append(_text(piece))
            call.on_piece(pieces[-1])
        if choice.get("finish_reason"):
            finish = choice
    return _answer(last, finish, "".join(pieces))


def _answer(raw: dict[str, object], choice: dict[str, object], text: str) -> ModelAnswer:
    if not text.strip():
        raise ModelError("The model answered nothing.", reason="model_empty")
    usage = raw.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return ModelAnswer(
        text=text,
        model=str(raw.get("model", ""))[:200],
        finish=str(choice.get("finish_reason") or "")[:40],
        prompt_tokens=_count(counts.get("prompt_tokens")),
        answer_tokens=_count(counts.get("completion_tokens")),
    )


def _json(body: bytes) -> dict[str, object]:
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _garbage() from error
    if not isinstance(raw, dict):
        raise _garbage()
    if "error" in raw and "choices" not in raw:
        raise ModelError("The model's server reported an error.", reason="model_rejected")
    return raw


def _first_choice(raw: dict[str, object]) -> dict[str, object]:
    choices = raw.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise _garbage()
    return choices[0]


def _text(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _garbage()
    return value


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else 0


def _garbage() -> ModelError:
    return ModelError("The model's answer is not in the protocol.", reason="model_garbage")
