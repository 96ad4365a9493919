-- Every statement recollect runs on SQLite, by name. Values come in only as parameters; every ORDER BY ends in a
-- unique key; nothing here reads a clock or chance.

-- name: scope_find
-- The row of one place.
SELECT number, tick, n_short, n_semantic, n_profile, phase, seq, head
FROM scopes WHERE tenant = ? AND space = ? AND owner = ?;

-- name: scope_add
-- A place that is written for the first time.
INSERT INTO scopes (tenant, space, owner, head, salt, store)
VALUES (?, ?, ?, ?, ?, (SELECT store FROM identity)) RETURNING number;

-- name: scope_move
-- Where the clock, the counters and the chain of a place stand after a commit.
UPDATE scopes SET tick = ?, n_short = ?, n_semantic = ?, n_profile = ?, phase = ?, seq = ?, head = ? WHERE number = ?;

-- name: scope_by_number
-- The name of a place, for reading the log back.
SELECT space, owner FROM scopes WHERE number = ? AND tenant = ?;

-- name: scope_salt
-- The salt of a place's name; empty once it is buried.
SELECT salt FROM scopes WHERE number = ?;

-- name: scope_list
-- All places of a tenant.
SELECT space, owner FROM scopes WHERE tenant = ? ORDER BY space, owner;

-- name: scope_of_user
-- A user's own place in a space, their personas' (a name goes on with ~) and their conversations' (with /).
SELECT owner FROM scopes WHERE tenant = ? AND space = ?
    AND (owner = ? OR (owner > ? AND owner < ?) OR (owner > ? AND owner < ?))
ORDER BY owner;

-- name: phase_find
-- One phase of a place.
SELECT number, started_at, name, reason FROM phases WHERE scope = ? AND number = ?;

-- name: phase_list
-- All phases of a place, oldest first.
SELECT number, started_at, name, reason FROM phases WHERE scope = ? ORDER BY number;

-- name: phase_add
-- A phase that began.
INSERT INTO phases (scope, number, started_at, name, reason, salt) VALUES (?, ?, ?, ?, ?, ?);

-- name: item_add
-- A new item with its sealed body.
INSERT INTO items (scope, kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms,
                   key, ref, salt, body)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: item_stand
-- The standing of an item after an event.
UPDATE items SET status = ?, importance = ?, pinned = ?, mentions = ?, reason = ?, replaced_by = ?, changed_ms = ?
WHERE scope = ? AND kind = ? AND n = ?;

-- name: item_delete
-- An item and its text are gone.
DELETE FROM items WHERE scope = ? AND kind = ? AND n = ?;

-- name: item_find
-- The item of a number.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE scope = ? AND kind = ? AND n = ?;

-- name: item_window
-- What the window carries, oldest first.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE scope = ? AND kind = 0 AND status = 'ACTIVE' ORDER BY n;

-- name: item_keyed
-- The active item that holds a key.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE scope = ? AND key = ? AND status = 'ACTIVE';

-- name: item_ageing
-- What may have expired, oldest first.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE scope = ? AND kind = ? AND status = 'ACTIVE' AND pinned = 0 AND created_at < ? ORDER BY n;

-- name: item_foremost
-- Facts: pinned first, then the more important, then the newer.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE scope = ? AND kind = 2 AND status = 'ACTIVE' ORDER BY pinned DESC, importance DESC, n DESC LIMIT ?;

-- name: item_pinned
-- Pinned items of a kind.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE scope = ? AND kind = ? AND pinned = 1 AND status = 'ACTIVE' ORDER BY importance DESC, n DESC LIMIT ?;

-- name: item_newest
-- The newest active items of a kind.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE scope = ? AND kind = ? AND status = 'ACTIVE' ORDER BY n DESC LIMIT ?;

-- name: item_by_ref
-- Items made from a turn the caller named.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE scope = ? AND ref = ? AND (kind, n) > (?, ?) ORDER BY kind, n LIMIT ?;

-- name: item_page
-- Items of a place in the order of their ids.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE scope = ? AND (kind, n) > (?, ?) ORDER BY kind, n LIMIT ?;

-- name: item_documents
-- Everything that can be searched.
SELECT kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, body
FROM items WHERE scope = ? AND kind > 0 AND status <> 'ARCHIVED' ORDER BY kind, n;

-- name: maker_list
-- What made cards and vectors.
SELECT number, name FROM makers ORDER BY number;

-- name: maker_add
-- A recipe or an embedder that is used for the first time.
INSERT INTO makers (name) VALUES (?) ON CONFLICT (name) DO NOTHING;

-- name: sheet_add
-- The sheet of an item that was just written.
INSERT INTO sheets (scope, kind, n, recipe, card, model, vector) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: sheet_replace
-- A sheet made later or anew, as long as its item is there.
INSERT INTO sheets (scope, kind, n, recipe, card, model, vector)
SELECT scope, kind, n, ?, ?, ?, ? FROM items WHERE scope = ? AND kind = ? AND n = ?
ON CONFLICT (scope, kind, n)
DO UPDATE SET recipe = excluded.recipe, card = excluded.card, model = excluded.model, vector = excluded.vector;

