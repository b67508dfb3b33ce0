-- Up Migration

-- The manifest: seals of the log that `billing events seal` signed (docs/decisions/0027-public-seals.md). The database
-- does not contain the private key.
CREATE TABLE app.seal (
  sequence integer PRIMARY KEY CHECK (sequence >= 1),
  seal     json    NOT NULL
);

-- The heads of streams that changed since the previous seal. They name the stream that differs from a seal.
CREATE TABLE app.sealed_head (
  sequence integer          NOT NULL,
  stream   text COLLATE "C" NOT NULL,
  revision integer          NOT NULL,
  -- SHA-256 of the event at that revision, in lower-case hex.
  hash     text             NOT NULL,
  PRIMARY KEY (sequence, stream)
);

CREATE FUNCTION app.refuse_change_of_seals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Seals are only added: % on app.% is refused.', TG_OP, TG_TABLE_NAME;
END $$;

CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON app.seal
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change_of_seals();
CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON app.sealed_head
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change_of_seals();
