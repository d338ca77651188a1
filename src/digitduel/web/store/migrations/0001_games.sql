-- A game is the sum of its changes; the row in games is what is searched by.
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    version BIGINT NOT NULL,
    is_over INTEGER NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL
);

CREATE INDEX games_by_age ON games (is_over, changed_at);

CREATE TABLE changes (
    game_id TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    made_at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    seat INTEGER NOT NULL,
    request_key TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (game_id, version)
);

-- The same request twice is one change.
CREATE UNIQUE INDEX changes_by_key ON changes (game_id, request_key);
