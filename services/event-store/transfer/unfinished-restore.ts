import type pg from 'pg'
import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'

/** A command that writes the events of another log, without `billing`. */
export type RestoringCommand = 'restore' | 'events import'

/** Marks the log as partial, in a separate transaction: the mark stays if the command fails. */
export function markUnfinished(pool: pg.Pool, command: RestoringCommand): Promise<void> {
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    await tx.query(
      `INSERT INTO app.unfinished_restore (command) VALUES ($1)
       ON CONFLICT (only_row) DO UPDATE SET command = excluded.command`,
      [command],
    )
  })
}

/** Call it in the transaction of the restore. */
export async function removeMark(tx: Queryable): Promise<void> {
  await tx.query('DELETE FROM app.unfinished_restore')
}

const markRow = z.object({ command: z.enum(['restore', 'events import']) })

/**
 * Refuses a log that has only the first events of a restore or an import. Read models of these
 * events would show wrong rows, and the repeated command would refuse the used database.
 * @param completes the command that the caller repeats, and that may be the interrupted one
 * @throws StartupError
 */
export async function refuseUnfinished(
  db: Queryable,
  completes: RestoringCommand | null = null,
): Promise<void> {
  const [mark] = await allRows(db, markRow, 'SELECT command FROM app.unfinished_restore')
  if (mark === undefined || mark.command === completes) return
  throw new StartupError(
    `'billing ${mark.command}' into EventStoreDB was interrupted, so the log is incomplete: run the same command again, or begin with another database and an empty log.`,
  )
}
