-- Up Migration

-- Fingerprints of the keys in use: of the first start, until 'billing keys rotate' sets another one. A start
-- with another key is refused. The row of MASTER_KEY decides which key wraps new personal keys.
CREATE TABLE app.key_fingerprint (
  name        text PRIMARY KEY, -- MASTER_KEY, EMAIL_HMAC_KEY or AUDIT_KEY
  fingerprint text NOT NULL
);
