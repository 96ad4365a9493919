"""S13: tampering with the database is always found, with the right verdict, and never answered with a crash."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from exports import START_MS, lived

from recollect import Memory
from recollect.core.events import Event, Merged, Written, encode
from recollect.core.values import Place
from recollect.errors import InvalidInput, RecollectError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with rows in every table, closed."""
    path = tmp_path_factory.mktemp("tamper") / "memory.db"
    with Memory.open(str(path)) as memory:
        lived(memory)
        memory.scrub()
    return path


def tampered(made: Path, folder: Path, *statements: str) -> Path:
    """A copy somebody with the file and a SQL prompt has changed."""
    path = folder / "memory.db"
    shutil.copy(made, path)
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement)
        assert connection.changes() > 0, f"nothing was changed by: {statement}"
    connection.close()
    return path


def verdict(path: Path, anchor: object = None) -> str:
    with Memory.open(str(path)) as memory:
        return memory.verify(anchor=anchor).verdict  # type: ignore[arg-type]


def test_untouched_is_ok(made: Path, folder: Path) -> None:
    """What is altered below verifies before."""
    shutil.copy(made, folder / "memory.db")
    assert verdict(folder / "memory.db") == "ok"


ONE = {
    "scopes": "number = (SELECT min(scope) FROM items WHERE kind = 1)",
    "phases": "(scope, number) = (SELECT scope, number FROM phases ORDER BY number DESC, scope LIMIT 1)",
    "items": "(scope, kind, n) = (SELECT scope, kind, n FROM items WHERE kind = 1 ORDER BY scope, n LIMIT 1)",
    "facts": "(scope, kind, n) = (SELECT scope, kind, n FROM items WHERE kind = 2 AND key IS NOT NULL LIMIT 1)",
    "edges": "(scope, kind, n, from_scope, from_kind, from_n) = "
    "(SELECT scope, kind, n, from_scope, from_kind, from_n FROM edges LIMIT 1)",
    "log": "seq = 2 AND scope = (SELECT min(scope) FROM log WHERE seq = 3)",
    "policies": "hash = (SELECT min(hash) FROM policies)",
}
CHANGES: dict[str, tuple[str, ...]] = {
    "a record is edited": (f"UPDATE log SET record = replace(record, 'ACTIVE', 'ARCHIVED') WHERE {ONE['log']}",),
    "a record is garbage": (f"UPDATE log SET record = 'zz' WHERE {ONE['log']}",),
    "a record's hash": (f"UPDATE log SET hash = zeroblob(32) WHERE {ONE['log']}",),
    "a record is deleted": (f"DELETE FROM log WHERE {ONE['log']}",),
    "a record is moved": (f"UPDATE log SET seq = 4711 WHERE {ONE['log']}",),
    "a head": (f"UPDATE scopes SET head = zeroblob(32) WHERE {ONE['scopes']}",),
    "a clock": (f"UPDATE scopes SET tick = tick + 1 WHERE {ONE['scopes']}",),
    "a counter": (f"UPDATE scopes SET n_semantic = n_semantic - 1 WHERE {ONE['scopes']}",),
    "a phase's number": (f"UPDATE scopes SET phase = 9 WHERE {ONE['scopes']}",),
    "an owner": (f"UPDATE scopes SET owner = 'mallory' WHERE {ONE['scopes']}",),
    "a tenant": (f"UPDATE scopes SET tenant = 'acme' WHERE {ONE['scopes']}",),
    "a space": (f"UPDATE scopes SET space = 'system' WHERE {ONE['scopes']}",),
    "a name's salt": (f"UPDATE scopes SET salt = zeroblob(16) WHERE {ONE['scopes']}",),
    "a space that is none": (f"UPDATE scopes SET space = 'zz' WHERE {ONE['scopes']}",),
    "a place is deleted": (f"DELETE FROM scopes WHERE {ONE['scopes']}",),
    "two owners change places": (
        "UPDATE scopes SET owner = 'x' WHERE space = 'user' AND owner = 'ana'",
        "UPDATE scopes SET owner = 'ana' WHERE space = 'user' AND owner = 'bob'",
        "UPDATE scopes SET owner = 'bob' WHERE space = 'user' AND owner = 'x'",
    ),
    "a body": (f"UPDATE items SET body = replace(body, 'Postgres', 'Oracle') WHERE {ONE['items']}",),
    "a body that is none": (f"UPDATE items SET body = 'zz' WHERE {ONE['items']}",),
    "a body that is empty": (f"UPDATE items SET body = '{{}}' WHERE {ONE['items']}",),
    "an authority": (f"UPDATE items SET body = replace(body, 'user_asserted', 'system_imposed') WHERE {ONE['items']}",),
    "a salt": (f"UPDATE items SET salt = zeroblob(16) WHERE {ONE['items']}",),
    "a status": (f"UPDATE items SET status = 'ARCHIVED' WHERE {ONE['items']}",),
    "a quarantine lifted": (
        "UPDATE items SET status = 'ACTIVE', reason = '' WHERE status = 'ARCHIVED' AND key IS NULL",
    ),
    "a status that is none": (f"UPDATE items SET status = 'zz' WHERE {ONE['items']}",),
    "an importance": (f"UPDATE items SET importance = 3 - importance WHERE {ONE['facts']}",),
    "a pin": (f"UPDATE items SET pinned = 1 - pinned WHERE {ONE['items']}",),
    "a pin of no known kind": ("UPDATE items SET pinned = 3 WHERE pinned = 1",),
    "a count of mentions": (f"UPDATE items SET mentions = mentions + 1 WHERE {ONE['facts']}",),
    "a reason": (f"UPDATE items SET reason = 'zz' WHERE {ONE['items']}",),
    "a successor": (f"UPDATE items SET replaced_by = '1:1:1' WHERE {ONE['items']}",),
    "a successor that is none": (f"UPDATE items SET replaced_by = 'zz' WHERE {ONE['items']}",),
    "a time of change": (f"UPDATE items SET changed_ms = changed_ms + 1 WHERE {ONE['items']}",),
    "a tick of birth": (f"UPDATE items SET created_at = created_at + 100 WHERE {ONE['items']}",),
    "a key": (f"UPDATE items SET key = zeroblob(16) WHERE {ONE['facts']}",),
    "a ref": (f"UPDATE items SET ref = 'zz' WHERE {ONE['items']}",),
    "a kind that is none": (f"UPDATE items SET kind = 9 WHERE {ONE['items']}",),
    "a number": (f"UPDATE items SET n = 4711 WHERE {ONE['items']}",),
    "an item is deleted": (f"DELETE FROM items WHERE {ONE['items']}",),
    "an item is added": (
        "INSERT INTO items SELECT scope, kind, 4711, status, created_at, importance, pinned, mentions, reason, "
        f"replaced_by, changed_ms, NULL, ref, salt, body FROM items WHERE {ONE['items']}",
    ),
    "a phase's name": (f"UPDATE phases SET name = 'zz' WHERE {ONE['phases']}",),
    "a phase's tick": (f"UPDATE phases SET started_at = started_at + 1 WHERE {ONE['phases']}",),
    "a phase is deleted": (f"DELETE FROM phases WHERE {ONE['phases']}",),
    "a phase is added": (
        f"INSERT INTO phases SELECT scope, 99, started_at, name, reason, salt FROM phases WHERE {ONE['phases']}",
    ),
    "an edge is deleted": (f"DELETE FROM edges WHERE {ONE['edges']}",),
    "an edge points elsewhere": (f"UPDATE edges SET from_n = 4711 WHERE {ONE['edges']}",),
    "an edge of what was never written": (
        f"INSERT INTO edges SELECT scope, kind, 4711, from_scope, from_kind, from_n FROM edges WHERE {ONE['edges']}",
    ),
    "a policy": (f"UPDATE policies SET body = replace(body, 'mask', 'none') WHERE {ONE['policies']}",),
    "a policy is deleted": (f"DELETE FROM policies WHERE {ONE['policies']}",),
}


