-- Up Migration

-- Substring search over a million rows (read models index with gin_trgm_ops).
-- A trusted extension: whoever owns the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE SCHEMA projection;

-- One row a read model and version. It moves in the transaction that writes the rows, so rows and
-- position never disagree.
CREATE TABLE projection.checkpoint (
  name          text        NOT NULL,
  version       integer     NOT NULL,
  -- The last event folded, as the event store names it; NULL before the first.
  position      text,
  -- Raised at every takeover and swap: a projector that still holds an older one can write nothing.
  epoch         bigint      NOT NULL DEFAULT 0,
  state         text        NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'paused')),
  -- Why it is paused, and the event that could not be folded ({id, type, stream, revision, position}).
  reason        text,
  paused_event  jsonb,
  events_done   bigint      NOT NULL DEFAULT 0,
  -- First reached the end of the log: from then on the read model may be shown. NULL while it is built.
  caught_up_at  timestamptz,
  updated_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version),
  CHECK ((state = 'paused') = (reason IS NOT NULL))
);
