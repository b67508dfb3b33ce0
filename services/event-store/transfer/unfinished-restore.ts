import type pg from 'pg'
import type { Queryable } from '#services/foundation/queryable'
import { StartupError } from '#services/foundation/startup-error'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'

/** Marks the log as partial, in a separate transaction: the mark stays if the restore fails. */
export function markUnfinished(pool: pg.Pool): Promise<void> {
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    await tx.query('INSERT INTO app.unfinished_restore DEFAULT VALUES ON CONFLICT DO NOTHING')
  })
}

/** Call it in the transaction of the restore. */
export async function removeMark(tx: Queryable): Promise<void> {
  await tx.query('DELETE FROM app.unfinished_restore')
}

/**
 * Refuses a log that has only the first events of a restore or an import. Read models of these
 * events would show wrong rows, and the repeated restore would refuse the used database.
 * @throws StartupError
 */
export async function refuseUnfinished(db: Queryable): Promise<void> {
  const { rows } = await db.query('SELECT 1 FROM app.unfinished_restore')
  if (rows.length > 0)
    throw new StartupError(
      "A restore or an import into EventStoreDB was interrupted, so the log is incomplete: run the same 'billing restore' or 'billing events import' again, or begin with another database and an empty log.",
    )
}
