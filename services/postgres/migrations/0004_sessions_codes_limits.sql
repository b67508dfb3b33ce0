-- Up Migration

-- Sessions as connect-pg-simple keeps them; `sid` holds the SHA-256 of the id, never the id.
CREATE TABLE app.customer_session (
  sid text PRIMARY KEY,
  sess json NOT NULL,
  expire timestamptz NOT NULL
);
CREATE INDEX customer_session_expire ON app.customer_session (expire);

CREATE TABLE app.admin_session (LIKE app.customer_session INCLUDING ALL);

-- The one sign-in code an account may have outstanding, and the window its resends are counted in.
CREATE TABLE app.sign_in_code (
  user_id text PRIMARY KEY,
  -- HMAC of the address that the code was sent to.
  address_hmac text NOT NULL,
  salt bytea NOT NULL,
  code_hash bytea NOT NULL,
  sent_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  tries int NOT NULL DEFAULT 0,
  used_at timestamptz,
  window_started_at timestamptz NOT NULL,
  resends int NOT NULL DEFAULT 0
);

-- Counters of rate-limiter-flexible; its own layout.
CREATE TABLE app.rate_limit (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

-- The furthest that the business clock has been: it never runs backwards, a restart included.
CREATE TABLE app.business_clock (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_seen timestamptz NOT NULL
);
