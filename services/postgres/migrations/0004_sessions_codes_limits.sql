-- Up Migration

-- Sessions in the layout of connect-pg-simple. `sid` is the SHA-256 of the session's id, not the id.
CREATE TABLE app.customer_session (
  sid text PRIMARY KEY,
  sess json NOT NULL,
  expire timestamptz NOT NULL
);
CREATE INDEX customer_session_expire ON app.customer_session (expire);

CREATE TABLE app.admin_session (LIKE app.customer_session INCLUDING ALL);

-- The one valid sign-in code of an account, and the window in which its resends are counted.
CREATE TABLE app.sign_in_code (
  user_id text PRIMARY KEY,
  -- HMAC of the address that the code was sent to.
  address_hmac text NOT NULL,
  salt bytea NOT NULL,
  code_hash bytea NOT NULL,
  sent_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The mark of the browser that requested the code. Its tries and those of others count apart.
  requested_by text NOT NULL,
  tries int NOT NULL DEFAULT 0,
  other_tries int NOT NULL DEFAULT 0,
  used_at timestamptz,
  window_started_at timestamptz NOT NULL,
  resends int NOT NULL DEFAULT 0
);

-- Counters of rate-limiter-flexible, in the layout of that package.
CREATE TABLE app.rate_limit (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

-- The latest time of the business clock. The clock never runs backwards, also after a restart.
CREATE TABLE app.business_clock (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_seen timestamptz NOT NULL
);
