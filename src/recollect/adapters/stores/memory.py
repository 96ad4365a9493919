"""The store in memory: the oracle every other store is compared with, and the one for tests.

It keeps whole items in dicts and answers by sorting and filtering them, so that it is easy to see that it is right.

Never: durable, fast on large owners, or shared between processes.
Spec: ports/store.py.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from recollect import errors
from recollect.adapters.stores.memory_tenant import Tenant
from recollect.core.canonical import commitment, ordered
from recollect.core.item import MemoryItem, Phase, Standing, to_body
from recollect.core.log import GENESIS, Chains, Entry, read_record, write_act
from recollect.core.state import Head
from recollect.core.values import ItemRef, Kind, Place, Space, Status
from recollect.ports.store import Answer, Chain, Commit, Filed, Filter, Row, Sealed, Sheet

ERASED = Place(Space.SESSION, "(erased)")
KIND_ORDER = {kind: index for index, kind in enumerate(Kind)}


class MemoryStore:
    """All tenants of one process."""

    def __init__(self) -> None:
        self._tenants: dict[str, Tenant] = {}
        self._lock = threading.RLock()
        self._is_closed = False

    def repository(self, tenant: str) -> MemoryRepository:
        return MemoryRepository(self, tenant)

    def files(self) -> list[Path]:
        return []

    def check(self) -> list[str]:
        return []

    def close(self) -> None:
        self._is_closed = True

    @contextmanager
    def tenant(self, name: str) -> Iterator[Tenant]:
        """The tenant's state, held still for the block."""
        with self._lock:
            if self._is_closed:
                raise errors.StoreClosed("The memory was closed.", hint="Open it again.")
            yield self._tenants.setdefault(name, Tenant())


class MemoryRepository:
    """One tenant's memory."""

    def __init__(self, store: MemoryStore, tenant: str) -> None:
        self._store = store
        self._tenant = tenant

    @contextmanager
    def reading(self) -> Iterator[MemoryReader]:
        with self._store.tenant(self._tenant) as tenant:
            yield MemoryReader(tenant, self._tenant)

    @contextmanager
    def writing(self, places: Sequence[Place], *, is_hopeful: bool = False) -> Iterator[MemoryWriter]:
        with self._store.tenant(self._tenant) as tenant:
            writer = MemoryWriter(tenant, self._tenant)
            yield writer
            # Only a block that ended well is applied: that is the whole transaction.
            writer.apply()

    def take_chore(self, now_ms: int, due_ms: int, stale_ms: int) -> Place | None:
        with self._store.tenant(self._tenant) as tenant:
            for place in tenant.numbers:
                if place.space is Space.USER:
                    tenant.chores.setdefault(tenant.numbers[place], (0, 0))
            waiting = sorted(
                (done, number)
                for number, (done, taken) in tenant.chores.items()
                if done <= due_ms and taken <= stale_ms
            )
            if not waiting:
                return None
            done, number = waiting[0]
            tenant.chores[number] = (done, now_ms)
            return next((place for place, known in tenant.numbers.items() if known == number), ERASED)

    def end_chore(self, place: Place, now_ms: int) -> None:
        with self._store.tenant(self._tenant) as tenant:
            tenant.chores[tenant.numbers[place]] = (now_ms, 0)

    def restless(self, now_ms: int, policy_hash: str) -> list[Place]:
        with self._store.tenant(self._tenant) as tenant:
            users = {place: number for place, number in tenant.numbers.items() if place.space is Space.USER}
            rests = {place: tenant.rests.get(number) for place, number in users.items()}
            seqs = {place: tenant.heads[place].seq for place in users}
            return [
                place
                for place, rest in sorted(rests.items(), key=lambda pair: users[pair[0]])
                if rest is None or rest[:2] != (seqs[place], policy_hash) or rest[2] <= now_ms
            ]

    def rest(self, seqs: Mapping[Place, int], until_ms: int, policy_hash: str) -> None:
        with self._store.tenant(self._tenant) as tenant:
            for place, seq in seqs.items():
                if seq:
                    tenant.rests[tenant.numbers[place]] = (seq, policy_hash, until_ms)

    def keep_ballast(self) -> None:
        return None

    def drop_ballast(self) -> bool:
        return False

    def settle(self) -> list[str]:
        return []

    def scrub(self) -> list[str]:
        return []


