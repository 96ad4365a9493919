-- The first schema. Every key starts with the tenant, and every table has a wall: a row is there only for the tenant
-- that the transaction named. No key, constraint or sequence crosses a tenant, so the tenant can be the distribution
-- column of a cluster. Whatever can carry a person's words lives in `scopes`, `phases`, `items`, `commands` and
-- `recalls`, whose rows can be erased; `log` holds opaque numbers and salted commitments and is never erased.

CREATE TABLE scopes (
    tenant      text     COLLATE "C" NOT NULL,
    number      bigint   NOT NULL,
    space       text     COLLATE "C" NOT NULL,
    owner       text     COLLATE "C" NOT NULL,
    -- Sixteen bytes that stand for space and owner: a name can be longer than an index takes.
    place_key   bytea    NOT NULL,
    tick        bigint   NOT NULL DEFAULT 0,
    n_short     bigint   NOT NULL DEFAULT 0,
    n_semantic  bigint   NOT NULL DEFAULT 0,
    n_profile   bigint   NOT NULL DEFAULT 0,
    phase       bigint   NOT NULL DEFAULT 0,
    seq         bigint   NOT NULL DEFAULT 0,
    head        bytea    NOT NULL,
    salt        bytea    NOT NULL,
    PRIMARY KEY (tenant, number),
    UNIQUE (tenant, place_key)
);

CREATE TABLE phases (
    tenant      text     COLLATE "C" NOT NULL,
    scope       bigint   NOT NULL,
    number      bigint   NOT NULL,
    started_at  bigint   NOT NULL,
    name        text     COLLATE "C" NOT NULL,
    reason      text     COLLATE "C" NOT NULL,
    salt        bytea    NOT NULL,
    PRIMARY KEY (tenant, scope, number)
);

CREATE TABLE items (
    tenant      text     COLLATE "C" NOT NULL,
    scope       bigint   NOT NULL,
    kind        smallint NOT NULL,
    n           bigint   NOT NULL,
    status      text     COLLATE "C" NOT NULL,
    created_at  bigint   NOT NULL,
    importance  bigint   NOT NULL,
    pinned      smallint NOT NULL,
    mentions    bigint   NOT NULL,
    reason      text     COLLATE "C" NOT NULL,
    replaced_by text     COLLATE "C" NOT NULL,
    changed_ms  bigint   NOT NULL,
    key         bytea,
    ref         text     COLLATE "C",
    salt        bytea    NOT NULL,
    body        text     COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, scope, kind, n)
);

CREATE UNIQUE INDEX items_by_key ON items (tenant, scope, key) WHERE key IS NOT NULL AND status = 'ACTIVE';
CREATE INDEX items_by_ref ON items (tenant, scope, ref) WHERE ref IS NOT NULL;
CREATE INDEX items_pinned ON items (tenant, scope, kind, importance DESC, n DESC) WHERE pinned = 1;
CREATE INDEX facts_foremost ON items (tenant, scope, pinned DESC, importance DESC, n DESC)
    WHERE kind = 2 AND status = 'ACTIVE';

-- What was made from what, so that erasing can follow it. Numbers only.
CREATE TABLE edges (
    tenant      text     COLLATE "C" NOT NULL,
    scope       bigint   NOT NULL,
    kind        smallint NOT NULL,
    n           bigint   NOT NULL,
    from_scope  bigint   NOT NULL,
    from_kind   smallint NOT NULL,
    from_n      bigint   NOT NULL,
    PRIMARY KEY (tenant, from_scope, from_kind, from_n, scope, kind, n)
);

CREATE INDEX edges_by_child ON edges (tenant, scope, kind, n);

CREATE TABLE log (
    tenant      text     COLLATE "C" NOT NULL,
    scope       bigint   NOT NULL,
    seq         bigint   NOT NULL,
    record      text     COLLATE "C" NOT NULL,
    hash        bytea    NOT NULL,
    PRIMARY KEY (tenant, scope, seq)
);

CREATE TABLE commands (
    tenant      text     COLLATE "C" NOT NULL,
    scope       bigint   NOT NULL,
    id          text     COLLATE "C" NOT NULL,
    fingerprint text     COLLATE "C" NOT NULL,
    receipt     text     COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, scope, id)
);

CREATE TABLE policies (
    tenant      text     COLLATE "C" NOT NULL,
    hash        text     COLLATE "C" NOT NULL,
    body        text     COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, hash)
);

CREATE TABLE recalls (
    tenant      text     COLLATE "C" NOT NULL,
    owner_key   bytea    NOT NULL,
    n           bigint   NOT NULL,
    owner       text     COLLATE "C" NOT NULL,
    body        text     COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, owner_key, n)
);

-- Which migrations were run. The only table without a tenant: it holds one number.
CREATE TABLE recollect_schema (
    version     integer  NOT NULL PRIMARY KEY
);

