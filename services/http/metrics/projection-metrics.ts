import { Gauge, type Registry } from 'prom-client'
import type { Measure } from './measure.ts'

/** What a scrape reads about the projections. */
export interface MeasuredProjections {
  readonly projections: readonly {
    readonly name: string
    readonly version: number
    readonly schema: string
    /** Null while the event store does not answer. */
    readonly eventsBehind: number | null
    readonly state: string
    readonly isBuilt: boolean
    readonly hasProjector: boolean
    readonly updatedAt: string
  }[]
  readonly skipped: readonly {
    readonly name: string
    readonly version: number
    /** Null while the rows do not contain the event. */
    readonly foldedAt: string | null
  }[]
  readonly parked: readonly { readonly projection: string; readonly waitingEvents: number }[]
}

/** Returns a function that a scrape calls to set the state of every projection. */
export function projectionMetrics(
  registry: Registry,
  overview: () => Promise<MeasuredProjections>,
  measure: Measure,
): () => Promise<void> {
  const registers = [registry]
  const labelNames = ['projection']
  const gauges = {
    behind: new Gauge({
      name: 'projection_events_behind',
      help: 'Events of the log that a projection has not folded yet. Absent while the event store does not answer.',
      labelNames,
      registers,
    }),
    paused: new Gauge({
      name: 'projection_paused',
      help: '1 while a projection is paused at a poison event.',
      labelNames,
      registers,
    }),
    built: new Gauge({
      name: 'projection_built',
      help: '1 after a read model has reached the end of the log and may be read.',
      labelNames,
      registers,
    }),
    projector: new Gauge({
      name: 'projection_has_projector',
      help: '1 while a process holds the lease of a projection.',
      labelNames,
      registers,
    }),
    age: new Gauge({
      name: 'projection_position_age_seconds',
      help: 'Seconds since the last checkpoint of a projection. Relevant only while the projection is behind.',
      labelNames,
      registers,
    }),
    skipped: new Gauge({
      name: 'projection_skipped_events',
      help: 'Events that an operator skipped and that no rebuild has folded since.',
      labelNames,
      registers,
    }),
    parkedStreams: new Gauge({
      name: 'projection_parked_streams',
      help: 'Streams of which a projection cannot fold an event. The events from this one on wait.',
      labelNames,
      registers,
    }),
    parkedEvents: new Gauge({
      name: 'projection_parked_events',
      help: 'Events that wait in the parked streams of a projection.',
      labelNames,
      registers,
    }),
    up: new Gauge({
      name: 'projections_readable',
      help: '0 if this scrape could not read the state of the projections from the database.',
      registers,
    }),
  }
  const read = measure('projections', overview)

  return async () => {
    const { value, isFresh } = await read()
    // The values of the last scrape are removed: a version may have been dropped since.
    for (const gauge of Object.values(gauges)) gauge.reset()
    gauges.up.set(isFresh ? 1 : 0)
    const { projections = [], skipped = [], parked = [] } = value ?? {}
    for (const each of projections) {
      const { name, version, schema: projection, eventsBehind, updatedAt } = each
      if (eventsBehind !== null) gauges.behind.set({ projection }, eventsBehind)
      gauges.paused.set({ projection }, each.state === 'paused' ? 1 : 0)
      gauges.built.set({ projection }, each.isBuilt ? 1 : 0)
      gauges.projector.set({ projection }, each.hasProjector ? 1 : 0)
      gauges.age.set({ projection }, Math.max(0, (Date.now() - Date.parse(updatedAt)) / 1_000))
      const lacking = skipped.filter(
        (one) => one.name === name && one.version === version && one.foldedAt === null,
      )
      gauges.skipped.set({ projection }, lacking.length)
      const waiting = parked.filter((one) => one.projection === projection)
      gauges.parkedStreams.set({ projection }, waiting.length)
      gauges.parkedEvents.set(
        { projection },
        waiting.reduce((sum, { waitingEvents }) => sum + waitingEvents, 0),
      )
    }
  }
}
