"""Puts a checked export into an empty store, whole, or as it was at a moment.

    check the file -> load it into a scratch store -> verify chains, seals, fold, state hash -> load the target

1. Going back to a moment keeps, of every chain, the records up to the first one later than it.
2. What was erased or deleted since cannot come back: it is counted, and the restored log says so.

Never: merges into a memory that holds something, or skips a check.
Spec: ruling 7 (a verified export of our own keeps authority); S14.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.core.canonical import link, short_key
from recollect.core.events import KINDS, Erased, kind_code
from recollect.core.item import Phase, Standing
from recollect.core.lineage import Lineage
from recollect.core.log import GENESIS, read_record
from recollect.core.state import Head
from recollect.core.values import ItemRef, Kind, Lens, Place, Space, parse_id
from recollect.core.write.desk import Act, Desk
from recollect.engine.export import all_rows, check_export, rows_of
from recollect.engine.office import Office
from recollect.engine.reindex import reindex
from recollect.engine.replay import fold_entries, state_hash
from recollect.engine.verify import anchor, verify
from recollect.engine.writing import Call, write
from recollect.errors import ExportInvalid, InvalidInput, StoreDamaged, StoreError
from recollect.ports.store import Reader, Repository, Row, Writer

CHUNK = 1_000
Address = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What came back, and what could not."""

    items: int
    records: int
    lost: tuple[str, ...]
    state_hash: str

    def to_dict(self) -> dict[str, object]:
        return {
            "items": self.items,
            "records": self.records,
            "lost": len(self.lost),
            "lost_ids": list(self.lost[:20]),
            "state_hash": self.state_hash,
        }


def restore(office: Office, scratch: Repository, path: Path, to_ms: int | None, newer: Path | None) -> Restored:
    """Restore an export; `to_ms` goes back to a moment, `newer` is a later export: what is gone there stays gone."""
    with office.repository.reading() as reader:
        if reader.places():
            raise InvalidInput(
                "The target already holds memories.", hint="Restore into a new file.", reason="not_empty"
            )
    manifest = check_export(path)
    rows = {table: found for table, found in all_rows(rows_of(path)).items() if table != "tombstone"}
    _check_columns(_of(rows, "item"))
    _load(scratch, rows)
    with scratch.reading() as reader:
        _must_verify(reader, manifest.state_hash)
        if anchor(reader).root != manifest.root:
            raise ExportInvalid(
                "The export's chains are not the ones its manifest names.", reason="export_manifest_lies"
            )
    gone: list[Address] = []
    if newer is not None:
        check_export(newer)
        rows, gone = _as_gone_in(rows, all_rows(rows_of(newer)))
    if to_ms is not None:
        rows, lost_since = _rewind(rows, to_ms)
        gone = [address for address in gone if address not in lost_since]
        gone.extend(lost_since)
    _load(office.repository, rows)
    lost = _bury_lost(office, rows, gone)
    if office.filing.is_quick:
        # What search needs is in no export: it is made again, now where that is cheap, else by `reindex`.
        reindex(office)
    with office.repository.reading() as reader:
        _must_verify(reader, "")
        return Restored(
            items=len(rows.get("item", [])),
            records=len(rows.get("record", [])),
            lost=lost,
            state_hash=state_hash(reader),
        )


def _load(repository: Repository, rows: dict[str, list[Row]]) -> None:
    try:
        with repository.writing(()) as writer:
            for table, found in rows.items():
                for row in found:
                    writer.load(table, row)
    except (KeyError, ValueError, IndexError, TypeError, AttributeError, StoreDamaged):
        # What was raised may quote what the file holds.
        raise ExportInvalid("A row of the export is not one of ours.", reason="export_altered") from None
    except StoreError as error:
        if error.reason != "constraint":
            raise
        raise ExportInvalid(
            "The rows of the export do not fit here.",
            hint="They stand twice in it, or the file holds another tenant: restore into a file of its own.",
            reason="export_does_not_fit",
        ) from error


def _check_columns(items: list[dict[str, Any]]) -> None:
    """What items are looked up by must follow from what they say."""
    try:
        for row in items:
            body = json.loads(row["body"])
            key = short_key(body["key"]).hex() if body["key"] else None
            if row["key"] != key or row["ref"] != body.get("ref"):
                raise ValueError("a look-up column does not follow from its body")
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ExportInvalid("An item of the export was altered.", reason="export_altered") from None


