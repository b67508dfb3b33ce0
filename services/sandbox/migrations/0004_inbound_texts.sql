-- Up Migration

-- A text that a tester wrote in the inbox page: from a phone to the product's number.
ALTER TABLE sandbox.message ADD COLUMN is_inbound boolean NOT NULL DEFAULT false;
CREATE INDEX message_by_sender ON sandbox.message (sender, seq) WHERE is_inbound;

-- Down Migration
DROP INDEX sandbox.message_by_sender;
ALTER TABLE sandbox.message DROP COLUMN is_inbound;
