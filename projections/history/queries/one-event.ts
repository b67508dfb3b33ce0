import { z } from 'zod'
import type { EventType } from '#contracts/event-labels'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import { usersOf } from './subjects.ts'
import { table } from './table.ts'
import type { Place } from './read-page.ts'

const subjectRow = z.object({ subject: z.string().nullable() })
const revisionRow = z.object({ revision: z.int() })

/** The user whose history has the event. Null for no user. */
export async function userOfEvent(
  db: Queryable,
  { stream, revision }: Place,
): Promise<string | null> {
  const row = await firstRow(
    db,
    subjectRow,
    `SELECT subject FROM ${table} WHERE stream = $1 AND revision = $2`,
    [stream, revision],
  )
  const subject = row?.subject ?? null
  return subject === null ? null : ((await usersOf(db, [subject])).get(subject) ?? null)
}

/** The revisions of the last events of these types before it in its stream, last first. */
export async function revisionsBefore(
  db: Queryable,
  { stream, revision }: Place,
  types: readonly EventType[],
  limit: number,
): Promise<readonly number[]> {
  const rows = await allRows(
    db,
    revisionRow,
    `SELECT revision FROM ${table} WHERE stream = $1 AND revision < $2 AND type = ANY ($3::text[])
     ORDER BY revision DESC LIMIT $4`,
    [stream, revision, types, limit],
  )
  return rows.map((row) => row.revision)
}