class MemoryReader:
    """One consistent look: the lock is held."""

    def __init__(self, tenant: Tenant, name: str) -> None:
        self._tenant = tenant
        self._name = name
        self._names: dict[int, Place] = {}

    def heads(self, places: Sequence[Place]) -> dict[Place, Head]:
        known = self._tenant.heads
        return {place: known[place].copy() if place in known else Head(place=place) for place in places}

    def phases(self, place: Place) -> list[Phase]:
        return list(self._tenant.phases.get(place, []))

    def window(self, place: Place) -> list[MemoryItem]:
        return self._sorted(place, lambda item: item.kind is Kind.SHORT_TERM and _is_live(item))

    def keyed(self, place: Place, keys: Sequence[str]) -> list[MemoryItem]:
        return self._sorted(place, lambda item: item.dedup_key in keys and _is_live(item))

    def fetch(self, refs: Sequence[ItemRef]) -> dict[ItemRef, MemoryItem]:
        found = ((ref, self._tenant.items.get(ref.place, {}).get(ref)) for ref in refs)
        return {ref: item for ref, item in found if item is not None}

    def ageing(self, place: Place, kind: Kind, created_before: int) -> list[MemoryItem]:
        live = self._live(place, kind)
        return [item for item in live if not item.standing.is_pinned and item.created_at < created_before]

    def foremost(self, places: Sequence[Place], limit: int) -> list[MemoryItem]:
        found: list[MemoryItem] = []
        for place in places:
            for kind in (Kind.PROFILE, Kind.SEMANTIC):
                live = [item for item in self._live(place, kind) if kind is Kind.PROFILE or item.standing.is_pinned]
                live.sort(key=lambda item: (not item.standing.is_pinned, -item.importance, -item.ref.n))
                found += live[:limit]
        return found

    def newest(self, place: Place, kind: Kind, limit: int) -> list[MemoryItem]:
        return self._live(place, kind)[::-1][:limit]

    def page(self, place: Place, wanted: Filter, after: tuple[str, int] | None, limit: int) -> list[MemoryItem]:
        start = (KIND_ORDER[Kind(after[0])], after[1]) if after is not None else (-1, 0)
        found = self._sorted(place, lambda item: wanted.matches(item) and _order(item) > start)
        return found[:limit]

    def documents(self, place: Place) -> Iterator[MemoryItem]:
        yield from self._sorted(
            place, lambda item: item.kind is not Kind.SHORT_TERM and item.status is not Status.ARCHIVED
        )

    def makers(self) -> dict[int, str]:
        return {number: name for number, name in enumerate(self._makers()) if number}

    def _makers(self) -> list[str]:
        named = (name for sheet in self._tenant.sheets.values() for name in (sheet.recipe, sheet.model))
        return list(dict.fromkeys(["", *named]))

    def filed(self, place: Place, after: tuple[int, int], limit: int) -> list[Filed]:
        makers = {name: number for number, name in enumerate(self._makers())}
        found: list[Filed] = []
        for item in self.documents(place):
            if _order(item) > after and len(found) < limit:
                recipe, card, model, vector = self._tenant.sheets.get(item.ref, Sheet())
                sheet = (makers[recipe], card, makers[model], vector)
                found.append(Filed(*_order(item), item.status.value, item.created_at, *sheet))
        return found

    def sheets(self, refs: Sequence[ItemRef]) -> dict[ItemRef, Sheet]:
        return {ref: self._tenant.sheets[ref] for ref in refs if ref in self._tenant.sheets}

    def nearest(self, place: Place, model: str, vector: bytes, limit: int) -> list[ItemRef] | None:
        return None

    def log(self, place: Place, after_seq: int, limit: int) -> list[Entry]:
        return [self.read(place, seq, body) for seq, body, _ in self.records(place, after_seq, limit)]

    def read(self, place: Place, seq: int, record: str) -> Entry:
        if len(self._names) != len(self._tenant.numbers):
            self._names = {number: name for name, number in self._tenant.numbers.items()}
        return read_record(place, seq, record, lambda number: self._names.get(number, ERASED))

    def records(self, place: Place, after_seq: int, limit: int) -> list[tuple[int, str, bytes]]:
        records = self._tenant.log.get(place, [])[after_seq : after_seq + limit]
        return [(record.seq, record.body, record.hash) for record in records]

    def places_of(self, space: Space, user: str) -> list[Place]:
        own = (f"{user}/", f"{user}~")
        found = (p for p in self._tenant.numbers if p.space is space and (p.owner == user or p.owner.startswith(own)))
        return sorted(found)

    def places(self, space: str = "", owner_prefix: str = "") -> list[Place]:
        found = (
            p for p in self._tenant.numbers if (not space or p.space == space) and p.owner.startswith(owner_prefix)
        )
        return sorted(found)

    def answer(self, owner: Place, command_id: str) -> Answer | None:
        return self._tenant.answers.get((owner, command_id))

    def policy(self, policy_hash: str) -> dict[str, object] | None:
        return self._tenant.policies.get(policy_hash)

    def recalls(self, place: Place, limit: int) -> list[str]:
        return self._tenant.recalls.get(place, [])[-limit:]

    def kept_recalls(self) -> Iterator[tuple[str, str]]:
        for place in sorted(self._tenant.recalls):
            yield from ((place.owner, body) for body in self._tenant.recalls[place])

    def commands(self, place: Place) -> list[tuple[str, str]]:
        return sorted(
            (name, answer.receipt) for (owner, name), answer in self._tenant.answers.items() if owner == place
        )

    def made_from(self, refs: Sequence[ItemRef]) -> list[tuple[ItemRef, ItemRef]]:
        return sorted(edge for edge in self._tenant.edges if edge[1] in refs)

    def sources_of(self, ref: ItemRef) -> list[ItemRef]:
        return sorted(parent for child, parent in self._tenant.edges if child == ref)

    def chains(self) -> list[Chain]:
        tenant = self._tenant
        found = [
            Chain(n, p, len(tenant.log.get(p, [])), tenant.chain.get(p, GENESIS)) for p, n in tenant.numbers.items()
        ]
        return sorted(found)

    def sealed(self, place: Place) -> Iterator[Sealed]:
        tenant = self._tenant
        if place in tenant.salts:
            yield Sealed(place, tenant.salts[place], ordered([self._name, *place]))
        for item in self._sorted(place):
            yield Sealed(item.ref, tenant.salts[item.ref], tenant.bodies[item.ref])
        for phase in tenant.phases.get(place, []):
            body = ordered([phase.name, phase.reason, phase.started_at])
            yield Sealed((place, phase.index), tenant.salts[(place, phase.index)], body)

    def standings(self, place: Place) -> Iterator[tuple[ItemRef, Standing]]:
        return ((item.ref, item.standing) for item in self._sorted(place))

    def made_in(self, place: Place) -> list[tuple[ItemRef, ItemRef]]:
        return sorted(edge for edge in self._tenant.edges if edge[1].place == place)

    def edges(self, place: Place) -> list[tuple[ItemRef, ItemRef]]:
        return sorted(edge for edge in self._tenant.edges if edge[0].place == place)

    def strays(self) -> list[int]:
        return []

    def dump(self) -> Iterator[tuple[str, Row]]:
        yield from self._tenant.dump()

    def counts(self) -> dict[str, int]:
        counted: dict[str, int] = {}
        for items in self._tenant.items.values():
            for item in items.values():
                name = f"{item.kind}.{item.status}"
                counted[name] = counted.get(name, 0) + 1
        records = sum(len(records) for records in self._tenant.log.values())
        return {**counted, "places": len(self._tenant.numbers), "records": records}

    def _live(self, place: Place, kind: Kind) -> list[MemoryItem]:
        return self._sorted(place, lambda item: item.kind is kind and _is_live(item))

    def _sorted(self, place: Place, is_wanted: Callable[[MemoryItem], bool] = lambda item: True) -> list[MemoryItem]:
        items = self._tenant.items.get(place, {})
        return sorted((item for item in items.values() if is_wanted(item)), key=_order)


