-- Every statement recollect runs on PostgreSQL, under the names it has on SQLite. `$1` is always the tenant: no
-- statement touches a row without naming it. Values come in only as parameters; every ORDER BY ends in a unique key;
-- nothing here reads a clock or chance.

-- name: tenant_name
-- Raise the wall for this transaction; what comes back is compared with what was asked for.
SELECT set_config('recollect.tenant', $1, true);

-- name: scope_lock
-- Places that nobody has written yet have no row to lock: numbers that stand for their names are locked, in order.
SELECT pg_advisory_xact_lock(wanted), $1::text FROM unnest($2::bigint[]) AS wanted;

-- name: scope_take
-- The rows of these places, locked in a fixed order: their only writer until the transaction ends.
SELECT number, tick, n_short, n_semantic, n_profile, phase, seq, head, space, owner
FROM scopes WHERE tenant = $1 AND place_key = ANY ($2::bytea[]) ORDER BY place_key FOR UPDATE;

-- name: scope_find
-- The rows of these places.
SELECT number, tick, n_short, n_semantic, n_profile, phase, seq, head, space, owner
FROM scopes WHERE tenant = $1 AND place_key = ANY ($2::bytea[]) ORDER BY place_key;

-- name: scope_add
-- A place that is written for the first time.
INSERT INTO scopes (tenant, space, owner, head, salt, number, place_key) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: commit_put
-- One decision, or a part of a very large one: places as they move, then everything it changed.
SELECT recollect_commit($1, $2, $3, $4, $5, $6, $7, $8);

-- name: scope_by_number
-- The name of a place, for reading the log back.
SELECT space, owner FROM scopes WHERE tenant = $1 AND number = $2;

-- name: scope_salt
-- The salt of a place's name; empty once it is buried.
SELECT salt FROM scopes WHERE tenant = $1 AND number = $2;

-- name: scope_list
-- All places of a tenant.
SELECT space, owner FROM scopes WHERE tenant = $1 ORDER BY space, owner, number;

-- name: scope_of_user
-- A user's own place in a space, their personas' (a name goes on with ~) and their conversations' (with /).
SELECT owner FROM scopes WHERE tenant = $1 AND space = $2
    AND (owner = $3 OR (owner > $4 AND owner < $5) OR (owner > $6 AND owner < $7))
ORDER BY owner, number;

-- name: phase_find
-- One phase of a place.
SELECT number, started_at, name, reason FROM phases WHERE tenant = $1 AND scope = $2 AND number = $3;

-- name: phase_list
-- All phases of a place, oldest first.
SELECT number, started_at, name, reason FROM phases WHERE tenant = $1 AND scope = $2 ORDER BY number;

-- name: phase_add
-- A phase that began.
INSERT INTO phases (tenant, scope, number, started_at, name, reason, salt) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: item_add
-- A new item with its sealed body.
INSERT INTO items (tenant, scope, kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by,
                   changed_ms, key, ref, salt, body)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- name: item_find
-- The items of these numbers.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE tenant = $1 AND scope = $2 AND kind = $3 AND n = ANY ($4::bigint[]) ORDER BY n;

-- name: item_window
-- What the window carries, oldest first.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE tenant = $1 AND scope = $2 AND kind = 0 AND status = 'ACTIVE' ORDER BY n;

-- name: item_keyed
-- The active items that hold one of these keys.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE tenant = $1 AND scope = $2 AND key = ANY ($3::bytea[]) AND status = 'ACTIVE' ORDER BY kind, n;

-- name: item_ageing
-- What may have expired, oldest first.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE tenant = $1 AND scope = $2 AND kind = $3 AND status = 'ACTIVE' AND pinned = 0 AND created_at < $4
ORDER BY n;

