"""Asks the systems people use the questions of the quality bench; runs in a virtual environment of its own.

    python run.py tasks.json answers.json

`tasks.json` holds groups of texts with their refs and vectors, and questions with theirs: every system gets the same
embedder, as numbers. `answers.json` gets, for each system and group, the refs of the first twenty for each question.
A system that cannot be imported or fails is named with its reason, and the others go on.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import tempfile
import time
from array import array
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

os.environ |= {"MEM0_TELEMETRY": "False", "ANONYMIZED_TELEMETRY": "False", "OPENAI_API_KEY": "unused"}
DEPTH = 20
Vector = list[float]
Group = dict[str, list]
Ask = Callable[[str], list[str]]


def chroma(group: Group, embed: Callable[[str], Vector], dimensions: int) -> Ask:
    import chromadb
    from chromadb.config import Settings

    client = chromadb.EphemeralClient(settings=Settings(anonymized_telemetry=False))
    name = f"g{time.monotonic_ns()}"
    collection = client.create_collection(name, metadata={"hnsw:space": "cosine"}, embedding_function=None)
    for start in range(0, len(group["refs"]), 1_000):
        chunk = slice(start, start + 1_000)
        texts = group["texts"][chunk]
        collection.add(ids=group["refs"][chunk], embeddings=[embed(text) for text in texts], documents=texts)
    return lambda question: collection.query(query_embeddings=[embed(question)], n_results=DEPTH)["ids"][0]


def langgraph(group: Group, embed: Callable[[str], Vector], dimensions: int) -> Ask:
    from langgraph.store.memory import InMemoryStore

    config = {"dims": dimensions, "fields": ["text"], "embed": lambda texts: [embed(text) for text in texts]}
    store = InMemoryStore(index=config)
    for ref, text in zip(group["refs"], group["texts"], strict=True):
        store.put(("u",), ref, {"text": text})
    return lambda question: [item.key for item in store.search(("u",), query=question, limit=DEPTH)]


def llamaindex(group: Group, embed: Callable[[str], Vector], dimensions: int) -> Ask:
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import MockEmbedding
    from llama_index.core.schema import QueryBundle, TextNode

    pairs = zip(group["refs"], group["texts"], strict=True)
    nodes = [TextNode(id_=ref, text=text, embedding=embed(text)) for ref, text in pairs]
    index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=dimensions))
    retriever = index.as_retriever(similarity_top_k=DEPTH)

    def ask(question: str) -> list[str]:
        found = retriever.retrieve(QueryBundle(query_str=question, embedding=embed(question)))
        return [one.node.node_id for one in found]

    return ask


def mem0(group: Group, embed: Callable[[str], Vector], dimensions: int) -> Ask:
    from mem0 import Memory

    folder = tempfile.mkdtemp()
    store = {
        "provider": "qdrant",
        "config": {"path": f"{folder}/q", "embedding_model_dims": dimensions, "on_disk": False},
    }
    memory = Memory.from_config({"vector_store": store, "history_db_path": f"{folder}/h.db"})

    class Given:
        """The embedder that everybody gets."""

        config = type("Config", (), {"embedding_dims": dimensions})()

        def embed(self, text: str, memory_action: str | None = None) -> Vector:
            return embed(text)

        def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[Vector]:
            return [embed(text) for text in texts]

    memory.embedding_model = Given()
    for ref, text in zip(group["refs"], group["texts"], strict=True):
        memory.add(text, user_id="u", metadata={"ref": ref}, infer=False)

    def ask(question: str) -> list[str]:
        try:
            found = memory.search(question, filters={"user_id": "u"}, top_k=DEPTH, threshold=0.0)
        except TypeError:
            found = memory.search(question, user_id="u", limit=DEPTH)
        return [one["metadata"]["ref"] for one in found["results"]]

    return ask


SYSTEMS = {
    "Chroma": (chroma, "chromadb"),
    "LangGraph store": (langgraph, "langgraph"),
    "LlamaIndex": (llamaindex, "llama-index-core"),
    "mem0, infer=False": (mem0, "mem0ai"),
}


def main() -> None:
    tasks = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    # Some systems trim a text before they embed it.
    vectors = {text.strip(): array("b", base64.b64decode(raw)) for text, raw in tasks["vectors"].items()}
    answers: dict[str, object] = {}
    for name, (make, package) in SYSTEMS.items():
        try:
            told = []
            for group in tasks["groups"]:
                ask = make(group, lambda text: [float(v) for v in vectors[text.strip()]], tasks["dimensions"])
                told.append([ask(question) for question in group["questions"]])
            answers[name] = {"version": version(package), "ranked": told}
        except Exception as error:  # noqa: BLE001  a peer that does not run here is skipped with its reason
            answers[name] = {"skipped": f"{type(error).__name__}: {str(error)[:200]}"}
        print(f"{name}: {answers[name].get('skipped', 'done')}", file=sys.stderr, flush=True)
    Path(sys.argv[2]).write_text(json.dumps(answers), encoding="utf-8")


if __name__ == "__main__":
    main()
