"""What a store must be able to do. Everything durable goes through this port.

1. A repository is built for one tenant; no method takes a tenant.
2. `reading()` gives one consistent snapshot; `writing(places)` is the only writer of those places until it ends,
   and locks them in sorted order. A hopeful writer is as good: it is the only one, or it is told that it was not.
3. A commit is all or nothing: items, standings, phases, heads, log records and the command's answer together.

Never: decides. A store returns what was committed, in the order asked for, every order ending in a unique key.
Spec: rulings 3, 4, 10a; architecture, laws 1, 2, 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from recollect.core.item import MemoryItem, Phase, Standing
from recollect.core.log import Entry, SealKey
from recollect.core.policy import Policy
from recollect.core.state import Head
from recollect.core.values import EventType, ItemRef, Kind, Place, Space, Status
from recollect.core.write.desk import Act


class Overtaken(Exception):
    """Another writer was faster than a hopeful one. Nothing was written: decide again, without hope."""


class Answer(NamedTuple):
    """What an earlier call with the same command_id was, and what it answered."""

    fingerprint: str
    receipt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """The caller's own name for a call, so that repeating it changes nothing."""

    owner: Place
    id: str
    fingerprint: str
    receipt: str


class Sheet(NamedTuple):
    """What search needs of one item. It is made from the item alone, so it can always be made again.

    `recipe` and `model` name exactly what made the card and the vector; an empty one means that there is none yet.
    """

    recipe: str = ""
    card: bytes = b""
    model: str = ""
    vector: bytes = b""


class Filed(NamedTuple):
    """One searchable item as its store files it: kind, number, status and tick, and its sheet by makers' numbers."""

    kind: int
    n: int
    status: str
    tick: int
    recipe: int
    card: bytes
    model: int
    vector: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One decision, ready to be made durable."""

    home: Place
    policy: Policy
    acts: Sequence[Act]
    heads: dict[Place, Head]
    created: dict[ItemRef, MemoryItem] = field(default_factory=dict)
    changed: dict[ItemRef, MemoryItem | None] = field(default_factory=dict)
    phases: Sequence[tuple[Place, Phase]] = ()
    links: Sequence[tuple[ItemRef, ItemRef]] = ()
    # Of what is gone, what was erased. What was only deleted keeps its links: erasing must still find its way through.
    erased: dict[ItemRef, bool] = field(default_factory=dict)
    command: Command | None = None
    # Derived, and so no part of the log: the sheets of created items, which come and go with them.
    sheets: Mapping[ItemRef, Sheet] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which items a listing wants. Empty means all."""

    kinds: tuple[Kind, ...] = ()
    statuses: tuple[Status, ...] = (Status.ACTIVE,)
    event_types: tuple[EventType, ...] = ()
    ref: str = ""
    session: str = ""
    is_pinned: bool | None = None
    contains: str = ""
    source: str = ""

    def matches(self, item: MemoryItem) -> bool:
        """Whether an item is wanted. Stores may narrow with their own indexes first, never widen."""
        return (
            (not self.kinds or item.kind in self.kinds)
            and (not self.statuses or item.status in self.statuses)
            and (not self.event_types or item.event_type in self.event_types)
            and (not self.ref or item.origin.ref == self.ref)
            and (not self.session or item.origin.session == self.session)
            and (self.is_pinned is None or item.standing.is_pinned is self.is_pinned)
            and (not self.source or any(f"{name}:".startswith(f"{self.source}:") for name in _sources(item)))
            and (not self.contains or self.contains.casefold() in item.text.casefold())
        )


def _sources(item: MemoryItem) -> tuple[str, ...]:
    """Where an item's words came from, and what they were made of."""
    return item.origin.source, dict(item.origin.extra).get("made_of", "")


class Chain(NamedTuple):
    """Where the chain of one place stands."""

    number: int
    place: Place
    seq: int
    head: bytes


class Sealed(NamedTuple):
    """The sealed content of an item, a phase or a place's name: what the log's commitment was made from.

    `columns` repeats what a store keeps beside an item's body for looking it up, so that it can be compared.
    """

    key: SealKey
    salt: bytes
    body: str
    columns: tuple[int, bytes | None, str | None] | None = None