-- The planner keeps samples of what it analyses; of anybody's words it must keep none, or erasing would not reach them.
ALTER TABLE scopes   ALTER COLUMN owner SET STATISTICS 0, ALTER COLUMN place_key SET STATISTICS 0;
ALTER TABLE phases   ALTER COLUMN name SET STATISTICS 0, ALTER COLUMN reason SET STATISTICS 0;
ALTER TABLE items    ALTER COLUMN key SET STATISTICS 0, ALTER COLUMN ref SET STATISTICS 0,
                     ALTER COLUMN salt SET STATISTICS 0, ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE commands ALTER COLUMN id SET STATISTICS 0, ALTER COLUMN fingerprint SET STATISTICS 0,
                     ALTER COLUMN receipt SET STATISTICS 0;
ALTER TABLE recalls  ALTER COLUMN owner SET STATISTICS 0, ALTER COLUMN owner_key SET STATISTICS 0,
                     ALTER COLUMN body SET STATISTICS 0;

ALTER TABLE scopes   ENABLE ROW LEVEL SECURITY;
ALTER TABLE phases   ENABLE ROW LEVEL SECURITY;
ALTER TABLE items    ENABLE ROW LEVEL SECURITY;
ALTER TABLE edges    ENABLE ROW LEVEL SECURITY;
ALTER TABLE log      ENABLE ROW LEVEL SECURITY;
ALTER TABLE commands ENABLE ROW LEVEL SECURITY;
ALTER TABLE policies ENABLE ROW LEVEL SECURITY;
ALTER TABLE recalls  ENABLE ROW LEVEL SECURITY;

-- Forced: the wall holds for the owner of the tables as well.
ALTER TABLE scopes   FORCE ROW LEVEL SECURITY;
ALTER TABLE phases   FORCE ROW LEVEL SECURITY;
ALTER TABLE items    FORCE ROW LEVEL SECURITY;
ALTER TABLE edges    FORCE ROW LEVEL SECURITY;
ALTER TABLE log      FORCE ROW LEVEL SECURITY;
ALTER TABLE commands FORCE ROW LEVEL SECURITY;
ALTER TABLE policies FORCE ROW LEVEL SECURITY;
ALTER TABLE recalls  FORCE ROW LEVEL SECURITY;

CREATE POLICY wall ON scopes   USING (tenant = nullif(current_setting('recollect.tenant', true), ''));
CREATE POLICY wall ON phases   USING (tenant = nullif(current_setting('recollect.tenant', true), ''));
CREATE POLICY wall ON items    USING (tenant = nullif(current_setting('recollect.tenant', true), ''));
CREATE POLICY wall ON edges    USING (tenant = nullif(current_setting('recollect.tenant', true), ''));
CREATE POLICY wall ON log      USING (tenant = nullif(current_setting('recollect.tenant', true), ''));
CREATE POLICY wall ON commands USING (tenant = nullif(current_setting('recollect.tenant', true), ''));
CREATE POLICY wall ON policies USING (tenant = nullif(current_setting('recollect.tenant', true), ''));
CREATE POLICY wall ON recalls  USING (tenant = nullif(current_setting('recollect.tenant', true), ''));

-- What search needs of an item: its words on a card, and its vector. Derived from the item, erased with it, and never
-- part of the log or of an export. `makers` names what made them; a name is an embedder's or a recipe's, never a
-- person's, and its number is made from the name.

CREATE TABLE makers (
    tenant      text     COLLATE "C" NOT NULL,
    number      bigint   NOT NULL,
    name        text     COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, number)
);

CREATE TABLE sheets (
    tenant      text     COLLATE "C" NOT NULL,
    scope       bigint   NOT NULL,
    kind        smallint NOT NULL,
    n           bigint   NOT NULL,
    recipe      bigint   NOT NULL,
    card        bytea    NOT NULL,
    model       bigint   NOT NULL,
    vector      bytea    NOT NULL,
    PRIMARY KEY (tenant, scope, kind, n)
);

ALTER TABLE sheets ALTER COLUMN card SET STATISTICS 0, ALTER COLUMN vector SET STATISTICS 0;

ALTER TABLE makers ENABLE ROW LEVEL SECURITY;
ALTER TABLE sheets ENABLE ROW LEVEL SECURITY;
ALTER TABLE makers FORCE ROW LEVEL SECURITY;
ALTER TABLE sheets FORCE ROW LEVEL SECURITY;

CREATE POLICY wall ON makers USING (tenant = nullif(current_setting('recollect.tenant', true), ''));
CREATE POLICY wall ON sheets USING (tenant = nullif(current_setting('recollect.tenant', true), ''));

-- Whose turn it is to be looked after, and who is at it: numbers and times only. Derived, and no part of an export.

CREATE TABLE chores (
    tenant      text     COLLATE "C" NOT NULL,
    scope       bigint   NOT NULL,
    done_ms     bigint   NOT NULL,
    taken_ms    bigint   NOT NULL,
    PRIMARY KEY (tenant, scope)
);

CREATE INDEX chores_due ON chores (tenant, done_ms, scope);

ALTER TABLE chores ENABLE ROW LEVEL SECURITY;
ALTER TABLE chores FORCE ROW LEVEL SECURITY;

CREATE POLICY wall ON chores USING (tenant = nullif(current_setting('recollect.tenant', true), ''));
