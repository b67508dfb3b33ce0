-- Up Migration

-- Names the log in this database. A copy of the log has another name, since its positions are others; a copy
-- of the whole database, with positions and checkpoints as they were, has the same.
CREATE TABLE log.identity (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  id      uuid    NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO log.identity DEFAULT VALUES;

-- The log that the positions in this schema were taken from. With another log they would mean other events:
-- whoever reads them asks first. No row: nothing was folded yet.
CREATE TABLE projection.source_log (
  is_only boolean     PRIMARY KEY DEFAULT true CHECK (is_only),
  log_id  uuid        NOT NULL,
  since   timestamptz NOT NULL DEFAULT now()
);
-- What an earlier release folded came from this database; only EventStoreDB's positions have a slash.
INSERT INTO projection.source_log (log_id)
SELECT id FROM log.identity WHERE EXISTS (SELECT 1 FROM projection.checkpoint WHERE position NOT LIKE '%/%');
