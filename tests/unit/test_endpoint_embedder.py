"""An embedding server is asked in batches, believed only as far as it keeps the protocol, and never waited for long."""

from __future__ import annotations

import socket
import time

import pytest
from embedding_server import DIMENSIONS, EmbeddingServer, embedding_server, vector_of

from recollect import Memory
from recollect.adapters.embedders.endpoint import BATCH_TEXTS, TRIES, EndpointEmbedder
from recollect.adapters.embedders.quantise import quantise
from recollect.errors import EmbedderBusy, EmbedderError, EmbedderFailed, InvalidInput

KEY = "sk-sesame-0123456789"
GARBAGE = ("words", "flags", "no_vector", "no_data", "a_list", "not_json", "nothing", "deep")
LIES = ("one_less", "one_more", "same_index", "far_index", "short", "long", "not_a_number", "infinite", "huge")


def embedder(server: EmbeddingServer, timeout_ms: int = 5_000) -> EndpointEmbedder:
    return EndpointEmbedder(server.spec, KEY, timeout_ms=timeout_ms)


def test_vectors_come_in_the_order_of_the_texts() -> None:
    """In batches, whatever order the server answers in; an empty text is sent nowhere."""
    texts = [f"text {number}" for number in range(BATCH_TEXTS + 3)]
    with embedding_server() as server:
        for manner in ("well", "backwards"):
            server.manner = manner
            assert embedder(server).embed([*texts, "", " \n"]) == [
                *(quantise(vector_of(text)) for text in texts),
                bytes(DIMENSIONS),
                bytes(DIMENSIONS),
            ]
        assert [len(batch) for batch in server.asked] == [BATCH_TEXTS, 3] * 2
        assert set(server.keys) == {f"Bearer {KEY}"}


@pytest.mark.parametrize("manner", [*LIES, *GARBAGE])
def test_what_breaks_the_protocol_is_not_believed(manner: str) -> None:
    """A wrong count, length or number is an error with a reason, and is not tried again."""
    with embedding_server() as server:
        server.manner = manner
        with pytest.raises(EmbedderFailed) as caught:
            embedder(server).embed(["one", "two"])
        assert not isinstance(caught.value, EmbedderBusy)
        assert caught.value.reason == ("embedder_lied" if manner in LIES else "embedder_garbage")
        assert len(server.asked) == 1


@pytest.mark.parametrize("status", ["400", "401", "404", "302"])
def test_refusal_is_final(status: str) -> None:
    """A refused call is not repeated, a redirect is not followed, and neither quotes the key or the text."""
    with embedding_server() as server:
        server.manner = status
        with pytest.raises(EmbedderFailed) as caught:
            embedder(server).embed(["my secret text"])
        assert caught.value.reason == "embedder_rejected"
        assert len(server.asked) == 1
        assert "sesame" not in repr(caught.value) and "secret" not in repr(caught.value)


def test_passing_trouble_is_tried_again() -> None:
    """An overloaded server gets another chance, and only so many."""
    with embedding_server() as server:
        server.failures_left = TRIES - 1
        assert embedder(server).embed(["one"]) == [quantise(vector_of("one"))]
        server.failures_left = 99
        with pytest.raises(EmbedderBusy) as caught:
            embedder(server).embed(["one"])
        assert caught.value.reason == "embedder_overloaded" and caught.value.retryable
        assert len(server.asked) == 2 * TRIES


@pytest.mark.parametrize("manner", ["hang", "drip"])
def test_nobody_waits_longer_than_said(manner: str) -> None:
    """A server that hangs or drips is given up when the time is over."""
    with embedding_server() as server:
        server.manner = manner
        start = time.monotonic()
        with pytest.raises(EmbedderBusy) as caught:
            embedder(server, timeout_ms=300).embed(["one"])
        assert caught.value.reason == "embedder_timeout"
        assert time.monotonic() - start < 10


