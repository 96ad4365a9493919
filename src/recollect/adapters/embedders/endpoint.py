"""Any OpenAI-compatible embedding endpoint, over plain HTTP from the standard library.

    embedder = "https://host/v1#model@dimensions"        for example http://127.0.0.1:8080/v1#bge-small-en@384

Texts go in batches; a call waits no longer than its time, whatever the server does; what may pass (429, 5xx, a cut or
refused connection, a timeout) is tried again a few times within that time. What a server says is checked before it is
believed: as many vectors as texts, in their order, of the promised length, of finite numbers.

    embedder_unreachable  embedder_timeout  embedder_overloaded      EmbedderBusy: may be tried again
    embedder_rejected (other 4xx)  embedder_garbage  embedder_lied   EmbedderFailed

The weights are behind the server, so the hash is over the model's name and length: whoever puts another model behind
the same name must run `recollect reindex`.

Never: follows a redirect; logs or raises with a key, a text or an answer in it.
Spec: ports/embedder.py; dependencies.md (no vendor's library).
"""

from __future__ import annotations

import hashlib
import http.client
import json
import socket
import ssl
import time
from collections.abc import Sequence
from contextlib import closing
from typing import Final
from urllib.parse import SplitResult, urlsplit

from recollect.adapters.embedders.quantise import quantise
from recollect.errors import EmbedderBusy, EmbedderError, EmbedderFailed, InvalidInput

TIMEOUT_MS: Final = 10_000
TRIES: Final = 3
PAUSE_MS: Final = 200
BATCH_TEXTS: Final = 64
TEXT_CHARACTERS: Final = 32_768
ANSWER_BYTES: Final = 67_108_864
CHUNK_BYTES: Final = 65_536
MOST_DIMENSIONS: Final = 8_192
_OVERLOADED: Final = frozenset({408, 409, 425, 429})