-- name: item_foremost
-- Of each of these places the facts, pinned first, then the more important, then the newer; and its pinned episodes.
SELECT found.* FROM unnest($2::bigint[]) AS wanted (scope), LATERAL (
    (SELECT scope, kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
     FROM items WHERE tenant = $1 AND scope = wanted.scope AND kind = 2 AND status = 'ACTIVE'
     ORDER BY pinned DESC, importance DESC, n DESC LIMIT $3)
    UNION ALL
    (SELECT scope, kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
     FROM items WHERE tenant = $1 AND scope = wanted.scope AND kind = 1 AND pinned = 1 AND status = 'ACTIVE'
     ORDER BY importance DESC, n DESC LIMIT $3)) AS found;

-- name: item_newest
-- The newest active items of a kind.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE tenant = $1 AND scope = $2 AND kind = $3 AND status = 'ACTIVE' ORDER BY n DESC LIMIT $4;

-- name: item_by_ref
-- Items made from a turn the caller named.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE tenant = $1 AND scope = $2 AND ref = $3 AND (kind, n) > ($4, $5) ORDER BY kind, n LIMIT $6;

-- name: item_page
-- Items of a place in the order of their ids.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE tenant = $1 AND scope = $2 AND (kind, n) > ($3, $4) ORDER BY kind, n LIMIT $5;

-- name: item_documents
-- Everything that can be searched.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE tenant = $1 AND scope = $2 AND kind > 0 AND status <> 'ARCHIVED' ORDER BY kind, n;

-- name: maker_list
-- What made cards and vectors.
SELECT number, name FROM makers WHERE tenant = $1 ORDER BY number;

-- name: maker_add
-- A recipe or an embedder that is used for the first time.
INSERT INTO makers (tenant, number, name) VALUES ($1, $2, $3) ON CONFLICT (tenant, number) DO NOTHING;

-- name: sheet_replace
-- A sheet made later or anew, as long as its item is there.
INSERT INTO sheets (tenant, scope, kind, n, recipe, card, model, vector)
SELECT $1, scope, kind, n, $5::bigint, $6::bytea, $7::bigint, $8::bytea
FROM items WHERE tenant = $1 AND scope = $2 AND kind = $3 AND n = $4
ON CONFLICT (tenant, scope, kind, n)
DO UPDATE SET recipe = excluded.recipe, card = excluded.card, model = excluded.model, vector = excluded.vector;

-- name: sheet_find
-- The sheets of these numbers.
SELECT n, recipe, card, model, vector FROM sheets
WHERE tenant = $1 AND scope = $2 AND kind = $3 AND n = ANY ($4::bigint[]) ORDER BY n;

-- name: sheet_filed
-- Everything that can be searched, as an index takes it in. Each sheet is looked up by its whole key: joined freely, a
-- planner that has not yet counted a new table goes through all sheets of the place for each item.
SELECT kind, n, status, created_at, coalesce(recipe, 0), coalesce(card, ''), coalesce(model, 0), coalesce(vector, '')
FROM items LEFT JOIN LATERAL (
    SELECT recipe, card, model, vector FROM sheets
    WHERE tenant = $1 AND scope = $2 AND kind = items.kind AND n = items.n OFFSET 0) AS sheet ON true
WHERE tenant = $1 AND scope = $2 AND (kind, n) > ($3, $4) AND kind > 0 AND status <> 'ARCHIVED'
ORDER BY kind, n LIMIT $5;

-- name: log_add
-- One more link of a chain.
INSERT INTO log (tenant, scope, seq, record, hash) VALUES ($1, $2, $3, $4, $5);

-- name: log_read
-- Records of a place, oldest first.
SELECT seq, record, hash FROM log WHERE tenant = $1 AND scope = $2 AND seq > $3 ORDER BY seq LIMIT $4;

-- name: log_find
-- Whether a commit whose answer never came is there after all: its hash covers chance, so nobody else's can be it.
SELECT seq FROM log WHERE tenant = $1 AND scope = $2 AND seq = $3 AND hash = $4;

-- name: command_find
-- What a command already answered.
SELECT fingerprint, receipt FROM commands WHERE tenant = $1 AND scope = $2 AND id = $3;

-- name: command_add
-- The answer of a command.
INSERT INTO commands (tenant, scope, id, fingerprint, receipt) VALUES ($1, $2, $3, $4, $5);

