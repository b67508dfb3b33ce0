-- Up Migration

-- Which seals were given to which place apart from the database (docs/decisions/0027-public-seals.md). A seal without
-- a row is published by the next command that seals or publishes.
CREATE TABLE app.published_seal (
  -- The directory or the program, as in messages.
  place        text        NOT NULL,
  sequence     integer     NOT NULL CHECK (sequence >= 1),
  published_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (place, sequence)
);
