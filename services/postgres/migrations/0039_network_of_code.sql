-- Up Migration

-- The network that requested the code, hashed with the salt: the resends of each network count apart. A code from
-- before this migration counts as requested from another network.
ALTER TABLE app.sign_in_code ADD COLUMN requested_from bytea NOT NULL DEFAULT '';
