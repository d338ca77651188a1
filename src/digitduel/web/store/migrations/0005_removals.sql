-- One row: the store's own time, by which games grow old. It begins at the newest change there is.
CREATE TABLE removals (
    id INTEGER PRIMARY KEY,
    upto BIGINT NOT NULL
);

INSERT INTO removals (id, upto) SELECT 1, changed_at FROM games ORDER BY changed_at DESC LIMIT 1;
