import { storableText } from '#contracts/storable-text'
import type { Queryable } from './queryable.ts'

/**
 * Writes whole rows in one statement, replacing those that have the same key. The rows' fields are
 * named as the columns; every row has the same fields. At most one row a key.
 */
export async function upsertRows(
  tx: Queryable,
  table: string,
  key: string,
  rows: readonly object[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const changes = columns
    .filter((column) => column !== key)
    .map((column) => `${column} = excluded.${column}`)
  await tx.query(
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)
     ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}`,
    [toJson(rows)],
  )
}

/** What JSON.stringify makes of NUL and of half a surrogate pair; and of nothing else that is common. */
const suspicious = /\\u(?:0000|d[89a-f])/

/**
 * Postgres stores neither NUL nor half a surrogate pair. Somebody who types one must not be able to
 * stop a projection, so it becomes the replacement character. Looking at every value costs as much again
 * as writing them all, so it is done where the text has something of the kind.
 */
function toJson(rows: readonly object[]): string {
  const json = JSON.stringify(rows)
  return suspicious.test(json) ? JSON.stringify(rows, storable) : json
}

function storable(_field: string, value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value
}