class EndpointEmbedder:
    """One model behind one endpoint. The key travels in the header of each call and is shown nowhere."""

    def __init__(self, spec: str, key: str = "", *, timeout_ms: int = TIMEOUT_MS) -> None:
        self._address, self._model, self._dimensions = read_spec(spec)
        self._key = key
        self._timeout_ms = timeout_ms

    def __repr__(self) -> str:
        return f"EndpointEmbedder({self._model!r}, {self._address.hostname!r})"

    @property
    def name(self) -> str:
        return f"endpoint:{self._model}"

    @property
    def version(self) -> str:
        return "1"

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self._model}\0{self._dimensions}".encode()).hexdigest()

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def is_quick(self) -> bool:
        return False

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector per text, in order; an empty text is the zero vector and is sent nowhere."""
        said = [text[:TEXT_CHARACTERS] for text in texts if text.strip()]
        found: list[bytes] = []
        for start in range(0, len(said), BATCH_TEXTS):
            found += self._batch(said[start : start + BATCH_TEXTS])
        vectors = iter(found)
        return [next(vectors) if text.strip() else bytes(self._dimensions) for text in texts]

    def _batch(self, texts: list[str]) -> list[bytes]:
        ends_ns = time.monotonic_ns() + self._timeout_ms * 1_000_000
        body = json.dumps({"model": self._model, "input": texts, "encoding_format": "float"}).encode()
        for attempt in range(1, TRIES + 1):
            try:
                return self._vectors(self._ask(body, ends_ns), len(texts))
            except EmbedderBusy:
                pause = PAUSE_MS * attempt / 1_000
                if attempt == TRIES or time.monotonic_ns() + pause * 1e9 >= ends_ns:
                    raise
                time.sleep(pause)
        raise AssertionError("unreachable")

    def _ask(self, body: bytes, ends_ns: int) -> bytes:
        connection = self._connect(ends_ns)
        try:
            headers = {"Content-Type": "application/json", "Accept": "application/json"}
            if self._key:
                headers["Authorization"] = f"Bearer {self._key}"
            connection.request("POST", f"{self._address.path.rstrip('/')}/embeddings", body, headers)
            _arm(connection, ends_ns)
            with closing(connection.getresponse()) as response:
                _check_status(response.status)
                return _whole(connection, response, ends_ns)
        except TimeoutError:
            raise EmbedderBusy("The embedder did not answer in time.", reason="embedder_timeout") from None
        except (OSError, http.client.HTTPException):
            # What was raised may quote the request.
            raise EmbedderBusy("The embedder's server cannot be reached.", reason="embedder_unreachable") from None
        finally:
            connection.close()

    def _connect(self, ends_ns: int) -> http.client.HTTPConnection:
        host, port, left = self._address.hostname or "", self._address.port, _left(ends_ns)
        if self._address.scheme == "https":
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(host, port or 443, timeout=left, context=context)
        return http.client.HTTPConnection(host, port or 80, timeout=left)

    def _vectors(self, answer: bytes, count: int) -> list[bytes]:
        rows = _rows(answer)
        if len(rows) != count:
            raise _lied(f"{len(rows)} vectors for {count} texts")
        found: dict[int, bytes] = {}
        for place, row in enumerate(rows):
            index = row.get("index", place)
            values = row.get("embedding")
            if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < count or index in found:
                raise _lied("a vector of no text")
            if not isinstance(values, list) or not all(type(value) in (int, float) for value in values):
                raise _garbage()
            if len(values) != self._dimensions:
                raise _lied(f"{len(values)} dimensions instead of {self._dimensions}")
            try:
                found[index] = quantise(values)
            except (ValueError, OverflowError):
                raise _lied("a component that is no finite number") from None
        return [found[index] for index in range(count)]


def read_spec(spec: str) -> tuple[SplitResult, str, int]:
    """Address, model and dimensions of `https://host/v1#model@dimensions`."""
    try:
        address = urlsplit(spec)
        port_is_fine = address.port is None or address.port > 0
    except ValueError:
        raise _bad_spec() from None
    model, _, length = address.fragment.rpartition("@")
    is_web = address.scheme in {"http", "https"} and address.hostname and not address.username and not address.query
    if not is_web or not port_is_fine or not model or not (length.isascii() and length.isdigit()):
        raise _bad_spec()
    if not 1 <= int(length) <= MOST_DIMENSIONS:
        raise _bad_spec()
    return address, model, int(length)


def _bad_spec() -> InvalidInput:
    return InvalidInput(
        "This is not the address of an embedder.",
        hint="For example http://127.0.0.1:8080/v1#bge-small-en@384: address, model, dimensions.",
        reason="bad_embedder",
    )


def _left(ends_ns: int) -> float:
    left = (ends_ns - time.monotonic_ns()) / 1e9
    if left <= 0:
        raise EmbedderBusy("The embedder did not answer in time.", reason="embedder_timeout")
    return left


def _arm(connection: http.client.HTTPConnection, ends_ns: int) -> None:
    """Wait no longer than what is left, at the next read."""
    sock: socket.socket | None = getattr(connection, "sock", None)
    left = _left(ends_ns)
    if sock is not None:
        sock.settimeout(left)


def _whole(connection: http.client.HTTPConnection, response: http.client.HTTPResponse, ends_ns: int) -> bytes:
    """The answer, each piece read within what is left: a server that drips does not hold us."""
    pieces: list[bytes] = []
    size = 0
    while True:
        _arm(connection, ends_ns)
        piece = response.read1(CHUNK_BYTES)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
        if size > ANSWER_BYTES:
            raise EmbedderFailed("The embedder's answer never ends.", reason="embedder_garbage")


def _check_status(status: int) -> None:
    if status == 200:
        return
    if status in _OVERLOADED or status >= 500:
        raise EmbedderBusy(f"The embedder's server answered {status}.", reason="embedder_overloaded")
    raise EmbedderFailed(
        f"The embedder's server refused the call ({status}).",
        hint="Check the address, the model's name and RECOLLECT_EMBEDDER_KEY.",
        reason="embedder_rejected",
    )


def _rows(answer: bytes) -> list[dict[str, object]]:
    try:
        raw = json.loads(answer)
    except (ValueError, RecursionError):
        raise _garbage() from None
    rows = raw.get("data") if isinstance(raw, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise _garbage()
    return rows


def _garbage() -> EmbedderError:
    return EmbedderFailed("The embedder's answer is not in the protocol.", reason="embedder_garbage")


def _lied(what: str) -> EmbedderError:
    return EmbedderFailed(
        f"The embedder gave {what}.",
        hint="Is it the model this memory is set up for? Nothing of its answer was used.",
        reason="embedder_lied",
    )
