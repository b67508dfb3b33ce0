-- Up Migration

CREATE SCHEMA log;

-- Every event, in commit order. `data` and `metadata` are json, not jsonb: json keeps the exact text, and
-- is the fastest to append and to read.
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

-- The log is append-only. The hash chain shows changes that bypass this trigger.
CREATE FUNCTION log.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The event log only grows: % on log.event is refused. Append an event that corrects the earlier one.', TG_OP;
END $$;

CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON log.event
  FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();

-- Runs many appends in one transaction and one round trip. Each append has a separate outcome:
--   appended  its events are written
--   repeated  the same events were written before at the same revision: the same result again
--   conflict  its stream is at another revision (`revision` says which, -1 for no stream)
-- If the log has an event id in another place, the call violates event_id_key and fails as a whole.
--
-- `streams` and `expected` have one entry for each append. Each stream occurs at most once. `expected`
-- is -1 if the stream must not exist. The other arrays have one entry for each event: the number of its
-- append, counted from 1, its revision, and its content.
--
-- Only this function and log.append_one may write to log.event. The lock is held until the commit is
-- visible, so that position order is commit order. One statement takes and releases it, so that a
-- client that stops never leaves the log locked.
CREATE FUNCTION log.append(
  streams text[], expected integer[],
  appends integer[], revisions integer[], ids uuid[], types text[], datas json[], metadatas json[]
)
RETURNS TABLE (stream text, outcome text, revision integer, "position" bigint)
LANGUAGE plpgsql
-- One plan for the life of a connection. Every lookup uses an index, even if the table was empty when
-- the plan was made.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  answered text[] := '{}';
BEGIN
  -- After waiting for the lock, the call must see the events that were committed meanwhile.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'log.append needs the isolation level read committed, not %.', current_setting('transaction_isolation');
  END IF;
  -- An acknowledged append survives a crash, whatever the server's default.
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
    SELECT requested.stream,
      CASE WHEN found.same = found.given THEN 'repeated' ELSE 'conflict' END,
      CASE WHEN found.same = found.given THEN found.revision
        ELSE coalesce((SELECT e.revision FROM log.event e WHERE e.stream = requested.stream ORDER BY e.revision DESC LIMIT 1), -1) END,
      found.position
    FROM unnest(streams) WITH ORDINALITY AS requested (stream, append)
    CROSS JOIN LATERAL (
      SELECT count(*) AS given, count(e.id) AS same, max(new.revision) AS revision, max(e.position) AS position
      FROM unnest(appends, revisions, ids) AS new (append, revision, id)
      LEFT JOIN log.event e ON e.stream = requested.stream AND e.revision = new.revision AND e.id = new.id
      WHERE new.append = requested.append
    ) AS found
    WHERE requested.stream <> ALL (answered);
  END IF;
END $$;
