-- Whose the seats are, so that a browser finds its games; and under which setting a game waits for
-- anybody who comes.
CREATE TABLE seats (
    game_id TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    holder TEXT NOT NULL,
    PRIMARY KEY (game_id, seat)
);

CREATE INDEX seats_by_holder ON seats (holder);

ALTER TABLE games ADD COLUMN waiting TEXT;

CREATE INDEX games_waiting ON games (created_at) WHERE waiting IS NOT NULL;