-- name: policy_find
-- A policy by its hash.
SELECT body FROM policies WHERE tenant = $1 AND hash = $2;

-- name: policy_add
-- A policy that is used for the first time.
INSERT INTO policies (tenant, hash, body) VALUES ($1, $2, $3) ON CONFLICT (tenant, hash) DO NOTHING;

-- name: edge_children
-- Everything made from these items of one place and kind.
SELECT from_n, scope, kind, n FROM edges
WHERE tenant = $1 AND from_scope = $2 AND from_kind = $3 AND from_n = ANY ($4::bigint[])
ORDER BY from_n, scope, kind, n;

-- name: edge_parents
-- What an item was made from.
SELECT from_scope, from_kind, from_n FROM edges WHERE tenant = $1 AND scope = $2 AND kind = $3 AND n = $4
ORDER BY from_scope, from_kind, from_n;

-- name: scope_bury
-- The name of a place is erased; its number and its chain stay.
UPDATE scopes SET owner = $2, place_key = $3, salt = '' WHERE tenant = $1 AND number = $4;

-- name: phase_bury
-- The names of a place's phases are erased.
DELETE FROM phases WHERE tenant = $1 AND scope = $2;

-- name: command_bury
-- The commands of a place are erased.
DELETE FROM commands WHERE tenant = $1 AND scope = $2;

-- name: recall_all
-- Every kept recall of a tenant, to be judged one by one.
SELECT owner_key, n, owner, body FROM recalls WHERE tenant = $1 ORDER BY owner_key, n;

-- name: recall_delete
-- One kept recall.
DELETE FROM recalls WHERE tenant = $1 AND owner_key = $2 AND n = $3;

-- name: command_all
-- Every answered command of a place, to be judged one by one.
SELECT id, receipt FROM commands WHERE tenant = $1 AND scope = $2 ORDER BY id;

-- name: command_delete
-- One answered command.
DELETE FROM commands WHERE tenant = $1 AND scope = $2 AND id = $3;

-- name: edge_out
-- Everything that was made from anything in a place, whether that is still there or not.
SELECT scope, kind, n, from_kind, from_n FROM edges WHERE tenant = $1 AND from_scope = $2
ORDER BY scope, kind, n, from_kind, from_n;

-- name: edge_list
-- What the items of a place were made from.
SELECT kind, n, from_scope, from_kind, from_n FROM edges WHERE tenant = $1 AND scope = $2
ORDER BY kind, n, from_scope, from_kind, from_n;

-- name: stray_list
-- Rows whose place is gone.
SELECT scope FROM (SELECT scope FROM log WHERE tenant = $1 UNION SELECT scope FROM items WHERE tenant = $1
                   UNION SELECT scope FROM phases WHERE tenant = $1 UNION SELECT scope FROM edges WHERE tenant = $1
                   UNION SELECT scope FROM commands WHERE tenant = $1
                   UNION SELECT scope FROM sheets WHERE tenant = $1) AS held
WHERE scope NOT IN (SELECT number FROM scopes WHERE tenant = $1) ORDER BY scope;

-- name: chain_list
-- Where every chain of a tenant stands.
SELECT number, space, owner, seq, head FROM scopes WHERE tenant = $1 ORDER BY number;

-- name: sealed_items
-- The sealed bodies of a place.
SELECT kind, n, salt, body, created_at, key, ref FROM items WHERE tenant = $1 AND scope = $2 ORDER BY kind, n;

-- name: item_standings
-- How every item of a place stands.
SELECT kind, n, status, importance, pinned, mentions, reason, replaced_by, changed_ms FROM items WHERE tenant = $1 AND scope = $2
ORDER BY kind, n;

-- name: sealed_phases
-- The sealed names of a place's phases.
SELECT number, salt, name, reason, started_at FROM phases WHERE tenant = $1 AND scope = $2 ORDER BY number;

-- name: dump_place
-- Places for an export.
SELECT number, space, owner, tick, n_short, n_semantic, n_profile, phase, seq, head, salt
FROM scopes WHERE tenant = $1 ORDER BY number;

