"""Vectors are recorded with their items, belong to one model, and the index built from them is always the same."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import apsw
import numpy as np
import pytest

from recollect import Memory
from recollect.adapters import dots as dots_file
from recollect.adapters.embedders.static import StaticEmbedder
from recollect.engine import shelves as shelves_file
from recollect.engine.memory import Parts
from recollect.errors import EmbedderChanged, EmbedderError, EmbedderMissing, InvalidInput, StoreBusy

WORDS = "garden kitchen tomato river budget piano train window coffee doctor camera holiday bicycle server".split()
NAMES = ("Ana", "Ben", "Chloe")
QUESTIONS = (
    "what did Ben say about the river?",
    "when was the holiday with the camera?",
    "who likes the piano and the train?",
    "what did you suggest for the kitchen?",
    "coffee",
    "something quite different",
)


class OtherModel:
    """The same vectors under another name, and a count of the texts it was asked for."""

    def __init__(self, version: str = "2") -> None:
        self._inner = StaticEmbedder()
        self.name, self.version, self.digest = "other", version, "ab" * 32
        self.dimensions, self.is_quick = self._inner.dimensions, True
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.texts += texts
        return self._inner.embed(texts)


def turns(count: int, seed: int = 1) -> list[dict[str, object]]:
    chance = random.Random(seed)
    return [
        {
            "text": f"{chance.choice(NAMES)} and the {' '.join(chance.sample(WORDS, chance.randint(2, 6)))} number {n}",
            "speaker": chance.choice(NAMES),
            "role": ("user", "assistant")[n % 2],
            "at": 1_700_000_000_000 + n * 3_600_000,
        }
        for n in range(count)
    ]


def fill(memory: Memory, count: int, seed: int = 1) -> None:
    for number in range(0, count, 50):
        session = memory.session(user="ana", session=f"s{number % 150}")
        session.remember_many(turns(min(50, count - number), seed + number))


def answers(memory: Memory, user: str = "ana") -> list[list[tuple[str, int, tuple[str, ...]]]]:
    session = memory.session(user=user, session="asking")
    return [[(h.item.id, h.score, h.reasons) for h in session.search(q, limit=20)] for q in QUESTIONS]


def shelved(memory: Memory) -> int:
    shelves = memory._office("default").shelves._shelves
    return sum(shelf.index is not None and len(shelf.index) > 0 for shelf in shelves.values())


# recorded


def test_cold_start_embeds_nothing(tmp_path: Path) -> None:
    """An index is built from what is stored: a new process embeds the question and nothing else."""
    path = str(tmp_path / "memory.db")
    with Memory.open(path, embedder=OtherModel()) as memory:
        fill(memory, 120)
        expected = answers(memory)
    model = OtherModel()
    with Memory.open(path, embedder=model) as memory:
        assert answers(memory) == expected
    assert len(model.texts) == len(QUESTIONS)


def test_every_vector_names_its_model(tmp_path: Path) -> None:
    """Name, version and hash of the embedder stand beside every vector in the file."""
    path = str(tmp_path / "memory.db")
    with Memory.open(path) as memory:
        fill(memory, 60)
    static = StaticEmbedder()
    connection = apsw.Connection(path)
    try:
        query = "SELECT name, count(*), min(length(vector)) FROM sheets JOIN makers ON number = model GROUP BY name"
        rows = connection.execute(query).fetchall()
        items = connection.execute("SELECT count(*) FROM items WHERE kind > 0").get
    finally:
        connection.close()
    assert rows == [(f"{static.name} {static.version} {static.digest}", items, static.dimensions)]


def test_erased_text_leaves_no_vector_and_no_card(tmp_path: Path) -> None:
    """After an erasure the file holds neither the words nor the vector of what was erased, byte for byte."""
    path = tmp_path / "memory.db"
    word = "quixotic"
    with Memory.open(str(path)) as memory:
        session = memory.session(user="ana")
        fill(memory, 80)
        session.remember(f"My {word} plan about zeppelins and marzipan.", ref="doomed")
        vector = StaticEmbedder().embed([f"My {word} plan about zeppelins and marzipan."])[0]
        fill(memory, 80, seed=9)
        memory._office("default").repository.settle()
        assert vector in path.read_bytes()
        session.erase_ref("doomed")
        left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert vector not in left and vector[:64] not in left and vector[-64:] not in left
    assert word.encode() not in left and b"zeppelin" not in left and b"marzipan" not in left


def test_restored_memory_finds_the_same(tmp_path: Path) -> None:
    """Exports carry no vectors; after a restore they are made again, and answers are the same."""
    with Memory.open(str(tmp_path / "one.db")) as memory:
        fill(memory, 120)
        expected = answers(memory)
        memory.export(tmp_path / "all.jsonl")
        vector = StaticEmbedder().embed([str(turns(1)[0]["text"])])[0]
        assert vector.hex().encode() not in (tmp_path / "all.jsonl").read_bytes()
    with Memory.open(str(tmp_path / "two.db")) as memory:
        memory.restore(tmp_path / "all.jsonl")
        assert answers(memory) == expected
        assert memory.reindex().made == 0


# one model


def test_changed_model_is_an_error_and_reindex_heals_it(tmp_path: Path) -> None:
    """Search and recall with another model say so and what to do; after a reindex all is well, and twice is once."""
    path = str(tmp_path / "memory.db")
    with Memory.open(path) as memory:
        fill(memory, 700)
        expected = answers(memory)
    with Memory.open(path, embedder=OtherModel()) as memory:
        session = memory.session(user="ana", session="asking")
        for ask in (session.search, session.recall, lambda asked: session.recall(asked, deadline_ms=20_000)):
            with pytest.raises(EmbedderChanged) as caught:
                ask("coffee")
            assert caught.value.code == "embedder_changed" and "recollect reindex" in caught.value.hint
            assert "static" in caught.value.message and "other 2" in caught.value.message
        assert session.list(limit=5).items
        told: list[tuple[int, int]] = []
        done = memory.reindex(on_progress=lambda at, total: told.append((at, total)))
        assert done.made == done.items >= 700
        assert told == sorted(told) and told[-1][0] == told[-1][1]
        assert answers(memory) == expected
        assert memory.reindex().made == 0
        assert memory.verify().is_ok and memory.replay() == []


def test_stopped_reindex_goes_on_where_it_was(tmp_path: Path) -> None:
    """A reindex that is stopped leaves a file that says so, and the next one makes only what is missing."""
    path = str(tmp_path / "memory.db")
    with Memory.open(path) as memory:
        fill(memory, 1_200)
        expected = answers(memory)

    class Stop(Exception):
        pass

    def stop(at: int, total: int) -> None:
        if at > 0:
            raise Stop

    with Memory.open(path, embedder=OtherModel()) as memory:
        with pytest.raises(Stop):
            memory.reindex(on_progress=stop)
        with pytest.raises(EmbedderChanged):
            memory.session(user="ana").search("coffee")
        rest = memory.reindex()
        assert 0 < rest.made < rest.items
        assert answers(memory) == expected


def test_readers_go_on_while_another_process_reindexes(tmp_path: Path) -> None:
    """A process whose index is in memory keeps answering as before while the vectors are made anew beside it."""
    path = str(tmp_path / "memory.db")
    with Memory.open(path) as reader:
        fill(reader, 300)
        expected = answers(reader)
        with Memory.open(path, embedder=OtherModel()) as other:
            assert other.reindex(on_progress=lambda at, total: None).made >= 300
        assert answers(reader) == expected
        with Memory.open(path, embedder=OtherModel()) as other:
            other.session(user="ana", session="s0").remember("Zeppelins everywhere.")
        with pytest.raises(EmbedderChanged):
            reader.session(user="ana", session="asking").search("coffee")


def test_archived_items_are_reindexed_too(tmp_path: Path) -> None:
    """What was forgotten while the model changed comes back searchable."""
    path = str(tmp_path / "memory.db")
    with Memory.open(path) as memory:
        session = memory.session(user="ana")
        session.remember("The zeppelin museum opens in May.")
        item_id = session.list(kind="semantic").items[0].id
        session.forget(item_id)
    with Memory.open(path, embedder=OtherModel()) as memory:
        memory.reindex()
        session = memory.session(user="ana")
        session.unforget(item_id)
        assert [hit.item.id for hit in session.search("zeppelin museum")][:1] == [item_id]


def test_none_searches_by_words(tmp_path: Path) -> None:
    """Without an embedder words alone are compared, also in a file that has vectors, and the other way round."""
    path = str(tmp_path / "memory.db")
    with Memory.open(path, embedder="none") as memory:
        memory.session(user="ana").remember("The zeppelin museum opens in May.")
        hits = memory.session(user="ana").search("zeppelin")
        assert hits and not any("vector" in hit.reasons for hit in hits)
    with Memory.open(path) as memory:
        assert memory.session(user="ana").search("zeppelin")
        memory.reindex()
    with Memory.open(path, embedder="none") as memory:
        assert memory.session(user="ana").search("zeppelin")


# always the same


def small(parts: Parts, bound_bytes: int = 40_000) -> Parts:
    return replace(parts, index_bound_bytes=bound_bytes)


def test_unused_owners_are_let_go_first() -> None:
    """All indexes together stay below the bound; who is asked again gets the same answer."""
    with Memory.open(":memory:") as memory:
        memory._parts = small(memory._parts, 100_000)
        for user in ("ana", "ben", "chloe"):
            memory.session(user=user, session="s").remember_many(turns(60))
        first = {user: answers(memory, user) for user in ("ana", "ben", "chloe")}
        assert 1 <= shelved(memory) < 3
        assert {user: answers(memory, user) for user in ("chloe", "ana", "ben")} == first


def test_index_that_followed_is_the_index_that_is_built(tmp_path: Path) -> None:
    """Writes, forgettings and returns applied one by one give what a fresh process builds from the file."""
    path = str(tmp_path / "memory.db")
    chance = random.Random(4)
    with Memory.open(path) as memory:
        session = memory.session(user="ana", session="asking")
        forgotten: list[str] = []
        for step in range(60):
            fill(memory, chance.choice((1, 2, 70)) if step % 9 == 0 else 1, seed=1_000 + step)
            ids = [item.id for item in session.list(kind="semantic", limit=200).items]
            if step % 3 == 0:
                forgotten.append(chance.choice(ids))
                session.forget(forgotten[-1])
            if step % 10 == 9:
                session.unforget(forgotten.pop(0))
            session.search("river piano")
        followed = answers(memory)
    with Memory.open(path) as memory:
        assert answers(memory) == followed


def test_eight_threads_and_another_process_find_the_same(tmp_path: Path) -> None:
    """The same top 20 in the same order, with 1 or 8 threads, in any process, on both stores."""
    path = str(tmp_path / "memory.db")
    with Memory.open(path) as memory, Memory.open(":memory:") as other:
        fill(memory, 300)
        fill(other, 300)
        alone = answers(memory)
        assert answers(other) == alone
        found: list[object] = []
        threads = [threading.Thread(target=lambda: found.append(answers(memory))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [alone] * 8
    code = (
        "import sys; sys.path.insert(0, sys.argv[2]); from test_vectors import *; "
        "print(answers(Memory.open(sys.argv[1])))"
    )
    command = [sys.executable, "-c", code, path, str(Path(__file__).parent)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == str(alone)


class HungModel(OtherModel):
    """Hangs in a question until it is let go, and says that it does."""

    def __init__(self) -> None:
        super().__init__()
        self.hangs, self.may_go = threading.Event(), threading.Event()

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        if "hang" in texts:
            self.hangs.set()
            assert self.may_go.wait(60)
        return super().embed(texts)


def test_who_writes_does_not_wait_for_a_hung_question(tmp_path: Path) -> None:
    """While an embedder hangs in somebody's question, the same owner writes and asks on; the question sees it all."""
    model = HungModel()
    with Memory.open(str(tmp_path / "memory.db"), embedder=model) as memory:
        fill(memory, 60)
        session = memory.session(user="ana", session="asking")
        session.search("coffee")
        found: list[str] = []
        stuck = threading.Thread(target=lambda: found.extend(h.item.text for h in session.search("hang", limit=100)))
        stuck.start()
        assert model.hangs.wait(30)
        others = threading.Thread(
            target=lambda: [session.remember("A camera hang upside down by the river."), session.search("coffee")]
        )
        others.start()
        others.join(30)
        is_done = not others.is_alive()
        model.may_go.set()
        stuck.join(30)
        assert is_done
        assert "A camera hang upside down by the river." in found


