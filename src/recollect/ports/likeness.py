"""What recollect asks of whatever tells how alike texts are, and of a model that may judge whether they agree.

Both answer in whole numbers or closed words, which go into the decision as data; without them the gate decides by words
alone.

Never: decides what is dropped.
Spec: document 002, section 5 (A3); issue "an entailment model can plug in behind the same port".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

Relation = Literal["same", "contradicts", "neither"]


class Likeness(Protocol):
    """How similar texts are in meaning."""

    @property
    def model(self) -> str:
        """What makes its vectors, as `Filing.model` names it: vectors of the same name need not be made again."""
        ...

    def compare(self, question: str, texts: Sequence[str], known: Sequence[bytes]) -> tuple[list[int], list[list[int]]]:
        """Similarity of each text to the question in millionths, and to every other in percent; never below 0.

        `known` holds the vectors of the texts that have one already, b"" for the others.
        """
        ...


class Entailment(Protocol):
    """A model that judges pairs of texts: whether the newer says the same as the older, or the contrary."""

    def relate(self, pairs: Sequence[tuple[str, str]], *, timeout_ms: int) -> list[Relation]:
        """One word for every (older, newer)."""
        ...
