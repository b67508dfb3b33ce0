-- Up Migration

-- A process that streams to an administrator's session ends the stream when the row is deleted, by whichever process.
CREATE FUNCTION app.announce_ended_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('ended_session', OLD.sess->>'handle');
  RETURN NULL;
END $$;

CREATE TRIGGER announce_ended_session AFTER DELETE ON app.admin_session
  FOR EACH ROW WHEN (OLD.sess->>'handle' IS NOT NULL) EXECUTE FUNCTION app.announce_ended_session();