def _must_verify(reader: Reader, expected: str) -> None:
    verification = verify(reader)
    if not verification.is_ok:
        raise ExportInvalid(
            f"The export does not verify: {verification.findings[0].sentence}", reason=f"export_{verification.verdict}"
        )
    if expected and state_hash(reader) != expected:
        raise ExportInvalid("The export's state is not the one its manifest names.", reason="export_manifest_lies")


def _rewind(rows: dict[str, list[Row]], to_ms: int) -> tuple[dict[str, list[Row]], list[Address]]:
    """The rows as they were at a moment, and the addresses of what was live then and is gone now."""
    places = {int(row["number"]): Place(Space(str(row["space"])), str(row["owner"])) for row in _of(rows, "place")}
    kept_records: list[Row] = []
    heads: dict[int, tuple[Head, bytes]] = {}
    standings: dict[Address, Standing] = {}
    lineage = Lineage()
    records, phase_rows = _by_scope(_of(rows, "record")), _by_scope(_of(rows, "phase"))
    for number, place in places.items():
        prefix = list(_prefix(records.get(number, []), to_ms))
        kept_records.extend(prefix)
        phases = {p.index: p for p in _phases(phase_rows.get(number, []))}
        entries = [read_record(place, r["seq"], r["record"], places.__getitem__) for r in prefix]
        head, live = fold_entries(place, entries, phases)
        for entry in entries:
            for _, event in entry.events:
                lineage.take(event)
        heads[number] = (head, _head_of(prefix))
        standings.update({(number, kind_code(ref.kind), ref.n): standing for ref, standing in live.items()})
    numbers = {place: number for number, place in places.items()}
    items = [_stood(row, standings, numbers) for row in _of(rows, "item") if _address(row) in standings]
    held = {_address(row): True for row in items}
    lost = {address: True for address in standings if address not in held}
    rewound: dict[str, list[Row]] = {
        "place": [_placed(row, heads) for row in _of(rows, "place") if heads[int(row["number"])][0].seq],
        "phase": [row for row in _of(rows, "phase") if row["number"] <= _phase_at(heads, row)],
        "item": items,
        "edge": _edges(items, lineage, numbers, lost),
        "record": kept_records,
        "policy": rows.get("policy", []),
    }
    return rewound, list(lost)


def _edges(items: list[Row], lineage: Lineage, numbers: dict[Place, int], lost: dict[Address, bool]) -> list[Row]:
    """What was made from what at that time, from the log; where it is too old to say, from the bodies."""
    told = list(lineage.edges())
    open_items = {_numbered(ref, numbers): ref for ref in lineage.open}
    for row in items:
        child = open_items.get(_address(row))
        body = json.loads(str(row["body"])) if child is not None else {}
        if child is not None and body.get("made_how") != "summary":
            parents = map(parse_id, body.get("made_from", ()))
            told.extend((child, parent) for parent in parents if parent is not None)
    found = sorted(
        {
            (*_numbered(child, numbers), *_numbered(parent, numbers)): True
            for child, parent in told
            if parent.place in numbers and _numbered(child, numbers) not in lost
        }
    )
    names = ("scope", "kind", "n", "from_scope", "from_kind", "from_n")
    return [dict(zip(names, edge, strict=True)) for edge in found]


def _numbered(ref: ItemRef, numbers: dict[Place, int]) -> Address:
    return numbers[ref.place], kind_code(ref.kind), ref.n


def _of(rows: dict[str, list[Row]], table: str) -> list[dict[str, Any]]:
    return rows.get(table, [])


def _prefix(records: Iterable[dict[str, Any]], to_ms: int) -> Iterator[dict[str, Any]]:
    for row in records:
        if json.loads(row["record"])["at"] > to_ms:
            return
        yield row


def _head_of(prefix: list[dict[str, Any]]) -> bytes:
    head = GENESIS
    for row in prefix:
        head = link(head, row["record"].encode("utf-8"))
    return head


