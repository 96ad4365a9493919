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

-- One decision in one statement: what a turn changes comes in as rows, and is written by one call of the server. Without
-- it a turn is a dozen statements, each with its own way through driver and server. Each place is written only if it
-- still stands where the decision saw it (`RC001` otherwise, and nothing is written), so a caller that knows where its
-- places stand needs no transaction around it.

CREATE FUNCTION recollect_commit(named text, moved json, gone json, stood json, made json, filed json, linked json,
                                 told json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    step record;
BEGIN
    IF set_config('recollect.tenant', named, true) IS DISTINCT FROM named THEN
        RAISE EXCEPTION 'the wall was not raised' USING ERRCODE = 'RC002';
    END IF;
    -- In the order in which everybody locks places. A place without a tick was read, and is not changed.
    FOR step IN SELECT * FROM json_to_recordset(moved) AS m (number bigint, place_key bytea, was bigint, tick bigint,
                n_short bigint, n_semantic bigint, n_profile bigint, phase bigint, seq bigint, head bytea)
                ORDER BY place_key LOOP
        IF step.tick IS NULL THEN
            PERFORM 1 FROM scopes WHERE tenant = named AND number = step.number AND place_key = step.place_key
                AND seq = step.was FOR UPDATE;
        ELSE
            UPDATE scopes SET tick = step.tick, n_short = step.n_short, n_semantic = step.n_semantic,
                n_profile = step.n_profile, phase = step.phase, seq = step.seq, head = step.head
            WHERE tenant = named AND number = step.number AND place_key = step.place_key AND seq = step.was;
        END IF;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'overtaken' USING ERRCODE = 'RC001';
        END IF;
    END LOOP;
    -- Row by row, because the planner cannot know that these are few: joined, it would go through whole tables.
    FOR step IN SELECT * FROM json_to_recordset(gone) AS g (scope bigint, kind smallint, n bigint, erased boolean) LOOP
        DELETE FROM items WHERE tenant = named AND scope = step.scope AND kind = step.kind AND n = step.n;
        IF step.kind > 0 THEN
            DELETE FROM sheets WHERE tenant = named AND scope = step.scope AND kind = step.kind AND n = step.n;
        END IF;
        IF step.erased THEN
            DELETE FROM edges WHERE tenant = named AND scope = step.scope AND kind = step.kind AND n = step.n;
        END IF;
    END LOOP;
    -- Standings before new items, so that a key is free before its next holder takes it.
    FOR step IN SELECT * FROM json_populate_recordset(NULL::items, stood) LOOP
        UPDATE items SET status = step.status, importance = step.importance, pinned = step.pinned,
            mentions = step.mentions, reason = step.reason, replaced_by = step.replaced_by,
            changed_ms = step.changed_ms
        WHERE tenant = named AND scope = step.scope AND kind = step.kind AND n = step.n;
    END LOOP;
    IF made IS NOT NULL THEN
        INSERT INTO items (tenant, scope, kind, n, status, created_at, importance, pinned, mentions, reason,
                           replaced_by, changed_ms, key, ref, salt, body)
        SELECT named, scope, kind, n, status, created_at, importance, pinned, mentions, reason,
               replaced_by, changed_ms, key, ref, salt, body FROM json_populate_recordset(NULL::items, made);
    END IF;
    IF filed IS NOT NULL THEN
        INSERT INTO sheets (tenant, scope, kind, n, recipe, card, model, vector)
        SELECT named, scope, kind, n, recipe, card, model, vector FROM json_populate_recordset(NULL::sheets, filed);
    END IF;
    IF linked IS NOT NULL THEN
        INSERT INTO edges (tenant, scope, kind, n, from_scope, from_kind, from_n)
        SELECT named, scope, kind, n, from_scope, from_kind, from_n FROM json_populate_recordset(NULL::edges, linked)
        ON CONFLICT DO NOTHING;
    END IF;
    IF told IS NOT NULL THEN
        INSERT INTO log (tenant, scope, seq, record, hash)
        SELECT named, scope, seq, record, hash FROM json_populate_recordset(NULL::log, told);
    END IF;
END $$;

-- Places where nothing is due: as they stood when they were looked after, by which policy, and until when. Derived, and no
-- part of an export.

CREATE TABLE rests (
    tenant      text     COLLATE "C" NOT NULL,
    scope       bigint   NOT NULL,
    seq         bigint   NOT NULL,
    policy      text     COLLATE "C" NOT NULL,
    until_ms    bigint   NOT NULL,
    PRIMARY KEY (tenant, scope)
);

ALTER TABLE rests ENABLE ROW LEVEL SECURITY;
ALTER TABLE rests FORCE ROW LEVEL SECURITY;

CREATE POLICY wall ON rests USING (tenant = nullif(current_setting('recollect.tenant', true), ''));
