-- Up Migration

-- The key of the lock that every writer of the log takes ('eventlog' read as a bigint), in one place. A restore and a repair take it too.
CREATE FUNCTION log.append_lock() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT 7311142570156650343';

-- log.append (migration 0001) and log.append_one (0008) keep their text except for the key. The planner replaces the call by the number.
DO $$
DECLARE
  writer regprocedure;
BEGIN
  FOR writer IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'log'::regnamespace AND p.prosrc LIKE '%pg_advisory_xact_lock(7311142570156650343)%' LOOP
    EXECUTE replace(pg_get_functiondef(writer), 'pg_advisory_xact_lock(7311142570156650343)', 'pg_advisory_xact_lock(log.append_lock())');
  END LOOP;
END $$;
