-- Up Migration

CREATE SCHEMA IF NOT EXISTS app;

-- One key a person, wrapped by MASTER_KEY. Erasing it erases the person from the log: the row stays,
-- without a key, so that no new one is ever made for an erased subject.
CREATE TABLE app.personal_key (
  subject     text PRIMARY KEY,
  wrapped_key bytea,
  created_at  timestamptz NOT NULL DEFAULT now(),
  erased_at   timestamptz,
  CHECK ((wrapped_key IS NULL) = (erased_at IS NOT NULL))
);
