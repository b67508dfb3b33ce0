-- Up Migration

-- `due_at`: a time of the business clock before which the effect is not performed. `dead_at`: the last attempt failed; an operator
-- retries the entry.
ALTER TABLE app.outbox ADD COLUMN due_at timestamptz, ADD COLUMN dead_at timestamptz;

-- The time of the business clock at which a reactor started first. A reactor that skips old events handles no event that was recorded
-- before.
CREATE TABLE app.reactor_start (
  reactor text        PRIMARY KEY,
  since   timestamptz NOT NULL
);

-- One row per user for whom a date causes a mail. `due_at` is a time of the business clock.
CREATE TABLE app.appointment (
  user_id         text        PRIMARY KEY,
  due_at          timestamptz NOT NULL,
  attempts        integer     NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  last_error      text
);
CREATE INDEX appointment_due ON app.appointment (due_at);

-- The address for the last mail of a person who deletes the account, encrypted with a key of its own: the subject
-- `farewell-{user id}` of app.personal_key. The erasure destroys the key of every other copy. The row is deleted, and the key
-- destroyed, with the outcome of the mail.
CREATE TABLE app.farewell (
  user_id    text        PRIMARY KEY,
  address    bytea       NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
