import { z } from 'zod'
import { errorMessage } from '#services/foundation/error-message'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { storedReason } from '#services/foundation/stored-reason'

/** The operator's work that keeps the log provable. Each has an alarm if it is late or failed. */
const integrityWorks = ['verify', 'seal', 'backup', 'close'] as const
export type IntegrityWork = (typeof integrityWorks)[number]

/** Receives a sentence if the outcome cannot be recorded, such as on a standby. */
type OnUnrecorded = (sentence: string) => void

export function noteDone(
  db: Queryable,
  work: IntegrityWork,
  onUnrecorded: OnUnrecorded,
): Promise<void> {
  return note(
    db,
    'UPDATE app.integrity_work SET done_at = now(), failed_at = NULL, failure = NULL WHERE work = $1',
    [work],
    onUnrecorded,
  )
}

export function noteFailed(
  db: Queryable,
  work: IntegrityWork,
  failure: unknown,
  onUnrecorded: OnUnrecorded,
): Promise<void> {
  return note(
    db,
    'UPDATE app.integrity_work SET failed_at = now(), failure = $2 WHERE work = $1',
    [work, storedReason(failure).slice(0, 500)],
    onUnrecorded,
  )
}

/** Records a failure of `run`, which it rejects with. */
export async function recordingFailure<Result>(
  db: Queryable,
  works: readonly IntegrityWork[],
  onUnrecorded: OnUnrecorded,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    for (const work of works) await noteFailed(db, work, error, onUnrecorded)
    throw error
  }
}

/** The result of the work counts also if its outcome cannot be recorded. */
async function note(
  db: Queryable,
  statement: string,
  values: unknown[],
  onUnrecorded: OnUnrecorded,
): Promise<void> {
  try {
    await db.query(statement, values)
  } catch (error) {
    onUnrecorded(
      `The outcome could not be recorded (${errorMessage(error)}), so the alarms about its age do not know it.`,
    )
  }
}

const workRow = z.object({
  work: z.enum(integrityWorks),
  /** Since the work was done last; since the installation if it never was. */
  ageSeconds: z.number(),
  isEver: z.boolean(),
  /** Why the last attempt failed. Null: it succeeded, or there was none. */
  failure: z.string().nullable(),
})
export type IntegrityWorkState = Readonly<z.infer<typeof workRow>>

export async function integrityWork(db: Queryable): Promise<readonly IntegrityWorkState[]> {
  return allRows(
    db,
    workRow,
    `SELECT work, extract(epoch FROM now() - coalesce(done_at, since))::float8 AS "ageSeconds",
       done_at IS NOT NULL AS "isEver", failure
     FROM app.integrity_work ORDER BY work`,
  )
}
