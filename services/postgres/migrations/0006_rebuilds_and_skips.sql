-- Up Migration

-- The progress of an unfinished rebuild, which builds the shadow tables beside the live tables. The
-- transaction that writes the shadow's rows also updates this row, so an interrupted rebuild resumes here.
CREATE TABLE projection.rebuild (
  name          text        NOT NULL,
  version       integer     NOT NULL,
  position      text,
  events_done   bigint      NOT NULL DEFAULT 0,
  -- Ids of skipped events that the rebuild could not fold either.
  skipped_event_ids text[]      NOT NULL DEFAULT '{}',
  started_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version)
);

-- Every event that an operator skipped in a projection. The rows may lack this event.
CREATE TABLE projection.skipped_event (
  name          text        NOT NULL,
  version       integer     NOT NULL,
  event_id      text        NOT NULL,
  type          text        NOT NULL,
  stream        text        NOT NULL,
  revision      integer     NOT NULL,
  position      text        NOT NULL,
  -- Why the event could not be folded.
  reason        text        NOT NULL,
  skipped_by    text        NOT NULL,
  skipped_at    timestamptz NOT NULL DEFAULT now(),
  -- When a later rebuild folded the event. From then on the rows include it.
  folded_at     timestamptz,
  PRIMARY KEY (name, version, event_id)
);
