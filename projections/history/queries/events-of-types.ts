import { dayConditions, type DayRange } from '#projections/listing/day-range'
import type { EventType } from '#contracts/event-labels'
import type { Queryable } from '#services/foundation/queryable'
import { byActor, type Actors } from './actors.ts'
import { readPage, type Page, type PageRequest } from './read-page.ts'

/** One page of the events of these types, of all users. Null if the index has no event `after`. */
export function eventsOfTypes(
  db: Queryable,
  types: readonly EventType[],
  request: PageRequest,
): Promise<Page | null> {
  return readPage(db, { ranges: { column: 'type', values: types }, where: () => 'true' }, request)
}

/** A part of what administrators did. */
export interface Activity {
  /** Null: events of every type. */
  readonly types: readonly EventType[] | null
  readonly days: DayRange
  /** Null: all administrators, and refused sign-ins. */
  readonly actors: Actors | null
}

/** One page of what administrators did. Null if the index has no event `after`. */
export function adminActivity(
  db: Queryable,
  { types, days, actors }: Activity,
  request: PageRequest,
): Promise<Page | null> {
  return readPage(
    db,
    {
      ranges: actors?.kind === 'person' ? { column: 'admin_id', values: [actors.adminId] } : null,
      where: (parameters) =>
        [
          `e.actor_kind = 'admin'`,
          byActor(actors, parameters),
          ...(types === null ? [] : [`e.type = ANY (${parameters.add(types)}::text[])`]),
          ...dayConditions('e.occurred_at', days),
        ].join(' AND '),
    },
    request,
  )
}