@pytest.mark.parametrize("what", CHANGES)
def test_one_change_is_found(made: Path, folder: Path, what: str) -> None:
    """Whatever one row is made to say instead, verify says `altered`, and where."""
    path = tampered(made, folder, *CHANGES[what])
    with Memory.open(str(path)) as memory:
        found = memory.verify()
        assert found.verdict in {"altered", "truncated"}, what
        assert found.findings and all(finding.sentence for finding in found.findings)
        for read in (memory.replay, memory.state_hash, memory.scan, lambda: memory.export(folder / "e.jsonl")):
            try:
                read()
            except RecollectError:
                continue


def test_a_missing_end_is_truncated(made: Path, folder: Path) -> None:
    """The last records of a chain are gone, and the place knows how many there were."""
    path = tampered(
        made, folder, "DELETE FROM log WHERE scope = 1 AND seq >= (SELECT seq FROM scopes WHERE number = 1)"
    )
    assert verdict(path) == "truncated"


def cut(connection: apsw.Connection, scope: int) -> None:
    """Take the last record of a chain out and make the place believe it never was there."""
    last = "(SELECT max(seq) FROM log WHERE scope = ?)"
    connection.execute(f"DELETE FROM log WHERE scope = ? AND seq = {last}", (scope, scope))
    left = connection.execute(f"SELECT seq, hash FROM log WHERE scope = ? AND seq = {last}", (scope, scope)).fetchone()
    seq, head = left if left is not None else (0, bytes(32))
    connection.execute("UPDATE scopes SET seq = ?, head = ? WHERE number = ?", (seq, head, scope))


