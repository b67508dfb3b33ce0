-- Up Migration

-- One row while a restore or an import writes events into an EventStoreDB, which has no transaction. The transaction
-- that writes the other data of the restore deletes the row. The product does not start on a partial log.
CREATE TABLE app.unfinished_restore (
  only_row boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  command  text        NOT NULL CHECK (command IN ('restore', 'events import')),
  began_at timestamptz NOT NULL DEFAULT now()
);
