-- Places where nothing is due: as they stood when they were looked after, by which policy, and until when. Derived, and no
-- part of an export.

CREATE TABLE rests (
    scope       INTEGER NOT NULL PRIMARY KEY,
    seq         INTEGER NOT NULL,
    policy      TEXT    NOT NULL,
    until_ms    INTEGER NOT NULL
) STRICT;
