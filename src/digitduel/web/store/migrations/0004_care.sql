-- How a long game stood at some version, so that it is not played again from its first change.
CREATE TABLE snapshots (
    game_id TEXT PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    state TEXT NOT NULL
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
