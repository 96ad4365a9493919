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
