"""What a recall asks, as data, and what the engine gathered for it.

Never: looks anything up.
Spec: architecture "plan, gather, select"; reliability.md "Contract of a recall".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from recollect.core.companion.layout import Kept
from recollect.core.item import MemoryItem, Phase
from recollect.core.policy import Policy
from recollect.core.read.files import FileText, Shown
from recollect.core.values import ItemRef, Kind, Lens, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its limits. `as_of_ms` asks what was believed then; 0 asks what is believed now."""

    text: str
    policy: Policy
    lens: Lens
    at_ms: int
    budget_tokens: int
    limit: int
    as_of_ms: int = 0
    # Exact File Lock: named files and the window only. `off` names files that stay out, with all that points at them.
    is_locked: bool = False
    off: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def about(self, text: str) -> Question:
        """The same question with other words."""
        return replace(self, text=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An item an index or a list proposes, with how well it matches in millionths of the best of its place.

    `outdated` is what is so now, where the item is a turn that states something that has changed; `vector` is its
    meaning as an index holds it."""

    item: MemoryItem
    match: int = 0
    terms: tuple[str, ...] = ()
    outdated: str = ""
    vector: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two things that cannot both hold: which one stands in this context, and what each says."""

    kept: str
    dropped: str
    about: str
    kept_says: str = ""
    dropped_says: str = ""

    @property
    def sentence(self) -> str:
        if not self.kept_says:
            return f"{self.kept} stands; {self.dropped} says otherwise"
        return f"{self.about}: {self.kept_says} ({self.kept}) stands, not {self.dropped_says} ({self.dropped})"

    def to_wire(self) -> dict[str, str]:
        return {"kept": self.kept, "dropped": self.dropped, "about": self.about, "sentence": self.sentence}


@dataclass(slots=True, kw_only=True)
class Gathered:
    """Everything the read river may see."""

    ticks: dict[Place, int]
    phases: dict[Place, Phase | None]
    window: list[MemoryItem] = field(default_factory=list)
    facts: list[Proposal] = field(default_factory=list)
    episodes: list[Proposal] = field(default_factory=list)
    tiers: dict[str, str] = field(default_factory=dict)
    # How many items of each kind a place ever numbered: what turn distance is counted from.
    counts: dict[Place, dict[Kind, int]] = field(default_factory=dict)
    # Similarity to the question in millionths, and of what was compared in percent, as rows and columns of `order`.
    similar: dict[ItemRef, int] = field(default_factory=dict)
    order: dict[ItemRef, int] = field(default_factory=dict)
    table: Sequence[Sequence[int]] = ()
    # What an entailment model said of (older, newer): `same` or `contradicts`.
    relations: dict[tuple[ItemRef, ItemRef], str] = field(default_factory=dict)
    files: list[FileText] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    # What a persona's ledger adds, where the policy has a companion.
    kept: Kept | None = None
    # Whether everything that could be found was looked at; an approximate index may have passed something over.
    is_exact: bool = True

    def copy(self) -> Gathered:
        """What is whole now, while somebody goes on with the other."""
        return replace(
            self,
            facts=list(self.facts),
            episodes=list(self.episodes),
            tiers=dict(self.tiers),
            files=list(self.files),
        )

    def alike(self, row: int, column: int) -> int:
        """How similar two items of `order` are, in percent; nothing is known of what is not in it (-1)."""
        return self.table[row][column] if row >= 0 and column >= 0 else 0
