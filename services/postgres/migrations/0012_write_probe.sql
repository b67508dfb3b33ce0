-- Up Migration

-- /readyz writes to this table to check that the database accepts writes (services/postgres/probe-writes.ts). No process reads it.
-- Each row fills more than half a page and is stored uncompressed, so that every row needs a new page on the disk. A small row
-- would fit into an existing page even if the disk is full.
CREATE TABLE app.write_probe (
  filler text NOT NULL
);
ALTER TABLE app.write_probe ALTER COLUMN filler SET STORAGE PLAIN;
