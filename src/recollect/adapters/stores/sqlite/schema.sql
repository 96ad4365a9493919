-- The first schema. Whatever can carry a person's words lives in `scopes`, `phases`, `items`, `commands` and
-- `recalls`, whose rows can be erased; `log` holds opaque numbers and salted commitments and is never erased.

CREATE TABLE scopes (
    number      INTEGER PRIMARY KEY,
    tenant      TEXT    NOT NULL,
    space       TEXT    NOT NULL,
    owner       TEXT    NOT NULL,
    tick        INTEGER NOT NULL DEFAULT 0,
    n_short     INTEGER NOT NULL DEFAULT 0,
    n_semantic  INTEGER NOT NULL DEFAULT 0,
    n_profile   INTEGER NOT NULL DEFAULT 0,
    phase       INTEGER NOT NULL DEFAULT 0,
    seq         INTEGER NOT NULL DEFAULT 0,
    head        BLOB    NOT NULL,
    salt        BLOB    NOT NULL,
    store       BLOB    NOT NULL,
    UNIQUE (tenant, space, owner)
) STRICT;

CREATE TABLE phases (
    scope       INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    started_at  INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    salt        BLOB    NOT NULL,
    PRIMARY KEY (scope, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE items (
    scope       INTEGER NOT NULL,
    kind        INTEGER NOT NULL,
    n           INTEGER NOT NULL,
    status      TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    importance  INTEGER NOT NULL,
    pinned      INTEGER NOT NULL,
    mentions    INTEGER NOT NULL,
    reason      TEXT    NOT NULL,
    replaced_by TEXT    NOT NULL,
    changed_ms  INTEGER NOT NULL,
    key         BLOB,
    ref         TEXT,
    salt        BLOB    NOT NULL,
    body        TEXT    NOT NULL,
    PRIMARY KEY (scope, kind, n)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX items_by_key ON items (scope, key) WHERE key IS NOT NULL AND status = 'ACTIVE';
CREATE INDEX items_by_ref ON items (scope, ref) WHERE ref IS NOT NULL;
CREATE INDEX items_pinned ON items (scope, kind, importance DESC, n DESC) WHERE pinned = 1;
CREATE INDEX facts_foremost ON items (scope, pinned DESC, importance DESC, n DESC) WHERE kind = 2 AND status = 'ACTIVE';

-- What was made from what, so that erasing can follow it. Numbers only.
CREATE TABLE edges (
    scope        INTEGER NOT NULL,
    kind         INTEGER NOT NULL,
    n            INTEGER NOT NULL,
    from_scope   INTEGER NOT NULL,
    from_kind    INTEGER NOT NULL,
    from_n       INTEGER NOT NULL,
    PRIMARY KEY (from_scope, from_kind, from_n, scope, kind, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX edges_by_child ON edges (scope, kind, n);

CREATE TABLE log (
    scope       INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    record      TEXT    NOT NULL,
    hash        BLOB    NOT NULL,
    PRIMARY KEY (scope, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE commands (
    scope       INTEGER NOT NULL,
    id          TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    receipt     TEXT    NOT NULL,
    PRIMARY KEY (scope, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE policies (
    hash        TEXT    NOT NULL PRIMARY KEY,
    body        TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE recalls (
    tenant      TEXT    NOT NULL,
    owner       TEXT    NOT NULL,
    n           INTEGER NOT NULL,
    body        TEXT    NOT NULL,
    PRIMARY KEY (tenant, owner, n)
) STRICT, WITHOUT ROWID;

-- Written once, when the file is made: a write-ahead log of another memory can replace everything but this.
CREATE TABLE identity (
    store       BLOB    NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE upkeep (
    name        TEXT    NOT NULL PRIMARY KEY,
    times       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What search needs of an item: its words on a card, and its vector. Derived from the item, erased with it, and never
-- part of the log or of an export. `makers` names what made them; a name is an embedder's or a recipe's, never a person's.

CREATE TABLE makers (
    number      INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL UNIQUE
) STRICT;

CREATE TABLE sheets (
    scope       INTEGER NOT NULL,
    kind        INTEGER NOT NULL,
    n           INTEGER NOT NULL,
    recipe      INTEGER NOT NULL,
    card        BLOB    NOT NULL,
    model       INTEGER NOT NULL,
    vector      BLOB    NOT NULL,
    PRIMARY KEY (scope, kind, n)
) STRICT, WITHOUT ROWID;

-- Whose turn it is to be looked after, and who is at it: numbers and times only. Derived, and no part of an export.

CREATE TABLE chores (
    scope       INTEGER NOT NULL PRIMARY KEY,
    done_ms     INTEGER NOT NULL,
    taken_ms    INTEGER NOT NULL
) STRICT;

-- Places where nothing is due: as they stood when they were looked after, by which policy, and until when. Derived, and no
-- part of an export.

CREATE TABLE rests (
    scope       INTEGER NOT NULL PRIMARY KEY,
    seq         INTEGER NOT NULL,
    policy      TEXT    NOT NULL,
    until_ms    INTEGER NOT NULL
) STRICT;
