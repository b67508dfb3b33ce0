-- Up Migration

-- The last comparison of two logs by 'billing events copy', if it found no difference and no broken chain. A failed
-- comparison deletes the row. `copy --quick` compares only the events after it.
CREATE TABLE app.compared_logs (
  source      uuid        NOT NULL, -- identities of the logs
  copy        uuid        NOT NULL,
  in_source   text        NOT NULL, -- positions of the last compared event
  in_copy     text        NOT NULL,
  compared_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source, copy)
);
