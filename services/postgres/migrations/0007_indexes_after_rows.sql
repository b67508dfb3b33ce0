-- Up Migration

-- Whether a shadow has the indexes of its readers: they are made once its rows are there. A rebuild that
-- an earlier release began has had them from the start.
ALTER TABLE projection.rebuild ADD COLUMN is_indexed boolean NOT NULL DEFAULT true;
ALTER TABLE projection.rebuild ALTER COLUMN is_indexed SET DEFAULT false;
