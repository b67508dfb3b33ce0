-- Up Migration

-- A rebuild that is under way: how far the shadow, which is built beside the live tables, has come.
-- It moves in the transaction that writes the shadow's rows, so a rebuild that died goes on from here.
CREATE TABLE projection.rebuild (
  name          text        NOT NULL,
  version       integer     NOT NULL,
  position      text,
  events_done   bigint      NOT NULL DEFAULT 0,
  -- Ids of skipped events that the shadow could not fold either.
  skipped_event_ids text[]      NOT NULL DEFAULT '{}',
  started_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version)
);

-- Every event that an operator let a projection pass over: what its rows may lack.
CREATE TABLE projection.skipped_event (
  name          text        NOT NULL,
  version       integer     NOT NULL,
  event_id      text        NOT NULL,
  type          text        NOT NULL,
  stream        text        NOT NULL,
  revision      integer     NOT NULL,
  position      text        NOT NULL,
  -- Why it could not be folded.
  reason        text        NOT NULL,
  skipped_by    text        NOT NULL,
  skipped_at    timestamptz NOT NULL DEFAULT now(),
  -- A later rebuild could fold it after all: from then on no row lacks it.
  folded_at     timestamptz,
  PRIMARY KEY (name, version, event_id)
);
