import { dayConditions, type DayRange } from '#projections/listing/day-range'
import type { EventType } from '#contracts/event-labels'
import type { Queryable } from '#services/foundation/queryable'
import { readPage, type Page, type PageRequest } from './read-page.ts'

/** One page of the events of these types, of all users. Null if the index has no event `after`. */
export function eventsOfTypes(
  db: Queryable,
  types: readonly EventType[],
  request: PageRequest,
): Promise<Page | null> {
  return readPage(db, { ranges: { column: 'type', values: types }, where: () => 'true' }, request)
}

/**
 * One page of what administrators did on these days, refused sign-ins included. `types` null:
 * events of every type. Null if the index has no event `after`.
 */
export function adminActivity(
  db: Queryable,
  types: readonly EventType[] | null,
  days: DayRange,
  request: PageRequest,
): Promise<Page | null> {
  return readPage(
    db,
    {
      ranges: null,
      where: (parameters) =>
        [
          `e.actor_kind = 'admin'`,
          ...(types === null ? [] : [`e.type = ANY (${parameters.add(types)}::text[])`]),
          ...dayConditions('e.occurred_at', days),
        ].join(' AND '),
    },
    request,
  )
}
