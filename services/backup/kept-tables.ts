import type pg from 'pg'

type Queryable = Pick<pg.ClientBase, 'query'>

/**
 * Every table that is no read model, by schema and name: the log and what belongs to the application.
 * Found in the database, so that a table of tomorrow is in tomorrow's backup. What is in `projection`
 * and in the read models' schemas is computed anew.
 */
export async function keptTables(client: Queryable): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ('log', 'app') AND (schemaname, tablename) <> ('app', 'migration') ORDER BY schemaname DESC, tablename`,
  )
  return rows.map(({ name }) => name)
}

/** Sequences of those tables, with the last value that each gave out; one that gave out none is left out. */
export async function sequences(client: Queryable): Promise<readonly { readonly name: string; readonly lastValue: string }[]> {
  const { rows } = await client.query<{ name: string; lastValue: string }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS "lastValue" FROM pg_sequences
     WHERE schemaname IN ('log', 'app') AND last_value IS NOT NULL AND (schemaname, sequencename) <> ('app', 'migration_id_seq') ORDER BY 1`,
  )
  return rows
}

export async function migrationsOf(client: Queryable): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM app.migration ORDER BY id')
  return rows.map(({ name }) => name)
}
