-- Up Migration

-- The identity of the log in this database. A copy of the log has another identity, because its positions
-- differ. A copy of the whole database has the same identity, because positions and checkpoints are equal.
CREATE TABLE log.identity (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  id       uuid    NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO log.identity DEFAULT VALUES;

-- The source log: the log of the positions in this schema. In another log the same positions belong to other
-- events, so every reader checks the identity first. No row: no event was folded yet.
CREATE TABLE projection.source_log (
  only_row boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  log_id   uuid        NOT NULL,
  since    timestamptz NOT NULL DEFAULT now()
);
-- Earlier releases folded the log of this database, unless the positions have a slash (EventStoreDB).
INSERT INTO projection.source_log (log_id)
SELECT id FROM log.identity WHERE EXISTS (SELECT 1 FROM projection.checkpoint WHERE position NOT LIKE '%/%');
