"""Reads the tables of a file by hand and says what does not add up.

It shares no code with recollect: the hash, the record format and the rules are written down here a second time, so
that a mistake in the product's own checks cannot hide behind itself.

1. Every chain is unbroken from its genesis to the head its place names, and its numbers have no gap.
2. Every act is whole: each record elsewhere is named by exactly one home record, and the events of an act count up
   from zero without a gap.
3. Every stored body is the one its log sealed, and nothing belongs to a place that does not exist.

Never: changes the file. Spec: ruling 10a; core/log.py, laws 1 and 5.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import apsw

GENESIS = bytes(32)
Act = tuple[int, int]


def broken_links(connection: apsw.Connection) -> list[str]:
    """Everything that is wrong with the log and with what hangs on it."""
    return [*_chain_faults(connection), *_act_faults(connection), *_seal_faults(connection), *_orphans(connection)]


def _chain_faults(connection: apsw.Connection) -> Iterator[str]:
    scopes = {row[0]: (row[1], row[2]) for row in connection.execute("SELECT number, seq, head FROM scopes")}
    reached: dict[int, tuple[int, bytes]] = {}
    for scope, seq, record, stored in connection.execute(
        "SELECT scope, seq, record, hash FROM log ORDER BY scope, seq"
    ):
        last, previous = reached.get(scope, (0, GENESIS))
        if seq != last + 1:
            yield f"chain {scope} jumps from {last} to {seq}"
        if hashlib.sha256(previous + record.encode()).digest() != stored:
            yield f"chain {scope} is broken at {seq}"
        reached[scope] = (seq, stored)
    for scope, head in scopes.items():
        if reached.get(scope, (0, GENESIS)) != head:
            yield f"place {scope} names another head than its chain"
    for scope in sorted(reached.keys() - scopes.keys()):
        yield f"chain {scope} belongs to no place"


def _act_faults(connection: apsw.Connection) -> Iterator[str]:
    homes: dict[Act, list[Act]] = {}
    events: dict[Act, list[int]] = {}
    away: dict[Act, int] = {}
    for scope, seq, record in connection.execute("SELECT scope, seq, record FROM log ORDER BY scope, seq"):
        raw = json.loads(record)
        events[(scope, seq)] = [event[0] for event in raw["events"]]
        if "siblings" in raw:
            homes[(scope, seq)] = [(number, sibling) for number, sibling in raw["siblings"]]
        else:
            away[(scope, seq)] = 0
    for home, siblings in homes.items():
        indexes = list(events[home])
        for sibling in siblings:
            if sibling not in away:
                yield f"half an act: {home} names {sibling}, which is not there"
                continue
            away[sibling] += 1
            indexes += events[sibling]
        if sorted(indexes) != list(range(len(indexes))):
            yield f"half an act: the events of {home} are {sorted(indexes)}"
    for act, times in away.items():
        if times != 1:
            yield f"half an act: {act} is named by {times} homes"


def _seal_faults(connection: apsw.Connection) -> Iterator[str]:
    sealed: dict[tuple[object, ...], str] = {}
    for (record,) in connection.execute("SELECT record FROM log"):
        for _, code, *fields in json.loads(record)["events"]:
            if code == "w":
                sealed[tuple(fields[0])] = fields[5]
            elif code == "s":
                sealed[(*fields[0], fields[1])] = fields[-1]
    for scope, kind, n, salt, body in connection.execute("SELECT scope, kind, n, salt, body FROM items"):
        if hashlib.sha256(salt + body.encode()).hexdigest() != sealed.get((scope, kind, n)):
            yield f"item {scope}:{kind}:{n} is not what was sealed"
    for scope, number, salt, *told in connection.execute(
        "SELECT scope, number, salt, name, reason, started_at FROM phases"
    ):
        if hashlib.sha256(salt + _written(told)).hexdigest() != sealed.get((scope, number)):
            yield f"phase {scope}:{number} is not what was sealed"


def _written(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _orphans(connection: apsw.Connection) -> Iterator[str]:
    for table in ("items", "phases", "commands"):
        query = f"SELECT DISTINCT scope FROM {table} WHERE scope NOT IN (SELECT number FROM scopes) ORDER BY scope"
        for (scope,) in connection.execute(query):
            yield f"{table} of {scope}, which is no place"
