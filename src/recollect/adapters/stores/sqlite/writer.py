"""What a commit becomes in a SQLite file: standings before new items, so that a key is free before it is taken again.

Never: decides, begins or ends a transaction (`store.py` does).
Spec: ports/store.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from recollect.adapters.stores.dump import from_plain
from recollect.adapters.stores.rows import Row, item_row, standing_row
from recollect.adapters.stores.sqlite.reader import SQL, SqliteReader
from recollect.core.canonical import canonical, commitment, ordered
from recollect.core.events import kind_code
from recollect.core.item import to_body
from recollect.core.log import GENESIS, Chains, write_act
from recollect.core.values import ItemRef, Kind, Place, Space
from recollect.ports.store import Commit, Sheet
from recollect.ports.store import Row as DumpRow

NumberOf = Callable[[Place], int]
LOADERS = {
    "phase": "phase_add",
    "item": "item_add",
    "edge": "load_edge",
    "record": "log_add",
    "command": "command_add",
    "policy": "policy_add",
}


class SqliteWriter(SqliteReader):
    """The only writer."""

    def commit(self, commit: Commit) -> None:
        seals: dict[object, str] = {}
        for place in commit.heads:
            self._ensure(place, seals)
        number_of = self._known.numbers.__getitem__
        seals.update(self._add_phases(commit))
        self._stand(commit, number_of)
        seals.update(self._add_items(commit, number_of))
        self._link(commit, number_of)
        chains = Chains(heads={place: self._chain[place] for place in commit.heads}, number_of=number_of)
        rows: list[Row] = []
        for act in commit.acts:
            for record in write_act(act, commit.home, commit.policy.hash, chains, lambda key: seals.get(key, "")):
                rows.append((number_of(record.place), record.seq, record.body, record.hash))
        self._connection.executemany(SQL["log_add"], rows)
        self._move(commit, chains, number_of)
        self._remember_policy(commit)
        if commit.command is not None:
            command = commit.command
            values = (number_of(command.owner), command.id, command.fingerprint, command.receipt)
            self._connection.execute(SQL["command_add"], values)

    def load(self, table: str, row: DumpRow) -> None:
        values = from_plain(table, row)
        if table == "place":
            self._connection.execute(SQL["load_place"], (*values, self._tenant))
        else:
            self._connection.execute(SQL[LOADERS[table]], values)

    def drop_recalls(self, is_doomed: Callable[[str, str], bool]) -> None:
        for owner, n, body in self._all("recall_all", (self._tenant,)):
            if is_doomed(owner, body):
                self._connection.execute(SQL["recall_delete"], (self._tenant, owner, n))

    def drop_commands(self, place: Place, is_doomed: Callable[[str, str], bool]) -> None:
        for name, receipt in self.commands(place):
            if is_doomed(name, receipt):
                self._connection.execute(SQL["command_delete"], (self._number(place), name))

    def take_chore(self, now_ms: int, due_ms: int, stale_ms: int) -> Place | None:
        wanted = (now_ms, due_ms, stale_ms, self._tenant)
        row = self._one("chore_take", wanted)
        if row is None:
            # Only who has nothing to do looks for users that are new.
            self._connection.execute(SQL["chore_find"], (self._tenant, Space.USER))
            row = self._one("chore_take", wanted)
        return self._place(row[0]) if row is not None else None

    def end_chore(self, place: Place, now_ms: int) -> None:
        self._connection.execute(SQL["chore_done"], (now_ms, self._number(place)))

    def rest(self, seqs: Mapping[Place, int], until_ms: int, policy_hash: str) -> None:
        rows = [(self._number(place), seq, policy_hash, until_ms) for place, seq in seqs.items() if seq]
        self._connection.executemany(SQL["rest_note"], rows)

    def bury(self, place: Place) -> None:
        number = self._number(place)
        if number is None:
            return
        self._connection.execute(SQL["scope_bury"], (f"(erased)#{number}", number))
        for query in ("phase_bury", "command_bury"):
            self._connection.execute(SQL[query], (number,))
        self._known.unlearn()

    def keep_recall(self, place: Place, body: str, ring: int) -> None:
        row = self._one("recall_last", (self._tenant, place.owner))
        n = row[0] + 1 if row is not None else 1
        self._connection.execute(SQL["recall_add"], (self._tenant, place.owner, n, body))
        self._connection.execute(SQL["recall_trim"], (self._tenant, place.owner, n - ring))

    def _ensure(self, place: Place, seals: dict[object, str]) -> None:
        if self._chain.get(place, (0, GENESIS))[0] == 0 and self._number(place) is None:
            salt = os.urandom(16)
            seals[place] = commitment(salt, ordered([self._tenant, *place]).encode("utf-8"))
            values = (self._tenant, place.space, place.owner, GENESIS, salt)
            self._known.numbers[place] = int(self._connection.execute(SQL["scope_add"], values).get)
        self._chain.setdefault(place, (0, GENESIS))

    def _add_phases(self, commit: Commit) -> dict[object, str]:
        seals: dict[object, str] = {}
        for place, phase in commit.phases:
            salt = os.urandom(16)
            seals[(place, phase.index)] = commitment(
                salt, ordered([phase.name, phase.reason, phase.started_at]).encode()
            )
            values = (self._number(place), phase.index, phase.started_at, phase.name, phase.reason, salt)
            self._connection.execute(SQL["phase_add"], values)
        return seals

    def _stand(self, commit: Commit, number_of: NumberOf) -> None:
        for ref, item in commit.changed.items():
            if item is None:
                address = (number_of(ref.place), kind_code(ref.kind), ref.n)
                self._connection.execute(SQL["item_delete"], address)
                self._connection.execute(SQL["sheet_delete"], address)
                if ref in commit.erased:
                    self._connection.execute(SQL["edge_delete"], address)
            else:
                self._connection.execute(SQL["item_stand"], standing_row(item, number_of(ref.place), number_of))

    def _add_items(self, commit: Commit, number_of: NumberOf) -> dict[object, str]:
        salts = os.urandom(16 * len(commit.created))
        seals: dict[object, str] = {}
        rows: list[Row] = []
        for index, (ref, item) in enumerate(commit.created.items()):
            salt = salts[16 * index : 16 * index + 16]
            body = to_body(item)
            seals[ref] = commitment(salt, body.encode("utf-8"))
            rows.append(item_row(item, number_of(ref.place), salt, body, number_of))
        if rows:
            self._connection.executemany(SQL["item_add"], rows)
        if commit.sheets:
            self._connection.executemany(SQL["sheet_add"], self._sheet_rows(commit.sheets))
        return seals

    def file(self, sheets: Mapping[ItemRef, Sheet]) -> None:
        rows = ((*row[3:], *row[:3]) for row in self._sheet_rows(sheets))
        self._connection.executemany(SQL["sheet_replace"], rows)

    def _sheet_rows(self, sheets: Mapping[ItemRef, Sheet]) -> list[Row]:
        makers = self._known.makers
        for name in {sheet.recipe: True for sheet in sheets.values()} | {
            sheet.model: True for sheet in sheets.values()
        }:
            if name not in makers:
                self._connection.execute(SQL["maker_add"], (name,))
                makers |= {name: number for number, name in self.makers().items()}
        return [
            (self._number(ref.place), kind_code(ref.kind), ref.n, makers[recipe], card, makers[model], vector)
            for ref, (recipe, card, model, vector) in sheets.items()
        ]

    def _link(self, commit: Commit, number_of: NumberOf) -> None:
        for child, parent in commit.links:
            source = self._number(parent.place)
            if source is None:
                continue
            values = (number_of(child.place), kind_code(child.kind), child.n, source, kind_code(parent.kind), parent.n)
            self._connection.execute(SQL["edge_add"], values)

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
            self._connection.execute(SQL["scope_move"], values)
            head.seq = seq
            head.number = number_of(place)

    def _remember_policy(self, commit: Commit) -> None:
        known = self._known.policies
        if commit.policy.hash not in known:
            values = (commit.policy.hash, canonical(commit.policy.snapshot))
            self._connection.execute(SQL["policy_add"], values)
            known.add(commit.policy.hash)