Row = dict[str, object]


class Reader(Protocol):
    """One consistent look at one tenant's memory."""

    def heads(self, places: Sequence[Place]) -> dict[Place, Head]:
        """The head of each place; a place never written has a fresh one."""

    def phases(self, place: Place) -> list[Phase]:
        """All phases of a place, oldest first."""

    def window(self, place: Place) -> list[MemoryItem]:
        """The active short_term items of a place, oldest first."""

    def keyed(self, place: Place, keys: Sequence[str]) -> list[MemoryItem]:
        """The active items that hold one of these keys."""

    def fetch(self, refs: Sequence[ItemRef]) -> dict[ItemRef, MemoryItem]:
        """The items at these addresses that exist, whatever their status."""

    def ageing(self, place: Place, kind: Kind, created_before: int) -> list[MemoryItem]:
        """Active, unpinned items of a kind created before a tick, oldest first."""

    def foremost(self, places: Sequence[Place], limit: int) -> list[MemoryItem]:
        """What comes first in each of these places, place after place; at most `limit` facts and episodes of each.

        Active facts, pinned first, then the more important, then the newer; after them pinned episodes in that order.
        """

    def newest(self, place: Place, kind: Kind, limit: int) -> list[MemoryItem]:
        """Active items, newest first."""

    def page(self, place: Place, wanted: Filter, after: tuple[str, int] | None, limit: int) -> list[MemoryItem]:
        """Items of a place by kind and number, after a given one."""

    def documents(self, place: Place) -> Iterator[MemoryItem]:
        """Every episode and fact that can be searched: active or quarantined, by kind and number."""

    def makers(self) -> dict[int, str]:
        """What made cards and vectors here, by the numbers that `filed` uses. Number 0 is nobody's."""

    def filed(self, place: Place, after: tuple[int, int], limit: int) -> list[Filed]:
        """What `documents` gives, as an index takes it in: by kind and number after a given pair, at most `limit`."""

    def sheets(self, refs: Sequence[ItemRef]) -> dict[ItemRef, Sheet]:
        """The sheets of these items, as far as there are any."""

    def nearest(self, place: Place, model: str, vector: bytes, limit: int) -> list[ItemRef] | None:
        """About the nearest items of a place by their vectors of this model, sorted; None where no index knows that.

        Some may be missing and some archived: whoever asks scores what is proposed, and says that it is not exact.
        """

    def log(self, place: Place, after_seq: int, limit: int) -> list[Entry]:
        """Records of a place, oldest first."""

    def read(self, place: Place, seq: int, record: str) -> Entry:
        """A raw record, read with this store's names of places."""

    def records(self, place: Place, after_seq: int, limit: int) -> list[tuple[int, str, bytes]]:
        """The raw chain of a place: sequence number, record, hash."""

    def places_of(self, space: Space, user: str) -> list[Place]:
        """A user's places in a space, in order: their own, their personas', their conversations'; no others."""

    def places(self, space: str = "", owner_prefix: str = "") -> list[Place]:
        """All places of this tenant, sorted."""

    def answer(self, owner: Place, command_id: str) -> Answer | None:
        """What a command already answered."""

    def policy(self, policy_hash: str) -> dict[str, object] | None:
        """The policy snapshot of that hash, if it is there and is what its hash says."""

    def recalls(self, place: Place, limit: int) -> list[str]:
        """The newest kept traces of recalls of a session, oldest of them first."""

    def kept_recalls(self) -> Iterator[tuple[str, str]]:
        """Every kept trace of a recall of this tenant, with the owner of its session."""

    def commands(self, place: Place) -> list[tuple[str, str]]:
        """Every answered command of a place: its id and its receipt."""

    def made_from(self, refs: Sequence[ItemRef]) -> list[tuple[ItemRef, ItemRef]]:
        """(child, parent) of everything made from one of these items, sorted."""

    def made_in(self, place: Place) -> list[tuple[ItemRef, ItemRef]]:
        """(child, parent) of everything made from anything in a place, whether the parent is still there or not."""

    def sources_of(self, ref: ItemRef) -> list[ItemRef]:
        """What an item was made from, as far as it is still known, sorted."""

    def chains(self) -> list[Chain]:
        """The chains of all places of this tenant, by number."""

    def sealed(self, place: Place) -> Iterator[Sealed]:
        """Everything sealed in a place: its name, its items by kind and number, its phases."""

    def standings(self, place: Place) -> Iterator[tuple[ItemRef, Standing]]:
        """How every item of a place stands, without its words, by kind and number."""

    def dump(self) -> Iterator[tuple[str, Row]]:
        """Everything of this tenant as plain rows, in one fixed order: for an export."""

    def edges(self, place: Place) -> list[tuple[ItemRef, ItemRef]]:
        """(child, parent) for every item of a place that was made from another, sorted."""

    def strays(self) -> list[int]:
        """Numbers of places whose rows are there while the place itself is gone."""

    def counts(self) -> dict[str, int]:
        """Items by kind and status, places, records: for `stats`."""


