"""A real embedding server on the loopback, which behaves as it is told to: well, late, never, or with lies."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DIMENSIONS = 16


def vector_of(text: str) -> list[float]:
    """A vector that every text has to itself."""
    return [byte / 255 - 0.5 for byte in hashlib.sha256(text.encode()).digest()[:DIMENSIONS]]


class EmbeddingServer(ThreadingHTTPServer):
    """Answers `/v1/embeddings`; `manner` says how, `asked` holds what came in."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.manner = "well"
        self.failures_left = 0
        self.asked: list[list[str]] = []
        self.keys: list[str] = []
        self.is_over = threading.Event()

    @property
    def spec(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1#tiny@{DIMENSIONS}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up early is what half of these tests are about."""


class _Handler(BaseHTTPRequestHandler):
    server: EmbeddingServer

    def log_message(self, *_: object) -> None:
        return None

    def do_POST(self) -> None:
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.asked.append(body["input"])
        server.keys.append(self.headers.get("Authorization", ""))
        if self.path != "/v1/embeddings":
            self._say(404, {})
        elif server.manner == "hang":
            server.is_over.wait(20)
        elif server.manner == "slow":
            server.is_over.wait(0.25)
            self._say(200, _answer(body["input"]))
        elif server.manner == "drip":
            self._drip()
        elif server.failures_left:
            server.failures_left -= 1
            self._say(503, {"error": "busy"})
        elif server.manner.isdigit():
            self._say(int(server.manner), {"error": body})
        else:
            self._say(200, MANNERS[server.manner](_answer(body["input"])))

    def _say(self, status: int, answer: object) -> None:
        raw = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw)))
        if status == 302:
            self.send_header("Location", "/v1/embeddings")
        self.end_headers()
        self.wfile.write(raw)

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        while not self.server.is_over.wait(0.05):
            self.wfile.write(b" ")
            self.wfile.flush()


def _answer(texts: list[str]) -> dict[str, object]:
    return {"data": [{"index": index, "embedding": vector_of(text)} for index, text in enumerate(texts)]}


def _each(change: dict[str, object]) -> object:
    return lambda answer: {"data": [row | change for row in answer["data"]]}


MANNERS = {
    "well": lambda answer: answer,
    "backwards": lambda answer: {"data": answer["data"][::-1]},
    "one_less": lambda answer: {"data": answer["data"][1:]},
    "one_more": lambda answer: {"data": [*answer["data"], answer["data"][0]]},
    "same_index": _each({"index": 0}),
    "far_index": _each({"index": 99}),
    "short": _each({"embedding": [0.5] * (DIMENSIONS - 1)}),
    "long": _each({"embedding": [0.5] * (DIMENSIONS + 1)}),
    "not_a_number": _each({"embedding": [float("nan")] * DIMENSIONS}),
    "infinite": _each({"embedding": [float("inf")] * DIMENSIONS}),
    "huge": _each({"embedding": [10**400] * DIMENSIONS}),
    "words": _each({"embedding": ["half"] * DIMENSIONS}),
    "flags": _each({"embedding": [True] * DIMENSIONS}),
    "no_vector": _each({"embedding": None}),
    "no_data": lambda answer: {"object": "list"},
    "a_list": lambda answer: [1, 2],
    "not_json": lambda answer: b"<html>busy</html>",
    "nothing": lambda answer: b"",
    "deep": lambda answer: b"[" * 100_000,
}


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    """A server for the block."""
    server = EmbeddingServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.is_over.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
