-- Up Migration

-- Read models that the last rebuild of all has still to rebuild: a run that was stopped goes on with them.
-- The swap of a rebuild removes its row.
CREATE TABLE projection.rebuild_all (
  name    text    NOT NULL,
  version integer NOT NULL,
  PRIMARY KEY (name, version)
);
