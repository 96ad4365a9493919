"""What recollect asks of anything that turns text into a vector.

An embedder is named by what made it: ``name``, ``version`` and the ``digest`` of its weights are recorded with every
vector, so that a changed model is a clear error and a rebuild, never a silently empty result. Vectors are int8 by the
time they cross this port: a similarity is then one exact integer dot product, equal on every machine.

Never: says how texts are cut, cached, stored or compared; knows of owners, stores or policies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable


@runtime_checkable
class Embedder(Protocol):
    """Text in, int8 vectors out; the same text gives the same bytes for as long as the digest stays the same."""

    @property
    def name(self) -> str:
        """Which model this is, in words a person can look up."""
        ...

    @property
    def version(self) -> str:
        """The version of the recipe; it rises whenever a vector could differ for any reason but the weights."""
        ...

    @property
    def digest(self) -> str:
        """sha256 of the weights, in hexadecimal."""
        ...

    @property
    def is_quick(self) -> bool:
        """Whether it answers within the time of a write and cannot fail: no server, no large model.

        A quick embedder's vectors are committed with their items and can be made again at any time; another's are made
        after the commit, outside every lock.
        """
        ...

    @property
    def dimensions(self) -> int:
        """Length of every vector, and so the number of bytes in each."""
        ...

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector per text, in order: ``dimensions`` signed bytes, all zero for text the model knows nothing of."""
        ...
