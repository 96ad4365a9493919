-- Whose turn it is to be looked after, and who is at it: numbers and times only. Derived, and no part of an export.

CREATE TABLE chores (
    scope       INTEGER NOT NULL PRIMARY KEY,
    done_ms     INTEGER NOT NULL,
    taken_ms    INTEGER NOT NULL
) STRICT;