def test_a_hidden_end_is_found_with_an_anchor(made: Path, folder: Path) -> None:
    """Any chain whose place was made to believe in a shorter one; mostly without an anchor too."""
    with Memory.open(str(made)) as memory:
        kept = memory.anchor()
    found = []
    for number, _, _ in kept.chains:
        path = folder / f"{number}.db"
        shutil.copy(made, path)
        connection = apsw.Connection(str(path))
        cut(connection, number)
        connection.close()
        assert verdict(path, kept) in {"altered", "truncated"}
        found.append(verdict(path))
    assert sum(word in {"altered", "truncated"} for word in found) > len(found) / 2


def two_lives(folder: Path, first: Callable[[Memory], object], second: Callable[[Memory], object]) -> tuple[Path, Path]:
    """Two databases with one beginning: what a forger has who rewrites everything consistently."""
    common, one, two = folder / "common.db", folder / "one.db", folder / "two.db"
    with Memory.open(str(common)) as memory:
        memory.session(user="ana", session="s1").remember("We began.", at=START_MS)
        memory.scrub()
    for path, live in ((one, first), (two, second)):
        shutil.copy(common, path)
        with Memory.open(str(path)) as memory:
            live(memory)
    return one, two


def says(*texts: str) -> Callable[[Memory], None]:
    def live(memory: Memory) -> None:
        for text in texts:
            memory.session(user="ana", session="s1").remember(text, at=START_MS + 1)

    return live


def anchor_of(path: Path) -> dict[str, object]:
    with Memory.open(str(path)) as memory:
        return memory.anchor().to_dict()


def test_a_rewritten_log_is_found_with_an_anchor(folder: Path) -> None:
    """A whole chain made anew is consistent in itself; only what was kept elsewhere tells it from the true one."""
    true, forged = two_lives(folder, says("We chose Postgres."), says("We chose Oracle.", "And it went well."))
    kept = anchor_of(true)
    assert verdict(true, kept) == "ok"
    assert verdict(forged) == "ok"
    assert verdict(forged, kept) == "rewritten"


