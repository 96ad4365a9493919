"""Builds the ONNX graph of a six-layer BERT encoder with mean pooling from its safetensors weights.

    ids -> word + position + type -> norm -> 6 x (attention + norm, feed forward + norm) -> mean over the pieces

Never: runs anything, reads a file, or needs torch.
Spec: BERT, as all-MiniLM-L6-v2 is published (384 wide, 12 heads, erf GELU, norms at 1e-12).
"""

from __future__ import annotations

import json
import struct
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper, numpy_helper

WIDTH: Final = 384
HEADS: Final = 12
LAYERS: Final = 6
OPSET: Final = 17
IR_VERSION: Final = 9
Floats = npt.NDArray[np.float32]


def build(weights: bytes) -> bytes:
    """The serialised graph: `ids` in, one vector out."""
    graph = _Graph(read_safetensors(weights))
    hidden = graph.embed()
    for layer in range(LAYERS):
        hidden = graph.layer(f"encoder.layer.{layer}", hidden)
    graph.op("ReduceMean", [hidden], "vector", axes=[0], keepdims=0)
    made = helper.make_graph(
        graph.nodes,
        "minilm",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["pieces"])],
        [helper.make_tensor_value_info("vector", TensorProto.FLOAT, [WIDTH])],
        graph.constants,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    serialised: bytes = model.SerializeToString()
    return serialised


def read_safetensors(raw: bytes) -> dict[str, Floats]:
    """The float tensors of a safetensors file by name."""
    (size,) = struct.unpack_from("<Q", raw)
    head = json.loads(raw[8 : 8 + size])
    found: dict[str, Floats] = {}
    for name, told in head.items():
        if name != "__metadata__" and told["dtype"] == "F32":
            start, end = told["data_offsets"]
            data = raw[8 + size + start : 8 + size + end]
            found[name] = np.frombuffer(data, dtype="<f4").reshape(told["shape"]).astype(np.float32)
    return found


class _Graph:
    """Nodes and constants as they are added; every method gives the name of its result."""

    def __init__(self, tensors: dict[str, Floats]) -> None:
        self._tensors = tensors
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def op(self, kind: str, inputs: list[str], name: str = "", **attributes: object) -> str:
        name = name or f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def constant(self, value: npt.NDArray[Any]) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def embed(self) -> str:
        words = self.op("Gather", [self.constant(self._tensors["embeddings.word_embeddings.weight"]), "ids"])
        count = self.op("Shape", ["ids"])
        zero, first = self.constant(np.array([0], dtype=np.int64)), self.constant(np.array([0], dtype=np.int64))
        kinds = self._tensors["embeddings.token_type_embeddings.weight"][0]
        places = self.constant(self._tensors["embeddings.position_embeddings.weight"] + kinds)
        near = self.op("Slice", [places, zero, count, first])
        return self.norm("embeddings.LayerNorm", self.op("Add", [words, near]))

    def layer(self, name: str, hidden: str) -> str:
        attended = self.attend(f"{name}.attention.self", hidden)
        attended = self.dense(f"{name}.attention.output.dense", attended)
        hidden = self.norm(f"{name}.attention.output.LayerNorm", self.op("Add", [attended, hidden]))
        wide = self.gelu(self.dense(f"{name}.intermediate.dense", hidden))
        return self.norm(f"{name}.output.LayerNorm", self.op("Add", [self.dense(f"{name}.output.dense", wide), hidden]))

    def attend(self, name: str, hidden: str) -> str:
        split = self.constant(np.array([-1, HEADS, WIDTH // HEADS], dtype=np.int64))
        query, key, value = (
            self.op("Reshape", [self.dense(f"{name}.{part}", hidden), split]) for part in ("query", "key", "value")
        )
        query, value = (self.op("Transpose", [part], perm=[1, 0, 2]) for part in (query, value))
        key = self.op("Transpose", [key], perm=[1, 2, 0])
        root = self.constant(np.array((WIDTH // HEADS) ** 0.5, dtype=np.float32))
        weights = self.op("Softmax", [self.op("Div", [self.op("MatMul", [query, key]), root])], axis=-1)
        joined = self.op("Transpose", [self.op("MatMul", [weights, value])], perm=[1, 0, 2])
        return self.op("Reshape", [joined, self.constant(np.array([-1, WIDTH], dtype=np.int64))])

    def dense(self, name: str, hidden: str) -> str:
        turned = self.op("MatMul", [hidden, self.constant(self._tensors[f"{name}.weight"].T)])
        return self.op("Add", [turned, self.constant(self._tensors[f"{name}.bias"])])

    def norm(self, name: str, hidden: str) -> str:
        inputs = [self.constant(self._tensors[f"{name}.{part}"]) for part in ("weight", "bias")]
        return self.op("LayerNormalization", [hidden, *inputs], axis=-1, epsilon=1e-12)

    def gelu(self, hidden: str) -> str:
        half, one, root = (self.constant(np.array(value, dtype=np.float32)) for value in (0.5, 1.0, 2**0.5))
        share = self.op("Add", [self.op("Erf", [self.op("Div", [hidden, root])]), one])
        return self.op("Mul", [self.op("Mul", [hidden, share]), half])
