-- Up Migration

-- The read models that `projections rebuild --all` has not rebuilt yet. If a run was stopped, the next run continues with them.
-- The swap of a rebuild removes its row.
CREATE TABLE projection.rebuild_all (
  name    text    NOT NULL,
  version integer NOT NULL,
  PRIMARY KEY (name, version)
);
