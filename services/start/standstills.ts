import type { AdminSummary, Standstill } from '#contracts/admin/summary'
import { parkedStreams } from '#projections/engine/park/parked-streams'
import { parkedCustomers } from '#services/controls/parked-customers'
import { projectionStatus } from '#projections/engine/operate/status'
import { schemaOf } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import type { Queryable } from '#services/foundation/queryable'

/** The console names so many. The operator's commands list all. */
const mostNamed = 10

/** What stands still in this release's read models and controls, for administrators. */
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
              retry: retryProjection(name, pausedEvent.stream),
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
              retry: retryProjection(name, event.stream),
            },
          ]
        : [],
  )
  const inControls = (await parkedCustomers(db)).map(
    ({ userId, stream, eventType, reason, parkedAt }): Standstill => ({
      readModel: 'controls',
      waits: 'stream',
      stream,
      eventType,
      reason,
      since: parkedAt,
      retry: `billing controls retry ${userId}`,
    }),
  )
  const all = [...paused, ...parked, ...inControls]
  return { standstills: all.slice(0, mostNamed), standstillCount: all.length }
}

function retryProjection(readModel: string, stream: string): string {
  return `billing projections retry ${readModel} ${stream}`
}
