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

-- Many appends in one transaction and one round trip, each with an outcome of its own:
--   appended  its events are written
--   repeated  the same events were written before at the same revision: the same answer again
--   conflict  its stream is at another revision (`revision` says which, -1 for no stream)
-- An id that the log has elsewhere breaks event_id_key, and with it the whole call.
--
-- `streams` and `expected` have one entry an append; a stream comes once at most, and `expected` is
-- -1 where no stream is. The others have one entry an event: the number of its append, counted from
-- 1, its revision, and what it says.
--
-- Nothing may be written to log.event but through this function. The lock is held until the commit
-- is visible, so that the order of positions is the order of commits; and it lives inside one
-- statement, so that a client which stops halfway never leaves the log locked.
CREATE FUNCTION log.append(
  streams text[], expected integer[],
  appends integer[], revisions integer[], ids uuid[], types text[], datas json[], metadatas json[]
)
RETURNS TABLE (stream text, outcome text, revision integer, "position" bigint)
LANGUAGE plpgsql
-- One plan for the life of a connection: every look-up goes by an index, though the table may have
-- been empty when the plan was made.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  answered text[] := '{}';
BEGIN
  -- What waited for the lock must see what was committed meanwhile.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'log.append needs the isolation level read committed, not %.', current_setting('transaction_isolation');
  END IF;
  -- Whatever the server's default: an append that was answered survives a crash.
  PERFORM set_config('synchronous_commit', 'on', true), pg_advisory_xact_lock(7311142570156650343); -- 'eventlog' read as a bigint

  FOR stream, outcome, revision, position IN
    WITH written AS (
      INSERT INTO log.event AS e (stream, revision, id, type, data, metadata)
      SELECT streams[new.append], new.revision, new.id, new.type, new.data, new.metadata
      FROM unnest(appends, revisions, ids, types, datas, metadatas) WITH ORDINALITY AS new (append, revision, id, type, data, metadata, place)
      WHERE expected[new.append] = coalesce((SELECT e.revision FROM log.event e WHERE e.stream = streams[new.append] ORDER BY e.revision DESC LIMIT 1), -1)
      ORDER BY new.place
      RETURNING e.stream, e.revision, e.position
    )
    SELECT written.stream, 'appended', max(written.revision), max(written.position) FROM written GROUP BY written.stream
  LOOP
    answered := answered || stream;
    RETURN NEXT;
  END LOOP;

  IF cardinality(answered) < cardinality(streams) THEN
    RETURN QUERY
    SELECT asked.stream,
      CASE WHEN found.same = found.given THEN 'repeated' ELSE 'conflict' END,
      CASE WHEN found.same = found.given THEN found.revision
        ELSE coalesce((SELECT e.revision FROM log.event e WHERE e.stream = asked.stream ORDER BY e.revision DESC LIMIT 1), -1) END,
      found.position
    FROM unnest(streams) WITH ORDINALITY AS asked (stream, append)
    CROSS JOIN LATERAL (
      SELECT count(*) AS given, count(e.id) AS same, max(new.revision) AS revision, max(e.position) AS position
      FROM unnest(appends, revisions, ids) AS new (append, revision, id)
      LEFT JOIN log.event e ON e.stream = asked.stream AND e.revision = new.revision AND e.id = new.id
      WHERE new.append = asked.append
    ) AS found
    WHERE asked.stream <> ALL (answered);
  END IF;
END $$;
