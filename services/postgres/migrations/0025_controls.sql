-- Up Migration

-- How far the controls have folded each log. A new version of the controls folds the log from its start.
CREATE TABLE app.control_progress (
  log_id   text    NOT NULL,
  version  integer NOT NULL,
  position text,
  PRIMARY KEY (log_id, version)
);

-- What the controls remember of each customer. It has amounts and ids, and no personal data.
CREATE TABLE app.control_state (
  log_id  text    NOT NULL,
  version integer NOT NULL,
  user_id text    NOT NULL,
  state   jsonb   NOT NULL,
  PRIMARY KEY (log_id, version, user_id),
  FOREIGN KEY (log_id, version) REFERENCES app.control_progress ON DELETE CASCADE
);

-- One row per firing. The reactor `controls` records each as an event, ControlFired.
CREATE TABLE app.control_firing (
  event_id    uuid        NOT NULL,
  control     text        NOT NULL,
  title       text        NOT NULL,
  user_id     text        NOT NULL,
  recorded_at timestamptz NOT NULL,
  sentence    text        NOT NULL,
  PRIMARY KEY (event_id, control)
);
