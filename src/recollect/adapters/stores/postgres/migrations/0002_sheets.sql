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
