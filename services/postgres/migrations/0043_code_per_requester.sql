-- Up Migration

-- Every requester has a separate code, so that strangers neither replace the code of an account's owner nor use up its
-- tries. A code is valid for ten minutes: the former codes are not kept.
DROP TABLE app.sign_in_code;
CREATE TABLE app.sign_in_code (
  user_id text NOT NULL,
  -- HMAC of the address that the code was sent to.
  address_hmac text NOT NULL,
  -- Names the code, too.
  salt bytea NOT NULL,
  code_hash bytea NOT NULL,
  sent_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The mark of the browser that requested the code.
  requested_by text NOT NULL,
  -- Whether the browser had the mark before. Without it, the network is the requester.
  was_marked boolean NOT NULL,
  -- The network that requested the code, hashed with the salt.
  requested_from bytea NOT NULL,
  -- Which code of its network within the hour it was.
  turn int NOT NULL,
  tries int NOT NULL,
  other_tries int NOT NULL,
  -- When the mail with the code was accepted and the request was recorded. Until then only the process in issued_by
  -- knows whether the mail is on its way.
  mailed_at timestamptz,
  issued_by text NOT NULL,
  PRIMARY KEY (user_id, salt)
);
CREATE INDEX sign_in_code_sent_at ON app.sign_in_code (sent_at);
