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
