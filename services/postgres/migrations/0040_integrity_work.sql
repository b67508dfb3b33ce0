-- Up Migration

-- When the work that protects the log was done last, by real time. Before the first time, its age counts from `since`.
-- A failure after `done_at` stays until the work succeeds.
CREATE TABLE app.integrity_work (
  work      text        PRIMARY KEY, -- verify, seal, backup, close
  since     timestamptz NOT NULL DEFAULT now(),
  done_at   timestamptz,
  failed_at timestamptz,
  failure   text,
  CHECK ((failed_at IS NULL) = (failure IS NULL))
);
INSERT INTO app.integrity_work (work) VALUES ('verify'), ('seal'), ('backup'), ('close');
