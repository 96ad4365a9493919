"""The only writer of some places in PostgreSQL, until its transaction ends.

1. What is written is collected and sent in one go, together with the COMMIT: one round trip makes a decision durable.
2. A commit applies standings before new items, so that a key is free before its next holder takes it.
3. A place's number is chance, not a count: two writers of one tenant never wait for each other to number a place.

Never: decides, and never ends the transaction itself.
Spec: ports/store.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from recollect.adapters.stores.dump import from_plain
from recollect.adapters.stores.postgres.connect import Connection
from recollect.adapters.stores.postgres.reader import SQL, Known, PostgresReader, addresses, place_key
from recollect.adapters.stores.rows import Row, item_row, standing_row
from recollect.core.canonical import canonical, commitment, ordered, short_key
from recollect.core.events import kind_code
from recollect.core.item import to_body
from recollect.core.log import GENESIS, Chains, write_act
from recollect.core.values import ItemRef, Kind, Place, Space
from recollect.ports.store import Commit, Sheet
from recollect.ports.store import Row as DumpRow

# Below 2**53, so that every reader of JSON reads a place's number exactly.
NUMBER_BITS = 52
QUEUED_STATEMENTS = 1_000
LOADERS = {
    "phase": "phase_add",
    "item": "item_add",
    "edge": "load_edge",
    "record": "log_add",
    "command": "command_add",
    "policy": "policy_add",
}
NumberOf = Callable[[Place], int]


class PostgresWriter(PostgresReader):
    """A reader that also writes."""

    def __init__(self, connection: Connection, tenant: str, known: Known) -> None:
        super().__init__(connection, tenant, known)
        self._queue: list[tuple[str, list[Row]]] = []
        self._queued = 0
        # What a repository may take as known once the transaction is durable.
        self.new_policies: list[str] = []
        self.new_makers: list[str] = []
        # The last record of this transaction, by which its commit can be recognised later.
        self.last_record: tuple[int, int, bytes] | None = None

    def take(self, places: Sequence[Place], rows: list[Row]) -> None:
        """The heads of places this transaction has locked."""
        self._take_heads(places, rows)

    def lock(self, places: Sequence[Place], keys: list[int]) -> None:
        """Lock places that had no row, by name, and look whether they have one by now."""
        if places:
            self._ask("scope_lock", (keys,))
            self._take_heads(places, self._ask("scope_take", addresses(places)))

    def holds(self, record: tuple[int, int, bytes]) -> bool:
        """Whether a record is there, bit by bit."""
        return bool(self._all("log_find", record))

    def commit(self, commit: Commit) -> None:
        seals: dict[object, str] = {}
        for place in commit.heads:
            self._ensure(place, seals)
        number_of = self._numbers.__getitem__
        seals.update(self._add_phases(commit))
        self._stand(commit, number_of)
        seals.update(self._add_items(commit, number_of))
        self._link(commit, number_of)
        chains = Chains(heads={place: self._chain[place] for place in commit.heads}, number_of=number_of)
        for act in commit.acts:
            for record in write_act(act, commit.home, commit.policy.hash, chains, lambda key: seals.get(key, "")):
                self.last_record = (number_of(record.place), record.seq, record.hash)
                self._do("log_add", (number_of(record.place), record.seq, record.body, record.hash))
        self._move(commit, chains, number_of)
        self._remember_policy(commit)
        if commit.command is not None:
            command = commit.command
            self._do("command_add", (number_of(command.owner), command.id, command.fingerprint, command.receipt))

    def file(self, sheets: Mapping[ItemRef, Sheet]) -> None:
        there = {ref: sheet for ref, sheet in sheets.items() if self._number(ref.place) is not None}
        for row in self._sheet_rows(there):
            self._do("sheet_replace", row)

    def load(self, table: str, row: DumpRow) -> None:
        values = from_plain(table, row)
        if table == "place":
            self._do("load_place", (*values, place_key(str(values[1]), str(values[2]))))
        else:
            self._do(LOADERS[table], values)

    def drop_recalls(self, is_doomed: Callable[[str, str], bool]) -> None:
        for key, n, owner, body in self._all("recall_all", ()):
            if is_doomed(owner, body):
                self._do("recall_delete", (key, n))

    def drop_commands(self, place: Place, is_doomed: Callable[[str, str], bool]) -> None:
        for name, receipt in self.commands(place):
            if is_doomed(name, receipt):
                self._do("command_delete", (self._number(place), name))

    def take_chore(self, now_ms: int, due_ms: int, stale_ms: int) -> Place | None:
        wanted = (now_ms, due_ms, stale_ms)
        rows = self._all("chore_take", wanted)
        if not rows:
            # Only who has nothing to do looks for users that are new.
            self._do("chore_find", (Space.USER.value,))
            rows = self._all("chore_take", wanted)
        return self._place(rows[0][0]) if rows else None

    def end_chore(self, place: Place, now_ms: int) -> None:
        self._do("chore_done", (now_ms, self._number(place)))

    def bury(self, place: Place) -> None:
        number = self._number(place)
        if number is None:
            return
        nameless = f"(erased)#{number}"
        self._do("scope_bury", (nameless, place_key(place.space.value, nameless), number))
        for query in ("phase_bury", "command_bury"):
            self._do(query, (number,))
        self._known.forget()
        for cache in (self._numbers, self._heads, self._chain):
            cache.pop(place, None)
        self._names.pop(number, None)

    def keep_recall(self, place: Place, body: str, ring: int) -> None:
        key = short_key(place.owner)
        rows = self._all("recall_last", (key,))
        n = rows[0][0] + 1 if rows else 1
        self._do("recall_add", (key, n, place.owner, body))
        self._do("recall_trim", (key, n - ring))

    # the ground

    def send(self, ending: str = "") -> None:
        """Send what was collected, in one round trip, and end the transaction where told to."""
        queued, self._queue = self._queue, []
        if not queued:
            if ending:
                self._connection.execute(ending)
            return
        with self._connection.pipeline():
            for query, rows in queued:
                if len(rows) == 1:
                    self._cursor.execute(query, rows[0], prepare=True)
                else:
                    self._cursor.executemany(query, rows)
            if ending:
                self._connection.execute(ending)

    def _do(self, query: str, values: Row) -> None:
        statement, row = SQL[query], (self._tenant, *values)
        if self._queue and self._queue[-1][0] == statement:
            self._queue[-1][1].append(row)
        else:
            self._queue.append((statement, [row]))
        self._queued += 1
        if self._queued >= QUEUED_STATEMENTS:
            self._queued = 0
            self.send()

    def _ask(self, query: str, values: Row) -> list[Row]:
        if self._queue:
            self.send()
        return super()._ask(query, values)

    def _ensure(self, place: Place, seals: dict[object, str]) -> None:
        if self._number(place) is not None:
            return
        salt = os.urandom(16)
        seals[place] = commitment(salt, ordered([self._tenant, *place]).encode("utf-8"))
        number = 1 + int.from_bytes(os.urandom(8), "big") % (1 << NUMBER_BITS)
        self._do("scope_add", (place.space.value, place.owner, GENESIS, salt, number, *addresses([place])[0]))
        self._numbers[place] = number

    def _add_phases(self, commit: Commit) -> dict[object, str]:
        seals: dict[object, str] = {}
        for place, phase in commit.phases:
            salt = os.urandom(16)
            body = ordered([phase.name, phase.reason, phase.started_at])
            seals[(place, phase.index)] = commitment(salt, body.encode())
            self._do("phase_add", (self._number(place), phase.index, phase.started_at, phase.name, phase.reason, salt))
        return seals

    def _stand(self, commit: Commit, number_of: NumberOf) -> None:
        for ref, item in commit.changed.items():
            if item is None:
                address = (number_of(ref.place), kind_code(ref.kind), ref.n)
                self._do("item_delete", address)
                self._do("sheet_delete", address)
                if ref in commit.erased:
                    self._do("edge_delete", address)
            else:
                self._do("item_stand", standing_row(item, number_of(ref.place), number_of))

    def _add_items(self, commit: Commit, number_of: NumberOf) -> dict[object, str]:
        salts = os.urandom(16 * len(commit.created))
        seals: dict[object, str] = {}
        for index, (ref, item) in enumerate(commit.created.items()):
            salt = salts[16 * index : 16 * index + 16]
            body = to_body(item)
            seals[ref] = commitment(salt, body.encode("utf-8"))
            self._do("item_add", item_row(item, number_of(ref.place), salt, body, number_of))
        for row in self._sheet_rows(commit.sheets):
            self._do("sheet_add", row)
        return seals

    def _sheet_rows(self, sheets: Mapping[ItemRef, Sheet]) -> list[Row]:
        names = dict.fromkeys(name for sheet in sheets.values() for name in (sheet.recipe, sheet.model))
        for name in names:
            if name and name not in self._known.makers:
                self._do("maker_add", (_maker(name), name))
                self.new_makers.append(name)
        return [
            (self._number(ref.place), kind_code(ref.kind), ref.n, _maker(recipe), card, _maker(model), vector)
            for ref, (recipe, card, model, vector) in sheets.items()
        ]

    def _link(self, commit: Commit, number_of: NumberOf) -> None:
        for child, parent in commit.links:
            source = self._number(parent.place)
            if source is None:
                continue
            values = (number_of(child.place), kind_code(child.kind), child.n, source, kind_code(parent.kind), parent.n)
            self._do("edge_add", values)

    def _move(self, commit: Commit, chains: Chains, number_of: NumberOf) -> None:
        for place, head in commit.heads.items():
            seq, digest = chains.heads[place]
            if seq == self._chain[place][0]:
                continue
            counts = head.counts
            values = (
                head.tick,
                counts[Kind.SHORT_TERM],
                counts[Kind.SEMANTIC],
                counts[Kind.PROFILE],
                head.phase.index if head.phase else 0,
                seq,
                digest,
                number_of(place),
            )
            self._do("scope_move", values)
            self._chain[place] = (seq, digest)
            head.seq = seq
            head.number = number_of(place)
            self._heads[place] = head.copy()

    def _remember_policy(self, commit: Commit) -> None:
        if commit.policy.hash not in self._known.policies:
            self._do("policy_add", (commit.policy.hash, canonical(commit.policy.snapshot)))
            self.new_policies.append(commit.policy.hash)


def _maker(name: str) -> int:
    """The number of what made cards or vectors: made from its name, so that nobody has to hand it out."""
    return int.from_bytes(short_key(name)[:6], "big") + 1 if name else 0