-- name: sheet_delete
-- An item is gone, and its words and vector with it.
DELETE FROM sheets WHERE scope = ? AND kind = ? AND n = ?;

-- name: sheet_find
-- The sheets of these numbers, given as a JSON list.
SELECT n, recipe, card, model, vector FROM sheets
WHERE scope = ? AND kind = ? AND n IN (SELECT value FROM json_each(?)) ORDER BY n;

-- name: sheet_filed
-- Everything that can be searched, as an index takes it in.
SELECT kind, n, status, created_at, coalesce(recipe, 0), coalesce(card, x''), coalesce(model, 0), coalesce(vector, x'')
FROM items LEFT JOIN sheets USING (scope, kind, n)
WHERE scope = ? AND (kind, n) > (?, ?) AND kind > 0 AND status <> 'ARCHIVED' ORDER BY kind, n LIMIT ?;

-- name: log_add
-- One more link of a chain.
INSERT INTO log (scope, seq, record, hash) VALUES (?, ?, ?, ?);

-- name: log_read
-- Records of a place, oldest first.
SELECT seq, record, hash FROM log WHERE scope = ? AND seq > ? ORDER BY seq LIMIT ?;

-- name: command_find
-- What a command already answered.
SELECT fingerprint, receipt FROM commands WHERE scope = ? AND id = ?;

-- name: command_add
-- The answer of a command.
INSERT INTO commands (scope, id, fingerprint, receipt) VALUES (?, ?, ?, ?);

-- name: policy_find
-- A policy by its hash.
SELECT body FROM policies WHERE hash = ?;

-- name: policy_add
-- A policy that is used for the first time.
INSERT OR IGNORE INTO policies (hash, body) VALUES (?, ?);

-- name: edge_add
-- An item was made from another.
INSERT OR IGNORE INTO edges (scope, kind, n, from_scope, from_kind, from_n) VALUES (?, ?, ?, ?, ?, ?);

-- name: edge_children
-- Everything made from an item; whoever asks sorts it.
SELECT scope, kind, n, from_n FROM edges WHERE from_scope = ? AND from_kind = ? AND from_n = ?;

-- name: edge_parents
-- What an item was made from.
SELECT from_scope, from_kind, from_n FROM edges WHERE scope = ? AND kind = ? AND n = ?
ORDER BY from_scope, from_kind, from_n;

-- name: edge_delete
-- An item that is gone was made from nothing any more.
DELETE FROM edges WHERE scope = ? AND kind = ? AND n = ?;

-- name: scope_bury
-- The name of a place is erased; its number and its chain stay.
UPDATE scopes SET owner = ?, salt = x'' WHERE number = ?;

-- name: phase_bury
-- The names of a place's phases are erased.
DELETE FROM phases WHERE scope = ?;

-- name: command_bury
-- The commands of a place are erased.
DELETE FROM commands WHERE scope = ?;

-- name: recall_all
-- Every kept recall of a tenant, to be judged one by one.
SELECT owner, n, body FROM recalls WHERE tenant = ? ORDER BY owner, n;

-- name: recall_delete
-- One kept recall.
DELETE FROM recalls WHERE tenant = ? AND owner = ? AND n = ?;

-- name: command_all
-- Every answered command of a place, to be judged one by one.
SELECT id, receipt FROM commands WHERE scope = ? ORDER BY id;

-- name: command_delete
-- One answered command.
DELETE FROM commands WHERE scope = ? AND id = ?;

-- name: edge_out
-- Everything that was made from anything in a place, whether that is still there or not.
SELECT scope, kind, n, from_kind, from_n FROM edges WHERE from_scope = ? ORDER BY scope, kind, n, from_kind, from_n;

-- name: edge_list
-- What the items of a place were made from.
SELECT kind, n, from_scope, from_kind, from_n FROM edges WHERE scope = ?
ORDER BY kind, n, from_scope, from_kind, from_n;

-- name: stray_list
-- Rows whose place is gone, or belongs to another file.
SELECT scope FROM (SELECT scope FROM log UNION SELECT scope FROM items UNION SELECT scope FROM phases
                   UNION SELECT scope FROM edges UNION SELECT scope FROM commands UNION SELECT scope FROM sheets)
WHERE scope NOT IN (SELECT number FROM scopes WHERE store = (SELECT store FROM identity)) ORDER BY scope;

-- name: stray_names
-- The places other tenants call theirs, each with the record that committed to whose it is.
SELECT number, space, owner, salt, record FROM scopes JOIN log ON scope = number AND log.seq = 1
WHERE tenant <> ? AND salt <> x'' ORDER BY number;

-- name: chain_list
-- Where every chain of a tenant stands.
SELECT number, space, owner, seq, head FROM scopes WHERE tenant = ? ORDER BY number;

-- name: sealed_items
-- The sealed bodies of a place.
SELECT kind, n, salt, body, created_at, key, ref FROM items WHERE scope = ? ORDER BY kind, n;

-- name: item_standings
-- How every item of a place stands.
SELECT kind, n, status, importance, pinned, mentions, reason, replaced_by, changed_ms FROM items WHERE scope = ?
ORDER BY kind, n;

