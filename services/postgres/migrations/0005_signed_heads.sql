-- Up Migration

-- Heads of streams that `billing events seal` signed by HMAC with AUDIT_KEY. The database does not contain
-- this key. A hash chain does not detect a truncated tail or a rewritten stream. An earlier signed head
-- does. Every signed head is kept.
CREATE TABLE app.signed_head (
  stream    text        NOT NULL,
  revision  integer     NOT NULL CHECK (revision >= 0),
  -- SHA-256 of the event at that revision, in lower-case hex.
  hash      text        NOT NULL,
  signed_at timestamptz NOT NULL,
  signature text        NOT NULL,
  PRIMARY KEY (stream, revision, hash)
);

CREATE FUNCTION app.refuse_change_of_signed_heads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Signed heads are only added: % on app.signed_head is refused.', TG_OP;
END $$;

CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON app.signed_head
  FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change_of_signed_heads();
