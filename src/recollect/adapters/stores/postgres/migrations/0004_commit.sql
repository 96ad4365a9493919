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
