import { storableText } from '#contracts/storable-text'
import type { Queryable } from '#services/foundation/queryable'

/**
 * Inserts rows in one statement, or replaces the rows with the same key. Fields are named as the
 * columns. All rows have the same fields. The caller passes at most one row per key.
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

/** How JSON.stringify writes NUL and an unpaired surrogate. Other text rarely matches. */
const suspicious = /\\u(?:0000|d[89a-f])/

/**
 * PostgreSQL stores neither NUL nor unpaired surrogates. Both become the replacement character, so
 * that no typed text pauses a projection. Replacing in every value costs as much as writing the
 * rows, so the function first tests the whole JSON text.
 */
function toJson(rows: readonly object[]): string {
  const json = JSON.stringify(rows)
  return suspicious.test(json) ? JSON.stringify(rows, storable) : json
}

function storable(_field: string, value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value
}
