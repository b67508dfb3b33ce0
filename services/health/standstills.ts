import type { AdminSummary, Standstill } from '#contracts/admin/summary'
import type { Instant } from '#contracts/instant'
import { parkedStreams } from '#projections/engine/park/parked-streams'
import { projectionStatus } from '#projections/engine/operate/status'
import { schemaOf } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import { parkedCustomers } from '#services/controls/parked-customers'
import type { Queryable } from '#services/foundation/queryable'

/** The console names so many events. The operator's commands list all. */
const maxNamed = 10

/** A read model, or the controls, that cannot fold an event. */
interface Stop {
  readonly place: string
  readonly waits: Standstill['waits']
  readonly eventId: string
  readonly eventType: string
  readonly stream: string
  readonly reason: string
  readonly since: Instant
  readonly retry: string
}

/**
 * The events at which this release's read models and controls stand still, for administrators. One
 * broken event can stop several of them.
 */
export async function standstills(
  db: Queryable,
): Promise<Pick<AdminSummary, 'standstills' | 'standstillCount'>> {
  const stops = [...(await paused(db)), ...(await parked(db)), ...(await parkedInControls(db))]
  const all = byEvent(stops).map(standstillOf)
  return { standstills: all.slice(0, maxNamed), standstillCount: all.length }
}

const used = new Set(readModels.map(schemaOf))

async function paused(db: Queryable): Promise<readonly Stop[]> {
  return (await projectionStatus(db)).flatMap(({ name, schema, pausedEvent, reason, updatedAt }) =>
    used.has(schema) && pausedEvent !== null
      ? [stopOf(name, 'all', pausedEvent, reason ?? '', updatedAt)]
      : [],
  )
}

async function parked(db: Queryable): Promise<readonly Stop[]> {
  return (await parkedStreams(db)).flatMap(({ name, projection, event, reason, parkedAt }) =>
    used.has(projection) ? [stopOf(name, 'stream', event, reason, parkedAt)] : [],
  )
}

async function parkedInControls(db: Queryable): Promise<readonly Stop[]> {
  return (await parkedCustomers(db)).map(
    ({ userId, eventId, eventType, stream, reason, parkedAt }) => ({
      place: 'controls',
      waits: 'stream',
      eventId,
      eventType,
      stream,
      reason,
      since: parkedAt,
      retry: `billing controls retry ${userId}`,
    }),
  )
}

function stopOf(
  readModel: string,
  waits: Stop['waits'],
  event: { readonly id: string; readonly type: string; readonly stream: string },
  reason: string,
  since: Instant,
): Stop {
  const { id: eventId, type: eventType, stream } = event
  const retry = `billing projections retry ${readModel} ${stream}`
  return { place: readModel, waits, eventId, eventType, stream, reason, since, retry }
}

function byEvent(stops: readonly Stop[]): readonly (readonly [Stop, ...Stop[]])[] {
  const groups = new Map<string, [Stop, ...Stop[]]>()
  for (const stop of stops) {
    const key = `${stop.waits} ${stop.eventId}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [stop])
    else group.push(stop)
  }
  return [...groups.values()]
}

function standstillOf(stops: readonly [Stop, ...Stop[]]): Standstill {
  const [{ waits, stream, eventType }] = stops
  const reasons = [...new Set(stops.map(({ reason }) => reason))]
  return {
    places: stops.map(({ place }) => place),
    waits,
    stream,
    eventType,
    // The reason of a read model contains that of the codec, which is the reason of the controls.
    reason: reasons
      .filter((reason) => !reasons.some((other) => other !== reason && other.includes(reason)))
      .join(' '),
    since: stops.map(({ since }) => since).reduce((a, b) => (a < b ? a : b)),
    retries: stops.map(({ retry }) => retry),
  }
}
