-- Up Migration

-- Heads of streams as `billing events seal` found and signed them (HMAC with AUDIT_KEY, which the
-- database does not know). A hash chain cannot tell that its tail was cut, nor that a whole stream was
-- written anew; a head that was signed before can. Every seal is kept: the earlier ones go on to attest.
CREATE TABLE app.sealed_head (
  stream    text        NOT NULL,
  revision  integer     NOT NULL CHECK (revision >= 0),
  -- SHA-256 of the event at that revision, in lower-case hex.
  hash      text        NOT NULL,
  sealed_at timestamptz NOT NULL,
  signature text        NOT NULL,
  PRIMARY KEY (stream, revision, hash)
);

CREATE FUNCTION app.refuse_change_of_seals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Seals are only added: % on app.sealed_head is refused.', TG_OP;
END $$;

CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON app.sealed_head
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change_of_seals();