def test_a_log_rewritten_to_the_same_length_is_found(folder: Path) -> None:
    """The same number of records, other words."""
    true, forged = two_lives(folder, says("We chose Postgres."), says("We chose Oracle."))
    assert verdict(forged, anchor_of(true)) == "rewritten"


def test_an_older_copy_is_truncated_with_an_anchor(folder: Path) -> None:
    """Putting yesterday's copy back is consistent in every way but that it is shorter."""
    longer, older = two_lives(folder, says("One.", "Two."), says())
    assert verdict(older) == "ok"
    assert verdict(older, anchor_of(longer)) == "truncated"


def test_a_chain_that_is_wholly_gone_is_truncated_with_an_anchor(folder: Path) -> None:
    """Everything of one owner taken out by hand, without an erasure."""
    path = folder / "memory.db"
    with Memory.open(str(path)) as memory:
        for user in ("ana", "bob"):
            memory.session(user=user).remember(f"{user} was here.")
        kept = memory.anchor().to_dict()
        numbers = [chain[0] for chain in memory.anchor().chains][-2:]
    connection = apsw.Connection(str(path))
    for table in ("items", "phases", "edges", "log", "commands"):
        connection.execute(f"DELETE FROM {table} WHERE scope IN ({numbers[0]}, {numbers[1]})")
    connection.execute(f"DELETE FROM scopes WHERE number IN ({numbers[0]}, {numbers[1]})")
    connection.close()
    assert verdict(path, kept) == "truncated"


def test_growth_since_the_anchor_is_named_and_fine(folder: Path) -> None:
    """An anchor is of a moment; what came after it is consistent but nobody else has seen it."""
    path = folder / "memory.db"
    with Memory.open(str(path)) as memory:
        memory.session(user="ana").remember("One.")
        kept = memory.anchor()
        memory.session(user="ana").remember("Two.")
        memory.session(user="new").remember("Three.")
        found = memory.verify(anchor=kept)
        assert (found.verdict, found.is_ok) == ("unanchored_tail", True)
        assert len(found.findings) == 4


def test_erasing_is_no_tampering(folder: Path) -> None:
    """An anchor from before an erasure still fits: the log is never erased, only the words are."""
    with Memory.open(str(folder / "memory.db")) as memory:
        lived(memory)
        kept = memory.anchor()
        memory.erase_user("ana")
        memory.session(user="bob", session="s1").erase_session()
        found = memory.verify(anchor=kept)
        assert found.is_ok and {finding.verdict for finding in found.findings} == {"unanchored_tail"}


def test_the_worst_finding_is_the_verdict(made: Path, folder: Path) -> None:
    """Several kinds of tampering at once: the verdict is the gravest, and all findings are listed."""
    with Memory.open(str(made)) as memory:
        kept = memory.anchor().to_dict()
    path = tampered(
        made,
        folder,
        f"UPDATE items SET pinned = 1 - pinned WHERE {ONE['items']}",
        "DELETE FROM log WHERE scope = 1 AND seq >= (SELECT seq FROM scopes WHERE number = 1)",
    )
    with Memory.open(str(path)) as memory:
        found = memory.verify(anchor=kept)
        assert found.verdict == "altered" and {"altered", "truncated"} <= {f.verdict for f in found.findings}


@pytest.mark.parametrize(
    "bad",
    [
        5,
        "x",
        [],
        {},
        {"root": "x", "chains": []},
        {"root": "x", "chains": 5},
        {"root": "x", "chains": [[1]]},
        {"root": "x", "chains": [["a", "b", "c"]]},
        {"root": "x", "chains": [[1, 2, "00"]]},
        {"chains": [[1, 10**400, "00"]], "root": ""},
    ],
)
def test_an_anchor_that_is_none(bad: object) -> None:
    """A file that is no anchor, or was edited, proves nothing and says so."""
    with Memory.open(":memory:") as memory:
        memory.session(user="ana").remember("One.")
        with pytest.raises(InvalidInput):
            memory.verify(anchor=bad)  # type: ignore[arg-type]


