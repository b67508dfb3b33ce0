-- Up Migration

-- `number` is the place of an event in the log, from 1. A read model in the order of the log needs it, to
-- fold a parked event as if it had not waited. Events that wait already keep their order before all later
-- ones; their read models do not read the number.
ALTER TABLE projection.parked_event ADD COLUMN number bigint;
UPDATE projection.parked_event
SET number = ordinal - (SELECT max(ordinal) FROM projection.parked_event);
ALTER TABLE projection.parked_event
  DROP COLUMN ordinal,
  ALTER COLUMN number SET NOT NULL,
  ADD PRIMARY KEY (projection, partition_key, number);
