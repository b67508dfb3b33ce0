import type { AdminSummary, ReportedPoisonEvent } from '#contracts/admin/summary'
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
interface StoppedPlace {
  readonly place: string
  readonly waits: ReportedPoisonEvent['waits']
  readonly eventId: string
  readonly eventType: string
  readonly stream: string
  readonly reason: string
  readonly since: Instant
  readonly retry: string
}

/**
 * The events at which this release's read models and controls stop, for administrators. One
 * broken event can stop several of them.
 */
export async function poisonEvents(
  db: Queryable,
): Promise<Pick<AdminSummary, 'poisonEvents' | 'poisonEventCount'>> {
  const places = [...(await paused(db)), ...(await parked(db)), ...(await parkedInControls(db))]
  const all = byEvent(places).map(poisonEventOf)
  return { poisonEvents: all.slice(0, maxNamed), poisonEventCount: all.length }
}

const used = new Set(readModels.map(schemaOf))

async function paused(db: Queryable): Promise<readonly StoppedPlace[]> {
  return (await projectionStatus(db)).flatMap(({ name, schema, pausedEvent, reason, updatedAt }) =>
    used.has(schema) && pausedEvent !== null
      ? [stoppedPlaceOf(name, 'all', pausedEvent, reason ?? '', updatedAt)]
      : [],
  )
}

async function parked(db: Queryable): Promise<readonly StoppedPlace[]> {
  return (await parkedStreams(db)).flatMap(({ name, projection, event, reason, parkedAt }) =>
    used.has(projection) ? [stoppedPlaceOf(name, 'stream', event, reason, parkedAt)] : [],
  )
}

async function parkedInControls(db: Queryable): Promise<readonly StoppedPlace[]> {
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

function stoppedPlaceOf(
  readModel: string,
  waits: StoppedPlace['waits'],
  event: { readonly id: string; readonly type: string; readonly stream: string },
  reason: string,
  since: Instant,
): StoppedPlace {
  const { id: eventId, type: eventType, stream } = event
  const retry = `billing projections retry ${readModel} ${stream}`
  return { place: readModel, waits, eventId, eventType, stream, reason, since, retry }
}

function byEvent(
  places: readonly StoppedPlace[],
): readonly (readonly [StoppedPlace, ...StoppedPlace[]])[] {
  const groups = new Map<string, [StoppedPlace, ...StoppedPlace[]]>()
  for (const place of places) {
    const key = `${place.waits} ${place.eventId}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [place])
    else group.push(place)
  }
  return [...groups.values()]
}

function poisonEventOf(places: readonly [StoppedPlace, ...StoppedPlace[]]): ReportedPoisonEvent {
  const [{ waits, stream, eventType }] = places
  const reasons = [...new Set(places.map(({ reason }) => reason))]
  return {
    places: places.map(({ place }) => place),
    waits,
    stream,
    eventType,
    // The reason of a read model contains that of the codec, which is the reason of the controls.
    reason: reasons
      .filter((reason) => !reasons.some((other) => other !== reason && other.includes(reason)))
      .join(' '),
    since: places.map(({ since }) => since).reduce((a, b) => (a < b ? a : b)),
    retries: places.map(({ retry }) => retry),
  }
}
