-- Up Migration

-- The partition keys (customers) whose events a read model cannot fold: from the first poison event on, the
-- events of the key wait here; the others are folded. `projection` is the schema of the tables: of a
-- read model (users_v5) or of an unfinished rebuild (users_v5__rebuild). The transaction that moves the
-- checkpoint past an event also writes these rows.
CREATE TABLE projection.parked_stream (
  projection         text        NOT NULL,
  partition_key      text        NOT NULL,
  -- The first event that cannot be folded ({id, type, stream, revision, position}), and why.
  event              jsonb       NOT NULL,
  reason             text        NOT NULL,
  parked_at          timestamptz NOT NULL DEFAULT now(),
  -- The last attempt to fold the event.
  tried_at           timestamptz NOT NULL DEFAULT now(),
  -- An operator wants another attempt. The projector makes it.
  retry_requested_at timestamptz,
  PRIMARY KEY (projection, partition_key)
);

-- The events that wait. The log has their contents. `ordinal` is the order of the log.
CREATE TABLE projection.parked_event (
  projection    text    NOT NULL,
  partition_key text    NOT NULL,
  ordinal       bigint  GENERATED ALWAYS AS IDENTITY,
  event_id      text    NOT NULL,
  type          text    NOT NULL,
  stream        text    NOT NULL,
  revision      integer NOT NULL,
  position      text    NOT NULL,
  PRIMARY KEY (projection, partition_key, ordinal),
  FOREIGN KEY (projection, partition_key) REFERENCES projection.parked_stream ON UPDATE CASCADE ON DELETE CASCADE
);
