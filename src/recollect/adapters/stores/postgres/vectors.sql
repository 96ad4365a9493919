-- An approximate index over vectors, for owners too large to hold in memory. No migration: it needs the extension pgvector
-- and is made only where the owner of the database asks for it. {extension} is the schema of the extension, {dimensions}
-- how many numbers a vector of the embedder has.

CREATE TABLE vectors (
    tenant      text     COLLATE "C" NOT NULL,
    scope       bigint   NOT NULL,
    kind        smallint NOT NULL,
    n           bigint   NOT NULL,
    model       bigint   NOT NULL,
    vector      {extension}.halfvec({dimensions}) NOT NULL,
    PRIMARY KEY (tenant, scope, kind, n),
    -- A vector goes with its sheet, whoever deletes that: erasing needs to know nothing of this table.
    FOREIGN KEY (tenant, scope, kind, n) REFERENCES sheets (tenant, scope, kind, n) ON DELETE CASCADE
);

ALTER TABLE vectors ALTER COLUMN vector SET STATISTICS 0;

-- The stored bytes of a vector are signed whole numbers from -128 to 127; each is exact as a half.
CREATE FUNCTION recollect_halfvec(packed bytea) RETURNS {extension}.halfvec LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg(((get_byte(packed, i) + 128) % 256 - 128)::real ORDER BY i)::{extension}.halfvec
    FROM generate_series(0, octet_length(packed) - 1) AS i
$$;

CREATE FUNCTION recollect_file_vector() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO vectors (tenant, scope, kind, n, model, vector)
    VALUES (NEW.tenant, NEW.scope, NEW.kind, NEW.n, NEW.model, recollect_halfvec(NEW.vector))
    ON CONFLICT (tenant, scope, kind, n) DO UPDATE SET model = excluded.model, vector = excluded.vector;
    RETURN NULL;
END $$;

CREATE TRIGGER file_vector AFTER INSERT OR UPDATE OF model, vector ON sheets FOR EACH ROW
    WHEN (octet_length(NEW.vector) = {dimensions}) EXECUTE FUNCTION recollect_file_vector();

-- What is stored already. The owner of the tables is behind the walls as well, so they are open to it until the end of
-- this transaction; nobody else gets in meanwhile.
ALTER TABLE sheets NO FORCE ROW LEVEL SECURITY;
INSERT INTO vectors (tenant, scope, kind, n, model, vector)
SELECT tenant, scope, kind, n, model, recollect_halfvec(vector) FROM sheets WHERE octet_length(vector) = {dimensions};
ALTER TABLE sheets FORCE ROW LEVEL SECURITY;

CREATE INDEX vectors_near ON vectors USING hnsw (vector {extension}.halfvec_ip_ops);

ALTER TABLE vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE vectors FORCE ROW LEVEL SECURITY;
CREATE POLICY wall ON vectors USING (tenant = nullif(current_setting('recollect.tenant', true), ''));
