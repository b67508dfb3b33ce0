-- Up Migration

-- The customers of whom the controls cannot fold an event. From this event on, the customer's events
-- wait. The transaction that moves the position of the controls past an event also writes these rows.
CREATE TABLE app.control_parked (
  log_id    text        NOT NULL,
  version   integer     NOT NULL,
  user_id   text        NOT NULL,
  -- Why the first waiting event cannot be folded.
  reason    text        NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (log_id, version, user_id),
  FOREIGN KEY (log_id, version) REFERENCES app.control_progress ON DELETE CASCADE
);

-- The events that wait. The log has their contents. `ordinal` is the order of the log.
CREATE TABLE app.control_waiting (
  log_id   text    NOT NULL,
  version  integer NOT NULL,
  user_id  text    NOT NULL,
  ordinal  bigint  GENERATED ALWAYS AS IDENTITY,
  event_id uuid    NOT NULL,
  type     text    NOT NULL,
  stream   text    NOT NULL,
  revision integer NOT NULL,
  position text    NOT NULL,
  PRIMARY KEY (log_id, version, user_id, ordinal),
  FOREIGN KEY (log_id, version, user_id) REFERENCES app.control_parked ON DELETE CASCADE
);
