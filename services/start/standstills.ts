import type { AdminSummary, Standstill } from '#contracts/admin/summary'
import { parkedStreams } from '#projections/engine/park/parked-streams'
import { projectionStatus } from '#projections/engine/operate/status'
import { schemaOf } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import type { Queryable } from '#services/foundation/queryable'

/** The console names so many. 'billing projections status' lists all. */
const mostNamed = 10

/** Parked streams and paused projections of this release's read models, for administrators. */
export async function standstills(
  db: Queryable,
): Promise<Pick<AdminSummary, 'standstills' | 'standstillCount'>> {
  const used = new Set(readModels.map(schemaOf))
  const paused = (await projectionStatus(db)).flatMap(
    ({ name, schema, pausedEvent, reason, updatedAt }): Standstill[] =>
      used.has(schema) && pausedEvent !== null
        ? [
            {
              readModel: name,
              waits: 'all',
              stream: pausedEvent.stream,
              eventType: pausedEvent.type,
              reason: reason ?? '',
              since: updatedAt,
            },
          ]
        : [],
  )
  const parked = (await parkedStreams(db)).flatMap(
    ({ name, projection, event, reason, parkedAt }): Standstill[] =>
      used.has(projection)
        ? [
            {
              readModel: name,
              waits: 'stream',
              stream: event.stream,
              eventType: event.type,
              reason,
              since: parkedAt,
            },
          ]
        : [],
  )
  const all = [...paused, ...parked]
  return { standstills: all.slice(0, mostNamed), standstillCount: all.length }
}