def test_a_search_that_is_always_overtaken_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is overtaken by writers again and again is told so in our words, and only then."""
    with Memory.open(":memory:") as memory:
        fill(memory, 20)
        session = memory.session(user="ana", session="asking")
        current, left = shelves_file.Shelves._current, [3]

        def overtaken(*given: object) -> object:
            left[0] -= 1
            if left[0] >= 0:
                raise shelves_file.Ahead
            return current(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(shelves_file.Shelves, "_current", overtaken)
        assert session.search("coffee")
        left[0] = 1_000
        with pytest.raises(StoreBusy):
            session.search("coffee")


# choosing


@pytest.mark.parametrize("chosen", ["", "magic", "minilm:", "MINILM", 7, None, ["magic"]], ids=repr)
def test_unknown_embedder_is_refused(chosen: object) -> None:
    """A word that names no embedder is the caller's mistake."""
    with pytest.raises(InvalidInput):
        Memory.open(":memory:", embedder=chosen)


def test_missing_sentence_model_is_typed(tmp_path: Path) -> None:
    """Where the model's files are not, remembering goes on and asking by meaning says what to install."""
    with Memory.open(":memory:", embedder=f"minilm:{tmp_path}") as memory:
        session = memory.session(user="ana")
        session.remember("The zeppelin museum opens in May.")
        with pytest.raises(EmbedderMissing) as caught:
            session.search("zeppelin")
        assert caught.value.hint
        with pytest.raises(EmbedderError):
            memory.reindex()
        assert "zeppelin" in session.recall("zeppelin museum").text


