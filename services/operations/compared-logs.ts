import type pg from 'pg'
import { z } from 'zod'
import type { Compared } from '#services/event-store/transfer/compare-logs'
import { positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'

/** The identities of two logs. */
export interface ComparedLogs {
  readonly source: string
  readonly copy: string
}

const comparedRow = z.object({ inSource: positionColumn, inCopy: positionColumn })

/**
 * The end of the last comparison of both logs. Null if there was no comparison, or if the last one
 * failed. Equal logs are equal in both directions, so a copy back has the same comparison.
 */
export async function lastComparison(
  db: Queryable,
  { source, copy }: ComparedLogs,
): Promise<Compared | null> {
  const row = await firstRow(
    db,
    comparedRow,
    `SELECT in_source AS "inSource", in_copy AS "inCopy" FROM app.compared_logs WHERE source = $1 AND copy = $2
     UNION ALL SELECT in_copy, in_source FROM app.compared_logs WHERE source = $2 AND copy = $1`,
    [source, copy],
  )
  return row === undefined ? null : { ...row, events: 0 }
}

/** Null: the comparison failed, or the logs are empty. */
export async function recordComparison(
  pool: pg.Pool,
  { source, copy }: ComparedLogs,
  end: Compared | null,
): Promise<void> {
  await onConnectionOf(pool, durableTransaction, async (tx) => {
    await tx.query(
      'DELETE FROM app.compared_logs WHERE (source, copy) IN (($1::uuid, $2::uuid), ($2::uuid, $1::uuid))',
      [source, copy],
    )
    if (end === null || end.inSource === null || end.inCopy === null) return
    await tx.query(
      'INSERT INTO app.compared_logs (source, copy, in_source, in_copy) VALUES ($1, $2, $3, $4)',
      [source, copy, end.inSource, end.inCopy],
    )
  })
}
