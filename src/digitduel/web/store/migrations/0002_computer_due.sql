-- Games in which the computer is to move, so that a restarted server finds them.
ALTER TABLE games ADD COLUMN computer_due INTEGER NOT NULL DEFAULT 0;

CREATE INDEX games_computer_due ON games (changed_at) WHERE computer_due = 1;
