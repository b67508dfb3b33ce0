-- Up Migration

-- Fingerprints of the keys that the product was first started with. A start with another key is refused.
CREATE TABLE app.key_fingerprint (
  name        text PRIMARY KEY, -- MASTER_KEY, EMAIL_HMAC_KEY or AUDIT_KEY
  fingerprint text NOT NULL
);
