/**
 * SQL: the conditions on pg_locks that select the locks of this database with the key
 * `hashtextextended(key, 0)`, as a lease takes them. `key` is an SQL expression. `objsubid` is 1
 * for a key of one bigint, whose halves are `classid` and `objid`.
 */
export const grantedLocks = (key: string): string =>
  `locktype = 'advisory' AND granted AND objsubid = 1
   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
   AND (classid::bigint << 32 | objid::bigint) = hashtextextended(${key}, 0)`
