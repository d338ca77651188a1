-- One row: the playing time, in milliseconds, which stands still while no server keeps it.
CREATE TABLE playing_time (
    id INTEGER PRIMARY KEY,
    value BIGINT NOT NULL
);

-- The playing time at which whoever is to move has none left, so that a restarted server finds it.
ALTER TABLE games ADD COLUMN time_up_at BIGINT;

CREATE INDEX games_time_up_at ON games (time_up_at) WHERE time_up_at IS NOT NULL;