class MemoryWriter(MemoryReader):
    """Collects commits and applies them when the block ends well."""

    def __init__(self, tenant: Tenant, name: str) -> None:
        super().__init__(tenant, name)
        self._pending: list[Commit] = []
        self._after: list[Callable[[], None]] = []
        self._loaded: dict[str, list[Row]] = {}

    def commit(self, commit: Commit) -> None:
        self._pending.append(commit)

    def file(self, sheets: Mapping[ItemRef, Sheet]) -> None:
        self._after.append(lambda: self._file(dict(sheets)))

    def _file(self, sheets: dict[ItemRef, Sheet]) -> None:
        there = {ref: sheet for ref, sheet in sheets.items() if ref in self._tenant.items.get(ref.place, {})}
        self._tenant.sheets.update(there)

    def load(self, table: str, row: Row) -> None:
        self._loaded.setdefault(table, []).append(row)

    def drop_recalls(self, is_doomed: Callable[[str, str], bool]) -> None:
        self._after.append(lambda: self._drop_recalls(is_doomed))

    def _drop_recalls(self, is_doomed: Callable[[str, str], bool]) -> None:
        for place, kept in self._tenant.recalls.items():
            kept[:] = [body for body in kept if not is_doomed(place.owner, body)]

    def drop_commands(self, place: Place, is_doomed: Callable[[str, str], bool]) -> None:
        self._after.append(lambda: self._drop_commands(place, is_doomed))

    def _drop_commands(self, place: Place, is_doomed: Callable[[str, str], bool]) -> None:
        for owner, name in list(self._tenant.answers):
            if owner == place and is_doomed(name, self._tenant.answers[(owner, name)].receipt):
                del self._tenant.answers[(owner, name)]

    def bury(self, place: Place) -> None:
        self._after.append(lambda: self._bury(place))

    def _bury(self, place: Place) -> None:
        tenant = self._tenant
        if place not in tenant.numbers:
            return
        nameless = Place(place.space, f"(erased)#{tenant.numbers[place]}")
        tenant.numbers[nameless] = tenant.numbers.pop(place)
        tenant.salts.pop(place, None)
        tenant.heads[nameless] = tenant.heads.pop(place)
        head = tenant.heads[nameless]
        head.place = nameless
        head.phase = Phase(index=head.phase.index, started_at=0) if head.phase is not None else None
        tenant.chain[nameless] = tenant.chain.pop(place)
        tenant.log[nameless] = tenant.log.pop(place, [])
        for phase in tenant.phases.pop(place, []):
            tenant.salts.pop((place, phase.index), None)
        for owner, command_id in list(tenant.answers):
            if owner == place:
                del tenant.answers[(owner, command_id)]

    def keep_recall(self, place: Place, body: str, ring: int) -> None:
        kept = self._tenant.recalls.setdefault(place, [])
        kept.append(body)
        del kept[: max(0, len(kept) - ring)]

    def apply(self) -> None:
        for commit in self._pending:
            self._apply(commit)
        for step in self._after:
            step()
        if self._loaded:
            self._tenant.load(self._loaded)

    def _apply(self, commit: Commit) -> None:
        tenant = self._tenant
        seals: dict[object, str] = {}
        for place in commit.heads:
            if place not in tenant.numbers:
                tenant.numbers[place] = max(tenant.numbers.values(), default=0) + 1
                salt = tenant.salts[place] = os.urandom(16)
                seals[place] = commitment(salt, ordered([self._name, *place]).encode())
        for place, phase in commit.phases:
            tenant.phases.setdefault(place, []).append(phase)
            salt = tenant.salts[(place, phase.index)] = os.urandom(16)
            body = ordered([phase.name, phase.reason, phase.started_at])
            seals[(place, phase.index)] = commitment(salt, body.encode())
        for ref, item in commit.changed.items():
            if item is None:
                tenant.items.get(ref.place, {}).pop(ref, None)
                tenant.salts.pop(ref, None)
                tenant.bodies.pop(ref, None)
                tenant.sheets.pop(ref, None)
                if ref in commit.erased:
                    tenant.edges = {edge: True for edge in tenant.edges if edge[0] != ref}
            else:
                tenant.items.setdefault(ref.place, {})[ref] = item
        for ref, item in commit.created.items():
            tenant.items.setdefault(ref.place, {})[ref] = item
            salt = tenant.salts[ref] = os.urandom(16)
            seals[ref] = commitment(salt, tenant.bodies.setdefault(ref, to_body(item)).encode())
        tenant.sheets.update(commit.sheets)
        for child, parent in commit.links:
            if parent.place in tenant.numbers:
                tenant.edges[(child, parent)] = True
        self._append(commit, seals)
        tenant.policies[commit.policy.hash] = commit.policy.snapshot
        if commit.command is not None:
            command = commit.command
            tenant.answers[(command.owner, command.id)] = Answer(command.fingerprint, command.receipt)

    def _append(self, commit: Commit, seals: dict[object, str]) -> None:
        tenant = self._tenant
        chains = Chains(
            heads={p: (len(tenant.log.get(p, [])), tenant.chain.get(p, GENESIS)) for p in commit.heads},
            number_of=tenant.numbers.__getitem__,
        )
        for act in commit.acts:
            for record in write_act(act, commit.home, commit.policy.hash, chains, lambda key: seals.get(key, "")):
                tenant.log.setdefault(record.place, []).append(record)
        for place, head in commit.heads.items():
            head.seq, tenant.chain[place] = chains.heads[place]
            head.number = tenant.numbers[place]
            tenant.heads[place] = head.copy()


def _is_live(item: MemoryItem) -> bool:
    return item.status is Status.ACTIVE


def _order(item: MemoryItem) -> tuple[int, int]:
    return KIND_ORDER[item.kind], item.ref.n
