-- Up Migration

-- When a merchant's key for programs was used last. Using a key is no event. The rows of revoked
-- keys stay.
CREATE TABLE app.api_key_use (
  key_id text PRIMARY KEY,
  used_at timestamptz NOT NULL
);
