-- Up Migration

CREATE SCHEMA log;

-- Every event, in the order in which it was committed. `data` and `metadata` are json, not jsonb:
-- what was written is kept to the letter, which is also the fastest to append and to read.
CREATE TABLE log.event (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  stream   text    NOT NULL,
  revision integer NOT NULL CHECK (revision >= 0),
  id       uuid    NOT NULL UNIQUE,
  type     text    NOT NULL,
  data     json    NOT NULL,
  metadata json    NOT NULL,
  UNIQUE (stream, revision)
);

-- The log only grows. Whoever gets round this is named by the hash chain.
CREATE FUNCTION log.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The event log only grows: % on log.event is refused. Append an event that corrects the earlier one.', TG_OP;
END $$;

CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON log.event
  FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();

-- Many appends in one transaction and one round trip, each with an outcome of its own, in the order
-- in which they are given:
--   appended  its events are written
--   repeated  the same events were written before at the same revision: the same answer again
--   conflict  its stream is at another revision (`revision` says which, -1 for no stream)
--   known     its stream is where it was expected, but the id `event_id` is already in the log
--
-- The first three arrays have one entry an append, the others one an event. `expected` is -1 where
-- no stream is expected. Nothing may be written to log.event but through this function: the lock is
-- held until the commit is visible, so that the order of positions is the order of commits. And it
-- lives inside one statement, so that a client which stops halfway never leaves it locked.
CREATE FUNCTION log.append(
  streams text[], expected integer[], sizes integer[],
  ids uuid[], types text[], datas json[], metadatas json[]
)
RETURNS TABLE (outcome text, revision integer, "position" bigint, event_id uuid)
LANGUAGE plpgsql
-- Plans are cached for the life of a connection, and may be made while the table is still empty.
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  one   integer;
  first integer := 1;
  last  integer;
  head  integer;
BEGIN
  -- Whatever the server's default: an append that has been answered survives a crash.
  PERFORM set_config('synchronous_commit', 'on', true);
  -- Later statements must see what was committed while this one waited for the lock.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'log.append needs the isolation level read committed, not %.', current_setting('transaction_isolation');
  END IF;
  PERFORM pg_advisory_xact_lock(7311142570156650343); -- 'eventlog' read as a bigint

  FOR one IN 1 .. cardinality(streams) LOOP
    last := first + sizes[one] - 1;
    revision := NULL;
    position := NULL;
    event_id := NULL;

    head := coalesce((SELECT e.revision FROM log.event e WHERE e.stream = streams[one] ORDER BY e.revision DESC LIMIT 1), -1);

    IF head = expected[one] THEN
      event_id := (SELECT e.id FROM log.event e WHERE e.id = ANY (ids[first:last]) LIMIT 1);
      IF event_id IS NOT NULL THEN
        outcome := 'known';
      ELSE
        WITH written AS (
          INSERT INTO log.event AS e (stream, revision, id, type, data, metadata)
          SELECT streams[one], head + new.place, new.id, new.type, new.data, new.metadata
          FROM unnest(ids[first:last], types[first:last], datas[first:last], metadatas[first:last])
            WITH ORDINALITY AS new (id, type, data, metadata, place)
          ORDER BY new.place
          RETURNING e.revision, e.position
        )
        SELECT 'appended', max(written.revision), max(written.position) INTO outcome, revision, position FROM written;
      END IF;
    ELSE
      SELECT 'repeated', max(e.revision), max(e.position) INTO outcome, revision, position
      FROM unnest(ids[first:last]) WITH ORDINALITY AS asked (id, place)
      JOIN log.event e ON e.id = asked.id AND e.stream = streams[one] AND e.revision = expected[one] + asked.place
      HAVING count(*) = sizes[one];
      IF NOT FOUND THEN
        outcome := 'conflict';
        revision := head;
        position := NULL;
      END IF;
    END IF;

    RETURN NEXT;
    first := last + 1;
  END LOOP;
END $$;
