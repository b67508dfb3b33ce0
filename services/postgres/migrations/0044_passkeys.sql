-- Up Migration

-- The challenge that a browser has to sign with a passkey. `holder` is the mark of the browser, and
-- what it does: it signs in, or adds a passkey.
CREATE TABLE app.passkey_challenge (
  holder text PRIMARY KEY,
  challenge text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenge_expires_at ON app.passkey_challenge (expires_at);

-- The counter of the last sign-in with a passkey. The rows of removed passkeys stay.
CREATE TABLE app.passkey_use (
  passkey_id text PRIMARY KEY,
  -- Up to 4,294,967,295.
  counter bigint NOT NULL,
  used_at timestamptz NOT NULL
);
