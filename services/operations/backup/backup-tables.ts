import type pg from 'pg'

type Queryable = Pick<pg.ClientBase, 'query'>

/**
 * Every table that is no read model, ordered by schema and name: the schemas `log` and `app`, and the
 * skipped events of projections. The query reads the database's catalog, so that a backup includes new
 * tables. Left out: read models and `projection`, which are rebuilt, `log.identity`, since a restored log
 * has a new identity, and `app.write_probe`.
 */
export async function backupTables(client: Queryable): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE (schemaname IN ('log', 'app') AND (schemaname, tablename) NOT IN (('app', 'migration'), ('app', 'write_probe'), ('log', 'identity')))
       OR (schemaname, tablename) = ('projection', 'skipped_event')
     ORDER BY schemaname, tablename`,
  )
  return rows.map(({ name }) => name)
}

/** The number of rows of the backup's tables. */
export async function countBackupRows(client: Queryable): Promise<number> {
  let count = 0
  for (const table of await backupTables(client)) {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${table}`)
    count += Number(rows[0]?.count ?? 0)
  }
  return count
}

/** Sequences of the backup's tables with their last values. Leaves out unused sequences. */
export async function sequences(
  client: Queryable,
): Promise<readonly { readonly name: string; readonly lastValue: string }[]> {
  const { rows } = await client.query<{ name: string; lastValue: string }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS "lastValue" FROM pg_sequences
     WHERE schemaname IN ('log', 'app') AND last_value IS NOT NULL AND (schemaname, sequencename) <> ('app', 'migration_id_seq') ORDER BY 1`,
  )
  return rows
}

export async function migrationsOf(client: Queryable): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM app.migration ORDER BY id',
  )
  return rows.map(({ name }) => name)
}
