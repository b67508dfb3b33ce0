import type { Queryable } from './queryable.ts'

/**
 * Writes whole rows in one statement, replacing those that have the same key. The rows' fields are
 * named as the columns; every row has the same fields. At most one row a key.
 */
export async function upsertRows(tx: Queryable, table: string, key: string, rows: readonly object[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const changes = columns.filter((column) => column !== key).map((column) => `${column} = excluded.${column}`)
  await tx.query(
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)
     ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}`,
    [JSON.stringify(rows, storable)],
  )
}

/**
 * Postgres stores neither NUL nor half a surrogate pair. Somebody who types one must not be able to
 * stop a projection, so it becomes the replacement character.
 */
function storable(_field: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/[\0\p{Surrogate}]/gu, '\uFFFD') : value
}