-- name: dump_phase
-- Phases for an export.
SELECT scope, number, started_at, name, reason, salt FROM phases WHERE tenant = $1 ORDER BY scope, number;

-- name: dump_item
-- Items for an export.
SELECT scope, kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, key, ref,
       salt, body
FROM items WHERE tenant = $1 ORDER BY scope, kind, n;

-- name: dump_edge
-- What was made from what, for an export.
SELECT scope, kind, n, from_scope, from_kind, from_n FROM edges WHERE tenant = $1
ORDER BY scope, kind, n, from_scope, from_kind, from_n;

-- name: dump_record
-- The chains for an export.
SELECT scope, seq, record, hash FROM log WHERE tenant = $1 ORDER BY scope, seq;

-- name: dump_command
-- Commands for an export.
SELECT scope, id, fingerprint, receipt FROM commands WHERE tenant = $1 ORDER BY scope, id;

-- name: dump_policy
-- Policies for an export.
SELECT hash, body FROM policies WHERE tenant = $1 ORDER BY hash;

-- name: load_place
-- A place from an export.
INSERT INTO scopes (tenant, number, space, owner, tick, n_short, n_semantic, n_profile, phase, seq, head, salt,
                    place_key)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- name: load_edge
-- What was made from what, from an export.
INSERT INTO edges (tenant, scope, kind, n, from_scope, from_kind, from_n) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: recall_last
-- The number of the newest kept recall of a session.
SELECT n FROM recalls WHERE tenant = $1 AND owner_key = $2 ORDER BY n DESC LIMIT 1;

-- name: recall_add
-- The trace of a recall, where the policy keeps them.
INSERT INTO recalls (tenant, owner_key, n, owner, body) VALUES ($1, $2, $3, $4, $5);

-- name: recall_trim
-- Traces beyond the ring.
DELETE FROM recalls WHERE tenant = $1 AND owner_key = $2 AND n <= $3;

-- name: recall_list
-- The newest kept recalls of a session.
SELECT body FROM recalls WHERE tenant = $1 AND owner_key = $2 ORDER BY n DESC LIMIT $3;

-- name: count_items
-- How many items of each kind and status a tenant has.
SELECT kind, status, count(*) FROM items WHERE tenant = $1 GROUP BY kind, status ORDER BY kind, status;

-- name: count_scopes
-- How many places a tenant has, and how many records their chains hold.
SELECT count(*), coalesce(sum(seq), 0)::bigint FROM scopes WHERE tenant = $1;

-- name: chore_find
-- Places nobody has looked after yet.
INSERT INTO chores (tenant, scope, done_ms, taken_ms)
SELECT $1, number, 0, 0 FROM scopes WHERE tenant = $1 AND space = $2 ON CONFLICT (tenant, scope) DO NOTHING;

-- name: chore_take
-- The place that has waited longest, taken by whoever asks; those another worker is just taking are passed over.
UPDATE chores SET taken_ms = $2 WHERE tenant = $1 AND scope = (
    SELECT scope FROM chores WHERE tenant = $1 AND done_ms <= $3 AND taken_ms <= $4
    ORDER BY done_ms, scope LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING scope;

-- name: chore_done
-- A place was looked after.
UPDATE chores SET done_ms = $2, taken_ms = 0 WHERE tenant = $1 AND scope = $3;

-- name: rest_over
-- Places of a space that grew since nothing was due there, whose time has come, or that nobody looked after yet.
SELECT space, owner FROM scopes WHERE tenant = $1 AND space = $2 AND NOT EXISTS (
    SELECT 1 FROM rests
    WHERE rests.tenant = $1 AND rests.scope = scopes.number AND rests.seq = scopes.seq
        AND rests.policy = $3 AND rests.until_ms > $4)
ORDER BY number;

-- name: rest_note
-- Nothing is due at a place, as it stands, before a moment.
INSERT INTO rests (tenant, scope, seq, policy, until_ms) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant, scope) DO UPDATE SET seq = excluded.seq, policy = excluded.policy, until_ms = excluded.until_ms;
