-- Up Migration

CREATE SCHEMA IF NOT EXISTS app;

-- One key per person, and one per enquiry of an address, wrapped by MASTER_KEY. Deleting the key erases the person's fields in the log. The row
-- stays without its key, so that an erased person gets no new key.
CREATE TABLE app.personal_key (
  subject     text COLLATE "C" PRIMARY KEY, -- the collation lets starts_with() use the index
  wrapped_key bytea,
  created_at  timestamptz NOT NULL DEFAULT now(),
  erased_at   timestamptz,
  wrapped_by  text COLLATE "C", -- the fingerprint of the MASTER_KEY that wrapped the key
  CHECK ((wrapped_key IS NULL) = (erased_at IS NOT NULL)),
  -- When the tables that had the erased key and texts of the subject were vacuumed, and when all their files were written again.
  vacuumed_at timestamptz,
  cleaned_at  timestamptz,
  CHECK ((wrapped_key IS NULL) = (wrapped_by IS NULL)),
  CHECK (cleaned_at IS NULL OR wrapped_key IS NULL)
);

CREATE INDEX personal_key_uncleaned ON app.personal_key (erased_at) WHERE erased_at IS NOT NULL AND cleaned_at IS NULL;

-- Finds the keys that a rotation of MASTER_KEY has not reached, and counts none of the others.
CREATE INDEX personal_key_wrapped_by ON app.personal_key (wrapped_by, subject) WHERE wrapped_by IS NOT NULL;
