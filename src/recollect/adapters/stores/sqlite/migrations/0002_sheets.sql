-- What search needs of an item: its words on a card, and its vector. Derived from the item, erased with it, and never
-- part of the log or of an export. `makers` names what made them; a name is an embedder's or a recipe's, never a person's.

CREATE TABLE makers (
    number      INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL UNIQUE
) STRICT;

CREATE TABLE sheets (
    scope       INTEGER NOT NULL,
    kind        INTEGER NOT NULL,
    n           INTEGER NOT NULL,
    recipe      INTEGER NOT NULL,
    card        BLOB    NOT NULL,
    model       INTEGER NOT NULL,
    vector      BLOB    NOT NULL,
    PRIMARY KEY (scope, kind, n)
) STRICT, WITHOUT ROWID;
