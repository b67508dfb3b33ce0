import { z } from 'zod'
import type { Position } from '#services/event-store/event-store'
import type { WatchedCustomer } from '#services/finance/controls/watch'
import { positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow, oneRow } from '#services/foundation/rows'

/* The tables `app.control_progress` and `app.control_state`. */

/** Each version of the controls has a separate state of each log. */
export interface StateKey {
  readonly logId: string
  readonly version: number
}

const progressRow = z.object({ position: positionColumn.nullable() })
const readProgress = 'SELECT position FROM app.control_progress WHERE log_id = $1 AND version = $2'

/** Removes the state of earlier versions. Returns where this version resumes. */
export async function beginProgress(
  db: Queryable,
  { logId, version }: StateKey,
): Promise<Position | null> {
  await db.query('DELETE FROM app.control_progress WHERE version < $1', [version])
  await db.query(
    'INSERT INTO app.control_progress (log_id, version) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [logId, version],
  )
  const { position } = await oneRow(db, progressRow, readProgress, [logId, version])
  return position
}

/**
 * Lets one process fold at a time, until the end of the transaction. Undefined if a later version
 * has removed the state.
 */
export function lockProgress(
  tx: Queryable,
  { logId, version }: StateKey,
): Promise<{ readonly position: Position | null } | undefined> {
  return firstRow(tx, progressRow, `${readProgress} FOR UPDATE`, [logId, version])
}

export async function moveProgress(
  tx: Queryable,
  { logId, version }: StateKey,
  position: Position,
): Promise<void> {
  await tx.query(
    'UPDATE app.control_progress SET position = $3 WHERE log_id = $1 AND version = $2',
    [logId, version, position],
  )
}

const stateRow = z.object({
  userId: z.string(),
  // Each control parses its own state.
  state: z.record(z.string(), z.unknown()),
})

export async function readStates(
  tx: Queryable,
  { logId, version }: StateKey,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, WatchedCustomer>> {
  const rows = await allRows(
    tx,
    stateRow,
    `SELECT user_id AS "userId", state FROM app.control_state
     WHERE log_id = $1 AND version = $2 AND user_id = ANY ($3)`,
    [logId, version, userIds],
  )
  return new Map(rows.map(({ userId, state }) => [userId, state]))
}

export async function writeStates(
  tx: Queryable,
  { logId, version }: StateKey,
  customers: ReadonlyMap<string, WatchedCustomer>,
): Promise<void> {
  if (customers.size === 0) return
  await tx.query(
    `INSERT INTO app.control_state (log_id, version, user_id, state)
     SELECT $1, $2, user_id, state::jsonb FROM unnest($3::text[], $4::text[]) AS new(user_id, state)
     ON CONFLICT (log_id, version, user_id) DO UPDATE SET state = excluded.state`,
    [
      logId,
      version,
      [...customers.keys()],
      [...customers.values()].map((state) => JSON.stringify(state)),
    ],
  )
}
