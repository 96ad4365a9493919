"""What a fact is before it is an item.

Decides: the shape of a draft and its `memory_key`.
Never: reads text. This file is all that most importers need, so it stays as light as it is.
Spec: state and memory model, "Memory metadata"; ruling 20 (the key's parts).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDraft:
    """One claim a turn makes, with the place in the text it was read from."""

    type: str
    entity_type: str
    ref: str
    fact_type: str
    predicate: str
    value: str
    text: str
    entity_refs: tuple[str, ...]
    entity_label: str
    importance: int
    confidence: int
    is_correction: bool
    start: int
    end: int

    @property
    def memory_key(self) -> str:
        """The key under which claims about the same thing meet."""
        head = f"{self.type.lower()}|{self.entity_type}|{self.ref}|{self.fact_type}"
        return f"{head}|{self.predicate}" if self.predicate else head


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """An earlier turn of the same conversation."""

    text: str
    is_user: bool
    speaker: str = ""
