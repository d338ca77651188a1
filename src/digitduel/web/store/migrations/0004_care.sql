-- How a long game stood at some versions, so that it is not played again from its first change.
CREATE TABLE snapshots (
    game_id TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (game_id, version)
);

-- One row, written when somebody asks whether the store works.
CREATE TABLE health_checks (
    id INTEGER PRIMARY KEY,
    checked_at BIGINT NOT NULL
);

-- What this installation alone knows: the key that signs cookies.
CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
