import pg from 'pg'
import { applicationNames } from '#services/foundation/application-names'
import { clientOptions, databaseLimits } from '#services/foundation/database-limits'

/** Runs one query on a separate connection, within 10 s. Rejects with the first error. */
export async function queryOnce<Result>(
  connectionString: string,
  query: (db: pg.Client) => Promise<Result>,
): Promise<Result> {
  const connection = new pg.Client({
    connectionString,
    application_name: applicationNames.projectors,
    ...clientOptions(databaseLimits.questions),
  })
  // The query rejects with the same error. An `error` event without a listener would end the
  // process.
  connection.on('error', () => undefined)
  try {
    await connection.connect()
    return await query(connection)
  } finally {
    await connection.end().catch(() => undefined)
  }
}