class Writer(Reader, Protocol):
    """A reader that is also the only writer of its places."""

    def commit(self, commit: Commit) -> None:
        """Make a decision durable; once this returns and the context ends, nothing of it can be lost."""

    def file(self, sheets: Mapping[ItemRef, Sheet]) -> None:
        """Put sheets in, or replace them, of items that are still there; those of others are dropped."""

    def load(self, table: str, row: Row) -> None:
        """Put a dumped row into an empty store."""

    def drop_recalls(self, is_doomed: Callable[[str, str], bool]) -> None:
        """Throw away kept recall traces; each is judged by its session's owner and its text."""

    def drop_commands(self, place: Place, is_doomed: Callable[[str, str], bool]) -> None:
        """Throw away answered commands of a place; each is judged by its id and its receipt."""

    def bury(self, place: Place) -> None:
        """Take the name, the phases and the commands of a place away. Its chain stays, nameless."""

    def keep_recall(self, place: Place, body: str, ring: int) -> None:
        """Keep the trace of a recall, and at most `ring` of them. Not part of the state."""


class Repository(Protocol):
    """One tenant's memory in a store."""

    def reading(self) -> AbstractContextManager[Reader]:
        """One consistent snapshot."""

    def writing(self, places: Sequence[Place], *, is_hopeful: bool = False) -> AbstractContextManager[Writer]:
        """The only writer of these places; rolls back when the block raises.

        A hopeful caller can decide again: a store may then let it decide on where the places stood when this process
        last wrote them, and raise `Overtaken` instead of writing when one has moved since.
        """

    def take_chore(self, now_ms: int, due_ms: int, stale_ms: int) -> Place | None:
        """The user's place that waited longest to be looked after, for this caller alone; None when none is due.

        Due is what was not looked after since `due_ms`; what was taken before `stale_ms` and never ended is free again.
        """

    def end_chore(self, place: Place, now_ms: int) -> None:
        """The place was looked after."""

    def restless(self, now_ms: int, policy_hash: str) -> list[Place]:
        """The users' places where something may be due: they grew since they were at rest, were never looked after, or
        their rest, by this policy, is over. Asked as one question, however many users there are.
        """

    def rest(self, seqs: Mapping[Place, int], until_ms: int, policy_hash: str) -> None:
        """Nothing is due at these places, as they stood at these records, before a moment."""

    def keep_ballast(self) -> None:
        """Hold some disk space back, so that erasing works when the disk is full."""

    def drop_ballast(self) -> bool:
        """Give the held-back space up; whether there was any."""

    def settle(self) -> list[str]:
        """Give back the room that pending commits take; what is still pending, in words."""

    def scrub(self) -> list[str]:
        """Make sure that what was deleted is in no file any more; what is still pending, in words."""


@runtime_checkable
class Store(Protocol):
    """Where repositories live."""

    def repository(self, tenant: str) -> Repository:
        """The memory of one tenant."""

    def files(self) -> list[Path]:
        """The files this store lives in, if any."""

    def check(self) -> list[str]:
        """What is wrong with the store, in words; empty when nothing is."""

    def close(self) -> None:
        """Give everything back. Calling it twice is fine."""
