-- Up Migration

-- A used code is deleted in the transaction that stores the session, so no row is used.
ALTER TABLE app.sign_in_code DROP COLUMN used_at;

-- When the mail with the code was accepted and the request was recorded. Until then only the
-- process in issued_by knows whether the mail is on its way.
ALTER TABLE app.sign_in_code ADD COLUMN mailed_at timestamptz;
ALTER TABLE app.sign_in_code ADD COLUMN issued_by text;
UPDATE app.sign_in_code SET mailed_at = sent_at;
