-- Up Migration

-- What /readyz writes, to know that the database can (services/postgres/probe-writes.ts). No process reads it. Each row fills
-- more than half a page and is stored as it is, so that every row needs a new page of the disk: a small row would still find
-- room in pages that the table has, long after the disk is full.
CREATE TABLE app.write_probe (
  filler text NOT NULL
);
ALTER TABLE app.write_probe ALTER COLUMN filler SET STORAGE PLAIN;
