-- Up Migration

-- How far each reactor has read the log. A position is valid only in the log `log_id`. In another log the reactor reads from the
-- start: the outbox keeps its entries, so no effect happens a second time.
CREATE TABLE app.reactor_checkpoint (
  reactor    text        PRIMARY KEY,
  log_id     text        NOT NULL,
  position   text        NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- One row per event that a reactor handles. The row names the event and holds none of its data. `done_at` is set when the effect
-- has succeeded. The row stays, so that the effect happens once.
CREATE TABLE app.outbox (
  reactor         text        NOT NULL,
  event_id        uuid        NOT NULL,
  event_type      text        NOT NULL,
  stream          text        NOT NULL,
  revision        integer     NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  attempts        integer     NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  last_error      text,
  done_at         timestamptz,
  PRIMARY KEY (reactor, event_id)
);
CREATE INDEX outbox_waiting ON app.outbox (reactor, next_attempt_at) WHERE done_at IS NULL;
