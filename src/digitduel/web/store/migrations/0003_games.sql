-- A game is the sum of its events, each with the request that made it; the row in games is what
-- is searched by. (Steps 1 and 2 were of a form that was never released.)
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    version BIGINT NOT NULL,
    is_over INTEGER NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    computer_due INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX games_by_age ON games (is_over, changed_at);

-- Games in which the computer is to move, so that a restarted server finds them.
CREATE INDEX games_computer_due ON games (changed_at) WHERE computer_due = 1;

CREATE TABLE changes (
    game_id TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    made_at BIGINT NOT NULL,
    event TEXT NOT NULL,
    request_key TEXT NOT NULL,
    request TEXT NOT NULL,
    PRIMARY KEY (game_id, version)
);

-- The same request twice is one change.
CREATE UNIQUE INDEX changes_by_key ON changes (game_id, request_key);