def test_absent_server_is_typed() -> None:
    """Nobody listening is an error of ours, without the socket's words."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    with pytest.raises(EmbedderBusy) as caught:
        EndpointEmbedder(f"http://127.0.0.1:{port}/v1#tiny@16", timeout_ms=1_000).embed(["one"])
    assert caught.value.reason == "embedder_unreachable"


@pytest.mark.parametrize(
    "spec",
    [
        "http://host/v1",
        "http://host/v1#tiny",
        "http://host/v1#@16",
        "http://host/v1#tiny@",
        "http://host/v1#tiny@0",
        "http://host/v1#tiny@99999999",
        "http://host/v1#tiny@-4",
        "http://host/v1#tiny@¹²",
        "http://user:key@host/v1#tiny@16",
        "http://host/v1?key=1#tiny@16",
        "http://host:99999/v1#tiny@16",
        "http://[::1/v1#tiny@16",
        "http:///v1#tiny@16",
    ],
)
def test_bad_address_is_refused_at_the_door(spec: str) -> None:
    """An address that is none is the caller's mistake, told before anything is opened."""
    with pytest.raises(InvalidInput) as caught:
        Memory.open(":memory:", embedder=spec)
    assert caught.value.reason == "bad_embedder"


def test_key_is_shown_nowhere() -> None:
    """Neither the embedder nor its errors print the key."""
    with embedding_server() as server:
        made = embedder(server)
        assert "sesame" not in repr(made) and "sesame" not in str(vars(made).keys())
        for manner in ("401", "hang", "not_json"):
            server.manner = manner
            with pytest.raises(EmbedderError) as caught:
                embedder(server, timeout_ms=200).embed(["x"])
            assert "sesame" not in f"{caught.value!r} {caught.value.to_dict()} {caught.value.__cause__!r}"


# in a memory


def test_vectors_are_recorded_and_reading_calls_nobody(tmp_path: object) -> None:
    """What a server embedded is in the file: a new process with the server gone still compares it."""
    with embedding_server() as server:
        path = f"{tmp_path}/memory.db"
        with Memory.open(path, embedder=server.spec) as memory:
            session = memory.session(user="ana")
            session.remember_many([{"text": f"turn number {n} about the river"} for n in range(30)])
            found = [hit.item.id for hit in session.search("turn number 7 about the river")]
        assert sum(len(batch) for batch in server.asked) > 30
        server.asked.clear()
        with Memory.open(path, embedder=server.spec) as memory:
            again = [hit.item.id for hit in memory.session(user="ana").search("turn number 7 about the river")]
        assert again == found
        assert server.asked == [["turn number 7 about the river"]]


def test_memory_is_kept_when_the_server_is_down() -> None:
    """Remembering never depends on a server: it is found by its words, and by its vector after a reindex."""
    with embedding_server() as server:
        server.manner = "500"
        with Memory.open(":memory:", embedder=EndpointEmbedder(server.spec, timeout_ms=300)) as memory:
            session = memory.session(user="ana")
            assert session.remember("The spare key is under the blue pot.").status == "committed"
            context = session.recall("where is the spare key?")
            assert "blue pot" in context.text
            assert context.tiers["vectors"] == "failed: embedder_overloaded" and context.status == "degraded"
            server.manner = "well"
            assert memory.reindex().made >= 1
            assert memory.reindex().made == 0
            context = session.recall("where is the spare key?")
            assert "vectors" not in context.tiers and context.status == "ok"


def test_deadline_is_kept_and_told() -> None:
    """A recall waits for a slow embedder no longer than its deadline, answers by words, and says so."""
    with embedding_server() as server, Memory.open(":memory:", embedder=server.spec) as memory:
        session = memory.session(user="ana")
        session.remember("The spare key is under the blue pot.")
        server.manner = "hang"
        start = time.monotonic()
        context = session.recall("where is the spare key?", deadline_ms=2_000)
        assert time.monotonic() - start < 10
        assert context.tiers["vectors"] == "skipped: deadline"
        assert "blue pot" in context.text


def test_search_without_its_server_is_a_typed_error() -> None:
    """Search has no lower tier: what cannot be compared is an error, never a list that looks complete."""
    with embedding_server() as server, Memory.open(":memory:", embedder=server.spec) as memory:
        session = memory.session(user="ana")
        session.remember("The spare key is under the blue pot.")
        server.manner = "401"
        with pytest.raises(EmbedderFailed):
            session.search("spare key")


def test_only_what_is_stored_is_sent() -> None:
    """A secret that was cut out before storing never reaches the server."""
    with embedding_server() as server, Memory.open(":memory:", embedder=server.spec) as memory:
        memory.session(user="ana").remember("My password is hunter2-Zebra!99 and I live in Lisbon.")
        assert "hunter2" not in str(server.asked)
