-- Up Migration

ALTER TABLE sandbox.message
  ADD COLUMN message_id text,
  ADD COLUMN reply_to text,
  ADD COLUMN list_unsubscribe text;

CREATE TABLE sandbox.attachment (
  message text NOT NULL REFERENCES sandbox.message (id),
  number integer NOT NULL,
  file_name text NOT NULL,
  content_type text NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (message, number)
);

-- Down Migration
DROP TABLE sandbox.attachment;
ALTER TABLE sandbox.message DROP COLUMN message_id, DROP COLUMN reply_to, DROP COLUMN list_unsubscribe;