def _by_scope(rows: list[dict[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["scope"], []).append(row)
    return found


def _phases(rows: list[dict[str, Any]]) -> Iterator[Phase]:
    for row in rows:
        yield Phase(index=row["number"], started_at=row["started_at"], name=row["name"], reason=row["reason"])


def _phase_at(heads: dict[int, tuple[Head, bytes]], row: dict[str, Any]) -> int:
    phase = heads[row["scope"]][0].phase
    return phase.index if phase is not None else 0


def _placed(row: dict[str, Any], heads: dict[int, tuple[Head, bytes]]) -> Row:
    head, digest = heads[row["number"]]
    return row | {
        "tick": head.tick,
        "n_short": head.counts[Kind.SHORT_TERM],
        "n_semantic": head.counts[Kind.SEMANTIC],
        "n_profile": head.counts[Kind.PROFILE],
        "phase": head.phase.index if head.phase is not None else 0,
        "seq": head.seq,
        "head": digest.hex(),
    }


def _stood(row: dict[str, Any], standings: dict[Address, Standing], numbers: dict[Place, int]) -> Row:
    standing = standings[_address(row)]
    heir = standing.replaced_by
    return row | {
        "status": standing.status.value,
        "importance": standing.importance,
        "pinned": int(standing.is_pinned),
        "mentions": standing.mentions,
        "reason": standing.reason,
        "replaced_by": f"{numbers[heir.place]}:{kind_code(heir.kind)}:{heir.n}" if heir is not None else "",
        "changed_ms": standing.changed_ms,
    }


def _address(row: dict[str, Any]) -> Address:
    return row["scope"], row["kind"], row["n"]


def _as_gone_in(rows: dict[str, list[Row]], newer: dict[str, list[Row]]) -> tuple[dict[str, list[Row]], list[Address]]:
    """The rows without what a newer export of the same memory no longer holds, names included."""
    _must_continue(rows, newer)
    held = {_address(row): True for row in _of(newer, "item")}
    names = {row["number"]: row for row in _of(newer, "place")}
    nameless = {number: True for number, row in names.items() if str(row["owner"]).startswith("(erased)")}
    skipped = [_address(row) for row in _of(rows, "item") if _address(row) not in held]
    gone = dict.fromkeys(skipped, True)
    receipts = {(row["scope"], row["id"]): True for row in _of(newer, "command")}
    kept: dict[str, list[Row]] = {
        **rows,
        "place": [
            row | {"owner": names[row["number"]]["owner"], "salt": names[row["number"]]["salt"]}
            for row in _of(rows, "place")
        ],
        "phase": [row for row in _of(rows, "phase") if row["scope"] not in nameless],
        "item": [row for row in _of(rows, "item") if _address(row) in held],
        "edge": [row for row in _of(rows, "edge") if _address(row) not in gone],
        "command": [row for row in _of(rows, "command") if (row["scope"], row["id"]) in receipts],
    }
    return kept, skipped


def _must_continue(rows: dict[str, list[Row]], newer: dict[str, list[Row]]) -> None:
    """The newer export must be of the same memory: every chain of the older one is the beginning of one of its."""
    hashes = {(row["scope"], row["seq"]): row["hash"] for row in _of(newer, "record")}
    for row in _of(rows, "place"):
        if row["seq"] and hashes.get((row["number"], row["seq"])) != row["head"]:
            raise ExportInvalid(
                "The newer export is not of the same memory.",
                hint="Its chains do not continue those of the export being restored.",
                reason="export_unrelated",
            )


def _bury_lost(office: Office, rows: dict[str, list[Row]], gone: list[Address]) -> tuple[str, ...]:
    """Say in the restored log what could not come back, so that the log and the state agree."""
    places = {int(row["number"]): Place(Space(str(row["space"])), str(row["owner"])) for row in _of(rows, "place")}
    lost = sorted(ItemRef(places[scope], KINDS[kind], n) for scope, kind, n in gone if scope in places)
    for start in range(0, len(lost), CHUNK):
        chunk = lost[start : start + CHUNK]

        def run(desk: Desk, writer: Writer, chunk: list[ItemRef] = chunk) -> None:
            desk.acts.append(Act(at_ms=office.clock.now_ms()))
            for ref in chunk:
                desk.say(ref.place, Erased(ref, "unrecoverable"))

        home = chunk[0].place
        places_touched = tuple(sorted({ref.place for ref in chunk}))
        write(office, Call(lens=Lens(user="anonymous"), places=places_touched, home=home), run)
    return tuple(ref.id for ref in lost)
