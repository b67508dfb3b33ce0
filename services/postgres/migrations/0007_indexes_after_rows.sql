-- Up Migration

-- Whether the shadow tables have the indexes for queries. A rebuild creates these indexes after the rows. A
-- rebuild that an earlier release began has them from the start.
ALTER TABLE projection.rebuild ADD COLUMN is_indexed boolean NOT NULL DEFAULT true;
ALTER TABLE projection.rebuild ALTER COLUMN is_indexed SET DEFAULT false;
