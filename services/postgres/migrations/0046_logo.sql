-- Up Migration

-- Logos of merchants as the product encoded them, by the SHA-256 of the file in hexadecimal digits.
-- The events of a merchant refer to them, so a backup has them. Mails that were sent show them: a
-- logo stays until its merchant is erased.
CREATE TABLE app.logo (
  sha256 text NOT NULL,
  merchant_id text NOT NULL,
  media_type text NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (sha256, merchant_id)
);
CREATE INDEX logo_merchant ON app.logo (merchant_id);
