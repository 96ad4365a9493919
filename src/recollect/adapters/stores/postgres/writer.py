"""The only writer of some places in PostgreSQL, until its transaction ends.

1. What is written is collected and sent in one go, together with the COMMIT: one round trip makes a decision durable.
2. A hopeful writer begins nothing: it takes the places to stand where this process last left them, and its whole
   decision is one statement, which the server refuses (`Overtaken`) when one of them has moved. Once it must ask
   something it locks as the others do, and is told then.
3. A place's number is chance, not a count: two writers of one tenant never wait for each other to number a place.

Never: decides, and never ends the transaction itself.
Spec: ports/store.py.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NoReturn

from recollect.adapters.stores.dump import from_plain
from recollect.adapters.stores.postgres.reader import (
    SQL,
    Begin,
    Known,
    PostgresReader,
    Stood,
    addresses,
    named,
    place_key,
)
from recollect.adapters.stores.rows import Row, item_row, standing_row
from recollect.core.canonical import canonical, commitment, ordered, short_key
from recollect.core.events import kind_code
from recollect.core.item import to_body
from recollect.core.log import GENESIS, Chains, write_act
from recollect.core.state import Head
from recollect.core.values import ItemRef, Kind, Place, Space
from recollect.ports.store import Commit, Overtaken, Sheet
from recollect.ports.store import Row as DumpRow

# Below 2**53, so that every reader of JSON reads a place's number exactly.
NUMBER_BITS = 52
QUEUED_STATEMENTS = 1_000
# The rows of a decision go to the server in calls of at most so many.
ROWS_A_CALL = 2_000
LOADERS = {
    "phase": "phase_add",
    "item": "item_add",
    "edge": "load_edge",
    "record": "log_add",
    "command": "command_add",
    "policy": "policy_add",
}
# The values of `commit_put` after the tenant, and the columns of the rows in them.
PARTS = ("moved", "gone", "stood", "made", "filed", "linked", "told")
ADDRESS = ("scope", "kind", "n")
_CHANGING = ("importance", "pinned", "mentions", "reason", "replaced_by", "changed_ms")
STANDING = ("status", *_CHANGING, *ADDRESS)
ITEM = (*ADDRESS, "status", "created_at", *_CHANGING, "key", "ref", "salt", "body")
SHEET = (*ADDRESS, "recipe", "card", "model", "vector")
EDGE = (*ADDRESS, "from_scope", "from_kind", "from_n")
RECORD = ("scope", "seq", "record", "hash")
NOWHERE = Head(place=Place(Space.SESSION, ""))
NumberOf = Callable[[Place], int]
# The number of a place, the number of a record in its chain, and its hash.
LastRecord = tuple[int, int, bytes]
Part = dict[str, object]
Parts = dict[str, list[Part]]


class PostgresWriter(PostgresReader):
    """A reader that also writes."""

    def __init__(self, begin: Begin, tenant: str, known: Known) -> None:
        super().__init__(begin, tenant, known)
        self._queue: list[tuple[str, list[Row]]] = []
        self._queued = 0
        self._is_alone: dict[Place, bool] = {}
        self._hoped: dict[Place, tuple[int, tuple[int, bytes]]] = {}
        # What a repository may take as known once the transaction is durable.
        self.new_policies: list[str] = []
        self.new_makers: list[str] = []
        # The last record of this transaction, by which its commit can be recognised later.
        self.last_record: LastRecord | None = None

    def hope(self, places: Sequence[Place]) -> bool:
        """Take places to stand where this process last saw them, if it knows that and nobody else is at them."""
        known = {place: self._known.stood.get(place) for place in places}
        if not known or not all(stood is not None and stood.is_alone for stood in known.values()):
            return False
        for place, stood in known.items():
            assert stood is not None
            self._heads[place], self._chain[place] = stood.head.copy(), stood.chain
            self._numbers[place] = stood.head.number
            self._hoped[place] = (stood.head.number, stood.chain)
            self._is_alone[place] = True
        return True

    def lock_now(self) -> None:
        """Begin, and be the only writer from here on."""
        self._begin(self, [])

    def take(self, places: Sequence[Place], rows: list[Row]) -> None:
        """The heads of places this transaction has locked."""
        if self._hoped:
            if self._hoped != {named(row[8], row[9]): (row[0], (row[6], row[7])) for row in rows}:
                self.give_up()
            return
        self._take_heads(places, rows)
        for place in places:
            before = self._known.stood.get(place)
            self._is_alone[place] = before is None or before.chain == self._chain[place]

    def give_up(self) -> NoReturn:
        """Somebody else was faster: decide again, and lock first until this process is alone again."""
        for place in self._hoped:
            stood = self._known.stood.get(place)
            if stood is not None:
                self._known.stood[place] = stood._replace(is_alone=False)
        raise Overtaken

    def settle(self) -> None:
        """The transaction is durable: what it knew is what this process knows."""
        self._known.policies.update(self.new_policies)
        self._known.makers.update(self.new_makers)
        for place, is_alone in self._is_alone.items():
            if self._heads.get(place, NOWHERE).number:
                self._known.remember(place, Stood(self._heads[place].copy(), self._chain[place], is_alone))

    def lock(self, places: Sequence[Place], keys: list[int]) -> None:
        """Lock places that had no row, by name, and look whether they have one by now."""
        if places:
            self._ask("scope_lock", (keys,))
            self._take_heads(places, self._ask("scope_take", addresses(places)))

    def holds(self, record: LastRecord) -> bool:
        """Whether a record is there, bit by bit."""
        return bool(self._all("log_find", record))

    def commit(self, commit: Commit) -> None:
        seals: dict[object, str] = {}
        for place in commit.heads:
            self._ensure(place, seals)
        number_of = self._numbers.__getitem__
        seals.update(self._add_phases(commit))
        parts = self._stand(commit, number_of)
        parts["made"] = self._make(commit, number_of, seals)
        parts["filed"] = [dict(zip(SHEET, row, strict=True)) for row in self._sheet_rows(commit.sheets)]
        parts["linked"] = self._link(commit, number_of)
        chains = Chains(heads={place: self._chain[place] for place in commit.heads}, number_of=number_of)
        parts["told"] = []
        for act in commit.acts:
            for record in write_act(act, commit.home, commit.policy.hash, chains, lambda key: seals.get(key, "")):
                self.last_record = (number_of(record.place), record.seq, record.hash)
                parts["told"].append(dict(zip(RECORD, (*self.last_record[:2], record.body, record.hash), strict=True)))
        parts["moved"] = self._move(commit, chains, number_of)
        for values in _calls(parts):
            self._do("commit_put", values)
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

    def rest(self, seqs: Mapping[Place, int], until_ms: int, policy_hash: str) -> None:
        for place, seq in seqs.items():
            if seq:
                self._do("rest_note", (self._number(place), seq, policy_hash, until_ms))

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

    @property
    def is_one_statement(self) -> bool:
        """Whether this is the whole of a hopeful decision: one statement, which checks what it was decided on."""
        if self.connection is not None or len(self._queue) != 1:
            return False
        statement, rows = self._queue[0]
        return statement == SQL["commit_put"] and len(rows) == 1

    def send(self, ending: str = "") -> None:
        """Send what was collected, in one round trip, and end the transaction where told to."""
        if self.connection is None:
            self.lock_now()
        assert self.connection is not None
        queued, self._queue = self._queue, []
        if len(queued) + bool(ending) > 1:
            with self.connection.pipeline():
                self._send(queued, ending)
        else:
            self._send(queued, ending)

    def _send(self, queued: list[tuple[str, list[Row]]], ending: str) -> None:
        for query, rows in queued:
            if len(rows) == 1:
                self._cursor.execute(query, rows[0], prepare=True)
            else:
                self._cursor.executemany(query, rows)
        if ending:
            self._cursor.execute(ending)

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

    def _stand(self, commit: Commit, number_of: NumberOf) -> Parts:
        parts: Parts = {"gone": [], "stood": []}
        for ref, item in commit.changed.items():
            if item is None:
                address = (number_of(ref.place), kind_code(ref.kind), ref.n)
                parts["gone"].append({**dict(zip(ADDRESS, address, strict=True)), "erased": ref in commit.erased})
            else:
                parts["stood"].append(
                    dict(zip(STANDING, standing_row(item, number_of(ref.place), number_of), strict=True))
                )
        return parts

    def _make(self, commit: Commit, number_of: NumberOf, seals: dict[object, str]) -> list[Part]:
        salts = os.urandom(16 * len(commit.created))
        rows: list[Part] = []
        for index, (ref, item) in enumerate(commit.created.items()):
            salt = salts[16 * index : 16 * index + 16]
            body = to_body(item)
            seals[ref] = commitment(salt, body.encode("utf-8"))
            rows.append(dict(zip(ITEM, item_row(item, number_of(ref.place), salt, body, number_of), strict=True)))
        return rows

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

    def _link(self, commit: Commit, number_of: NumberOf) -> list[Part]:
        rows: list[Part] = []
        for child, parent in commit.links:
            source = self._number(parent.place)
            if source is None:
                continue
            values = (number_of(child.place), kind_code(child.kind), child.n, source, kind_code(parent.kind), parent.n)
            rows.append(dict(zip(EDGE, values, strict=True)))
        return rows

    def _move(self, commit: Commit, chains: Chains, number_of: NumberOf) -> list[Part]:
        """Where the places of a commit stand after it; of places that were only hoped for, where they have to stand."""
        rows: list[Part] = []
        for place, head in commit.heads.items():
            seq, digest = chains.heads[place]
            was = self._chain[place][0]
            if seq == was:
                continue
            head.seq, head.number = seq, number_of(place)
            rows.append({**self._at(place, was), **_moved(head, digest)})
            self._chain[place] = (seq, digest)
            self._heads[place] = head.copy()
        moved = {row["number"] for row in rows}
        rows += [self._at(p, chain[0]) for p, (number, chain) in self._hoped.items() if number not in moved]
        return rows

    def _at(self, place: Place, seq: int) -> Part:
        return {"number": self._numbers[place], "place_key": place_key(place.space.value, place.owner), "was": seq}

    def _remember_policy(self, commit: Commit) -> None:
        if commit.policy.hash not in self._known.policies:
            self._do("policy_add", (commit.policy.hash, canonical(commit.policy.snapshot)))
            self.new_policies.append(commit.policy.hash)


def _maker(name: str) -> int:
    """The number of what made cards or vectors: made from its name, so that nobody has to hand it out."""
    return int.from_bytes(short_key(name)[:6], "big") + 1 if name else 0


def _moved(head: Head, digest: bytes) -> Part:
    counts = head.counts
    return {
        "tick": head.tick,
        "n_short": counts[Kind.SHORT_TERM],
        "n_semantic": counts[Kind.SEMANTIC],
        "n_profile": counts[Kind.PROFILE],
        "phase": head.phase.index if head.phase else 0,
        "seq": head.seq,
        "head": digest,
    }


def _calls(parts: Parts) -> Iterator[Row]:
    """The rows of a decision as values of `commit_put`, in the order the server applies them."""
    rows = [(name, row) for name in PARTS for row in parts[name]]
    for start in range(0, len(rows), ROWS_A_CALL):
        call: Parts = {}
        for name, row in rows[start : start + ROWS_A_CALL]:
            call.setdefault(name, []).append(row)
        yield tuple(_JSON.encode(call[name]) if name in call else None for name in PARTS)


def _hex(value: object) -> str:
    """Bytes as the server reads them inside JSON."""
    assert isinstance(value, bytes)
    return f"\\x{value.hex()}"


_JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"), default=_hex)
