import { z } from 'zod'
import type { Parameters } from '#projections/listing/parameters'
import { instantColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { table } from './table.ts'

/** The administrators whose acts are shown. */
export type Actors =
  | { readonly kind: 'person'; readonly adminId: string }
  /** The sign-ins with the shared password: all administrators except these. */
  | { readonly kind: 'shared'; readonly named: readonly string[] }

/** The actor of a refused sign-in. */
const unknownActor = 'unknown'

/** What the row `e` of an event meets, as SQL. */
export function byActor(actors: Actors | null, parameters: Parameters): string {
  if (actors === null) return 'true'
  if (actors.kind === 'person') return `e.admin_id = ${parameters.add(actors.adminId)}`
  return `e.admin_id <> ALL (${parameters.add([...actors.named, unknownActor])}::text[])`
}

const signInRow = z.object({ admin_id: z.string(), occurred_at: instantColumn })

/** When each of these administrators signed in last. One without a sign-in has no entry. */
export async function lastSignIns(
  db: Queryable,
  adminIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await allRows(
    db,
    signInRow,
    `SELECT person.admin_id, last.occurred_at FROM unnest($1::text[]) AS person (admin_id)
     CROSS JOIN LATERAL (
       SELECT e.occurred_at FROM ${table} e
       WHERE e.admin_id = person.admin_id AND e.type = 'AdminSignedIn'
       ORDER BY e.occurred_at DESC LIMIT 1
     ) AS last`,
    [adminIds],
  )
  return new Map(rows.map(({ admin_id, occurred_at }) => [admin_id, occurred_at]))
}
