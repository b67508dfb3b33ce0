import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'

const publishedRow = z.object({ sequence: z.int() })

/** The numbers of the seals that the place took. */
export async function publishedTo(db: Queryable, place: string): Promise<ReadonlySet<number>> {
  const rows = await allRows(
    db,
    publishedRow,
    'SELECT sequence FROM app.published_seal WHERE place = $1',
    [place],
  )
  return new Set(rows.map(({ sequence }) => sequence))
}

export async function recordPublished(
  db: Queryable,
  place: string,
  sequence: number,
): Promise<void> {
  await db.query(
    'INSERT INTO app.published_seal (place, sequence) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [place, sequence],
  )
}
