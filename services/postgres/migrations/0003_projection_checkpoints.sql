-- Up Migration

-- Substring search over a million rows (read models index with gin_trgm_ops).
-- A trusted extension: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE SCHEMA projection;

-- One row per read model and version. The transaction that writes the rows of the read model also updates
-- this row, so rows and position always match.
CREATE TABLE projection.checkpoint (
  name          text        NOT NULL,
  version       integer     NOT NULL,
  -- The position of the last folded event, in the event store's own format. NULL before the first event.
  position      text,
  -- The fencing token. Every takeover and swap raises it. A projector with an older epoch cannot write.
  epoch         bigint      NOT NULL DEFAULT 0,
  state         text        NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'paused')),
  -- The reason of a pause, and the poison event ({id, type, stream, revision, position}).
  reason        text,
  paused_event  jsonb,
  events_done   bigint      NOT NULL DEFAULT 0,
  -- When the projector first reached the end of the log. From then on pages show the read model. NULL before.
  caught_up_at  timestamptz,
  updated_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version),
  CHECK ((state = 'paused') = (reason IS NOT NULL))
);
