-- The statements of the approximate index, in the manner of queries.sql. They run only where `vectors.sql` was run.

-- name: near_begin
-- The scan goes on until enough rows of this tenant's place are found, and no plan that sorts all of them is taken.
SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', '400', true),
       set_config('enable_sort', 'off', true), $1::text;

-- name: near_find
-- About the nearest ones of a place. What the index passes over is what makes the answer approximate.
SELECT kind, n FROM vectors WHERE tenant = $1 AND scope = $2 AND model = $3
ORDER BY vector OPERATOR({extension}.<#>) recollect_halfvec($4) LIMIT $5;

-- name: near_end
-- Later statements of this transaction are planned as ever.
SELECT set_config('enable_sort', 'on', true), $1::text;
