-- Up Migration

-- The accounts of merchants at the payment provider, and how far each was compared with the log. `seen_until` is the provider's time
-- of the newest change that was handled, `looked_at` the time of the last comparison, `checked_at` that of the last complete one.
CREATE TABLE app.connected_account (
  account_ref text PRIMARY KEY,
  merchant_id text NOT NULL,
  seen_until  timestamptz,
  known_since timestamptz NOT NULL DEFAULT now(),
  looked_at   timestamptz,
  checked_at  timestamptz
);
CREATE INDEX connected_account_looked ON app.connected_account (looked_at NULLS FIRST, account_ref);

-- The checkouts of clients that may be under way: a row is there before its reservation is in the log, and goes after the checkout ended.
CREATE TABLE app.open_client_checkout (
  checkout_id text PRIMARY KEY,
  client_id   text NOT NULL,
  merchant_id text NOT NULL,
  account_ref text NOT NULL
);
CREATE INDEX open_client_checkout_merchant ON app.open_client_checkout (merchant_id);
CREATE INDEX open_client_checkout_account ON app.open_client_checkout (account_ref);
