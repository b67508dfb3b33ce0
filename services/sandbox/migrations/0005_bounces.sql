-- Up Migration

-- What a report needs that a mail comes back: the envelope sender, the envelope id and the headers.
-- The times are of real time, as a mail server's.
ALTER TABLE sandbox.message
  ADD COLUMN return_path text,
  ADD COLUMN envelope_id text,
  ADD COLUMN headers text,
  ADD COLUMN bounce_due_at timestamptz,
  ADD COLUMN bounced_at timestamptz;
CREATE INDEX message_by_bounce ON sandbox.message (bounce_due_at)
  WHERE bounce_due_at IS NOT NULL AND bounced_at IS NULL;

-- Down Migration
DROP INDEX sandbox.message_by_bounce;
ALTER TABLE sandbox.message
  DROP COLUMN return_path,
  DROP COLUMN envelope_id,
  DROP COLUMN headers,
  DROP COLUMN bounce_due_at,
  DROP COLUMN bounced_at;