-- name: sealed_phases
-- The sealed names of a place's phases.
SELECT number, salt, name, reason, started_at FROM phases WHERE scope = ? ORDER BY number;

-- name: dump_place
-- Places for an export.
SELECT number, space, owner, tick, n_short, n_semantic, n_profile, phase, seq, head, salt
FROM scopes WHERE tenant = ? ORDER BY number;

-- name: dump_phase
-- Phases for an export.
SELECT scope, number, started_at, name, reason, salt FROM phases
WHERE scope IN (SELECT number FROM scopes WHERE tenant = ?) ORDER BY scope, number;

-- name: dump_item
-- Items for an export.
SELECT scope, kind, n, status, created_at, importance, pinned, mentions, reason, replaced_by, changed_ms, key, ref,
       salt, body
FROM items WHERE scope IN (SELECT number FROM scopes WHERE tenant = ?) ORDER BY scope, kind, n;

-- name: dump_edge
-- What was made from what, for an export.
SELECT scope, kind, n, from_scope, from_kind, from_n FROM edges
WHERE scope IN (SELECT number FROM scopes WHERE tenant = ?)
ORDER BY scope, kind, n, from_scope, from_kind, from_n;

-- name: dump_record
-- The chains for an export.
SELECT scope, seq, record, hash FROM log
WHERE scope IN (SELECT number FROM scopes WHERE tenant = ?) ORDER BY scope, seq;

-- name: dump_command
-- Commands for an export.
SELECT scope, id, fingerprint, receipt FROM commands
WHERE scope IN (SELECT number FROM scopes WHERE tenant = ?) ORDER BY scope, id;

-- name: dump_policy
-- Policies for an export.
SELECT hash, body FROM policies WHERE ? <> '' ORDER BY hash;

-- name: load_place
-- A place from an export.
INSERT INTO scopes (number, space, owner, tick, n_short, n_semantic, n_profile, phase, seq, head, salt, tenant, store)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT store FROM identity));

-- name: load_edge
-- What was made from what, from an export.
INSERT INTO edges (scope, kind, n, from_scope, from_kind, from_n) VALUES (?, ?, ?, ?, ?, ?);

-- name: identity_add
-- The name of a new file, by which its places know it.
INSERT INTO identity (store) VALUES (?);

-- name: upkeep_count
-- How often some upkeep was done.
INSERT INTO upkeep (name, times) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET times = times + 1;

-- name: recall_last
-- The number of the newest kept recall of a session.
SELECT n FROM recalls WHERE tenant = ? AND owner = ? ORDER BY n DESC LIMIT 1;

-- name: recall_add
-- The trace of a recall, where the policy keeps them.
INSERT INTO recalls (tenant, owner, n, body) VALUES (?, ?, ?, ?);

-- name: recall_trim
-- Traces beyond the ring.
DELETE FROM recalls WHERE tenant = ? AND owner = ? AND n <= ?;

-- name: recall_list
-- The newest kept recalls of a session.
SELECT body FROM recalls WHERE tenant = ? AND owner = ? ORDER BY n DESC LIMIT ?;

-- name: count_items
-- How many items of each kind and status a tenant has.
SELECT kind, status, count(*) FROM items
WHERE scope IN (SELECT number FROM scopes WHERE tenant = ?) GROUP BY kind, status ORDER BY kind, status;

-- name: count_scopes
-- How many places a tenant has, and how many records their chains hold.
SELECT count(*), coalesce(sum(seq), 0) FROM scopes WHERE tenant = ?;

-- name: chore_find
-- Places nobody has looked after yet.
INSERT INTO chores (scope, done_ms, taken_ms) SELECT number, 0, 0 FROM scopes WHERE tenant = ? AND space = ?
ON CONFLICT (scope) DO NOTHING;

-- name: chore_take
-- The place that has waited longest, taken by whoever asks; one that was taken long ago is free again.
UPDATE chores SET taken_ms = ? WHERE scope = (
    SELECT scope FROM chores
    WHERE done_ms <= ? AND taken_ms <= ? AND scope IN (SELECT number FROM scopes WHERE tenant = ?)
    ORDER BY done_ms, scope LIMIT 1)
RETURNING scope;

-- name: chore_done
-- A place was looked after.
UPDATE chores SET done_ms = ?, taken_ms = 0 WHERE scope = ?;

-- name: rest_over
-- Places of a space that grew since nothing was due there, whose time has come, or that nobody looked after yet.
SELECT space, owner FROM scopes WHERE tenant = ? AND space = ? AND NOT EXISTS (
    SELECT 1 FROM rests
    WHERE rests.scope = scopes.number AND rests.seq = scopes.seq
        AND rests.policy = ? AND rests.until_ms > ?)
ORDER BY number;

-- name: rest_note
-- Nothing is due at a place, as it stands, before a moment.
INSERT INTO rests (scope, seq, policy, until_ms) VALUES (?, ?, ?, ?)
ON CONFLICT (scope) DO UPDATE SET seq = excluded.seq, policy = excluded.policy, until_ms = excluded.until_ms;
