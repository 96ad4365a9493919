"""One peer at work, in an environment of its own: fill it, ask it, print p50, p95 and writes a second as JSON.

    python bench/speed_peers.py PEER SIZE FOLDER        called by bench/speed.py --peers

Every peer gets the same texts, the same questions and the same vectors (the shipped table's); none calls a model.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

from recollect.adapters.embedders.static import StaticEmbedder
from speed import questions, spread, texts, turns

EMBEDDER = StaticEmbedder()
ASKED = 40
# What would close itself when nobody holds it.
KEPT: list[AbstractContextManager[Any]] = []
Fill = Callable[[list[str]], None]
Ask = Callable[[str], object]


def embed(given: list[str]) -> list[list[float]]:
    matrix = np.frombuffer(b"".join(EMBEDDER.embed(given)), dtype=np.int8).reshape(len(given), -1)
    return (matrix.astype(np.float32) / 448).tolist()


def ours(folder: str) -> tuple[Fill, Ask]:
    from recollect import Memory

    session = Memory.open(f"{folder}.db").session(user="ana", session="s")
    return lambda given: session.remember_many(turns(len(given), seed=0)), session.search


def langgraph(folder: str) -> tuple[Fill, Ask]:
    from langgraph.store.memory import InMemoryStore

    return _store(InMemoryStore(index={"dims": EMBEDDER.dimensions, "embed": embed}))


def langgraph_sqlite(folder: str) -> tuple[Fill, Ask]:
    from langgraph.store.sqlite import SqliteStore

    index = {"dims": EMBEDDER.dimensions, "embed": embed, "fields": ["text"]}
    KEPT.append(SqliteStore.from_conn_string(f"{folder}.db", index=index))
    store = KEPT[-1].__enter__()
    store.setup()
    return _store(store)


def _store(store: object) -> tuple[Fill, Ask]:
    def fill(given: list[str]) -> None:
        for number, text in enumerate(given):
            store.put(("ana",), str(number), {"text": text})  # type: ignore[attr-defined]

    return fill, lambda question: store.search(("ana",), query=question, limit=10)  # type: ignore[attr-defined]


def chroma(folder: str) -> tuple[Fill, Ask]:
    import chromadb

    settings = chromadb.config.Settings(anonymized_telemetry=False)
    collection = chromadb.PersistentClient(folder, settings).create_collection("memories", embedding_function=None)

    def fill(given: list[str]) -> None:
        for start in range(0, len(given), 1_000):
            part = given[start : start + 1_000]
            ids = [str(start + number) for number in range(len(part))]
            collection.add(ids=ids, documents=part, embeddings=embed(part))

    return fill, lambda question: collection.query(query_embeddings=embed([question]), n_results=10)


def llamaindex(folder: str) -> tuple[Fill, Ask]:
    from llama_index.core import Settings, VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.schema import TextNode

    class Ours(BaseEmbedding):
        def _get_query_embedding(self, query: str) -> list[float]:
            return embed([query])[0]

        def _get_text_embedding(self, text: str) -> list[float]:
            return embed([text])[0]

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return embed([query])[0]

    Settings.llm = None
    index = VectorStoreIndex([], embed_model=Ours())
    retriever = index.as_retriever(similarity_top_k=10)
    return lambda given: index.insert_nodes([TextNode(text=text) for text in given]), retriever.retrieve


def mem0(folder: str) -> tuple[Fill, Ask]:
    os.environ |= {"MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "none", "MEM0_DIR": folder}
    from mem0 import Memory

    class Ours:
        config = None

        def embed(self, text: str, memory_action: str = "") -> list[float]:
            return embed([text])[0]

        def embed_batch(self, given: list[str], memory_action: str = "") -> list[list[float]]:
            return embed(given)

    store = {"collection_name": "m", "path": f"{folder}/q", "embedding_model_dims": EMBEDDER.dimensions}
    memory = Memory.from_config({"vector_store": {"provider": "qdrant", "config": {**store, "on_disk": True}}})
    memory.embedding_model = Ours()

    def fill(given: list[str]) -> None:
        for text in given:
            memory.add(text, user_id="ana", infer=False)

    def ask(question: str) -> object:
        try:
            return memory.search(question, user_id="ana", limit=10)
        except (TypeError, ValueError):
            return memory.search(question, filters={"user_id": "ana"}, top_k=10)

    return fill, ask


PEERS: dict[str, Callable[[str], tuple[Fill, Ask]]] = {
    "recollect": ours,
    "langgraph": langgraph,
    "langgraph-sqlite": langgraph_sqlite,
    "chroma": chroma,
    "llamaindex": llamaindex,
    "mem0": mem0,
}


def main() -> None:
    peer, size, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    Path(folder).mkdir(parents=True, exist_ok=True)
    fill, ask = PEERS[peer](folder)
    given = texts(size, seed=0)
    start = time.perf_counter()
    fill(given)
    rate = size / (time.perf_counter() - start)
    ask("warm up")
    p50, p95, _, _ = spread(ask, questions(ASKED))
    print(json.dumps([p50, p95, rate]))


if __name__ == "__main__":
    main()
