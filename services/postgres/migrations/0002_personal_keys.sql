-- Up Migration

CREATE SCHEMA IF NOT EXISTS app;

-- One key per person, wrapped by MASTER_KEY. Deleting the key erases the person's fields in the log. The row
-- stays without its key, so that an erased person gets no new key.
CREATE TABLE app.personal_key (
  subject     text PRIMARY KEY,
  wrapped_key bytea,
  created_at  timestamptz NOT NULL DEFAULT now(),
  erased_at   timestamptz,
  CHECK ((wrapped_key IS NULL) = (erased_at IS NOT NULL))
);