def test_an_edited_anchor_does_not_match_its_own_root(made: Path) -> None:
    """The root is over the chains, so neither can be changed alone."""
    with Memory.open(str(made)) as memory:
        kept = memory.anchor().to_dict()
        chains = kept["chains"]
        assert isinstance(chains, list)
        chains[0][1] -= 1
        with pytest.raises(InvalidInput) as caught:
            memory.verify(anchor=kept)
        assert caught.value.reason == "anchor_altered"


def test_the_verdict_does_not_depend_on_the_tenant_next_door(folder: Path) -> None:
    """Damage in one tenant is found there and nowhere else."""
    path = folder / "memory.db"
    with Memory.open(str(path)) as memory:
        memory.session(user="ana").remember("One.")
        memory.session(user="ana", tenant="acme").remember("Two.")
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE items SET pinned = 1 WHERE scope IN (SELECT number FROM scopes WHERE tenant = 'acme')")
    connection.close()
    with Memory.open(str(path)) as memory:
        assert memory.verify().verdict == "ok"
        assert memory.verify(tenant="acme").verdict == "altered"


def test_a_place_given_to_another_tenant_is_missed(folder: Path) -> None:
    """A place that no act of another place speaks of is missed all the same: its chain knows whose it is."""
    path = folder / "memory.db"
    with Memory.open(str(path), policy="contract") as memory:
        memory.session(user="ana").remember("One.")
        memory.session(user="ben").remember("Two.")
        memory.session(user="ben", tenant="acme").remember("Three.")
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE scopes SET tenant = 'acme' WHERE owner LIKE 'ana%'")
    connection.close()
    with Memory.open(str(path)) as memory:
        assert memory.verify().verdict == "truncated"
        assert memory.verify(tenant="acme").verdict == "altered"


def _corrected_twice(path: Path) -> None:
    """Under `contract` a correction deletes what it corrects: of three links the middle one is left in edges alone."""
    with Memory.open(str(path), policy="contract") as memory:
        session = memory.session(user="ana", session="1")
        session.remember("We decided to use Postgres.", at=START_MS)
        session.correct("session:ana/1:semantic:1", "We decided to use MySQL.", at=START_MS + 1)
        session.correct("session:ana/1:semantic:2", "We decided to use SQLite.", at=START_MS + 2)


def _links(path: Path) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path))
    found = connection.execute("SELECT kind, n, from_kind, from_n FROM edges ORDER BY n").fetchall()
    connection.close()
    return found


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM edges WHERE n = 2",
        "UPDATE edges SET from_n = 3 WHERE n = 2",
        "UPDATE edges SET from_scope = 7 WHERE n = 2",
        "UPDATE edges SET n = 1 WHERE n = 2",
    ],
)
def test_lineage_through_what_is_deleted_is_proven(folder: Path, change: str) -> None:
    """Erasing follows lineage through items that are gone, so the log tells that too."""
    _corrected_twice(folder / "made.db")
    assert _links(folder / "made.db") == [(1, 2, 1, 1), (1, 3, 1, 2)]
    assert verdict(folder / "made.db") == "ok"
    assert verdict(tampered(folder / "made.db", folder, change)) == "altered"


def test_a_log_from_before_lineage_was_told_verifies(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older log names no parents: what lives is held against its own words, what is gone is believed."""
    monkeypatch.setattr("recollect.core.log.encode", _as_of_old)
    _corrected_twice(folder / "made.db")
    monkeypatch.undo()
    assert verdict(folder / "made.db") == "ok"
    living = tampered(folder / "made.db", folder, "UPDATE edges SET from_n = 1 WHERE n = 3")
    assert verdict(living) == "altered"


def _as_of_old(event: Event, number_of: Callable[[Place], int]) -> str:
    fields = json.loads(f"[{encode(event, number_of)}]")
    return json.dumps(fields[:-1] if isinstance(event, (Written, Merged)) else fields)[1:-1]
