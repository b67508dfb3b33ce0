import { z } from 'zod'
import { controls } from '#services/finance/controls/controls'
import type { Firing } from '#services/finance/controls/watch'
import { instantColumn, integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'

const firingRow = z.object({
  control: z.string(),
  title: z.string(),
  userId: z.string(),
  recordedAt: instantColumn,
  sentence: z.string(),
})
export type StoredFiring = Readonly<z.infer<typeof firingRow>>

/** Stores the firings. A firing that is stored stays as it is. */
export async function addFirings(tx: Queryable, firings: readonly Firing[]): Promise<void> {
  if (firings.length === 0) return
  await tx.query(
    `INSERT INTO app.control_firing (event_id, control, title, user_id, recorded_at, sentence)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[])
     ON CONFLICT DO NOTHING`,
    [
      firings.map(({ eventId }) => eventId),
      firings.map(({ control }) => control),
      firings.map(({ control }) => titles.get(control) ?? control),
      firings.map(({ userId }) => userId),
      firings.map(({ recordedAt }) => recordedAt),
      firings.map(({ sentence }) => sentence),
    ],
  )
}

const titles = new Map(controls.map(({ name, title }) => [name, title]))

/** The firings of an event. */
export function firingsOf(db: Queryable, eventId: string): Promise<readonly StoredFiring[]> {
  return allRows(
    db,
    firingRow,
    `SELECT control, title, user_id AS "userId", recorded_at AS "recordedAt", sentence
     FROM app.control_firing WHERE event_id = $1 ORDER BY control`,
    [eventId],
  )
}

const countRow = z.object({ control: z.string(), firings: integerColumn })
export type FiringCount = Readonly<z.infer<typeof countRow>>

/** The number of firings of every control, also of one that never fired. */
export function countFirings(db: Queryable): Promise<readonly FiringCount[]> {
  return allRows(
    db,
    countRow,
    `SELECT control, count(f.event_id) AS firings
     FROM unnest($1::text[]) AS listed(control) FULL JOIN app.control_firing f USING (control)
     GROUP BY control ORDER BY control`,
    [controls.map(({ name }) => name)],
  )
}
