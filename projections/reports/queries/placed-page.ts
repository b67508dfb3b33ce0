import { z } from 'zod'
import type { FigureEvent, FigureEvents } from '#services/finance/reports/figure-event'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { schema } from './served.ts'

const placeRow = z.object({ seq: integerColumn, stream: z.string(), revision: z.int() })

/** The events with their places in the log. */
export async function placedPage(
  db: Queryable,
  events: readonly Omit<FigureEvent, 'stream' | 'revision'>[],
): Promise<Pick<FigureEvents, 'events'>> {
  if (events.length === 0) return { events: [] }
  const rows = await allRows(
    db,
    placeRow,
    `SELECT seq, stream, revision FROM ${schema}.place WHERE seq = ANY ($1)`,
    [events.map(({ seq }) => seq)],
  )
  const places = new Map(rows.map((row) => [row.seq, row]))
  return {
    events: events.map((event) => {
      const place = places.get(event.seq)
      if (place === undefined)
        throw new Error(
          `The read model reports has no place of event ${event.seq} of the log. Rebuild it: 'billing projections rebuild reports'.`,
        )
      return { ...event, stream: place.stream, revision: place.revision }
    }),
  }
}
