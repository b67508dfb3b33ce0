-- Up Migration

-- A crash can leave a row whose reservation never came, or whose page no browser ever got: it ends after a day.
ALTER TABLE app.open_client_checkout ADD COLUMN listed_at timestamptz NOT NULL DEFAULT now();
-- An import asks which of its clients have a checkout under way.
CREATE INDEX open_client_checkout_client ON app.open_client_checkout (client_id);
