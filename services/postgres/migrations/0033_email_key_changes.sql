-- Up Migration

-- Every EMAIL_HMAC_KEY that 'billing keys rotate --email' has replaced, by its fingerprint. While ended_at is null, the
-- claims of addresses move from the streams of this key to those of the key in use. A former key is never used again:
-- its streams have ended.
CREATE TABLE app.email_key_change (
  former   text PRIMARY KEY,
  began_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX email_key_change_in_progress ON app.email_key_change ((true)) WHERE ended_at IS NULL;

-- The HMAC of the address under the key in use, for enquiries whose subject was made with a former key.
CREATE TABLE app.enquiry_address (
  subject      text COLLATE "C" PRIMARY KEY, -- as in app.personal_key
  address_hmac text COLLATE "C" NOT NULL
);
CREATE INDEX enquiry_address_hmac ON app.enquiry_address (address_hmac, subject);