def test_sentence_model_embeds_alike(tmp_path: Path) -> None:
    """The full model gives the known similarity of a known pair, the same bytes alone and in company."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    from recollect.adapters.embedders.minilm import MiniLmEmbedder

    model = MiniLmEmbedder()
    texts = ["A man is eating food.", "A man is eating a piece of bread.", "A monkey is playing drums.", ""]
    try:
        vectors = model.embed(texts)
    except EmbedderMissing:
        pytest.skip("the weights are not installed")
    food, bread, drums, nothing = ([b - 256 if b > 127 else b for b in vector] for vector in vectors)
    cosine = sum(a * b for a, b in zip(food, bread, strict=True)) / (28 * 28 * 384)
    assert 0.74 < cosine < 0.77
    assert abs(sum(a * b for a, b in zip(food, drums, strict=True))) < 0.2 * 28 * 28 * 384
    assert not any(nothing)
    assert vectors == [model.embed([text])[0] for text in texts]


def test_products_are_the_same_with_and_without_the_quick_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole numbers come out whole, in one piece or in many."""
    chance = np.random.default_rng(7)
    for rows, others, length in ((1, 1, 4), (3, 70, 256), (150, 150, 384)):
        some, more = (chance.integers(-127, 128, (n, length), dtype=np.int8) for n in (rows, others))
        exact = some.astype(np.int64) @ more.astype(np.int64).T
        with monkeypatch.context() as without:
            without.setattr(dots_file, "cdist", None)
            assert (dots_file.dots(some, more) == exact).all()
        assert (dots_file.dots(some, more) == exact).all()
