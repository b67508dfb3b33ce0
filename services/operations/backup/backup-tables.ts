import { z } from 'zod'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'

const nameRow = z.object({ name: z.string() })
const countRow = z.object({ count: integerColumn })

/** The log in the database. After a move of the log, it still has the events of before the move. */
export const logTable = 'log.event'
export const logSequence = 'log.event_position_seq'

/** The value stays text: the backup writes what the database said. */
const sequenceRow = z.object({ name: z.string(), lastValue: z.string() })

/**
 * Every table that is no read model, ordered by schema and name: the schemas `log` and `app`, and
 * the skipped events of projections. The query reads the database's catalog, so that a backup
 * includes new tables. Left out: read models and `projection`, which are rebuilt, `log.identity`,
 * since a restored log has a new identity, the state of the controls and `app.compared_logs`, which
 * belong to an identity, `app.write_probe`, `app.unfinished_restore`, and `app.key_fingerprint`:
 * the header of a backup has the fingerprints. Sessions, sign-in codes and challenges are left out,
 * since a restore must not revive those that ended after the backup, and `app.farewell`, which has
 * the addresses of erased persons until their last mail is sent. `app.integrity_work` is about this
 * installation.
 */
export async function backupTables(client: Queryable): Promise<readonly string[]> {
  const rows = await allRows(
    client,
    nameRow,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE (schemaname IN ('log', 'app') AND (schemaname, tablename) NOT IN (
         ('app', 'migration'), ('app', 'write_probe'), ('app', 'key_fingerprint'), ('log', 'identity'), ('app', 'compared_logs'), ('app', 'unfinished_restore'),
         ('app', 'customer_session'), ('app', 'admin_session'), ('app', 'sign_in_code'), ('app', 'passkey_challenge'), ('app', 'farewell'),
         ('app', 'integrity_work'), ('app', 'control_progress'), ('app', 'control_state'), ('app', 'control_parked'), ('app', 'control_waiting')))
       OR (schemaname, tablename) = ('projection', 'skipped_event')
     ORDER BY schemaname, tablename`,
  )
  return rows.map(({ name }) => name)
}

/** The number of rows of the tables. */
export async function countTableRows(
  client: Queryable,
  tables: readonly string[],
): Promise<number> {
  let count = 0
  for (const table of tables) {
    const counted = await oneRow(client, countRow, `SELECT count(*) FROM ${table}`)
    count += counted.count
  }
  return count
}

/** Sequences of the backup's tables with their last values. Leaves out unused sequences. */
export async function sequences(
  client: Queryable,
): Promise<readonly { readonly name: string; readonly lastValue: string }[]> {
  return allRows(
    client,
    sequenceRow,
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS "lastValue" FROM pg_sequences
     WHERE schemaname IN ('log', 'app') AND last_value IS NOT NULL AND (schemaname, sequencename) <> ('app', 'migration_id_seq') ORDER BY 1`,
  )
}

export async function migrationsOf(client: Queryable): Promise<readonly string[]> {
  const rows = await allRows(client, nameRow, 'SELECT name FROM app.migration ORDER BY id')
  return rows.map(({ name }) => name)
}
